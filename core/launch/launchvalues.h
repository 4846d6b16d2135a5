// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a flag's value means: numbers as the servers read them, options as the planner keeps them.
// vLLM takes 25.6k (thousands) and 32K (1,024) where it wants a whole number (utils/argparse_utils.py human_readable_int), 32Ki is read like 32K; llama.cpp counts
// the margin of --fit-target in MiB, one for each device, and the shares of --tensor-split as decimals separated by ',' or '/'.

#include "core/base/json.h"
#include "core/engine/engine.h"
#include "core/launch/flags.h"

#include <optional>
#include <string>
#include <string_view>

namespace kv {

/// 16 or 32 bit, without scales: what a model runs in.
constexpr bool isPlain(ElementType type) { return type == ElementType::Bf16 || type == ElementType::Fp16 || type == ElementType::Fp32; }

std::optional<std::int64_t> launchNumber(std::string_view engine, std::string_view text);

/// The option's value as JSON; null: the engine's own choice was asked for by name; nothing: no such value.
std::optional<Json> launchValue(std::string_view engine, const Flag &flag, const EngineOption &option, const std::string &text);

/// "a whole number", for messages.
std::string expectedValue(const EngineOption &option);

} // namespace kv
