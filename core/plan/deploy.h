// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From what the user chose to what an engine can work on: everything looked up, checked and split into replicas, or the refusal.
// Deployment rules: GPUs = tp × pp × dp; `count` without parallel means tp = count, pp = dp = 1 (design: "Deployment").

#include "core/engine/engine.h"

#include <optional>

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

} // namespace kv
