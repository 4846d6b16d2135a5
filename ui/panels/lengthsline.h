// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether all sequences are alike, in one quiet line with a menu: all alike, by three percentiles, a mix of classes, or a trace. The
// percentiles fold out under it; the classes and the columns of a trace have dialogs of their own.

#include "core/scenario/scenario.h"
#include "ui/document.h"

#include <QWidget>

#include <array>

class QAction;
class QHBoxLayout;
class QToolButton;

namespace kv {

class Label;
class QuantityEdit;

class LengthsLine : public QWidget {
    Q_OBJECT

public:
    explicit LengthsLine(QWidget *parent = nullptr);
    void present(const Workload &workload);

    /// Something at the end of the line.
    void setAside(QWidget *other);

signals:
    void edited(const QString &text, int gesture, const kv::Document::Change &change);
    void refused(const QString &sentence);
    void remarked(const QString &sentence);
    void traceAsked();
    void columnsAsked();

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void buildMenu();
    void buildPercentiles();
    QuantityEdit *addPercentile(const QString &name, const QString &objectName, const QString &accessible, std::size_t index);
    void takePercentile(std::size_t index, std::int64_t tokens, int gesture);
    void startPercentiles();
    void editClasses();
    void fitText();
    QString lineText() const;
    QStringList caption() const;

    Workload m_shown;
    std::array<std::int64_t, 3> m_percentiles{};
    QHBoxLayout *m_row = nullptr;
    QToolButton *m_button;
    QAction *m_alike, *m_byPercentiles, *m_classes, *m_trace, *m_columns;
    QWidget *m_fold;
    std::array<QuantityEdit *, 3> m_edits{};
    Label *m_caption;
};

/// What an edit does to a workload: the lengths as the file holds them, read. Empty where they are refused; the notes say why.
Parsed<SharedLengths> setLengths(Workload &workload, const Json &lengths);

} // namespace kv
