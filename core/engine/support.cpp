// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/support.h"

#include "core/base/quantity.h"
#include "core/hardware/generation.h"

#include <algorithm>

namespace kv {

namespace {

enum class Runs : std::uint8_t { No, Apart };

/// What is not here runs.
struct Row {
    std::string_view engine, vendor;
    std::string_view idBegins; ///< of the cards alone that begin so; empty: all of the maker's
    Runs runs{};
    std::string_view program = {}; ///< Apart: what runs there instead
};

constexpr Row table[]{
    {"vllm", "Apple", "", Runs::Apart, "vllm-metal"},
    {"vllm", "Google", "", Runs::Apart, "tpu-inference"},
    {"vllm", "AWS", "", Runs::Apart, "vllm-neuron"},
    {"vllm", "Huawei", "", Runs::Apart, "vllm-ascend"},
    {"vllm", "Moore Threads", "", Runs::Apart, "vllm-musa"},
    {"vllm", "Intel", "gaudi", Runs::Apart, "vllm-gaudi"},
    {"sglang", "Apple", "", Runs::No},
    {"sglang", "Google", "", Runs::Apart, "SGLang-JAX"},
    {"sglang", "AWS", "", Runs::No},
    {"sglang", "Intel", "gaudi", Runs::No},
    {"tensorrt-llm", "AMD", "", Runs::No},
    {"tensorrt-llm", "Apple", "", Runs::No},
    {"tensorrt-llm", "AWS", "", Runs::No},
    {"tensorrt-llm", "Google", "", Runs::No},
    {"tensorrt-llm", "Huawei", "", Runs::No},
    {"tensorrt-llm", "Intel", "", Runs::No},
    {"tensorrt-llm", "Moore Threads", "", Runs::No},
    {"llama-cpp", "AWS", "", Runs::No},
    {"llama-cpp", "Google", "", Runs::No},
    {"llama-cpp", "Intel", "gaudi", Runs::No},
};

const Row *rowOf(const Engine &engine, const Gpu &gpu) {
    const auto found = std::ranges::find_if(table, [&](const Row &row) {
        return row.engine == engine.id() && row.vendor == gpu.vendor && std::string_view(gpu.id).starts_with(row.idBegins);
    });
    return found == std::end(table) ? nullptr : found;
}

void warnOfCard(const Engine &engine, const Gpu &gpu, Notes &warnings) {
    const Row *row = rowOf(engine, gpu);
    if (!row)
        return;
    const std::string name(engine.name());
    if (row->runs == Runs::No)
        warnings.push_back(warningNote("engine-not-on-card", "engine.id",
                                       name + " does not run on " + gpu.name + ": it has nothing for cards of " + gpu.vendor + ". It is planned all the same; choose another engine or card."));
    else
        warnings.push_back(warningNote("engine-apart", "engine.id",
                                       name + " alone does not run on " + gpu.name + ": " + std::string(row->program) +
                                           " does, a project of its own, whose rules are not known here. It is counted as on NVIDIA's cards."));
}

/// Slices of one card have no path to each other, and a process sees one of them (NVIDIA, MIG User Guide: "no GPU-to-GPU P2P"). NCCL took no
/// two of them until an experiment of 2026-08 (NVIDIA/nccl, issue 1716), over shared memory.
void warnOfSlices(const Deployment &d, Notes &warnings) {
    const std::int64_t each = d.gpus / std::max<std::int64_t>(1, d.replicas);
    if (!d.gpu || !d.gpu->formFactor.starts_with("MIG") || each <= 1)
        return;
    warnings.push_back(warningNote("no-engine-splits-so", "parallel",
                                   "A model over " + writeNumber(each) + " MIG slices: a process sees one slice, and slices have no path to each other, which NCCL needs; no engine starts so. "
                                   "It is planned all the same; take whole cards, or one replica on each slice (dp)."));
}

} // namespace

bool isBeyondCard(const Engine &engine, const Gpu *gpu, ElementType type) {
    const bool fourBit = type == ElementType::Nvfp4 || type == ElementType::Fp4MxBlock16;
    const Generation generation = gpu ? generationOf(*gpu) : Generation::Unknown;
    if (fourBit && engine.id() == "vllm" && gpu && gpu->origin == GpuOrigin::BuiltIn && (generation == Generation::Blackwell || gpu->vendor == "AMD"))
        return !isServerBlackwell(*gpu);
    return fourBit && engine.id() != "textbook" && generation != Generation::Unknown && generation != Generation::Blackwell;
}

void warnOfSupport(const Engine &engine, const Deployment &d, Notes &warnings) {
    if (d.unlike.empty()) {
        if (d.gpu)
            warnOfCard(engine, *d.gpu, warnings);
    } else {
        std::vector<const Gpu *> said;
        for (const UnlikeCard &card : d.unlike)
            if (card.gpu && std::ranges::find(said, card.gpu) == said.end()) {
                said.push_back(card.gpu);
                warnOfCard(engine, *card.gpu, warnings);
            }
    }
    warnOfSlices(d, warnings);
}

} // namespace kv
