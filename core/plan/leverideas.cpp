// SPDX-License-Identifier: GPL-3.0-or-later
//
// The changes that are worth trying, by kind. Each proposes what the engine lists as its own; what it refuses all the same falls out when
// it is evaluated.
#include "core/plan/levers.h"

#include "core/base/quantity.h"
#include "core/engine/engines.h"
#include "core/engine/options.h"
#include "core/plan/evaluate.h"
#include "core/plan/solve.h"
#include "core/weights/weighttypes.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace kv {

namespace {

class Ideas {
public:
    Ideas(const Scenario &scenario, const Plan &plan) : m_scenario(scenario), m_plan(plan), m_engine(*findEngine(scenario.engine.id)) {}

    std::vector<LeverIdea> all() {
        cacheTypes();
        weightTypes();
        splits();
        contextParallel();
        switches();
        memoryShare();
        load();
        moreGpus();
        otherGpus();
        otherEngines();
        if (!m_plan.fit.fits)
            pairs();
        return std::move(m_ideas);
    }

private:
    void add(std::string id, std::string name, LeverCost cost, double size, Scenario scenario, std::string caveat = {}) {
        if (!(scenario == m_scenario))
            m_ideas.push_back({std::move(id), std::move(name), std::move(caveat), cost, size, std::move(scenario)});
    }
    bool hasOption(std::string_view name) const { return std::ranges::find(m_engine.options(), name, &EngineOption::name) != m_engine.options().end(); }
    bool isOn(std::string_view name) const { return OptionReader(m_scenario.engine.options).boolean(name).value_or(false); }
    Scenario with(const char *option, Json value) const {
        Scenario tried = m_scenario;
        tried.engine.options.set(option, std::move(value));
        return tried;
    }
    Scenario split(std::int64_t tp, std::int64_t pp, std::int64_t dp, std::int64_t count) const {
        Scenario tried = m_scenario;
        tried.hardware.count = Count(count);
        tried.parallel.tp = Count(tp);
        tried.parallel.pp = Count(pp);
        tried.parallel.dp = Count(dp);
        return tried;
    }

    void cacheTypes();
    void weightTypes();
    void splits();
    void contextParallel();
    void switches();
    void memoryShare();
    void load();
    void moreGpus();
    void otherGpus();
    void otherEngines();
    void pairs();
    void pair(const LeverIdea &one, const LeverIdea &other, const char *joined, const std::function<void(Scenario &)> &change);

    const Scenario &m_scenario;
    const Plan &m_plan;
    const Engine &m_engine;
    std::vector<LeverIdea> m_ideas;
};

/// Memory is set aside for the whole of each sequence, whatever it comes to hold.
bool reserves(const Scenario &scenario) {
    return scenario.engine.id == "llama-cpp" || (scenario.engine.id == "transformers" && OptionReader(scenario.engine.options).word("cache") == "static");
}

double bitsOf(ElementType type) {
    const ElementTypeInfo &entry = info(type);
    return 8.0 * static_cast<double>(entry.blockBytes) / static_cast<double>(entry.blockElements);
}

void Ideas::cacheTypes() {
    const double now = bitsOf(m_plan.kv.types.key) + bitsOf(m_plan.kv.types.value);
    std::vector<ElementType> tried;
    for (const ElementType type : m_engine.kvTypes()) {
        const double bits = bitsOf(type);
        const auto alike = [&](ElementType other) { return bitsOf(other) == bits && info(other).headBytes == info(type).headBytes; };
        if (type == ElementType::Auto || 2 * bits >= now || std::ranges::any_of(tried, alike))
            continue; // of types of one size the first says what there is to gain
        tried.push_back(type);
        Scenario changed = m_scenario;
        changed.kv = {type, type};
        add("kv." + std::string(info(type).name), std::string(info(type).label) + " cache", LeverCost::Quality, 0.2 * std::log2(now / (2 * bits)), std::move(changed),
            bits < 8 ? "a quality risk: KV in less than 8 bit" : "a small quality risk");
    }
    if (!m_engine.splitsKeyAndValueTypes() || std::ranges::find(m_engine.kvTypes(), ElementType::Q8_0) == m_engine.kvTypes().end())
        return;
    Scenario unlike = m_scenario; // keys suffer more from fewer bits than values
    unlike.kv = {ElementType::Q8_0, ElementType::Q4_0};
    if (bitsOf(ElementType::Q8_0) + bitsOf(ElementType::Q4_0) < now)
        add("kv.q8_0-q4_0", "Q8_0 keys with Q4_0 values", LeverCost::Quality, 0.3, std::move(unlike), "a quality risk");
}

void Ideas::weightTypes() {
    if (m_plan.weights.total <= Bytes(0))
        return;
    const WeightTypeGroup group = m_engine.id() == "llama-cpp" ? WeightTypeGroup::Gguf : WeightTypeGroup::Quantised;
    for (const char *name : {"fp8", "int8", "int4", "q8_0", "q6_k", "q4_k_m"}) {
        const WeightType &type = *findWeightType(name);
        const Parsed<TypedWeights> typed = type.group == group ? bytesInType(m_scenario.model.spec->weights, name) : Parsed<TypedWeights>{};
        if (!typed || typed->bytes >= m_plan.weights.total)
            continue;
        Scenario tried = m_scenario;
        tried.weights = {name, std::nullopt};
        const double halvings = std::log2(static_cast<double>(m_plan.weights.total.value) / static_cast<double>(std::max<std::int64_t>(typed->bytes.value, 1)));
        add("weights." + std::string(name), std::string(type.label) + " weights", LeverCost::Quality, 0.3 * halvings, std::move(tried),
            halvings > 1.3 ? "a quality risk, and another checkpoint" : "a small quality risk, and another checkpoint");
    }
}

void Ideas::splits() {
    const std::int64_t gpus = m_plan.gpusInAll;
    if (m_engine.id() == "llama-cpp" || gpus > 64)
        return;
    const bool even = m_engine.id() == "textbook" || m_engine.id() == "transformers"; // tp and pp come to the same
    for (std::int64_t dp = 1; dp <= gpus; ++dp)
        for (std::int64_t pp = 1; gpus % dp == 0 && pp <= (even ? 1 : std::min<std::int64_t>(gpus / dp, 8)); ++pp) {
            if ((gpus / dp) % pp != 0)
                continue;
            const std::int64_t tp = gpus / dp / pp;
            if (!m_engine.dpInsideTp(m_scenario))
                add("split." + std::to_string(tp) + "." + std::to_string(pp) + "." + std::to_string(dp),
                    "TP " + std::to_string(tp) + (pp > 1 ? " × PP " + std::to_string(pp) : "") + (dp > 1 ? " × DP " + std::to_string(dp) : ""), LeverCost::Setting,
                    0.1 + 0.05 * static_cast<double>(pp - 1), split(tp, pp, dp, gpus), pp > 1 ? "stages add latency" : "");
        }
    if (hasOption("enable_dp_attention") && !isOn("enable_dp_attention") && !m_plan.gpus.empty()) {
        const GpuPlan &last = m_plan.gpus.back();
        const std::int64_t tp = last.tp + 1;
        if (last.dp == 0 && tp > 1) {
            Scenario tried = with("enable_dp_attention", true);
            tried.parallel = {Count(tp), Count(last.pp + 1), Count(tp), m_scenario.parallel.expertParallel};
            add("dp-attention", "Attention data parallelism", LeverCost::Setting, 0.15, std::move(tried));
        }
    }
    if (hasOption("enable_attention_dp") && !isOn("enable_attention_dp"))
        add("dp-attention", "Attention data parallelism", LeverCost::Setting, 0.15, with("enable_attention_dp", true));
}

void Ideas::contextParallel() {
    if (!hasOption("decode_context_parallel") || m_plan.gpus.empty())
        return;
    const std::int64_t tp = m_plan.gpus.back().tp + 1;
    const std::int64_t now = OptionReader(m_scenario.engine.options).whole("decode_context_parallel").value_or(1);
    for (std::int64_t ranks = 2; ranks <= tp; ranks *= 2)
        if (ranks != now && tp % ranks == 0)
            add("dcp." + std::to_string(ranks), "Decode context parallel " + std::to_string(ranks), LeverCost::Setting, 0.15, with("decode_context_parallel", ranks), "more exchange between GPUs");
}

void Ideas::switches() {
    struct Switch {
        const char *option;
        bool from, to;
        const char *name, *caveat;
        LeverCost cost = LeverCost::Setting;
    };
    // Options that are on or off, whose other side can take less.
    constexpr Switch table[]{
        {"disable_hybrid_kv_cache_manager", true, false, "Window manager on", ""},
        {"swa_full", true, false, "Windows kept at their own size", "no context shift back over the window"},
        {"kv_unified", false, true, "One pool of cells for all slots", "slots share the cells"},
        {"kv_unified", true, false, "Cells of its own for each slot", ""},
        {"disable_radix_cache", true, false, "Prefix cache on", ""},
        {"prefix_caching", false, true, "Prefix cache on", ""},
        {"prefix_caching", true, false, "Prefix cache off", "shared beginnings are computed anew"},
        {"enforce_eager", false, true, "No CUDA graphs", "slower decoding"},
        {"no_kv_offload", false, true, "Cache on the host", "far slower attention", LeverCost::Speed},
        {"cpu_moe", false, true, "Experts on the host", "far slower", LeverCost::Speed},
    };
    for (const Switch &one : table)
        if (hasOption(one.option)) {
            const std::optional<bool> now = OptionReader(m_scenario.engine.options).boolean(one.option);
            if (now.value_or(one.from && std::string_view(one.option) == "prefix_caching" ? true : false) == one.from && (now || !one.from))
                add(one.option, one.name, one.cost, *one.caveat ? 0.4 : 0.05, with(one.option, one.to), one.caveat);
        }
    if (hasOption("cache") && OptionReader(m_scenario.engine.options).word("cache") == "static")
        add("cache", "A cache that grows, not reserved", LeverCost::Setting, 0.05, with("cache", "dynamic"));
    for (const char *limit : {"max_num_seqs", "max_running_requests", "max_batch_size", "n_ctx", "n_parallel"})
        if (m_scenario.engine.options.find(limit)) {
            Scenario tried = m_scenario;
            tried.engine.options.erase(limit);
            add(std::string("without.") + limit, std::string("Without ") + limit, LeverCost::Setting, 0.1, std::move(tried));
        }
    // Models with windows: what their pool does not get goes to the layers that keep everything.
    if (hasOption("swa_full_tokens_ratio") && OptionReader(m_scenario.engine.options).fraction("swa_full_tokens_ratio").value_or(fractionOne) > fractionOne / 5)
        add("swa_full_tokens_ratio", "A window pool of a fifth", LeverCost::Setting, 0.2, with("swa_full_tokens_ratio", "0.2"), "fewer tokens of window layers at a time");
    constexpr std::int64_t fewBatched = 2048;
    if (hasOption("max_num_batched_tokens"))
        add("max_num_batched_tokens", "Steps of 2,048 tokens", LeverCost::Setting, 0.2, with("max_num_batched_tokens", fewBatched), "slower prefill");
}

void Ideas::memoryShare() {
    constexpr std::int64_t leastReserve = fractionOne / 20;
    if (m_engine.id() == "textbook" && m_scenario.hardware.reserve > leastReserve) {
        Scenario tried = m_scenario;
        tried.hardware.reserve = leastReserve;
        add("reserve", "A reserve of 5 %", LeverCost::Setting, 0.15, std::move(tried), "less room for what is not counted");
    }
    for (const char *option : {"gpu_memory_utilization", "mem_fraction_static", "free_gpu_memory_fraction"})
        if (hasOption(option)) {
            const std::int64_t now = OptionReader(m_scenario.engine.options).fraction(option).value_or(0);
            if (now < fractionOne / 100 * 95)
                add(option, std::string(option) + " 0.95", LeverCost::Setting, 0.15, with(option, "0.95"), "less room for what is not counted");
        }
}

void Ideas::load() {
    const Workload &now = m_scenario.workload;
    const auto shorter = [&](std::int64_t tokens, const char *id, std::string name, double extra, std::string caveat) {
        if (tokens < 1 || tokens >= now.context.value)
            return;
        Scenario tried = m_scenario;
        tried.workload.context = Tokens(tokens);
        tried.workload.sharedPrefix = std::min(now.sharedPrefix, Tokens(tokens));
        add(id, std::move(name), LeverCost::Load, extra + std::log2(static_cast<double>(now.context.value) / static_cast<double>(tokens)), std::move(tried), std::move(caveat));
    };
    shorter(now.context.value / 2, "context.half", "A context of " + writeNumber(now.context.value / 2) + " tokens", 0, "longer requests are refused");
    if (now.distribution)
        shorter(now.distribution->p99, "context.p99", "The context cut at p99, " + writeNumber(now.distribution->p99) + " tokens", -0.5, "1 request in 100 is refused");
    if (!m_plan.fit.fits) {
        const Solution longest = solve(m_scenario, Question::Context);
        if (longest.answer && longest.fits)
            shorter(*longest.answer, "context.longest", "A context of " + writeNumber(*longest.answer) + " tokens", 0, "longer requests are refused");
        if (m_plan.fit.maxSequences && *m_plan.fit.maxSequences > 0) {
            Scenario tried = m_scenario;
            const std::int64_t most = *m_plan.fit.maxSequences;
            tried.workload.sequences = Count(most);
            add("sequences", std::string("Only ") + writeNumber(most) + (most == 1 ? " sequence" : " sequences") + " at a time", LeverCost::Load,
                std::log2(static_cast<double>(now.sequences.value) / static_cast<double>(most)), std::move(tried), "the next one " + std::string(m_engine.overflow()));
        }
    }
    const std::int64_t quarter = now.context.value / 4;
    if (now.sharedPrefix < Tokens(quarter)) {
        Scenario tried = m_scenario;
        tried.workload.sharedPrefix = Tokens(quarter);
        add("prefix", "The first " + writeNumber(quarter) + " tokens shared by all", LeverCost::Load, 0.6, std::move(tried), "if requests really begin alike");
    }
}

void Ideas::moreGpus() {
    if (!m_scenario.hardware.devices.empty() || m_plan.gpus.empty())
        return;
    const GpuPlan &last = m_plan.gpus.back();
    const std::int64_t gpus = m_plan.gpusInAll, tp = last.tp + 1, pp = last.pp + 1, dp = std::max<std::int64_t>(m_scenario.parallel.dp.value_or(Count(1)).value, 1);
    const std::string twice = writeNumber(2 * gpus) + " GPUs";
    add("gpus.tp", twice + ", TP " + std::to_string(2 * tp), LeverCost::Hardware, 1, split(2 * tp, pp, dp, 2 * gpus), writeNumber(gpus) + " more GPUs");
    if (m_engine.id() != "llama-cpp") {
        add("gpus.pp", twice + ", PP " + std::to_string(2 * pp), LeverCost::Hardware, 1.05, split(tp, 2 * pp, dp, 2 * gpus), writeNumber(gpus) + " more GPUs");
        if (!m_engine.dpInsideTp(m_scenario))
            add("gpus.dp", twice + ", DP " + std::to_string(2 * dp), LeverCost::Hardware, 1.1, split(tp, pp, 2 * dp, 2 * gpus), writeNumber(gpus) + " more GPUs");
    }
    if (m_plan.fit.fits)
        return;
    const Solution fewest = solve(m_scenario, Question::Gpus);
    if (!fewest.answer || !fewest.fits || *fewest.answer <= gpus)
        return;
    const Scenario &taken = fewest.scenario;
    const std::int64_t count = taken.hardware.count.value;
    if (std::ranges::find(m_ideas, taken, &LeverIdea::scenario) != m_ideas.end())
        return; // twice the GPUs, which stand there already
    add("gpus.fewest", writeNumber(count) + " GPUs, " + splitText(taken), LeverCost::Hardware, std::log2(static_cast<double>(count) / static_cast<double>(gpus)), taken,
        writeNumber(count - gpus) + " more GPUs");
}

/// The next larger cards of the same maker: of each size the quickest, not one cut down.
void Ideas::otherGpus() {
    const Gpu *now = findGpu(m_scenario.hardware.gpu);
    if (!now || m_scenario.hardware.memory || !m_scenario.hardware.devices.empty())
        return;
    std::vector<const Gpu *> larger;
    for (const Gpu &gpu : gpus()) {
        const bool inTheRack = gpu.gpusPerNode == 0 || gpu.gpusPerNode >= std::min<std::int64_t>(m_plan.gpusInAll, now->gpusPerNode);
        if (gpu.vendor != now->vendor || gpu.marketed <= now->marketed || !inTheRack)
            continue;
        const auto same = std::ranges::find(larger, gpu.marketed, &Gpu::marketed);
        if (same == larger.end())
            larger.push_back(&gpu);
        else if (std::pair((*same)->bandwidthGBs, (*same)->bf16Tflops) < std::pair(gpu.bandwidthGBs, gpu.bf16Tflops))
            *same = &gpu;
    }
    std::ranges::sort(larger, {}, &Gpu::marketed);
    for (std::size_t i = 0; i < std::min<std::size_t>(larger.size(), 4); ++i) {
        Scenario tried = m_scenario;
        tried.hardware.gpu = larger[i]->id;
        add("gpu." + larger[i]->id, writeNumber(m_plan.gpusInAll) + " × " + larger[i]->name, LeverCost::Hardware,
            0.2 + std::log2(static_cast<double>(larger[i]->marketed.value) / static_cast<double>(now->marketed.value)), std::move(tried), "other cards");
    }
}

void Ideas::otherEngines() {
    const std::span<const std::string_view> versions = m_engine.versions();
    for (const std::string_view version : versions)
        if (hasOption("version") && versions.size() > 1 && version != m_plan.engine.version)
            add("version." + std::string(version), std::string(m_engine.name()) + " " + std::string(version), LeverCost::Software, 0.3, with("version", version));
    if (m_engine.id() == "textbook")
        return; // on paper there is no engine to change
    for (const Engine *engine : engines()) {
        if (engine == &m_engine || engine->id() == "textbook")
            continue;
        Scenario tried = m_scenario;
        tried.engine = {std::string(engine->id()), Json::object()};
        const auto taken = [&](ElementType type) { return type == ElementType::Auto || std::ranges::find(engine->kvTypes(), type) != engine->kvTypes().end(); };
        if (!taken(tried.kv.key) || !taken(tried.kv.value))
            tried.kv = {};
        const bool paged = reserves(m_scenario) && !reserves(tried);
        add("engine." + std::string(engine->id()), std::string(engine->name()), LeverCost::Software, 0.8, std::move(tried),
            paged ? "another server, with pages taken as sequences grow" : engine->id() == "transformers" ? "another server, and its activations come on top" : "another server");
    }
}

void Ideas::pair(const LeverIdea &one, const LeverIdea &other, const char *joined, const std::function<void(Scenario &)> &change) {
    Scenario both = one.scenario;
    change(both);
    const std::string caveat = one.cost == other.cost ? other.caveat : one.caveat + "; " + other.caveat;
    add(one.id + "+" + other.id, one.name + joined + other.name, std::max(one.cost, other.cost), one.size + other.size, std::move(both), caveat);
}

/// Where one change may not be enough: a smaller cache with smaller weights, or on twice the GPUs.
void Ideas::pairs() {
    const std::vector<LeverIdea> singles = m_ideas;
    const auto of = [&singles](std::string_view id) {
        const auto found = std::ranges::find(singles, id, &LeverIdea::id);
        return found == singles.end() ? nullptr : &*found;
    };
    const auto smaller = std::ranges::find_if(singles, [](const LeverIdea &idea) { return idea.id.starts_with("kv."); });
    if (smaller == singles.end())
        return;
    for (const char *name : {"weights.fp8", "weights.int4", "weights.q8_0", "weights.q4_k_m"})
        if (const LeverIdea *weights = of(name))
            pair(*smaller, *weights, " and ", [weights](Scenario &s) { s.weights = weights->scenario.weights; });
    for (const char *name : {"gpus.tp", "gpus.pp", "gpus.dp"})
        if (const LeverIdea *more = of(name))
            pair(*smaller, *more, " on ", [more](Scenario &s) { s.hardware = more->scenario.hardware, s.parallel = more->scenario.parallel; });
}

} // namespace

std::vector<LeverIdea> leverIdeas(const Scenario &scenario, const Plan &plan) { return Ideas(scenario, plan).all(); }

} // namespace kv
