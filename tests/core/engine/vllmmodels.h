// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Models and scenarios for the tests of vLLM, built by hand.

#include "core/base/json.h"
#include "core/plan/evaluate.h"
#include "tests/core/plan/models.h"

namespace kv::test {

inline void set(Scenario &scenario, std::string_view option, Json value) {
    scenario.engine.options.set(std::string(option), std::move(value));
}

inline Scenario vllmScenario(std::shared_ptr<const ModelSpec> spec, std::int64_t context, std::int64_t sequences = 1) {
    Scenario s;
    s.model.spec = std::move(spec);
    s.engine.id = "vllm";
    s.workload = {Tokens(context), Count(sequences), Tokens(0), {}};
    s.hardware.gpu = "h200-sxm-141gb";
    return s;
}

/// Llama 3.1 8B: 32 layers, 8 KV heads of 128, 8,030,261,248 parameters in 16 bit.
inline std::shared_ptr<ModelSpec> llama8b() {
    auto spec = model(32, {FullAttention{{8, 128, 128}}}, 131072);
    spec->queryHeads = 32;
    spec->kvHeads = 8;
    spec->hidden = 4096;
    spec->intermediate = 14336;
    spec->vocabulary = 128256;
    spec->modelType = "llama";
    spec->weights.stored = Bytes(16'060'522'496);
    spec->weights.source = WeightSource::CountedFromConfig;
    return spec;
}

/// gpt-oss-20b: 24 layers, a window of 128 and all tokens in turn, 8 KV heads of 64.
inline std::shared_ptr<ModelSpec> gptOss20b() {
    auto spec = std::make_shared<ModelSpec>();
    for (int i = 0; i < 12; ++i) {
        spec->addLayer({SlidingWindow{{8, 64, 64}, Tokens(128)}});
        spec->addLayer({FullAttention{{8, 64, 64}}});
    }
    spec->maxContext = Tokens(131072);
    spec->queryHeads = 64;
    spec->kvHeads = 8;
    spec->modelType = "gpt_oss";
    spec->weights.source = WeightSource::CountedFromConfig;
    return spec;
}

/// Gemma 3 27B: 62 layers, every sixth with all tokens, the others with a window of 1,024; 16 KV heads of 128.
inline std::shared_ptr<ModelSpec> gemma27b() {
    auto spec = std::make_shared<ModelSpec>();
    for (int i = 0; i < 62; ++i) {
        if (i % 6 == 5)
            spec->addLayer({FullAttention{{16, 128, 128}}});
        else
            spec->addLayer({SlidingWindow{{16, 128, 128}, Tokens(1024)}});
    }
    spec->maxContext = Tokens(131072);
    spec->queryHeads = 32;
    spec->kvHeads = 16;
    spec->modelType = "gemma3_text";
    spec->weights.source = WeightSource::CountedFromConfig;
    return spec;
}

/// Qwen3.5 27B: 48 gated delta nets (48 value and 16 key heads of 128) and 16 full layers (4 KV heads of 256), states asked for in FP32.
inline std::shared_ptr<ModelSpec> qwen27b() {
    auto spec = std::make_shared<ModelSpec>();
    const RecurrentState state{.family = StateFamily::GatedDeltaNet,
                               .kernel = 4,
                               .convChannels = 2 * 16 * 128 + 48 * 128,
                               .heads = 48,
                               .headRows = 128,
                               .headColumns = 128,
                               .groups = 16,
                               .groupSize = 128,
                               .stateType = ElementType::Fp32};
    for (int i = 0; i < 64; ++i) {
        if (i % 4 == 3)
            spec->addLayer({FullAttention{{4, 256, 256}}});
        else
            spec->addLayer({state});
    }
    spec->maxContext = Tokens(262144);
    spec->queryHeads = 24;
    spec->kvHeads = 4;
    spec->modelType = "qwen3_5_text";
    spec->weights.source = WeightSource::CountedFromConfig;
    return spec;
}

/// DeepSeek V3: 61 latents of 512 + 64, 128 query heads; with an indexer of 128 it is V3.2.
inline std::shared_ptr<ModelSpec> deepseekV3(bool indexer = false) {
    std::vector<CachePart> parts{LatentAttention{512, 64, {128, 192, 128}}};
    if (indexer)
        parts.push_back(IndexKeys{128});
    auto spec = model(61, std::move(parts), 163840);
    spec->queryHeads = 128;
    spec->kvHeads = 128;
    spec->modelType = indexer ? "deepseek_v32" : "deepseek_v3";
    spec->weights.source = WeightSource::CountedFromConfig;
    return spec;
}

/// DeepSeek V4 Flash: 2 layers of windows alone, then ratios 4 and 128 in turn (21 and 20), windows of 128 on all 43.
inline std::shared_ptr<ModelSpec> deepseekV4() {
    auto spec = std::make_shared<ModelSpec>();
    for (int i = 0; i < 43; ++i) {
        const std::int64_t ratio = i < 2 ? 0 : i % 2 == 0 ? 4 : 128;
        spec->addLayer({CompressedAttention{ratio, 512, 64, Tokens(128), ratio == 4 ? 128 : 0}});
    }
    spec->maxContext = Tokens(1048576);
    spec->queryHeads = 64;
    spec->kvHeads = 1;
    spec->modelType = "deepseek_v4";
    spec->weights.source = WeightSource::CountedFromConfig;
    return spec;
}

template <typename T>
T engineValue(const Plan &plan, std::string_view name) {
    for (const auto &[key, value] : plan.engine.values)
        if (key == name)
            if (const T *held = std::get_if<T>(&value))
                return *held;
    return T{};
}
inline std::int64_t number(const Plan &plan, std::string_view name) { return engineValue<std::int64_t>(plan, name); }
inline std::vector<std::int64_t> numbers(const Plan &plan, std::string_view name) {
    return engineValue<std::vector<std::int64_t>>(plan, name);
}

} // namespace kv::test
