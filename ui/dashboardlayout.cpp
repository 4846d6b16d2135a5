// SPDX-License-Identifier: GPL-3.0-or-later
// Where the views of a Dashboard stand, by the room there is.
#include "ui/dashboard.h"

#include "ui/charts/gpuchart.h"
#include "ui/charts/growthchart.h"
#include "ui/contexttable.h"
#include "ui/controls/label.h"
#include "ui/controls/scrollpage.h"
#include "ui/controls/tabcard.h"
#include "ui/panels/explainpanel.h"
#include "ui/panels/layerstrip.h"
#include "ui/panels/logpanel.h"
#include "ui/panels/messagestrip.h"
#include "ui/panels/tiles.h"
#include "ui/panels/verdictbar.h"
#include "ui/scenariocolumn.h"
#include "ui/scenariotabs.h"
#include "ui/theme.h"
#include "ui/veil.h"
#include "ui/view.h"
#include "ui/viewexport.h"
#include "ui/views.h"

#include <QHBoxLayout>
#include <QStackedWidget>

namespace kv {

namespace {

constexpr int usualWideFrom = 1200;

/// The middle of the window. Its views shrink to the least that can be read; only below that it scrolls.
class Page : public QWidget {
public:
    int heightForWidth(int width) const override {
        const auto *column = static_cast<const QVBoxLayout *>(layout());
        int height = 0, shown = 0;
        for (int i = 0; i < column->count(); ++i) {
            const QLayoutItem *item = column->itemAt(i);
            if (item->isEmpty()) // hidden
                continue;
            ++shown;
            height += column->stretch(i) > 0 ? item->minimumSize().height()
                      : item->hasHeightForWidth() ? item->heightForWidth(width) : item->sizeHint().height();
        }
        return height + column->spacing() * std::max(0, shown - 1);
    }
};

} // namespace

void Dashboard::buildViews() {
    for (const ViewEntry &entry : viewEntries()) {
        View *view = entry.make();
        view->setObjectName(QLatin1String(entry.id));
        view->setAccessibleName(entry.title);
        view->setParent(this);
        view->hide(); // until it has a tab
        m_views.push_back({view, &entry});
    }
}

/// The dots of the pages that are no views.
void Dashboard::buildExports() {
    const auto add = [this](QWidget *page, const ExportButton::Ask &ask) {
        auto *dots = new ExportButton(page, ask);
        dots->standInCorner();
        connect(dots, &ExportButton::pageAsked, this, &Dashboard::pageAsked);
        return QSize(dots->sizeHint().width() + em(0.5), ExportButton::cornerHeight());
    };
    m_gpuChart->keepCorner(add(m_gpuPage, [this] { return tableExports(QStringLiteral("gpus"), tr("gpus"), m_gpuChart->table()); }));
    add(m_growthChart, [this] { return tableExports(QStringLiteral("growth"), tr("growth"), m_growthChart->table()); });
    add(m_contextNumbers, [this] { return tableExports(QStringLiteral("table"), tr("contexts"), m_contextTable); });
    add(m_explain, [this] { return computedExports(QStringLiteral("explain"), tr("explanation"), m_document->goodScenario(), m_document->goodPlan(), m_unit); });
}

void Dashboard::build() {
    buildGpus();
    buildViews();
    buildExports();
    m_growthChart->setObjectName(QStringLiteral("growthChart"));
    m_contextNumbers->setObjectName(QStringLiteral("contextTable"));
    m_contextNumbers->setAccessibleName(tr("Memory, sequences and fit at the usual contexts"));
    m_contextNumbers->setModel(m_contextTable);

    auto *page = new Page;
    auto *middle = new QVBoxLayout(page);
    middle->setContentsMargins(0, 0, 0, 0);
    middle->setSpacing(em(0.62));
    middle->addWidget(m_scenarios);
    middle->addWidget(m_messages);
    middle->addWidget(m_verdict);
    middle->addWidget(m_tiles);
    middle->addWidget(m_layers);
    auto *charts = new QBoxLayout(QBoxLayout::TopToBottom);
    charts->setObjectName(QStringLiteral("chartsBox"));
    charts->setSpacing(em(0.62));
    charts->addWidget(m_gpuCard, 10);
    charts->addWidget(m_charts, 11);
    middle->addLayout(charts, 1);
    m_veil = new Veil(page, {m_tiles, m_layers, m_gpuCard, m_charts});

    m_row = new QHBoxLayout(this);
    m_row->setContentsMargins(em(0.7), em(0.6), em(0.7), em(0.6));
    m_row->setSpacing(em(0.7));
    m_row->addWidget(m_column);
    m_row->addWidget(scrollPage(page, QStringLiteral("middleScroll")), 1);
    m_row->addWidget(m_side);
}

void Dashboard::buildGpus() {
    m_gpuChart->setObjectName(QStringLiteral("gpuChart"));
    m_gpuNumbers->setObjectName(QStringLiteral("gpuTable"));
    m_gpuNumbers->setAccessibleName(tr("Memory of each GPU, as a table"));
    m_gpuNumbers->setModel(m_gpuChart->table());
    m_gpuTitle->setObjectName(QStringLiteral("gpuTableTitle"));
    auto *table = new QWidget;
    auto *tableLayout = new QVBoxLayout(table);
    tableLayout->setContentsMargins(0, 0, 0, 0);
    tableLayout->setSpacing(em(0.4));
    tableLayout->addWidget(m_gpuTitle);
    tableLayout->addWidget(m_gpuNumbers, 1);
    m_gpuPage->addWidget(m_gpuChart);
    m_gpuPage->addWidget(table);
    auto *layout = new QVBoxLayout(m_gpuCard);
    layout->setContentsMargins(em(0.95), em(0.6), em(0.95), em(0.6));
}

void Dashboard::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if (const Arrangement wanted = arrangementFor(width()); wanted != m_arrangement)
        arrange(wanted);
    else if (m_presenting)
        presentFront(); // the bars stand by the shape of the stage
}

Dashboard::Arrangement Dashboard::arrangementFor(int width) const {
    if (m_presenting)
        return Arrangement::Stage;
    if (width >= std::max(usualWideFrom, ScenarioColumn::wish(false) * 2 + em(38)))
        return Arrangement::Wide;
    return width >= m_column->compactWidth() + em(22) ? Arrangement::Compact : Arrangement::Narrow;
}

/// The scenario beside the answer, or behind the first tab under it.
void Dashboard::placeColumn() {
    const bool narrow = m_arrangement == Arrangement::Narrow;
    m_charts->takePage(m_column);
    m_column->setCompact(isCompact());
    if (narrow) {
        m_row->removeWidget(m_column);
        m_column->setFree();
        m_charts->addPage(tr("Scenario"), m_column);
    } else if (m_row->indexOf(m_column) < 0) {
        m_row->insertWidget(0, m_column);
    }
    m_column->setVisible(m_arrangement != Arrangement::Stage);
    m_charts->setMinimumHeight(narrow ? em(16) : 0);
}

/// Every page under its tab again, in the order of the tabs.
void Dashboard::arrangeTabs() {
    struct Tab {
        int order;
        QString title;
        QWidget *page;
        TabCard *card;
    };
    const bool compact = isCompact() || m_arrangement == Arrangement::Stage; // titles; the bars are a tab only where there is no card for them
    TabCard *side = reasons();
    std::vector<Tab> tabs{{10, compact ? tr("Growth") : tr("Growth with context"), m_growthChart, m_charts},
                          {30, tr("Table"), m_contextNumbers, m_charts},
                          {60, tr("Explain"), m_explain, side}};
    if (m_log)
        tabs.push_back({100, tr("Log"), m_logPanel, side});
    for (const ViewPage &page : m_views)
        if (page.worth)
            tabs.push_back({page.entry->order, compact ? page.entry->shortTitle : page.entry->title, page.view, page.entry->place == ViewPlace::Side ? side : m_charts});
    std::stable_sort(tabs.begin(), tabs.end(), [](const Tab &a, const Tab &b) { return a.order < b.order; });

    const auto take = [this](QWidget *page) {
        m_charts->takePage(page);
        m_side->takePage(page);
        page->setParent(this);
        page->hide(); // until it has a tab
    };
    for (const ViewPage &page : m_views)
        take(page.view);
    for (QWidget *page : {static_cast<QWidget *>(m_gpuPage), static_cast<QWidget *>(m_growthChart), static_cast<QWidget *>(m_contextNumbers),
                          static_cast<QWidget *>(m_explain), static_cast<QWidget *>(m_logPanel)})
        take(page);
    placeColumn();
    if (!isCompact()) {
        m_gpuCard->layout()->addWidget(m_gpuPage);
        m_gpuPage->show();
    } else {
        m_charts->addPage(tr("GPUs"), m_gpuPage);
    }
    for (const Tab &tab : tabs)
        tab.card->addPage(tab.title, tab.page);
}

void Dashboard::arrange(Arrangement arrangement) {
    // A tab that comes to the front on the way would present itself, and a change that waits would arrange anew meanwhile.
    const QSignalBlocker quietCharts(m_charts), quietSide(m_side);
    m_arrangement = arrangement;
    QWidget *front = m_charts->current();
    if (front == m_column && arrangement != Arrangement::Narrow)
        front = nullptr;
    QWidget *reason = m_side->current();
    QWidget *focused = focusWidget();
    const bool wide = arrangement == Arrangement::Wide;
    arrangeTabs();
    m_gpuCard->setVisible(!isCompact());
    m_tiles->setVisible(arrangement != Arrangement::Stage);
    m_side->setVisible(wide);
    m_side->setFixedWidth(ScenarioColumn::wish(false) + em(2.2));
    m_tiles->setCompact(isCompact());
    m_charts->setCurrent(isCompact() ? static_cast<QWidget *>(m_gpuPage) : m_growthChart); // stays where what was in front has gone
    m_charts->setCurrent(front);
    m_side->setCurrent(wide && front && !reason ? front : reason);
    if (focused && focused->isVisibleTo(this))
        focused->setFocus(Qt::OtherFocusReason);
    if (m_arranged)
        presentFront();
    m_arranged = true;
    emit viewChanged();
}

} // namespace kv
