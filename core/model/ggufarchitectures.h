// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The architectures that a GGUF file can name, and what each of them does that its metadata does not say: which layers slide, which keep
// a state, which keep nothing. Everything else stands in the keys.
// Source: llama.cpp v0.5.0, src/llama-arch.cpp (LLM_ARCH_NAMES), src/models/*.cpp (load_arch_hparams, load_swa_pattern),
// src/llama-model.cpp (create_memory).

#include "core/cache/state.h"
#include "core/model/modelspec.h"

#include <cstdint>
#include <string_view>

namespace kv {

/// Which layers keep a recurrent state.
enum class StateRule : std::uint8_t {
    None,
    All,       ///< every layer, and nothing else
    NoKvHeads, ///< layers whose head_count_kv is 0
    NemotronH, ///< those whose feed_forward_length is 0 as well; the others with neither heads nor state are feed-forward only
    Interval, ///< recurrent_layers, else all but every n-th of full_attention_interval
    Beside,   ///< every layer, beside its attention
};

struct GgufArchitecture {
    std::string_view name;
    ModelKind kind = ModelKind::Decoder;
    StateRule states = StateRule::None;
    StateFamily family = StateFamily::Mamba2;
    std::int64_t interval = 0; ///< of Interval, when the key is absent
    std::int64_t period =
        0; ///< of n layers the last attends to all tokens, when no pattern is given; 0: no rule, all slide
    bool fullFirst = false;          ///< of n layers the first attends to all tokens
    std::int64_t defaultWindow = 0;  ///< when the key is absent; 0: no window then
    std::int64_t fixedWindow = 0;    ///< whatever the key says (unless it says 0)
    bool chunked = false;            ///< attention inside chunks of fixedWindow tokens
    bool windowNeedsPattern = false; ///< a window without a pattern says nothing here
    std::int64_t ownLayers = 0; ///< layers with a cache of their own, where the architecture fixes it; 0: by the keys
};

/// nullptr: not known.
const GgufArchitecture *ggufArchitecture(std::string_view name);

} // namespace kv
