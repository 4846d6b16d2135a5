// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison.h"

#include "core/base/jsonwriter.h"
#include "core/base/plaintext.h"
#include "core/engine/engines.h"
#include "core/plan/deployable.h"
#include "core/plan/explain.h"
#include "core/report/csv.h"
#include "core/report/markdown.h"
#include "core/report/texttable.h"
#include "core/scenario/scenarionames.h"

#include <algorithm>
#include <functional>

namespace kv {

namespace {

using enum TextTable::Align;

std::string typeText(const CacheTypes &types) {
    if (types.key == types.value)
        return std::string(info(types.key).label);
    return std::string(info(types.key).label) + " / " + std::string(info(types.value).label);
}

std::string splitText(const Plan &plan) {
    if (plan.gpus.empty())
        return {};
    const GpuPlan &last = plan.gpus.back();
    return "tp " + std::to_string(last.tp + 1) + " × pp " + std::to_string(last.pp + 1) + " × dp " + std::to_string(last.dp + 1);
}

std::string optionsText(const Json &options) {
    std::string text;
    for (const auto &[key, value] : options.members())
        text += (text.empty() ? "" : ", ") + oneLine(key, 60) + " = " + oneLine(value.isString() ? value.text() : writeJson(value), 60);
    return text;
}

Bytes freeInAll(const Plan &plan) {
    Bytes left;
    for (const GpuPlan &gpu : plan.gpus)
        left += gpu.free;
    return left;
}

using Number = std::optional<std::int64_t>;

struct Row {
    const char *name;
    std::function<std::string(const Scenario &, const Plan &)> text; ///< or the next
    std::function<Number(const Scenario &, const Plan &)> number;
    bool size = false;
    const char *absent = "not known"; ///< said where there is no number
    bool names = false;
};

Row words(const char *name, std::function<std::string(const Scenario &, const Plan &)> text) { return {name, std::move(text), {}}; }
Row names(const char *name, std::function<std::string(const Scenario &, const Plan &)> text) { return {name, std::move(text), {}, false, "", true}; }
Row count(const char *name, std::function<Number(const Scenario &, const Plan &)> number, const char *absent = "not known") { return {name, {}, std::move(number), false, absent}; }
Row size(const char *name, std::function<Bytes(const Plan &)> bytes) {
    return {name, {}, [bytes = std::move(bytes)](const Scenario &, const Plan &plan) { return Number(bytes(plan).value); }, true};
}

/// llama.cpp's figure is what it was told to set up, which is no capacity to hold beside another engine's.
bool capacityIsRoom(const Plan &plan) {
    const Engine *engine = findEngine(plan.engine.id);
    return !engine || engine->capacityIsRoom();
}

std::vector<Row> rowsOf() {
    return {
        names("Model", [](const Scenario &, const Plan &p) { return oneLine(p.modelName, 120); }),
        words("Counted like", [](const Scenario &, const Plan &p) { return p.engine.id + (p.engine.version.empty() ? "" : " " + p.engine.version); }),
        words("Options", [](const Scenario &s, const Plan &) { return optionsText(s.engine.options); }),
        names("GPU", [](const Scenario &s, const Plan &) {
            if (!s.hardware.devices.empty()) {
                std::string text;
                for (const Device &device : s.hardware.devices)
                    text += (text.empty() ? "" : " + ") + writeNumber(device.count.value) + " × " + oneLine(device.gpu, 80);
                return text;
            }
            const Gpu *gpu = findGpu(s.hardware.gpu);
            return gpu ? gpu->name : oneLine(s.hardware.gpu, 80);
        }),
        count("GPUs", [](const Scenario &, const Plan &p) { return Number(p.gpusInAll); }),
        words("Split", [](const Scenario &, const Plan &p) { return splitText(p); }),
        words("Cache", [](const Scenario &, const Plan &p) { return typeText(p.kv.types); }),
        words("Weights as", [](const Scenario &, const Plan &p) { return p.weights.scheme; }),
        count("Context", [](const Scenario &s, const Plan &) { return Number(s.workload.context.value); }),
        count("Sequences", [](const Scenario &s, const Plan &) { return Number(s.workload.sequences.value); }),
        count("Shared prefix", [](const Scenario &s, const Plan &) { return Number(s.workload.sharedPrefix.value); }),
        words("It fits", [](const Scenario &, const Plan &p) { return std::string(p.fit.fits ? "yes" : "no"); }),
        count("Most sequences", [](const Scenario &, const Plan &p) { return p.fit.maxSequences; }, "no limit"),
        count("Longest context", [](const Scenario &, const Plan &p) { return p.fit.maxContext; }, "not known"),
        count("Fewest GPUs", [](const Scenario &s, const Plan &p) { return p.fit.minGpus ? std::optional(fewestGpus(s, *p.fit.minGpus)) : std::nullopt; }, "none, or not known"),
        count("Tokens that the room holds", [](const Scenario &, const Plan &p) { return capacityIsRoom(p) ? p.fit.kvCapacityTokens : Number(); }, "no such figure"),
        size("KV of a token", [](const Plan &p) { return p.kv.perToken; }),
        size("KV of a sequence", [](const Plan &p) { return p.kv.perSequence; }),
        size("KV in all", [](const Plan &p) { return p.kv.total; }),
        size("Room for KV", [](const Plan &p) { return p.fit.kvBudget; }),
        size("Weights, one copy", [](const Plan &p) { return p.weights.total; }),
        size("Left free", [](const Plan &p) { return freeInAll(p); }),
    };
}

std::string deltaText(std::int64_t difference, bool bytes, SizeUnit unit) {
    if (difference == 0 || difference == outOfRangeValue)
        return {};
    const std::string amount = bytes ? writeBytes(Bytes(difference < 0 ? -difference : difference), unit) : writeNumber(difference < 0 ? -difference : difference);
    return (difference < 0 ? "−" : "+") + amount;
}

ComparedCell cellOf(const Row &row, const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    if (!plan.ok())
        return {};
    if (row.text)
        return {row.text(scenario, plan), {}, {}};
    const Number number = row.number(scenario, plan);
    if (!number)
        return {std::string(row.absent), {}, {}};
    return {row.size ? writeBytes(Bytes(*number), unit) : writeNumber(*number), number, {}};
}

TextTable tableOf(const Comparison &comparison, bool all) {
    TextTable table;
    table.column("").column("");
    for (std::size_t i = 0; i < comparison.names.size(); ++i)
        table.column(oneLine(comparison.names[i], 60) + (i == comparison.baseline && comparison.names.size() > 1 ? " (baseline)" : ""), Right);
    for (const ComparedRow &row : comparison.rows) {
        if (!all && !row.differs)
            continue;
        std::vector<std::string> cells{row.differs ? "≠" : "", row.name};
        for (const ComparedCell &cell : row.cells)
            cells.push_back(cell.text + (cell.delta.empty() ? "" : " (" + cell.delta + ")"));
        table.row(std::move(cells));
    }
    return table;
}

} // namespace

Comparison compare(std::span<const Scenario> scenarios, std::span<const Plan> plans, std::size_t baseline, SizeUnit unit) {
    Comparison out;
    out.baseline = baseline;
    out.names = scenarioNames(scenarios);
    ComparedRow refusals{"Refused", true, false, {}, false};
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        refusals.cells.push_back({plans[i].refusal ? oneLine(plans[i].refusal->text) : std::string(), {}, {}});
    }
    if (std::ranges::any_of(plans, [](const Plan &plan) { return !plan.ok(); }))
        out.rows.push_back(std::move(refusals));
    for (const Row &row : rowsOf()) {
        ComparedRow made{row.name, false, row.size, {}, row.names};
        for (std::size_t i = 0; i < scenarios.size(); ++i)
            made.cells.push_back(cellOf(row, scenarios[i], plans[i], unit));
        const ComparedCell base = baseline < made.cells.size() ? made.cells[baseline] : ComparedCell{};
        for (ComparedCell &cell : made.cells) {
            made.differs = made.differs || cell.number != made.cells.front().number || (!cell.number && cell.text != made.cells.front().text);
            if (cell.number && base.number)
                cell.delta = deltaText(checked::sub(*cell.number, *base.number), row.size, unit);
        }
        out.rows.push_back(std::move(made));
    }
    return out;
}

std::string comparisonText(const Comparison &comparison, bool all) {
    const TextTable table = tableOf(comparison, all);
    return table.empty() ? "The scenarios do not differ.\n" : table.text();
}

std::string comparisonMarkdown(const Comparison &comparison, bool all) {
    const TextTable table = tableOf(comparison, all);
    return table.empty() ? "The scenarios do not differ.\n" : table.markdown();
}

std::string comparisonCsv(const Comparison &comparison, bool all) {
    std::string csv = "row,differs";
    for (const std::string &name : comparison.names)
        csv += "," + csvCell(oneLine(name));
    csv += "\n";
    for (const ComparedRow &row : comparison.rows) {
        if (!all && !row.differs)
            continue;
        csv += csvCell(row.name) + (row.differs ? ",1" : ",0");
        for (const ComparedCell &cell : row.cells)
            csv += "," + (cell.number ? std::to_string(*cell.number) : csvCell(cell.text));
        csv += "\n";
    }
    return csv;
}

std::string comparisonJson(const Comparison &comparison, bool all) {
    std::string out;
    JsonWriter json(out, true);
    json.beginObject();
    json.member("ok", true);
    json.member("baseline", comparison.names.empty() ? std::string() : comparison.names[comparison.baseline]);
    json.key("scenarios").beginArray();
    for (const std::string &name : comparison.names)
        json.value(name);
    json.endArray();
    json.key("rows").beginArray();
    for (const ComparedRow &row : comparison.rows) {
        if (!all && !row.differs)
            continue;
        json.beginObject();
        json.member("name", row.name);
        json.member("differs", row.differs);
        json.key("values").beginArray();
        for (const ComparedCell &cell : row.cells) {
            if (cell.number)
                json.value(*cell.number);
            else
                json.value(cell.text);
        }
        json.endArray();
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return out + "\n";
}

} // namespace kv
