// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/deployable.h"
#include "ui/actions.h"
#include "ui/compare/pin.h"
#include "ui/dialogs.h"
#include "ui/language/translate.h"
#include "ui/mainwindow.h"
#include "ui/panels/hardwarepanel.h"
#include "ui/scenariotabs.h"
#include "ui/words.h"

namespace kv {

void MainWindow::connectScenario() {
    connect(&m_document, &Document::changed, this, &MainWindow::showState);
    connect(&m_document, &Document::fileChanged, this, &MainWindow::showTitle);
    const Actions &a = *m_actions;
    connect(a.fillSequences, &QAction::triggered, this, [this] {
        if (const auto most = m_document.goodPlan().fit.maxSequences)
            m_document.edit(tr("Fill with Sequences"), 0, [most](Scenario &s) { s.workload.sequences = Count(*most); });
    });
    connect(a.longestContext, &QAction::triggered, this, [this] {
        if (const auto most = m_document.goodPlan().fit.maxContext)
            m_document.edit(tr("Take Longest Context"), 0, [most](Scenario &s) {
                s.workload.context = Tokens(*most);
                s.workload.sharedPrefix = std::min(s.workload.sharedPrefix, s.workload.context);
            });
    });
    connect(a.fewestGpus, &QAction::triggered, this, [this] {
        const auto least = m_document.goodPlan().fit.minGpus;
        if (least && fewestGpus(m_document.goodScenario(), *least) == m_document.goodPlan().gpusInAll && *least < m_document.goodPlan().gpusInAll)
            hint(tr("So many GPUs are the fewest in a split that people deploy; %1 would do by an odd one.").arg(translated(writeNumber(*least))));
        else if (least)
            m_document.edit(tr("Take Fewest GPUs"), 0, [least](Scenario &s) {
                if (std::optional<Scenario> split = onFewestGpus(s, *least))
                    s = std::move(*split); // in a split that people deploy
                else
                    setGpuCount(s, *least);
            });
    });
    connect(a.reset, &QAction::triggered, this, [this] {
        m_document.edit(tr("Reset"), 0, [](Scenario &s) {
            std::string name = std::move(s.name);
            s = firstScenario();
            s.name = std::move(name);
        });
    });
    connectScenarios();
}

void MainWindow::connectScenarios() {
    const Actions &a = *m_actions;
    connect(a.pin, &QAction::triggered, this, [this] {
        const QString name = pinName(m_document.value(), m_document.scenario(), m_document.plan());
        m_document.editAll(tr("Pin to Compare"), 0, [&name](ScenarioDocument &document) { pinPresent(document, name); });
        hint(tr("Pinned as “%1”: it stands beside this scenario under Compare.").arg(name));
    });
    connect(a.duplicate, &QAction::triggered, this, [this] {
        m_document.editAll(tr("Duplicate Scenario"), 0, [](ScenarioDocument &document) {
            Scenario copy = document.scenarios[document.current];
            if (!copy.name.empty())
                copy.name = utf8(tr("%1, copy").arg(words(copy.name)));
            document.scenarios.insert(document.scenarios.begin() + static_cast<std::ptrdiff_t>(++document.current), std::move(copy));
        });
    });
    connect(a.rename, &QAction::triggered, this, &MainWindow::renameScenario);
    connect(a.remove, &QAction::triggered, this, [this] {
        m_document.editAll(tr("Remove Scenario"), 0, [](ScenarioDocument &document) {
            if (document.scenarios.size() < 2)
                return;
            document.scenarios.erase(document.scenarios.begin() + static_cast<std::ptrdiff_t>(document.current));
            document.current = std::min(document.current, document.scenarios.size() - 1);
        });
    });
    const auto shift = [this](int by) {
        const std::size_t from = m_document.value().current;
        m_document.moveScenario(tr("Move Scenario"), from, by < 0 ? from - 1 : from + 1);
    };
    connect(a.moveLeft, &QAction::triggered, this, [shift] { shift(-1); });
    connect(a.moveRight, &QAction::triggered, this, [shift] { shift(1); });
    const auto turn = [this](std::size_t by) {
        const std::size_t all = m_document.value().scenarios.size();
        m_document.setCurrent((m_document.value().current + all + by) % all);
    };
    connect(a.next, &QAction::triggered, this, [turn] { turn(1); });
    connect(a.previous, &QAction::triggered, this, [this, turn] { turn(m_document.value().scenarios.size() - 1); });
}

void MainWindow::renameScenario() {
    const ScenarioDocument &document = m_document.value();
    const auto name = dialogs().askText(this, tr("Rename Scenario"), tr("Name of the scenario:"), scenarioTitle(document, document.current));
    if (name)
        m_document.edit(tr("Rename Scenario"), 0, [&name](Scenario &s) { s.name = utf8(name->trimmed()); });
}

} // namespace kv
