// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How many cells, and the bytes of each layer. Source: llama.cpp v0.5.0, src/llama-context.cpp (llama_context), src/llama-kv-cache.cpp,
// src/llama-kv-cache-iswa.cpp, src/llama-kv-cache-dsv4.cpp, src/llama-memory-recurrent.cpp, llama_init_from_model.
//
//   n_ctx      rounded up to 256; unified: shared by all slots; separate: each slot gets floor(n_ctx ÷ slots) rounded up to 256, and
//              n_ctx becomes that × slots
//   windows    min(n_ctx_seq, window × (unified ? slots : 1) + n_ubatch), rounded up to 256, per stream; swa_full: n_ctx_seq
//   n_ubatch   at most n_batch, n_batch at most the n_ctx asked for
//   states     FP32 rows: slots × (1 + n_rs_seq where the architecture can roll back)
//   DeepSeek-4 one stream a slot even when unified: windows in all layers, entries and index rows by ratio, FP32 compressor states
//              × (1 + n_rs_seq)
// Refused as the engine does: more than 256 slots; quantised V without flash attention; unlike K and V types where only K rows are kept;
// rows or heads that the block of a quantised type does not divide.

#include "core/engine/llamacpp/layers.h"

namespace kv::llamacpp {

inline constexpr std::int64_t mostSlots = 256; // LLAMA_MAX_SEQ

struct Settings {
    std::int64_t slots = 1, asked = 0; ///< n_ctx asked for
    std::int64_t nCtx = 0, nCtxSeq = 0, streams = 1;
    std::int64_t ubatch = 512, rsSeq = 0;
    bool unified = false, swaFull = false, flash = true;
};

struct LayerBytes {
    Bytes attention; ///< K, V and index rows, entries and compressor states
    Bytes state;     ///< recurrent rows
};

struct Context {
    std::optional<Note> refusal;
    Settings settings;
    std::vector<LayerBytes> layers;
    Bytes attention, state;
    bool attends = false; ///< some layer has a place in the attention cache; states alone need no mask over cells
    Bytes all() const { return attention + state; }
};

/// With `slots` and `context` instead of the scenario's, for searches.
Settings settingsOf(const Deployment &deployment, const Layers &layers, std::int64_t slots, std::int64_t context);
Context contextOf(const Deployment &deployment, const Layers &layers, std::int64_t slots, std::int64_t context);

} // namespace kv::llamacpp
