// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A card whose pages share one place under a row of tabs. Pages can be given and taken back, so that a view can stand in a card of
// its own in a wide window and behind a tab in a small one. A page is asked to bring itself up to date when it comes to the front.

#include "ui/controls/card.h"

class QStackedLayout;
class QTabBar;

namespace kv {

class TabCard : public Card {
    Q_OBJECT

public:
    explicit TabCard(const QString &objectName, const QString &accessibleName, QWidget *parent = nullptr);
    void addPage(const QString &title, QWidget *page);
    void takePage(QWidget *page);
    void setCurrent(QWidget *page);
    QWidget *current() const;
    QTabBar *tabs() const { return m_tabs; }
    /// What the tabs and the largest page need, and no less than a view that can be read.
    QSize minimumSizeHint() const override;

signals:
    void currentChanged(QWidget *page);

private:
    QTabBar *m_tabs;
    QStackedLayout *m_pages;
};

} // namespace kv
