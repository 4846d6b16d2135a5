// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/scenariotext.h"

#include "core/base/plaintext.h"
#include "core/plan/evaluate.h"
#include "core/report/comparison.h"
#include "core/scenario/scenariofile.h"

#include <algorithm>
#include <filesystem>

namespace kv {

int runCompare(const CommandLine &line) {
    const Parsed<std::string> text = readScenarioText(line.file);
    if (!text)
        return refuse(*firstError(text.notes), line.form);
    const std::string folder = std::filesystem::path(line.file).parent_path().string();
    const Parsed<ScenarioDocument> document = readDocument(*text, oneLine(line.file), folder);
    if (!document)
        return refuse(*firstError(document.notes), line.form);
    const std::vector<Scenario> &scenarios = document->scenarios;
    std::size_t baseline = 0;
    if (!line.baseline.empty()) {
        const auto found = std::ranges::find(scenarios, line.baseline, &Scenario::name);
        if (found == scenarios.end())
            return refuse(errorNote("no-scenario", "--baseline", "--baseline: the file has no scenario called \"" + oneLine(line.baseline, 80) + "\""), line.form);
        baseline = static_cast<std::size_t>(found - scenarios.begin());
    }
    std::vector<Plan> plans;
    plans.reserve(scenarios.size());
    for (const Scenario &scenario : scenarios)
        plans.push_back(evaluate(scenario));
    const Comparison comparison = compare(scenarios, plans, baseline, line.unit);
    switch (line.form) {
    case Form::Text:
        print(comparisonText(comparison, line.allRows));
        break;
    case Form::Markdown:
        print(comparisonMarkdown(comparison, line.allRows));
        break;
    case Form::Csv:
        print(comparisonCsv(comparison, line.allRows));
        break;
    case Form::Html: // not offered here
    case Form::Latex:
    case Form::Json:
        print(comparisonJson(comparison, line.allRows));
        break;
    }
    return ExitStatus::Made;
}

} // namespace kv
