// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The flags of each engine's server that bear on memory, and the commonest of those that do not (so that they are passed over in silence).
// One table serves writing and reading. Sources:
//   vLLM          vllm/engine/arg_utils.py EngineArgs.add_cli_args, vllm/utils/argparse_utils.py human_readable_int (0.24)
//   SGLang        python/sglang/srt/server_args.py ServerArgs.add_cli_args (2026-08)
//   TensorRT-LLM  tensorrt_llm/commands/serve.py; what has no flag goes into the YAML of --config (llmapi/llm_args.py) (2026-08)
//   llama.cpp     common/arg.cpp common_params_parser_init (v0.5.0)
// Names are compared with '-' for '_', as all four take either.

#include <cstdint>
#include <span>
#include <string_view>

namespace kv {

enum class FlagUse : std::uint8_t {
    Option,       ///< the value is an option of the engine
    SwitchOn,     ///< presence turns an option on
    SwitchOff,    ///< presence turns it off
    Model,
    Type,         ///< type the model runs in: 16 bit or FP32
    Quantization, ///< weights quantised on loading
    Kv, KvKey, KvValue,
    Tp, Pp, Dp,
    ExpertSwitch, ///< expert parallelism on
    ExpertSize,   ///< its degree
    Longest,      ///< the longest request taken
    Speculative,  ///< drafting, in the engine's own notation
    DraftModel,   ///< a model of its own that drafts
    Adapters,     ///< paths of LoRA adapters, which turn LoRA on
    DraftTokens,  ///< tokens drafted ahead, as a flag of its own
    Settings,     ///< a file of settings (settingsfile.h)
    Graphs,       ///< how vLLM compiles: whether there are CUDA graphs
    Devices,      ///< llama.cpp's list of devices
    SplitMode,    ///< of llama.cpp: by layers, or all on one device
    MainDevice,   ///< which one that is
    Unread,       ///< bears on memory, but is not planned with: said
    Value,        ///< no effect here; takes a value
    Switch,       ///< no effect here; takes none
};

struct Flag {
    std::string_view name;    ///< as it is written
    std::string_view aliases; ///< further names, separated by spaces
    FlagUse use{};
    std::string_view option = {};   ///< of Option and Switch…: the engine's option
    std::string_view standard = {}; ///< the engine's own default, where it is one for all
    int since = 0;                  ///< minor number of the release that has it first
};

/// Empty for an engine without a server.
std::span<const Flag> launchFlags(std::string_view engine);

/// The keys of TensorRT-LLM's file of settings in the place of flags: "kv_cache_config.dtype".
std::span<const Flag> settingsKeys();

/// By name or alias; with `prefixes` also by the beginning of exactly one name, as Python's argparse does. nullptr: not known.
const Flag *findFlag(std::span<const Flag> flags, std::string_view word, bool prefixes);

} // namespace kv
