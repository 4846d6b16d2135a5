#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans and sweeps made by hand for the charts' tests, in GB of 10^9: only what a chart reads is filled in.

#include "core/plan/plan.h"
#include "core/plan/sweep.h"

#include <cmath>
#include <span>

namespace kv::test {

inline Bytes gb(double size) { return Bytes(std::llround(size * 1e9)); }

struct GpuGb {
    double memory = 80, reserve = 8, weights = 17.6, overhead = 0, kv = 53.7, kvReserved = 53.7;
};

inline GpuPlan gpu(std::int64_t index, const GpuGb &g) {
    GpuPlan plan;
    plan.index = plan.tp = index;
    plan.gpu = "h100-sxm-80gb";
    plan.memory = gb(g.memory);
    plan.reserve = gb(g.reserve);
    plan.weights = gb(g.weights);
    plan.overhead = gb(g.overhead);
    plan.kv = gb(g.kv);
    plan.kvReserved = gb(g.kvReserved);
    plan.free = plan.memory - plan.reserve - plan.weights - plan.overhead - plan.kv;
    return plan;
}

inline Plan planOf(int gpus, const GpuGb &each = {}) {
    Plan plan;
    for (int i = 0; i < gpus; ++i)
        plan.gpus.push_back(gpu(i, each));
    plan.gpusInAll = gpus;
    plan.unitOfUser = "sequence";
    return plan;
}

struct SweepMade {
    double perToken = 3276800; ///< of the widest type: 10 sequences of Llama 3.1 70B
    std::int64_t window = 0;   ///< tokens after which nothing grows any more; 0: none
    Tokens context{131072}, from{1024}, to{262144};
    Bytes budget = gb(434.9);
    std::optional<Tokens> limit = Tokens(131072);
};

/// BF16 (the present one), FP8 and INT4, at powers of two and at the window's end.
inline Sweep sweepOf(const SweepMade &made = {}) {
    Sweep sweep;
    sweep.budget = made.budget;
    sweep.context = made.context;
    sweep.from = made.from;
    sweep.to = made.to;
    sweep.modelLimit = made.limit;
    double share = 1;
    for (const ElementType type : {ElementType::Bf16, ElementType::Fp8, ElementType::Int4}) {
        SweepCurve curve;
        curve.type = type;
        curve.current = type == ElementType::Bf16;
        std::int64_t before = 0;
        const auto put = [&](std::int64_t context) {
            const std::int64_t grown = made.window > 0 ? std::min(context, made.window) : context;
            curve.points.push_back({Tokens(context), Bytes(std::llround(made.perToken * share * static_cast<double>(grown)))});
        };
        for (std::int64_t context = made.from.value; context <= made.to.value; before = context, context *= 2) {
            for (const std::int64_t extra : {made.window, made.context.value})
                if (extra > before && extra < context && before > 0)
                    put(extra);
            put(context);
        }
        for (const SweepPoint &point : curve.points)
            if (curve.current && point.context == made.context)
                sweep.here = point.total;
        sweep.curves.push_back(std::move(curve));
        share /= 2;
    }
    return sweep;
}

} // namespace kv::test
