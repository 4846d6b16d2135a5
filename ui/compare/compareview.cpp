// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compareview.h"

#include "core/plan/evaluate.h"
#include "ui/charts/chartlegend.h"
#include "ui/compare/comparetable.h"
#include "ui/compare/pin.h"
#include "ui/compare/pinnedlist.h"
#include "ui/compare/pinnedpaint.h"
#include "ui/controls/label.h"
#include "ui/dialogs.h"
#include "ui/latest.h"
#include "ui/viewexport.h"
#include "ui/words.h"

#include <QCheckBox>
#include <QPushButton>
#include <QTableView>

#include <algorithm>

namespace kv {

void CompareView::connectAll() {
    connect(m_list, &PinnedList::chosen, this, [this](std::size_t index) {
        m_selected = index;
        showButtons();
        showTable();
    });
    connect(m_list, &PinnedList::openAsked, this, &CompareView::turned);
    connect(m_list, &PinnedList::moveAsked, this, &CompareView::move);
    connect(m_list, &PinnedList::renameAsked, this, &CompareView::rename);
    connect(m_list, &PinnedList::removeAsked, this, &CompareView::remove);
    connect(m_pin, &QPushButton::clicked, this, &CompareView::pin);
    connect(m_open, &QPushButton::clicked, this, [this] { emit turned(m_selected); });
    connect(m_rename, &QPushButton::clicked, this, [this] { rename(m_selected); });
    connect(m_remove, &QPushButton::clicked, this, [this] { remove(m_selected); });
    connect(m_up, &QPushButton::clicked, this, [this] { move(m_selected, m_selected - 1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(m_selected, m_selected + 1); });
    connect(m_baselineButton, &QPushButton::clicked, this, [this] {
        m_baselineIndex = m_selected;
        m_baseline = m_document.scenarios[m_selected];
        showAll();
    });
    connect(m_onCharts, &QCheckBox::toggled, this, &CompareView::offerGhost);
    connect(m_allRows, &QCheckBox::toggled, this, &CompareView::showTable);
}

void CompareView::present(const Shown &shown) {
    m_presented = true;
    const bool another = shown.document.scenarios.size() != m_document.scenarios.size();
    if (shown.document != m_document)
        m_document = shown.document;
    m_scenario = shown.scenario;
    m_plan = shown.plan;
    m_unit = shown.unit;
    m_style = shown.style;
    if (another || m_selected >= m_document.scenarios.size())
        m_selected = std::min(m_selected, m_document.scenarios.size() - 1);
    findBaseline();
    m_cache.keepOnly(m_document.scenarios);
    if (!shown.ghost)
        m_ghost.reset(); // another view has taken it away
    showAll();
    countMissing();
}

/// The scenario that was the baseline is found by its value where it was moved; where it was changed it is the one in its place.
void CompareView::findBaseline() {
    const std::vector<Scenario> &all = m_document.scenarios;
    if (m_baselineIndex < all.size() && all[m_baselineIndex] == m_baseline)
        return;
    if (const auto found = std::ranges::find(all, m_baseline); found != all.end())
        m_baselineIndex = static_cast<std::size_t>(found - all.begin());
    m_baselineIndex = std::min(m_baselineIndex, all.size() - 1);
    m_baseline = all[m_baselineIndex];
}

std::vector<const Plan *> CompareView::plans() const {
    std::vector<const Plan *> all;
    for (const Scenario &scenario : m_document.scenarios)
        all.push_back(scenario == m_scenario ? &m_plan : m_cache.find(scenario));
    return all;
}

/// Plans of the scenarios that nobody looks at are made off this thread, each once.
void CompareView::countMissing() {
    std::vector<Scenario> missing;
    for (const Scenario &scenario : m_document.scenarios)
        if (scenario != m_scenario && !m_cache.find(scenario))
            missing.push_back(scenario);
    if (missing.empty())
        return m_latest->forget();
    m_latest->ask([this, missing](const Latest::GoOn &goOn) -> Latest::Answer {
        auto made = std::make_shared<std::vector<std::pair<Scenario, Plan>>>();
        for (const Scenario &scenario : missing) {
            if (!goOn())
                return {};
            made->emplace_back(scenario, evaluate(scenario));
        }
        return [this, made] {
            for (auto &[scenario, plan] : *made)
                m_cache.put(scenario, std::move(plan));
            showAll();
        };
    });
}

void CompareView::settle() { m_latest->finish(); }

bool CompareView::isSettled() const { return !m_latest->isBusy(); }

void CompareView::showAll() {
    if (!m_presented)
        return;
    m_all = compared(m_document, plans(), m_baselineIndex, m_unit);
    m_list->show(m_all, m_style);
    m_list->select(m_selected);
    m_legend->show(pinnedLegend(m_all, m_style), m_style);
    showButtons();
    showTable();
    offerGhost();
}

void CompareView::showButtons() {
    const std::size_t count = m_all.scenarios.size();
    m_open->setEnabled(m_selected != m_document.current);
    m_baselineButton->setEnabled(count > 1 && m_selected != m_baselineIndex);
    m_remove->setEnabled(count > 1);
    m_up->setEnabled(m_selected > 0);
    m_down->setEnabled(m_selected + 1 < count);
    m_onCharts->setEnabled(count > 1 || m_onCharts->isChecked());
    for (QWidget *part : {static_cast<QWidget *>(m_numbers), static_cast<QWidget *>(m_allRows), static_cast<QWidget *>(m_onCharts)})
        part->setVisible(count > 1);
}

void CompareView::offerGhost() {
    std::shared_ptr<const Ghost> ghost;
    const Plan *plan = m_presented && m_onCharts->isChecked() && m_document.scenarios.size() > 1 && m_baselineIndex != m_document.current ? plans()[m_baselineIndex] : nullptr;
    if (plan && plan->ok()) {
        const QString name = tr("baseline “%1”").arg(m_all.scenarios[m_baselineIndex].name);
        if (m_ghost && m_ghost->name == name && m_ghost->scenario == m_baseline)
            return;
        ghost = std::make_shared<const Ghost>(Ghost{name, m_baseline, *plan});
    }
    if (ghost == m_ghost)
        return;
    m_ghost = ghost;
    emit ghostAsked(m_ghost);
}

void CompareView::pin() {
    const QString name = pinName(m_document, m_document.scenarios[m_document.current], m_plan);
    emit editedAll(tr("Pin to Compare"), 0, [&name](ScenarioDocument &document) { pinPresent(document, name); });
}

void CompareView::rename(std::size_t index) {
    const auto name = dialogs().askText(this, tr("Rename Scenario"), tr("Name of the scenario:"), m_all.scenarios[index].name);
    if (name)
        emit editedAll(tr("Rename Scenario"), 0, [index, &name](ScenarioDocument &document) { nameScenario(document, index, *name); });
}

void CompareView::move(std::size_t from, std::size_t to) {
    if (std::max(from, to) >= m_document.scenarios.size())
        return;
    m_selected = to;
    emit editedAll(tr("Move Scenario"), 0, [from, to](ScenarioDocument &document) { moveScenario(document, from, to); });
}

void CompareView::remove(std::size_t index) {
    if (m_document.scenarios.size() < 2)
        return;
    emit editedAll(tr("Remove Scenario"), 0, [index](ScenarioDocument &document) { removeScenario(document, index); });
    emit hinted(tr("“%1” is taken off the table; undo returns it.").arg(m_all.scenarios[index].name));
}

PaintPicture CompareView::picture() const {
    return [this](QPainter &painter, const QRectF &target, const ChartStyle &style) { paintComparison(painter, target, m_all, m_allRows->isChecked(), style); };
}

double CompareView::pictureHeight(double width, const ChartStyle &style) const { return comparisonHeight(width, m_all, m_allRows->isChecked(), style); }

void CompareView::showLike(const View &other) {
    const auto *like = qobject_cast<const CompareView *>(&other);
    if (!like)
        return;
    m_baseline = like->m_baseline;
    m_baselineIndex = like->m_baselineIndex;
    m_selected = like->m_selected;
    m_ghost = like->m_ghost;
    m_cache = like->m_cache;
    m_allRows->setChecked(like->m_allRows->isChecked());
    const QSignalBlocker quiet(m_onCharts);
    m_onCharts->setChecked(like->m_onCharts->isChecked());
}

} // namespace kv
