// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An accelerator as a row of gpus.json, of which resources/gpus.json, the user's own list and the cards inside a scenario file are made:
// {"id", "name", "vendor", "aliases", "form_factor", "memory_type", "marketed_gb", "driver_mib", "framework_mib", "bandwidth_gb_s",
// "bf16_tflops", "fp8_tflops", "tdp_w", "gpus_per_node", "release_year", "interconnect", "notes"}. What is not known is null or left out.

#include "core/base/json.h"
#include "core/hardware/gpu.h"

namespace kv {

/// What the row says; keys of another kind count as absent. A row without id or without any memory is none: see isWhole().
Gpu readGpuRow(const Json &row);
bool isWhole(const Gpu &gpu);
/// The row that reads back equal.
Json writeGpuRow(const Gpu &gpu);

/// The same card in every figure, wherever the two came from.
bool sameFigures(const Gpu &a, const Gpu &b);

/// "my-card-24gb" from "My card, 24 GB": lower case, dashes between words.
std::string idFromName(std::string_view name);

/// Ids and names are told apart in no case.
bool sameWord(std::string_view a, std::string_view b);

} // namespace kv
