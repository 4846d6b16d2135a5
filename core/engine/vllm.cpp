// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm.h"

#include "core/engine/gpumemory.h"
#include "core/engine/vllm/fewestgpus.h"
#include "core/engine/vllm/planfigures.h"
#include "core/engine/vllm/pool.h"
#include "core/engine/vllm/startrules.h"
#include "core/hardware/generation.h"
#include "core/model/contextlimit.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

using enum ElementType;

constexpr std::array<ElementType, 14> typeTable{
    Bf16,     Fp16,  Fp32,      Fp8,         Fp8E5m2,     Int8PerTokenHead, Fp8PerTokenHead, Int4PerTokenHead,
    Fp8DsMla, Nvfp4, TurboK8v4, Turbo4bitNc, TurboK3v4Nc, Turbo3bitNc};

class Vllm final : public Engine {
public:
    std::string_view id() const override { return "vllm"; }
    std::string_view name() const override { return "vLLM"; }
    std::span<const std::string_view> versions() const override { return vllm::releaseNames(); }
    std::span<const EngineOption> options() const override { return vllm::OptionTable::all(); }
    std::span<const ElementType> kvTypes() const override { return typeTable; }
    std::string_view overflow() const override { return "waits in vLLM's queue, or preempts another"; }
    Bytes memoryOf(const Gpu &gpu, Notes &warnings) const override { return frameworkMemory(gpu, warnings); }

    /// The type that the checkpoint asks for, where its attention takes that, else the model's. FP32 models run in 16 bit
    /// (config/model.py _resolve_auto_dtype); DeepSeek V4 keeps FP8 alone.
    CacheTypes automaticTypes(const ModelSpec &model, const Scenario &scenario) const override {
        // platforms/cuda.py supported_dtypes: BF16 before FP16, from Ampere on.
        const Gpu *gpu = findGpu(scenario.hardware.gpu);
        const Generation generation = gpu ? generationOf(*gpu) : Generation::Unknown;
        const bool old = generation == Generation::Older || generation == Generation::Volta || generation == Generation::Turing;
        const ElementType own = model.dtype != Fp32 ? model.dtype : old ? Fp16 : Bf16;
        const vllm::ModelTraits traits = vllm::traitsOf(model);
        const bool hinted =
            model.kvHint != Auto && vllm::takesType(model, traits, vllm::defaultRelease(), model.kvHint);
        const ElementType kept = traits.compressed ? Fp8DsMla : hinted ? model.kvHint : own;
        return {kept, kept, own};
    }

    void plan(const Deployment &d, Plan &plan) const override {
        const vllm::Pool pool(d);
        plan.refusal = pool.refusal();
        if (!plan.refusal)
            vllm::fillPlan(pool, d, plan);
    }

    std::vector<BudgetRow> budgetOf(const Deployment &d, const GpuPlan &gpu) const override {
        return vllm::budgetRows(vllm::Pool(d), gpu);
    }

    bool fits(const Deployment &d) const override {
        const vllm::Pool pool(d);
        return !pool.refusal() && pool.holds(d.context.value);
    }

    Bytes totalKv(const Deployment &d) const override {
        const vllm::Pool pool(d);
        return pool.refusal() ? Bytes::outOfRange() : vllm::totalCache(pool);
    }

    std::optional<std::int64_t> minGpus(const Deployment &d) const override { return vllm::fewestGpus(d); }

    std::optional<std::int64_t> maxContext(const Deployment &d) const override {
        const vllm::Pool pool(d);
        if (pool.refusal() || pool.cachesNothing())
            return std::nullopt;
        // Without a limit of the model's own, no context beyond 2^40 tokens is looked for: no memory of today holds one.
        constexpr std::int64_t beyondAll = std::int64_t{1} << 40;
        const std::optional<Tokens> limit = contextLimit("vllm", *d.model);
        const std::optional<std::int64_t> own =
            limit ? std::optional(limit->value) : std::nullopt;
        std::int64_t low = std::max<std::int64_t>(1, d.prefix.value), high = own.value_or(beyondAll);
        if (pool.settings().maxModelLen)
            high = std::min(high, *pool.settings().maxModelLen);
        if (high < low || !pool.holds(low))
            return 0;
        if (pool.holds(high)) // what does not grow has no limit but the model's
            return high == beyondAll ? std::nullopt : std::optional(high);
        while (high - low > 1) {
            const std::int64_t middle = low + (high - low) / 2;
            (pool.holds(middle) ? low : high) = middle;
        }
        return low;
    }
};

} // namespace

const Engine &vllmEngine() {
    static const Vllm engine;
    return engine;
}

} // namespace kv
