// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The scenarios of a document, as tabs over the verdict; there are none to see while the document holds one. Tabs are dragged to
// order them, and Escape puts a dragged one back; where
// they have no room for all of their names, the longest give way, alike, and are cut in their middle; a double click renames, the menu of a tab is the menu of its scenario.

#include "core/base/note.h"
#include "core/scenario/scenariofile.h"

#include <QTabBar>

namespace kv {

class ScenarioTabs : public QTabBar {
    Q_OBJECT

public:
    explicit ScenarioTabs(QWidget *parent = nullptr);
    void present(const ScenarioDocument &document);

signals:
    void chosen(std::size_t index);
    void ordered(std::size_t from, std::size_t to);
    void renameAsked();

protected:
    bool event(QEvent *event) override;
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }
    void initStyleOption(QStyleOptionTab *option, int index) const override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    int wishOf(int index) const;
    int mostWidth() const;

    int m_from = -1, m_to = -1; ///< of a drag that is going on
};

/// The names scenarios were given, or their numbers; no two are alike (core/scenario/scenarionames.h).
QStringList scenarioTitles(const ScenarioDocument &document);
QString scenarioTitle(const ScenarioDocument &document, std::size_t index);

} // namespace kv
