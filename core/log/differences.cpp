// SPDX-License-Identifier: GPL-3.0-or-later
//
// The figures of a log beside those of its plan, one row a figure: which figure of the plan is the same thing, and how far a row may be off
// for being printed rounded.
#include "core/log/reconcile.h"

#include "core/base/quantity.h"
#include "core/log/logwords.h"
#include "core/log/loggedroom.h"
#include "core/plan/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kv {

namespace {

using Amount = std::optional<std::int64_t>;

Amount of(const std::optional<Bytes> &bytes) { return bytes ? Amount(bytes->value) : std::nullopt; }
Amount of(const std::optional<Tokens> &tokens) { return tokens ? Amount(tokens->value) : std::nullopt; }

const EngineValue *reported(const Plan &plan, std::string_view name) {
    const auto found = std::ranges::find(plan.engine.values, name, [](const auto &entry) { return std::string_view(entry.first); });
    return found == plan.engine.values.end() ? nullptr : &found->second;
}

Amount wholeOf(const Plan &plan, std::string_view name) {
    const EngineValue *value = reported(plan, name);
    const auto *whole = value ? std::get_if<std::int64_t>(value) : nullptr;
    return whole ? Amount(*whole) : std::nullopt;
}

template <typename Get>
Amount fullest(const Plan &plan, Get get) {
    Amount most;
    for (const GpuPlan &gpu : plan.gpus)
        most = std::max(most.value_or(outOfRangeValue), get(gpu).value);
    return most;
}

Amount tightest(const Plan &plan) {
    Amount least;
    for (const GpuPlan &gpu : plan.gpus)
        least = std::min(least.value_or(INT64_MAX), (gpu.kv + gpu.free).value);
    return least;
}

Amount plannedTokens(const Plan &plan, const ServerLog &log) {
    if (log.engine == "vllm")
        return wholeOf(plan, "logged_tokens");
    if (log.engine == "sglang")
        return wholeOf(plan, "max_total_num_tokens");
    const Amount blocks = wholeOf(plan, "blocks"), perBlock = wholeOf(plan, "tokens_per_block");
    return blocks && perBlock ? Amount(checked::mul(*blocks, *perBlock)) : std::nullopt;
}

/// llama.cpp says a drafter's weights apart, the others with the model's own.
Amount plannedWeights(const Plan &plan, const ServerLog &log) {
    if (log.engine == "llama-cpp")
        return plan.weights.total.value;
    return fullest(plan, [](const GpuPlan &gpu) { return gpu.weights + gpu.draftWeights; }); // of the GPU that holds both, the last stage's
}

Amount plannedCache(const Plan &plan, const ServerLog &log) {
    if (log.engine == "llama-cpp")
        return wholeOf(plan, "kv_cache_bytes");
    // States lie in the same pool of the plan and have a line of their own in the log.
    const Amount pool = fullest(plan, [](const GpuPlan &gpu) { return gpu.kvReserved; });
    return pool && log.recurrentState ? Amount(*pool - log.recurrentState->value) : pool;
}

/// Hundredths, as the engine prints two decimals.
Amount plannedConcurrency(const Plan &plan, const ServerLog &) {
    const EngineValue *value = reported(plan, "max_concurrency");
    const auto *times = value ? std::get_if<double>(value) : nullptr;
    return times && *times < 1e15 ? Amount(std::llround(*times * 100)) : std::nullopt;
}

Amount plannedOverhead(const Plan &plan, const ServerLog &) {
    return fullest(plan, [](const GpuPlan &gpu) { return gpu.overhead - gpu.draftWeights; });
}

Amount loggedOverhead(const ServerLog &log) {
    if (log.engine != "vllm" || !log.activation || !log.nonTorch)
        return std::nullopt;
    return (*log.activation + *log.nonTorch + log.cudaGraphEstimate.value_or(Bytes(0))).value;
}

struct Row {
    std::string_view quantity, name;
    LoggedUnit unit;
    Amount (*logged)(const ServerLog &);
    Amount (*planned)(const Plan &, const ServerLog &);
    bool fromRoom = false; ///< hangs on the memory that is left for KV
};

using enum LoggedUnit;
constexpr auto rows = std::to_array<Row>({
    {"gpu_memory_bytes", "Memory of one GPU", Size, [](const ServerLog &l) { return of(l.gpuMemory); },
     [](const Plan &p, const ServerLog &) { return p.gpus.empty() ? std::nullopt : Amount(p.gpus.front().memory.value); }},
    {"weights_bytes", "Weights", Size, [](const ServerLog &l) { return of(l.weights); }, plannedWeights},
    {"overhead_bytes", "Activations and the like", Size, loggedOverhead, plannedOverhead},
    {"compute_bytes", "Compute buffers", Size, [](const ServerLog &l) { return of(l.compute); },
     [](const Plan &p, const ServerLog &) {
         Bytes all;
         for (const GpuPlan &gpu : p.gpus)
             all += gpu.overhead - gpu.draftWeights;
         return Amount(all.value);
     }},
    {"available_kv_bytes", "Left for KV", Size, [](const ServerLog &l) { return of(l.availableKv); }, [](const Plan &p, const ServerLog &) { return tightest(p); }},
    {"kv_cache_bytes", "KV cache", Size, [](const ServerLog &l) { return of(l.kvCache); }, plannedCache, true},
    {"recurrent_state_bytes", "Recurrent states", Size, [](const ServerLog &l) { return of(l.recurrentState); },
     [](const Plan &p, const ServerLog &) { return wholeOf(p, "recurrent_state_bytes"); }},
    {"num_gpu_blocks", "Blocks", Number, [](const ServerLog &l) { return l.numGpuBlocks; }, [](const Plan &p, const ServerLog &) { return wholeOf(p, "num_gpu_blocks"); }, true},
    {"blocks", "Blocks", Number, [](const ServerLog &l) { return l.blocks; }, [](const Plan &p, const ServerLog &) { return wholeOf(p, "blocks"); }, true},
    {"bytes_per_token", "Bytes of a token", Size, [](const ServerLog &l) { return of(l.bytesPerToken); },
     [](const Plan &p, const ServerLog &) { return Amount(p.kv.perTokenPerGpu.value); }},
    {"tokens", "Tokens of the cache", Length, [](const ServerLog &l) { return of(l.tokens); }, plannedTokens, true},
    {"max_concurrency", "Maximum concurrency", Times, [](const ServerLog &l) { return l.maxConcurrency ? Amount(std::llround(std::min(*l.maxConcurrency, 1e15) * 100)) : std::nullopt; }, plannedConcurrency, true},
    {"needed_kv_bytes", "KV that one request needs", Size, [](const ServerLog &l) { return of(l.neededKv); },
     [](const Plan &p, const ServerLog &) { return Amount(p.kv.perSequencePerGpu.value); }},
    {"estimated_max_model_len", "Longest request that would fit", Length, [](const ServerLog &l) { return of(l.estimatedMaxModelLen); },
     [](const Plan &p, const ServerLog &) { return wholeOf(p, "estimated_max_model_len"); }, true},
    {"n_ctx", "Cells (n_ctx)", Length, [](const ServerLog &l) { return of(l.nCtx); }, [](const Plan &p, const ServerLog &) { return wholeOf(p, "n_ctx"); }},
    {"n_ctx_seq", "Cells of a slot", Length, [](const ServerLog &l) { return of(l.nCtxSeq); }, [](const Plan &p, const ServerLog &) { return wholeOf(p, "n_ctx_seq"); }},
});

/// Half of the last digit that the log prints, and for what is counted from a printed memory the share that its rounding makes.
std::int64_t slackOf(const Row &row, const ServerLog &log, std::int64_t logged) {
    const bool ollama = log.version && log.version->starts_with("ollama");
    const std::int64_t bytes = ollama ? gibibyte / 20 : log.engine == "llama-cpp" ? mebibyte / 8 : gibibyte / 200 + 1;
    if (row.quantity == "bytes_per_token")
        return 0;
    if (row.unit == Size)
        return row.quantity == "weights_bytes" && log.engine == "llama-cpp" ? std::max(bytes, gibibyte / 200) : bytes;
    if (!row.fromRoom)
        return 0;
    const std::optional<Bytes> room = loggedRoom(log);
    const std::int64_t share = room && *room > Bytes(0) ? checked::mulDiv(logged, bytes, room->value) : 0;
    return std::max<std::int64_t>(share, 0) + (row.unit == Length ? log.blockSize.value_or(16) : 1);
}

bool near(const Amount &a, std::int64_t b, std::int64_t slack) {
    const std::int64_t apart = a ? checked::sub(*a, b) : outOfRangeValue;
    return apart != outOfRangeValue && std::abs(apart) <= slack;
}

LogDifference rowOf(const Row &row, const ServerLog &log, const Plan *plan, const Plan *fromLogged) {
    LogDifference d{std::string(row.quantity), std::string(row.name), row.unit, row.logged(log), {}, {}, false, {}};
    const std::int64_t slack = slackOf(row, log, *d.logged);
    if (plan)
        d.planned = row.planned(*plan, log);
    d.agrees = near(d.planned, *d.logged, slack);
    if (fromLogged && row.fromRoom) {
        const Amount again = row.planned(*fromLogged, log);
        if (again != d.planned)
            d.plannedFromLogged = again;
    }
    const bool layoutAgrees = d.plannedFromLogged ? near(d.plannedFromLogged, *d.logged, slack) : d.agrees;
    d.text = logReason(d, log, plan, layoutAgrees);
    return d;
}

/// The same scenario with the memory for KV that the log prints instead of the budget.
std::optional<Plan> planFromRoom(const ServerLog &log, const Scenario &scenario) {
    const std::optional<Bytes> room = loggedRoom(log);
    if (!room || *room < Bytes(0) || scenario.engine.options.find("available_kv_bytes"))
        return std::nullopt;
    Scenario held = scenario;
    held.engine.options.set("available_kv_bytes", room->value);
    Plan plan = evaluate(held);
    return plan.ok() ? std::optional(std::move(plan)) : std::nullopt;
}

} // namespace

Reconciliation compareWithLog(const ServerLog &log, const Scenario &scenario) {
    Reconciliation out;
    out.scenario = scenario;
    std::optional<Plan> fromRoom;
    if (scenario.engine.id != log.engine)
        out.notes.push_back(warningNote("log-other-engine", "engine.id", "The plan counts like " + scenario.engine.id + ", the log is of " + log.engine + ": figures of the one need not be those of the other."));
    if (!scenario.model.spec) {
        out.noPlan = errorNote("no-model", "model",
                               log.model ? "model: \"" + *log.model + "\" of the log is no model known here and no file of this machine; name it to see its plan (--model ID|PATH)"
                                         : "model: the log does not name its model; name it to see its plan (--model ID|PATH)");
    } else if (Plan plan = evaluate(scenario); plan.refusal) {
        out.noPlan = plan.refusal;
    } else {
        out.plan = std::move(plan);
        fromRoom = planFromRoom(log, scenario);
    }
    for (const Row &row : rows)
        if (row.logged(log))
            out.differences.push_back(rowOf(row, log, out.plan ? &*out.plan : nullptr, fromRoom ? &*fromRoom : nullptr));
    return out;
}

Reconciliation reconcile(const ServerLog &log, const Scenario &base) {
    Scenario start = base;
    Notes notes;
    LoggedModel found = findLoggedModel(log);
    takeDrafter(log, found, start);
    if (!start.model.spec) {
        start.model = std::move(found.choice);
        notes = std::move(found.notes);
    }
    Notes assumed;
    const Scenario scenario = scenarioFromLog(log, start, assumed);
    Reconciliation out = compareWithLog(log, scenario);
    if (scenario.model.spec) // without a plan nothing was assumed for one
        notes.insert(notes.end(), assumed.begin(), assumed.end());
    out.notes.insert(out.notes.begin(), notes.begin(), notes.end());
    return out;
}

} // namespace kv
