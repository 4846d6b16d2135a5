// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An engine's options as its flags write them, and its own defaults in the same form, so that a flag that says nothing is left out.

#include "core/engine/engine.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>

namespace kv {

/// The option's value as a flag takes it: "8192", "0.92", "float32", "20,20"; nothing when it is not set.
std::optional<std::string> optionText(const Scenario &scenario, const EngineOption &option);
/// What the engine would take without the option, where that hangs on its release, the card or the model; nothing: see the flag's own.
std::optional<std::string> engineDefault(const Scenario &scenario, std::string_view option);
/// How vLLM, SGLang and TensorRT-LLM call a type of 16 or 32 bit: "bfloat16".
std::string torchName(ElementType type);

} // namespace kv
