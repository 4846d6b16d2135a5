// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A launch line taken apart: which engine's server it starts, and each flag that bears on memory with its value. What the flags mean for a
// scenario is launchread.cpp's business.
//
// The program may stand behind variables, env, sudo, python -m, or be the image of a docker run. Of a flag given twice the last counts,
// as for all four servers; variables that the servers read (LLAMA_ARG_…, VLLM_PP_LAYER_PARTITION, SGLANG_MAMBA_…) come before the flags.

#include "core/base/note.h"
#include "core/launch/flags.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kv {

struct LaunchLine {
    std::string engine; ///< id
    std::string model;  ///< word; empty: the line names none
    bool fromHub = false; ///< llama.cpp: the word is a repository of GGUF files (-hf)
    std::string hubFile;  ///< the file of it that the line names (-hff); empty: none
    std::string program;
    std::vector<std::pair<const Flag *, std::string>> flags; ///< in order; a switch has no text
    std::string version;                                     ///< of the image's tag: "0.18.0"; empty: not said
    std::size_t visibleGpus = 0;                             ///< CUDA_VISIBLE_DEVICES or its like; 0: not said
    std::string conv, partition;                             ///< of SGLang's and vLLM's variables

    /// The last value of a flag of that use (and option), or nullptr.
    const std::string *find(FlagUse use, std::string_view option = {}) const;
};

Parsed<LaunchLine> parseLaunchLine(std::string_view line);

} // namespace kv
