// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/tabcard.h"

#include "ui/style.h"
#include "ui/theme.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QStackedLayout>
#include <QTabBar>
#include <QVBoxLayout>
#include <QVariant>

#include <algorithm>

namespace kv {

namespace {

constexpr const char *cornerName = "tabCorner";

QWidget *cornerOf(const QWidget *page) { return page->property(cornerName).value<QWidget *>(); }

} // namespace

TabCard::TabCard(const QString &objectName, const QString &accessibleName, QWidget *parent)
    : Card(parent), m_tabs(new QTabBar), m_head(new QHBoxLayout), m_pages(new QStackedLayout) {
    setObjectName(objectName);
    m_tabs->setObjectName(objectName + QStringLiteral("Tabs"));
    m_tabs->setAccessibleName(accessibleName);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideNone);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(em(0.95), em(0.35), em(0.95), em(0.7));
    column->setSpacing(em(0.5));
    m_head->setSpacing(em(0.3));
    m_head->addWidget(m_tabs, 1);
    m_head->addStrut(em(1.72)); // of a button, so that nothing moves with one
    column->addLayout(m_head);
    column->addLayout(m_pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        if (index < 0 || index >= m_pages->count())
            return;
        m_pages->setCurrentIndex(index);
        showCorners();
        emit currentChanged(m_pages->widget(index));
    });
}

void TabCard::setCorner(QWidget *page, QWidget *corner) { page->setProperty(cornerName, QVariant::fromValue(corner)); }

/// Only that of the page in front, and none that nobody can press.
void TabCard::showCorners() {
    for (int i = 0; i < m_pages->count(); ++i)
        if (QWidget *corner = cornerOf(m_pages->widget(i)))
            corner->setVisible(i == m_pages->currentIndex() && corner->isEnabledTo(this));
}

/// Closer together where they would have to scroll, and somewhat smaller where that is not enough: room is reckoned beside the widest
/// corner, so that no tab moves with the page in front.
void TabCard::fitTabs() {
    const QFontMetrics metrics(scaledFont(1, QFont::DemiBold));
    int words = 0, corners = 0;
    for (int i = 0; i < m_tabs->count(); ++i)
        words += metrics.horizontalAdvance(m_tabs->tabText(i)) + 2;
    for (int i = 0; i < m_pages->count(); ++i) // one less than the tabs while a page is taken
        if (const QWidget *corner = cornerOf(m_pages->widget(i)); corner && corner->isEnabledTo(this))
            corners = std::max(corners, corner->sizeHint().width() + m_head->spacing());
    constexpr double least = 0.8;
    const int count = m_tabs->count(), room = width() - 2 * em(0.95) - corners;
    const bool tight = words + count * em(0.9) > room;
    const double size = std::clamp((room - count * em(0.55)) / std::max(1.0, double(words)), least, 1.0);
    if (const QFont font = scaledFont(size); m_tabs->font() != font)
        m_tabs->setFont(font);
    if (m_tabs->property(tightTabs).toBool() == tight)
        return;
    m_tabs->setProperty(tightTabs, tight);
    QEvent changed(QEvent::StyleChange); // measures them anew
    QCoreApplication::sendEvent(m_tabs, &changed);
}

void TabCard::resizeEvent(QResizeEvent *event) {
    Card::resizeEvent(event);
    fitTabs();
}

void TabCard::addPage(const QString &title, QWidget *page) {
    m_pages->addWidget(page);
    if (QWidget *corner = cornerOf(page))
        m_head->addWidget(corner);
    showCorners();
    m_tabs->addTab(title);
    fitTabs();
    m_tabs->updateGeometry(); // a bar that is not shown yet does not tell of its tabs itself
}

void TabCard::takePage(QWidget *page) {
    const int index = m_pages->indexOf(page);
    if (index < 0)
        return;
    m_pages->removeWidget(page);
    m_tabs->removeTab(index);
    if (QWidget *corner = cornerOf(page)) {
        m_head->removeWidget(corner);
        corner->setParent(page);
        corner->setVisible(corner->isEnabledTo(page));
    }
    showCorners();
    fitTabs();
    page->setParent(nullptr);
}

void TabCard::setCurrent(QWidget *page) {
    if (const int index = m_pages->indexOf(page); index >= 0)
        m_tabs->setCurrentIndex(index);
}

QSize TabCard::minimumSizeHint() const { return Card::minimumSizeHint().expandedTo({0, em(12)}); }

QWidget *TabCard::current() const { return m_pages->currentWidget(); }

} // namespace kv
