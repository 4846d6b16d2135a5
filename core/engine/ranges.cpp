// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/ranges.h"

#include "core/base/quantity.h"
#include "core/engine/options.h"

#include <algorithm>
#include <bit>

namespace kv {

namespace {

struct Range {
    std::string_view engine, option;
    std::int64_t least;
    bool powerOfTwo = false;
};

constexpr Range table[]{
    {"textbook", "draft_layers", 0},
    {"textbook", "encoder_tokens", 0},
    {"sglang", "page_size", 1},
    {"sglang", "decode_context_parallel", 1},
    {"sglang", "draft_layers", 0},
    {"sglang", "max_running_requests", 1},
    {"sglang", "chunked_prefill_size", -1},
    {"sglang", "cuda_graph_max_bs", 1},
    {"sglang", "max_mamba_cache_size", 1},
    {"sglang", "max_loras_per_batch", 1},
    {"sglang", "max_lora_rank", 1},
    {"tensorrt-llm", "tokens_per_block", 1, true},
    {"tensorrt-llm", "draft_layers", 0},
    {"tensorrt-llm", "max_batch_size", 1},
    {"llama-cpp", "n_ctx", 0},
    {"llama-cpp", "n_batch", 1},
    {"llama-cpp", "n_ubatch", 1},
    {"llama-cpp", "n_rs_seq", 0},
    {"llama-cpp", "n_parallel", 1},
    {"llama-cpp", "n_gpu_layers", -2},
    {"llama-cpp", "n_cpu_moe", 0},
    {"transformers", "max_cache_len", 1},
    {"transformers", "encoder_tokens", 0},
};

std::string neighbours(std::int64_t value) {
    const auto above = std::bit_ceil(static_cast<std::uint64_t>(value));
    return writeNumber(static_cast<std::int64_t>(above / 2)) + " or " + writeNumber(static_cast<std::int64_t>(above));
}

} // namespace

std::optional<Note> checkRanges(const Engine &engine, const Json &options) {
    const OptionReader reader(options);
    for (const Range &range : table) {
        const std::optional<std::int64_t> value = range.engine == engine.id() ? reader.whole(range.option) : std::nullopt;
        if (!value)
            continue;
        const std::string where = "engine.options." + std::string(range.option);
        if (*value < range.least)
            return errorNote("bad-value", where,
                             where + ": expected a whole number of " + writeNumber(range.least) + " or more, found " + writeNumber(*value));
        if (range.powerOfTwo && !std::has_single_bit(static_cast<std::uint64_t>(*value)))
            return errorNote("bad-value", where, where + ": " + std::string(engine.name()) + " takes powers of two, found " + writeNumber(*value) + "; next to it: " + neighbours(*value));
    }
    return std::nullopt;
}

} // namespace kv
