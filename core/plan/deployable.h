// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Numbers of GPUs, and splits over them, that people deploy: within a node a power of two or a divisor of its cards, beyond it whole nodes;
// tensor parallel up to the cards of a node, since it exchanges at every layer and needs the node's links, and stages for the rest
// (vLLM, docs/serving/parallelism_scaling.md; SGLang and TensorRT-LLM advise the same). A card that is usually alone, or whose
// node is not known, is put together in machines of 8.

#include "core/scenario/scenario.h"

#include <optional>

namespace kv {

bool isDeployed(std::int64_t gpusOfReplica, std::int64_t tp, std::int64_t cardsOfNode);

/// The fewest GPUs from `fewest` to twice as many on which the load fits in a deployed split; dp kept. Nothing: there is none.
std::optional<Scenario> deployedOn(const Scenario &scenario, std::int64_t fewest);

/// What the fewest GPUs of a plan, which may need an odd split, come to where they stand: deployedOn(), else onGpus() of solve.h; with llama.cpp,
/// which splits by layers over any number, and for unlike cards onGpus() alone.
std::optional<Scenario> onFewestGpus(const Scenario &scenario, std::int64_t fewest);
/// How many those are: what every view calls the fewest GPUs. `fewest` itself where no split of it is known.
std::int64_t fewestGpus(const Scenario &scenario, std::int64_t fewest);

} // namespace kv
