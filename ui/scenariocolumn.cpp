// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scenariocolumn.h"

#include "ui/controls/scrollpage.h"
#include "ui/panels/enginepanel.h"
#include "ui/panels/hardwarepanel.h"
#include "ui/panels/modelpanel.h"
#include "ui/panels/precisionpanel.h"
#include "ui/panels/workloadpanel.h"
#include "ui/theme.h"

#include <QScrollBar>
#include <QVBoxLayout>

namespace kv {

ScenarioColumn::ScenarioColumn(QWidget *parent) : Card(parent), m_scroll(new QScrollArea) {
    auto *model = new ModelPanel;
    auto *engine = new EnginePanel;
    auto *workload = new WorkloadPanel;
    auto *hardware = new HardwarePanel;
    m_panels = {model, new PrecisionPanel, workload, hardware, engine};
    connect(hardware, &HardwarePanel::cardChanged, this, &ScenarioColumn::cardChanged);
    connect(workload, &WorkloadPanel::traceAsked, this, &ScenarioColumn::traceAsked);
    connect(workload, &WorkloadPanel::columnsAsked, this, &ScenarioColumn::columnsAsked);
    connect(model, &ModelPanel::openAsked, this, &ScenarioColumn::openAsked);
    connect(model, &ModelPanel::hubAsked, this, &ScenarioColumn::hubAsked);
    connect(engine, &EnginePanel::pasteAsked, this, &ScenarioColumn::pasteAsked);
    connect(model, &ModelPanel::pathAsked, this, &ScenarioColumn::pathAsked);

    auto *content = new QWidget;
    content->setObjectName(QStringLiteral("scenarioContent"));
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(em(0.95), em(0.8), em(0.95), em(0.8));
    column->setSpacing(em(0.72));
    for (Panel *panel : m_panels) {
        column->addWidget(panel);
        connect(panel, &Panel::edited, this, &ScenarioColumn::edited);
        connect(panel, &Panel::refused, this, &ScenarioColumn::refused);
        connect(panel, &Panel::remarked, this, &ScenarioColumn::remarked);
    }
    column->addStretch(1);

    scrollPage(content, QStringLiteral("scenarioScroll"), m_scroll);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(1, 1, 1, 1);
    whole->addWidget(m_scroll);
}

void ScenarioColumn::present(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    for (Panel *panel : m_panels)
        panel->present(scenario, plan, unit);
}

void ScenarioColumn::setCompact(bool compact) {
    for (Panel *panel : m_panels)
        panel->setCompact(compact);
    const int side = em(compact ? 0.75 : 0.95), end = em(compact ? 0.5 : 0.8);
    m_scroll->widget()->layout()->setContentsMargins(side, end, side, end);
    m_scroll->widget()->layout()->setSpacing(em(compact ? 0.3 : 0.72));
    setFixedWidth(leastWidth(compact));
}

void ScenarioColumn::setFree() {
    setMinimumWidth(0);
    setMaximumWidth(QWIDGETSIZE_MAX);
}

int ScenarioColumn::compactWidth() const { return leastWidth(true); }

int ScenarioColumn::leastWidth(bool compact) const {
    // With the scroll bar shown nothing may be cut at the right.
    const int bar = m_scroll->verticalScrollBar()->sizeHint().width();
    return std::max(wish(compact), m_scroll->widget()->minimumSizeHint().width() + bar + 2);
}

int ScenarioColumn::wish(bool compact) {
    // As wide as a usual line of facts, so that it breaks once.
    const QFontMetrics metrics(scaledFont(type::caption));
    const QString line = compact ? QStringLiteral("80 layers · 64 query / 8 KV heads · MM")
                                 : QStringLiteral("80 layers · 64 query / 8 KV heads · head dim");
    return std::max(em(compact ? 17.4 : 19.4), metrics.horizontalAdvance(line) + em(1.9) + 4);
}

} // namespace kv
