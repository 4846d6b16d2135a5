// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ggufarchitectures.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr GgufArchitecture plain(std::string_view name) { return {.name = name}; }

constexpr GgufArchitecture encoder(std::string_view name) { return {.name = name, .kind = ModelKind::EncoderOnly}; }

constexpr GgufArchitecture states(std::string_view name, StateRule rule, StateFamily family,
                                  std::int64_t interval = 0) {
    return {.name = name, .states = rule, .family = family, .interval = interval};
}

constexpr GgufArchitecture windows(std::string_view name, std::int64_t period, std::int64_t defaultWindow = 0) {
    return {.name = name, .period = period, .defaultWindow = defaultWindow};
}

using enum StateRule;
using enum StateFamily;

// What departs from full attention in every layer.
constexpr std::array special{
    windows("gemma2", 2, 4096),
    windows("gemma3", 6),
    GgufArchitecture{.name = "gemma3n", .period = 5, .ownLayers = 20},
    GgufArchitecture{.name = "gemma4", .windowNeedsPattern = true},
    GgufArchitecture{.name = "step35", .windowNeedsPattern = true},
    GgufArchitecture{.name = "mimo2", .windowNeedsPattern = true},
    windows("gpt-oss", 2),
    windows("cohere2", 4),
    windows("cohere2moe", 4),
    windows("exaone4", 4, 4096),
    windows("exaone-moe", 4),
    windows("olmo2", 4),
    windows("afmoe", 4),
    windows("mellum", 4),
    windows("plamo3", 8),
    GgufArchitecture{.name = "laguna", .period = 4, .fullFirst = true},
    GgufArchitecture{.name = "smallthinker", .period = 4, .fullFirst = true, .fixedWindow = 4096},
    GgufArchitecture{.name = "llama4", .period = 4, .defaultWindow = 8192, .fixedWindow = 8192, .chunked = true},
    states("mamba", All, Mamba1),
    states("mamba2", All, Mamba2),
    states("rwkv6", All, Rwkv),
    states("rwkv6qwen2", All, Rwkv),
    states("rwkv7", All, Rwkv),
    states("arwkv7", All, Rwkv),
    states("jamba", NoKvHeads, Mamba1),
    states("granitehybrid", NoKvHeads, Mamba2),
    states("plamo2", NoKvHeads, Mamba2),
    states("lfm2", NoKvHeads, ShortConvolution),
    states("lfm2moe", NoKvHeads, ShortConvolution),
    states("kimi-linear", NoKvHeads, Kda),
    states("kimi-k3", NoKvHeads, Kda),
    states("bailingmoe3", NoKvHeads, Kda),
    states("nemotron_h", NemotronH, Mamba2),
    states("nemotron_h_moe", NemotronH, Mamba2),
    states("qwen3next", Interval, GatedDeltaNet, 4),
    states("qwen35", Interval, GatedDeltaNet, 4),
    states("qwen35moe", Interval, GatedDeltaNet, 4),
    states("qwen4exp", Interval, GatedDeltaNet, 4),
    states("minimax-01", Interval, Lightning, 8),
    states("falcon-h1", Beside, Mamba2),
    GgufArchitecture{.name = "t5", .kind = ModelKind::EncoderDecoder},
    encoder("t5encoder"),
    encoder("bert"),
    encoder("modern-bert"),
    encoder("nomic-bert"),
    encoder("nomic-bert-moe"),
    encoder("neo-bert"),
    encoder("jina-bert-v2"),
    encoder("jina-bert-v3"),
    encoder("eurobert"),
    encoder("gemma-embedding"),
    encoder("llama-embed"),
    encoder("dream"),
    encoder("llada"),
    encoder("llada-moe"),
    encoder("rnd1"),
    encoder("wavtokenizer-dec"),
};

// Full attention wherever there are KV heads, unless the keys of the file say more (MLA, an indexer, compression, a pattern).
constexpr std::array<std::string_view, 86> ordinary{
    "llama",        "deci",        "falcon",         "grok",
    "gpt2",         "gptj",        "gptneox",        "mpt",
    "baichuan",     "starcoder",   "refact",         "bloom",
    "stablelm",     "qwen",        "qwen2",          "qwen2moe",
    "qwen2vl",      "qwen3",       "qwen3moe",       "qwen3vl",
    "qwen3vlmoe",   "phi2",        "phi3",           "phimoe",
    "plamo",        "codeshell",   "orion",          "internlm2",
    "minicpm",      "minicpm3",    "gemma",          "gemma4-assistant",
    "starcoder2",   "xverse",      "command-r",      "dbrx",
    "olmo",         "olmoe",       "openelm",        "arctic",
    "deepseek",     "deepseek2",   "deepseek2-ocr",  "deepseek32",
    "deepseek4",    "chatglm",     "glm4",           "glm4moe",
    "glm-dsa",      "bitnet",      "jais",           "jais2",
    "nemotron",     "exaone",      "granite",        "granitemoe",
    "chameleon",    "plm",         "bailingmoe",     "bailingmoe2",
    "dots1",        "dots3note",   "arcee",          "ernie4_5",
    "ernie4_5-moe", "hunyuan-moe", "hunyuan-dense",  "hunyuan_vl",
    "hy_v3",        "hy-v3",       "hy-v4",          "smollm3",
    "seed_oss",     "grovemoe",    "apertus",        "minimax-m2",
    "minimax-m3",   "cogvlm",      "pangu-embedded", "mistral3",
    "mistral4",     "paddleocr",   "maincoder",      "talkie",
    "eagle3",       "dflash",
};

} // namespace

const GgufArchitecture *ggufArchitecture(std::string_view name) {
    if (const auto found = std::ranges::find(special, name, &GgufArchitecture::name); found != special.end())
        return &*found;
    static constexpr auto ordinaryTable = [] {
        std::array<GgufArchitecture, ordinary.size()> table{};
        std::ranges::transform(ordinary, table.begin(), plain);
        return table;
    }();
    const auto found = std::ranges::find(ordinaryTable, name, &GgufArchitecture::name);
    return found == ordinaryTable.end() ? nullptr : &*found;
}

} // namespace kv
