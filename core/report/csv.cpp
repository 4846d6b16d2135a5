// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/csv.h"

#include "core/base/plaintext.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace kv {

namespace {

class CsvLine {
public:
    void add(std::string_view name, std::string_view text) {
        m_header += (m_header.empty() ? "" : ",") + csvCell(name);
        m_line += (m_started ? "," : "") + csvCell(oneLine(text));
        m_started = true;
    }
    void add(std::string_view name, Bytes bytes) { add(name, std::to_string(bytes.value)); }
    void add(std::string_view name, std::int64_t number) { add(name, std::to_string(number)); }
    void add(std::string_view name, const std::optional<std::int64_t> &number) { add(name, number ? std::to_string(*number) : std::string()); }

    std::string text() const { return m_header + "\n" + m_line + "\n"; }

private:
    std::string m_header, m_line;
    bool m_started = false;
};

void addGpus(CsvLine &line, const std::vector<GpuPlan> &gpus) {
    if (gpus.empty())
        return;
    const GpuPlan &fullest = *std::ranges::min_element(gpus, {}, [](const GpuPlan &gpu) { return gpu.free; });
    line.add("gpus.index", fullest.index);
    line.add("gpus.memory_bytes", fullest.memory);
    line.add("gpus.reserve_bytes", fullest.reserve);
    line.add("gpus.weights_bytes", fullest.weights);
    line.add("gpus.overhead_bytes", fullest.overhead);
    line.add("gpus.kv_bytes", fullest.kv);
    line.add("gpus.kv_reserved_bytes", fullest.kvReserved);
    line.add("gpus.free_bytes", fullest.free);
}

void addSplit(CsvLine &line, const Scenario &scenario, const Plan &plan) {
    std::int64_t tp = 1, pp = 1, dp = 1;
    for (const GpuPlan &gpu : plan.gpus)
        tp = std::max(tp, gpu.tp + 1), pp = std::max(pp, gpu.pp + 1), dp = std::max(dp, gpu.dp + 1);
    line.add("parallel.tp", tp);
    line.add("parallel.pp", pp);
    line.add("parallel.dp", dp);
    line.add("parallel.expert_parallel", scenario.parallel.expertParallel ? "true" : "false");
}

/// Spreadsheets work out what begins so, wherever the text comes from (OWASP, CSV Injection); a number is none of it.
bool isFormula(std::string_view text) {
    if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos)
        return false;
    double number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    return fault != std::errc() || end != text.data() + text.size();
}

} // namespace

std::string csvCell(std::string_view given) {
    const std::string apart = isFormula(given) ? "'" + std::string(given) : std::string();
    const std::string_view text = apart.empty() ? given : apart;
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out + "\"";
}

std::string planCsv(const Scenario &scenario, const Plan &plan) {
    CsvLine line;
    line.add("name", scenario.name);
    line.add("model.name", plan.modelName);
    line.add("model.attention", plan.model->attentionName());
    line.add("model.layers", plan.model->layerCount());
    line.add("engine.id", plan.engine.id);
    line.add("engine.version", plan.engine.version);
    line.add("engine.options", scenario.engine.options.members().empty() ? std::string() : writeJson(scenario.engine.options));
    line.add("workload.context", scenario.workload.context.value);
    line.add("workload.sequences", scenario.workload.sequences.value);
    line.add("workload.shared_prefix", scenario.workload.sharedPrefix.value);
    line.add("hardware.gpu", scenario.hardware.gpu);
    line.add("hardware.count", plan.gpusInAll);
    addSplit(line, scenario, plan);
    line.add("kv.k", info(plan.kv.types.key).name);
    line.add("kv.v", info(plan.kv.types.value).name);
    line.add("kv.bytes_per_token", plan.kv.perToken);
    line.add("kv.bytes_per_token_marginal", plan.kv.perTokenMarginal);
    line.add("kv.fixed_bytes_per_sequence", plan.kv.fixedPerSequence);
    line.add("kv.bytes_per_sequence", plan.kv.perSequence);
    line.add("kv.bytes_per_token_per_gpu", plan.kv.perTokenPerGpu);
    line.add("kv.bytes_per_sequence_per_gpu", plan.kv.perSequencePerGpu);
    line.add("kv.total_bytes", plan.kv.total);
    line.add("weights.total_bytes", plan.weights.total);
    line.add("weights.per_gpu_bytes", plan.weights.perGpu);
    line.add("weights.source", weightSourceName(plan.weights.source));
    addGpus(line, plan.gpus);
    line.add("fit.fits", plan.fit.fits ? "true" : "false");
    line.add("fit.kv_budget_bytes", plan.fit.kvBudget);
    line.add("fit.max_sequences", plan.fit.maxSequences);
    line.add("fit.max_context", plan.fit.maxContext);
    line.add("fit.kv_capacity_tokens", plan.fit.kvCapacityTokens);
    line.add("fit.min_gpus", plan.fit.minGpus);
    return line.text();
}

} // namespace kv
