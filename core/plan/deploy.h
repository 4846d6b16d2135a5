// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From what the user chose to what an engine can work on: everything looked up, checked and split into replicas, or the refusal.
// Deployment rules: GPUs = tp × pp × dp; `count` without parallel means tp = count, pp = dp = 1.

#include "core/engine/engine.h"

#include <optional>
#include <string>

namespace kv {

struct Deployed {
    std::optional<Note> refusal;
    const Engine *engine = nullptr;
    Deployment deployment;
    WeightFigures weights; ///< perGpu is the engine's to fill
    Notes warnings;
};

Deployed deploy(const Scenario &scenario);

/// That the context is longer than the model was made for; nothing where it is not, or where that is not known.
std::optional<Note> beyondModelLimit(const Scenario &scenario);

/// "8 × H100 SXM 80 GB", unlike cards by their own names and numbers.
std::string cardsInWords(const Hardware &hardware, std::int64_t gpus);

/// The warning that says the engine would not start with this type or split on these cards; nullptr: none. What it is about is planned,
/// never recommended, and never said to fit without it.
const Note *wouldNotStart(const Plan &plan);

} // namespace kv
