// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which layers slide and how far: every way that configs say it.
//
// layer_types decides when present. Else, with a window that is a number above 0 and not switched off by use_sliding_window: a 0/1 list
// (hybrid_layer_pattern), a pattern (a number n: every n-th layer is full; letters such as LLLG), global_attn_every_n_layers,
// max_window_layers (layers from there on slide), the family's own rule, else all layers. A window as long as the model's limit is no
// window. null, 0 and −1 mean none; an absent key takes the class default.
// Sources: transformers models/*/configuration_*.py (__post_init__); vLLM config/model.py (a window of 0 is none);
// files of Qwen2, Gemma 2/3, Cohere2, EXAONE 4, MiMo-V2, AFMoE.

#include "core/model/readers/layers.h"

namespace kv {

/// A family's rule where no list says it.
enum class Pattern : std::uint8_t {
    Plain,        ///< all layers alike: windowed where there is a window
    EvenSlide,    ///< layers 0, 2, 4, … slide, the others are full
    LastIsFull,   ///< of every n layers the last is full
    FirstIsFull,  ///< of every n layers the first is full
    FullFromLast, ///< of every n layers, counted from the end, the first is full
    NoRopeSlides, ///< SmolLM3: where a window is switched on, the layers without rotary positions have it
    FullUnlessListed, ///< only a list makes layers slide
    ChunksUnlessNoRope, ///< Llama 4: layers with rotary positions attend inside chunks
};

struct WindowRule {
    LayerKinds kinds;
    Tokens window; ///< of the layers that slide
    Tokens chunk;  ///< of the layers that attend inside chunks
};

WindowRule readWindows(Reader &reader, const ModelShape &shape, Pattern pattern, std::int64_t period);
/// The window's length, 0 for none.
std::int64_t readWindowLength(Reader &reader);

} // namespace kv
