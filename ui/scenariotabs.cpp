// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scenariotabs.h"

#include "core/scenario/scenarionames.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyleOptionTab>

#include <algorithm>
#include <vector>

namespace kv {

namespace {

constexpr double least = 4, longest = 24; ///< widths of a tab that is cut, in em

} // namespace

QStringList scenarioTitles(const ScenarioDocument &document) {
    QStringList titles;
    for (const std::string &name : scenarioNames(document.scenarios, [](std::size_t index) { return utf8(ScenarioTabs::tr("Scenario %1").arg(index + 1)); }))
        titles += words(name);
    return titles;
}

QString scenarioTitle(const ScenarioDocument &document, std::size_t index) { return scenarioTitles(document).at(static_cast<qsizetype>(index)); }

ScenarioTabs::ScenarioTabs(QWidget *parent) : QTabBar(parent) {
    setObjectName(QStringLiteral("scenarioTabs"));
    setAccessibleName(tr("Scenarios"));
    setWhatsThis(tr("The scenarios of this plan. Duplicate one to try something else beside it; drag the tabs to order them, click one twice to name it."));
    setDrawBase(false);
    setExpanding(false);
    setMovable(true);
    setElideMode(Qt::ElideMiddle);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    hide();
    connect(this, &QTabBar::currentChanged, this, [this](int index) {
        if (index >= 0 && m_from < 0)
            emit chosen(static_cast<std::size_t>(index));
    });
    connect(this, &QTabBar::tabMoved, this, [this](int from, int to) {
        // A tab passes its neighbours one by one; the drag is one step.
        if (m_from < 0)
            m_from = from;
        m_to = to;
    });
}

void ScenarioTabs::present(const ScenarioDocument &document) {
    if (m_from >= 0)
        return; // a tab is being dragged
    const QSignalBlocker quiet(this);
    const int wanted = static_cast<int>(document.scenarios.size());
    while (count() > wanted)
        removeTab(count() - 1);
    const QStringList titles = scenarioTitles(document);
    for (int i = 0; i < wanted; ++i) {
        const QString &title = titles.at(i);
        const QString shown = QString(title).replace(QLatin1Char('&'), QLatin1String("&&"));
        if (i == count())
            addTab(shown);
        else if (tabText(i) != shown)
            setTabText(i, shown);
        setTabToolTip(i, plainTip(title));
    }
    setCurrentIndex(static_cast<int>(document.current));
    setVisible(wanted > 1);
}

/// As wide as its whole name in the face of the tab in front.
int ScenarioTabs::wishOf(int index) const { return QTabBar::tabSizeHint(index).width(); }

/// A width that all of them have room with, when none is wider, and that no single name goes beyond.
int ScenarioTabs::mostWidth() const {
    int room = width();
    if (room / std::max(1, count()) < em(least))
        return em(least);
    std::vector<int> wishes;
    wishes.reserve(static_cast<std::size_t>(count()));
    for (int i = 0; i < count(); ++i)
        wishes.push_back(wishOf(i));
    std::ranges::sort(wishes);
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        const int share = room / static_cast<int>(wishes.size() - i);
        if (wishes[i] > share)
            return std::clamp(share, em(least), em(longest));
        room -= wishes[i];
    }
    return em(longest);
}

QSize ScenarioTabs::tabSizeHint(int index) const { return {std::min(wishOf(index), mostWidth()), QTabBar::tabSizeHint(index).height()}; }

void ScenarioTabs::initStyleOption(QStyleOptionTab *option, int index) const {
    QTabBar::initStyleOption(option, index);
    // Cut for the face that it is written in; the style leaves free what stands behind the name.
    const QFontMetrics metrics(scaledFont(1, index == currentIndex() ? QFont::DemiBold : QFont::Normal));
    option->text = metrics.elidedText(tabText(index), elideMode(), tabRect(index).width() - em(0.9), Qt::TextShowMnemonic);
}

bool ScenarioTabs::event(QEvent *event) {
    // Escape belongs to the drag while there is one.
    if (event->type() == QEvent::ShortcutOverride && m_from >= 0 && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QTabBar::event(event);
}

void ScenarioTabs::mousePressEvent(QMouseEvent *event) {
    QTabBar::mousePressEvent(event);
    // The menu that follows is about the tab under the pointer.
    if (event->button() == Qt::RightButton && tabAt(event->position().toPoint()) >= 0)
        setCurrentIndex(tabAt(event->position().toPoint()));
}

void ScenarioTabs::mouseDoubleClickEvent(QMouseEvent *event) {
    QTabBar::mouseDoubleClickEvent(event);
    if (event->button() == Qt::LeftButton && tabAt(event->position().toPoint()) >= 0)
        emit renameAsked();
}

void ScenarioTabs::keyPressEvent(QKeyEvent *event) {
    if (event->key() != Qt::Key_Escape || m_from < 0)
        return QTabBar::keyPressEvent(event);
    // Released where it stands, then carried back: the bar itself knows of no way out of a drag.
    const int from = m_from, to = m_to;
    const QPointF place = mapFromGlobal(QCursor::pos());
    QMouseEvent release(QEvent::MouseButtonRelease, place, mapToGlobal(place), Qt::LeftButton, Qt::NoButton, Qt::NoModifier);
    QTabBar::mouseReleaseEvent(&release);
    const QSignalBlocker quiet(this);
    moveTab(to, from);
    m_from = m_to = -1;
}

void ScenarioTabs::mouseReleaseEvent(QMouseEvent *event) {
    QTabBar::mouseReleaseEvent(event);
    const int from = m_from, to = m_to;
    m_from = m_to = -1;
    if (from >= 0 && from != to)
        emit ordered(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
}

} // namespace kv
