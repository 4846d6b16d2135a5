// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The left of the window: what the user sets, in panels from top to bottom, in a card that scrolls where the window is low.

#include "core/base/quantity.h"
#include "ui/controls/card.h"
#include "ui/document.h"

class QScrollArea;

namespace kv {

class Panel;

class ScenarioColumn : public Card {
    Q_OBJECT

public:
    explicit ScenarioColumn(QWidget *parent = nullptr);
    /// Shows a scenario; `plan` is its plan, or the last good one where it is refused.
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit);
    void setCompact(bool compact);
    /// As wide as its place: behind a tab.
    void setFree();
    /// The width it takes when compact: what its lines want and what its controls need.
    int compactWidth() const;
    /// The width its lines want.
    static int wish(bool compact);

signals:
    void edited(const QString &text, int gesture, const kv::Document::Change &change);
    void refused(const QString &sentence);
    void remarked(const QString &sentence);
    void openAsked();
    void hubAsked();
    void pasteAsked();
    void pathAsked(const QString &path);
    void cardChanged(); ///< of the user's own list
    void traceAsked();   ///< request lengths out of a file
    void columnsAsked(); ///< other columns of the trace that is open

private:
    int leastWidth(bool compact) const;

    QScrollArea *m_scroll;
    QList<Panel *> m_panels;
};

} // namespace kv
