// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The cards that llama-server runs on, of those it sees (common/arg.cpp -dev, -sm, -mg; src/llama-model.cpp, 2026-08): -dev names them
// ("CUDA0,CUDA1"; "none": nothing is offloaded), -sm none puts all on one, the -mg'th, -sm layer and row spread over all.

#include "core/launch/launchline.h"
#include "core/scenario/scenario.h"

namespace kv {

/// Sets the hardware's cards and count, and n_gpu_layers where nothing is offloaded; says what is not planned (-sm row). The base's cards
/// stay where the line says nothing. Errors: "bad-launch-line".
void takeLlamaDevices(const LaunchLine &line, Scenario &scenario, Notes &notes);

} // namespace kv
