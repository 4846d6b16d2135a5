// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether vLLM captures CUDA graphs, as its flags of compilation say it (vllm/config/compilation.py CompilationConfig, config/vllm.py
// OptimizationLevel, 0.24): --compilation-config with an object or a level, -cc.MEMBER, -O LEVEL. Level 0 neither compiles nor captures, as
// --enforce-eager; cudagraph_mode NONE, before 0.11 use_cudagraph false, captures none.

#include <string_view>

namespace kv {

struct GraphsSaid {
    bool none = false;  ///< no graph is captured
    bool sizes = false; ///< which batches are captured is chosen by hand, which changes what the graphs take
    bool bad = false;   ///< the text is no object, no level and no word
};

/// Of one flag's value; a member of its own flag comes as {"cudagraph_mode": "NONE"}.
GraphsSaid graphsSaid(std::string_view value);

} // namespace kv
