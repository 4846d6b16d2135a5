// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/pin.h"

#include "core/base/quantity.h"
#include "core/report/inwords.h"
#include "ui/language/translate.h"
#include "ui/scenariotabs.h"
#include "ui/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace kv {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(kv::Pin)
};

bool isTaken(const ScenarioDocument &document, const QString &name) {
    return scenarioTitles(document).contains(name);
}

} // namespace

QString pinName(const ScenarioDocument &document, const Scenario &scenario, const Plan &plan) {
    QString name = words(scenario.name);
    if (name.isEmpty() && plan.ok()) {
        const QString gpus = plan.gpusInAll == 1 ? Words::tr("1 GPU") : Words::tr("%1 GPUs").arg(translated(writeNumber(plan.gpusInAll)));
        name = Words::tr("%1 cache, %2").arg(translated(cacheTypesInWords(plan)), gpus);
    }
    if (name.isEmpty())
        name = Words::tr("Pinned");
    if (!isTaken(document, name))
        return name;
    for (int i = 2;; ++i)
        if (QString numbered = Words::tr("%1 (%2)").arg(name).arg(i); !isTaken(document, numbered))
            return numbered;
}

void pinPresent(ScenarioDocument &document, const QString &name) {
    Scenario copy = document.scenarios[document.current];
    copy.name = utf8(name);
    document.scenarios.push_back(std::move(copy));
}

void moveScenario(ScenarioDocument &document, std::size_t from, std::size_t to) {
    if (std::max(from, to) >= document.scenarios.size() || from == to)
        return;
    Scenario moved = std::move(document.scenarios[from]);
    document.scenarios.erase(document.scenarios.begin() + static_cast<std::ptrdiff_t>(from));
    document.scenarios.insert(document.scenarios.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
    std::size_t &current = document.current;
    if (current == from)
        current = to;
    else if (from < current && current <= to)
        --current;
    else if (to <= current && current < from)
        ++current;
}

void removeScenario(ScenarioDocument &document, std::size_t index) {
    if (document.scenarios.size() < 2 || index >= document.scenarios.size())
        return;
    document.scenarios.erase(document.scenarios.begin() + static_cast<std::ptrdiff_t>(index));
    if (document.current > index || document.current == document.scenarios.size())
        --document.current;
}

void nameScenario(ScenarioDocument &document, std::size_t index, const QString &name) {
    if (index < document.scenarios.size())
        document.scenarios[index].name = utf8(name.trimmed());
}

} // namespace kv
