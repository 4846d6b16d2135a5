// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The settings that vLLM prints of itself, as name and value: the engine's configuration ("Initializing … with config: model='…', …"), all
// arguments (0.6: "args: Namespace(…)") and those that differ from their defaults ("non-default args: {'model': '…', …}"). The names are
// those of vllm/engine/arg_utils.py EngineArgs. Of settings said several times in a start the last counts, but for the block size.

#include "core/log/logdraft.h"

namespace kv {

void readVllmSettings(LogDraft &draft, const FoundSentence &found, std::string_view list);

} // namespace kv
