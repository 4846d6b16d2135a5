// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/logwords.h"

#include "core/base/quantity.h"
#include "core/base/rounding.h"
#include "core/engine/vllm/release.h"
#include "core/log/loggedroom.h"

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

std::string bytes(Bytes value) { return writeBytes(value, SizeUnit::Binary); }
std::string number(std::int64_t value) { return writeNumber(value); }

std::string times(double value) {
    const auto hundredths = checked::nearest(value * 100);
    std::string rest = std::to_string(hundredths % 100);
    return number(hundredths / 100) + "." + std::string(2 - rest.size(), '0') + rest;
}

void add(std::string &text, const std::string &sentence) { text += (text.empty() ? "" : " ") + sentence; }

std::int64_t ranksOf(const ServerLog &log) {
    const Json *inside = log.settings.find("enable_dp_attention"); // replicas of attention lie inside tp, and add no rank
    const bool adds = !inside || !inside->isBool() || !inside->boolean();
    return checked::mul(checked::mul(log.tp.value_or(1), log.pp.value_or(1)), adds ? log.dp.value_or(1) : 1);
}

std::int64_t groupsOf(const Plan *plan) {
    if (plan)
        for (const auto &[name, value] : plan->engine.values)
            if (const auto *count = std::get_if<std::int64_t>(&value); count && name == "group_count")
                return *count;
    return 1;
}

std::optional<vllm::LoggedTokens> eraOf(const ServerLog &log) {
    vllm::ChosenRelease chosen;
    if (log.engine != "vllm" || !log.version || vllm::chooseRelease(*log.version, chosen))
        return std::nullopt;
    return chosen.rules->tokens;
}

/// Tokens that the concurrency line stands for.
std::optional<double> tokensOfConcurrency(const ServerLog &log) {
    if (!log.maxConcurrency || !log.maxModelLen)
        return std::nullopt;
    return *log.maxConcurrency * static_cast<double>(log.maxModelLen->value);
}

/// The two lines of a hybrid: the token line of 0.11 to 0.20 divides by the groups, the concurrency line does not.
std::string hybridWords(const ServerLog &log, const Plan *plan) {
    const std::optional<double> real = tokensOfConcurrency(log);
    const double tokens = log.tokens ? static_cast<double>(log.tokens->value) : 0;
    // Two decimals of the concurrency are far finer than this.
    constexpr double clearly = 1.05;
    if (!real || tokens <= 0 || *real < tokens * clearly)
        return {};
    const std::int64_t groups = groupsOf(plan);
    std::string text = groups > 1 ? "The log counts blocks ÷ " + number(groups) + " groups × the least block size: " : "The token line and the concurrency line disagree, as releases that count blocks ÷ groups print it for hybrids: the token line is ";
    text += times(*real / tokens) + " × too low for this model. Read the concurrency line: " + times(*log.maxConcurrency) + " × " + number(log.maxModelLen->value) + " = " +
            number(static_cast<std::int64_t>(*real)) + " tokens.";
    return text;
}

std::string eraWords(const ServerLog &log, const Plan *plan) {
    if (std::string hybrid = hybridWords(log, plan); !hybrid.empty())
        return hybrid;
    const std::optional<vllm::LoggedTokens> era = eraOf(log);
    if (era == vllm::LoggedTokens::FromConcurrency && groupsOf(plan) > 1)
        return "From 0.21 on the line is concurrency × max_model_len: it changes with the length asked for, so that memory ÷ tokens is no cost of a token.";
    return {};
}

std::string fromMemory(const LogDifference &row, const ServerLog &log, bool layoutAgrees) {
    const std::optional<Bytes> room = loggedRoom(log);
    if (!row.agrees && row.planned && log.settings.find("num_gpu_blocks_override"))
        return "The log's blocks were given by num_gpu_blocks_override, the plan's follow from the memory.";
    if (!row.agrees && row.planned && !room && !log.gpuMemory)
        return "The log does not say how much memory there was, so that the plan's is another.";
    if (row.agrees || !row.planned || !room)
        return {};
    const std::int64_t counted = row.plannedFromLogged.value_or(*row.planned);
    const std::string shown = row.unit == LoggedUnit::Times ? times(static_cast<double>(counted) / 100) : row.unit == LoggedUnit::Size ? bytes(Bytes(counted)) : number(counted);
    if (layoutAgrees)
        return "From the " + bytes(*room) + " that the log prints the plan counts " + shown + ", as logged: the difference is the memory left for KV, where the overhead is an estimate, not the layout of the cache.";
    return "Even from the " + bytes(*room) + " that the log prints the plan counts " + shown + ": block size, KV type, drafted layers or the model itself differ.";
}

std::string tokensWords(const LogDifference &row, const ServerLog &log, const Plan *plan, bool layoutAgrees) {
    std::string text;
    if (log.tokensFromBlocks) {
        const std::int64_t block = log.blockSize.value_or(16);
        const std::int64_t blocks = log.numGpuBlocks ? *log.numGpuBlocks : log.blocks.value_or(0);
        add(text, "The log names blocks alone: " + number(blocks) + " blocks × " + number(block) + " tokens.");
    } else if (log.engine == "vllm") {
        text = eraWords(log, plan);
    } else if (log.engine == "sglang" && plan && !plan->gpus.empty() && plan->gpus.front().kvReplicated && ranksOf(log) > 1) {
        add(text, "Every rank keeps the same tokens: the lines of " + number(ranksOf(log)) + " ranks do not add up.");
    }
    if (log.dp.value_or(1) > 1)
        add(text, "Of one of " + number(*log.dp) + " replicas.");
    if (std::string memory = fromMemory(row, log, layoutAgrees); !memory.empty())
        add(text, memory);
    return text;
}

std::string weightsWords(const LogDifference &row, const ServerLog &log, const Plan *plan) {
    std::string text;
    if (log.engine == "llama-cpp")
        add(text, "All devices and the host together.");
    else if (ranksOf(log) > 1)
        add(text, "One rank of " + number(ranksOf(log)) + ", not the whole checkpoint" + (plan ? " (" + bytes(plan->weights.total) + ")." : "."));
    if (plan && row.planned && !row.agrees)
        add(text, std::string("Planned: ") + weightSourceName(plan->weights.source) + ", " + plan->weights.scheme + (plan->weights.estimate ? ", an estimate" : "") +
                      "; the log's figure is what was allocated.");
    return text;
}

std::string availableWords(const LogDifference &row, const ServerLog &log, const Plan *plan) {
    std::string text;
    if (*row.logged < 0)
        add(text, "Less than nothing is left: weights and overhead exceed the share of the memory that the engine plans with.");
    if (const std::int64_t ranks = ranksOf(log); ranks > 1)
        add(text, "On the tightest of " + number(ranks) + " ranks, for its own share of the cache; not a sum over the GPUs.");
    if (plan && row.planned && !row.agrees)
        add(text, plan->fit.estimate ? "Planned with an estimated overhead; what the log measured can be taken over." : "Planned from other weights or another memory than the server had.");
    return text;
}

std::string cacheWords(const LogDifference &row, const ServerLog &log, bool layoutAgrees) {
    std::string text;
    if (log.engine == "llama-cpp")
        add(text, "A sum over the devices, and over the full and the window cache where there are two.");
    else if (ranksOf(log) > 1)
        add(text, "One rank's.");
    if (log.engine == "sglang")
        add(text, "\"GB\" of this log are 2^30, and one page more than the tokens is allocated.");
    if (log.engine != "llama-cpp")
        if (std::string memory = fromMemory(row, log, layoutAgrees); !memory.empty())
            add(text, memory);
    return text;
}

} // namespace

std::string logReason(const LogDifference &row, const ServerLog &log, const Plan *plan, bool layoutAgrees) {
    const std::string &quantity = row.quantity;
    if (quantity == "tokens")
        return tokensWords(row, log, plan, layoutAgrees);
    if (quantity == "weights_bytes")
        return weightsWords(row, log, plan);
    if (quantity == "available_kv_bytes")
        return availableWords(row, log, plan);
    if (quantity == "kv_cache_bytes")
        return cacheWords(row, log, layoutAgrees);
    if (quantity == "overhead_bytes")
        return row.agrees ? std::string() : "Activation peak and memory outside the framework: the plan estimates them from vocabulary, sequences and release, the log measured them.";
    if (quantity == "compute_bytes")
        return row.agrees ? std::string() : "The plan's compute buffers are an estimate; the log's are those that were reserved.";
    if (quantity == "gpu_memory_bytes" && row.planned && !row.agrees)
        return "The plan counts another total than the server saw: another card, a part of one, or memory set by hand.";
    if (quantity == "estimated_max_model_len")
        return "No fixed point: a server asked for this length profiles anew and may have less left.";
    if (quantity == "max_concurrency" && log.dp.value_or(1) > 1)
        return "Of one of " + number(*log.dp) + " replicas.";
    if (quantity == "num_gpu_blocks" || quantity == "blocks" || quantity == "max_concurrency")
        return fromMemory(row, log, layoutAgrees);
    if (quantity == "n_ctx" && log.slotCount.value_or(1) > 1)
        return "The cells of all " + number(*log.slotCount) + " slots together.";
    return {};
}

} // namespace kv
