// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A scenario as the command that starts its engine, and back.
//
// Written: the flags of the engine and release that is planned with, quoted for a POSIX shell; what equals the engine's own default is left
// out, what the engine has no flag for is a note. The textbook and Transformers have no server, hence no command.
// Read: a pasted line of vllm serve, python -m vllm.entrypoints.…, python -m sglang.launch_server, trtllm-serve or llama-server. It is taken
// apart, never run: nothing is expanded and nothing but a model's own files is opened; a file of settings is read where the text writes it in
// front of the command (cat > FILE <<EOF). Flags are in the tables of flags.h.

#include "core/scenario/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct LaunchCommand {
    std::vector<std::string> environment; ///< "VLLM_PP_LAYER_PARTITION=20,20,20,20": set in front of the command
    std::vector<std::string> words;       ///< the program and its arguments, unquoted; empty: there is no command
    std::string fileName, fileText;       ///< a file of settings that the command names (TensorRT-LLM's YAML); empty: none
    Notes notes;                          ///< what the command cannot say, and why there is none

    bool empty() const { return words.empty(); }
    /// One line for a POSIX shell, each word quoted where it needs it; with `lines`, one flag a line, joined by backslashes.
    std::string text(bool lines = false) const;
    /// The same behind the file that it names, written by cat: what a shell runs as a whole, and readLaunch() reads back.
    std::string script(bool lines = false) const;
};

LaunchCommand launchCommand(const Scenario &scenario);

/// Where the workload comes from when a line is read.
enum class LaunchLoad {
    Line, ///< the longest request that the line allows becomes the context, llama.cpp's slots become the sequences
    Base, ///< context and sequences stay; the line's limits become the engine's options
};

/// `base` gives what a launch line does not say: the GPU, the workload, and the model where the line's is neither a preset's
/// repository, nor a file of this machine, nor stored by another program (then a warning names both; without a model in `base`
/// that is an error). Engine, options, types and the parallel split are the line's alone. Flags that are not known are warnings
/// by name. Errors: "not-a-launch-line", "bad-launch-line" (an open quote, a value that is none), "no-model".
Parsed<Scenario> readLaunch(std::string_view line, const Scenario &base, LaunchLoad load = LaunchLoad::Line);

/// --max-model-len auto or -1: the longest that one request fits with on the scenario's cards becomes the context, or, beside a load of its
/// own, the limit of the engine. To be asked again where other cards or options are put into what readLaunch() gave; the note
/// ("length-that-fits") says what was planned.
Note planLongestThatFits(Scenario &scenario, LaunchLoad load);

} // namespace kv
