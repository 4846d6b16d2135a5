// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A start-up log beside the plan: what the engine printed, what is planned, the difference in bytes and why in words. The log is a way to
// look, not a part of the document; filling the scenario from it and taking over what it measured are steps that undo takes back.

#include "core/base/quantity.h"
#include "core/log/reconcile.h"

#include <QWidget>

#include <memory>

class QPushButton;
class QTextBrowser;
class QTextCursor;

namespace kv {

class Label;

struct OpenLog {
    ServerLog log;
    QString name; ///< the file's, or where else it came from
    Notes notes;  ///< what was assumed where the log is silent
};

class LogPanel : public QWidget {
    Q_OBJECT

public:
    explicit LogPanel(QWidget *parent = nullptr);
    void present(const std::shared_ptr<const OpenLog> &log, const Scenario &scenario, SizeUnit unit);

signals:
    void calibrateAsked();
    void closeAsked();

protected:
    void changeEvent(QEvent *event) override;

private:
    void write();
    void writeDifference(QTextCursor &cursor, const LogDifference &row);
    void writeNotes(QTextCursor &cursor);

    std::shared_ptr<const OpenLog> m_log;
    std::optional<Scenario> m_scenario;
    Reconciliation m_beside;
    SizeUnit m_unit = SizeUnit::Decimal;
    Label *m_title;
    QTextBrowser *m_text;
    QPushButton *m_calibrate, *m_close;
};

} // namespace kv
