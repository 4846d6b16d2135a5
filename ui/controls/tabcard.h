// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A card whose pages share one place under a row of tabs. Pages can be given and taken back, so that a view can stand in a card of
// its own in a wide window and behind a tab in a small one. A page is asked to bring itself up to date when it comes to the front.

#include "ui/controls/card.h"

class QHBoxLayout;
class QStackedLayout;
class QTabBar;

namespace kv {

class TabCard : public Card {
    Q_OBJECT

public:
    explicit TabCard(const QString &objectName, const QString &accessibleName, QWidget *parent = nullptr);
    void addPage(const QString &title, QWidget *page);
    /// A button of a page's own: beside the tabs while the page is in front, wherever its card is; else the page's child, for it to place.
    static void setCorner(QWidget *page, QWidget *corner);
    void takePage(QWidget *page);
    void setCurrent(QWidget *page);
    QWidget *current() const;
    QTabBar *tabs() const { return m_tabs; }
    /// What the tabs and the largest page need, and no less than a view that can be read.
    QSize minimumSizeHint() const override;
    /// It wishes for no more: what stands beside it has its share of what is left, whatever page is in front.
    QSize sizeHint() const override { return minimumSizeHint(); }
    bool hasHeightForWidth() const override { return false; }

signals:
    void currentChanged(QWidget *page);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void showCorners();
    void fitTabs();

    QTabBar *m_tabs;
    QHBoxLayout *m_head;
    QStackedLayout *m_pages;
};

} // namespace kv
