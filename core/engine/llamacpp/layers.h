// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What llama.cpp keeps for each layer: widths of a cell's K and V rows in elements, and recurrent elements. Source: llama.cpp v0.5.0,
// src/llama-kv-cache.cpp, src/llama-hparams.cpp, src/llama-model.cpp (create_memory), conversion/*.py for what a config becomes.
//
//   attention   K width = K size × KV heads, V width = V size × KV heads
//   latent      one K row and no V, where the file holds key_length_mla and value_length_mla (from a config: the deepseek2 family);
//               other files, and minicpm3, keep the expanded K and V of all heads
//   index keys  one K row of their size beside the layer; minimax-m3 also a V row of one head
//   window      cells of their own (cells.h); most architectures do not read the key (llama, qwen3moe, …) and keep every token
//   chunks      as a window of their chunk
//   state       FP32, per slot: convolution and recurrent elements
//   T5          block_count layers (those of the encoder); cross-attention is not cached
// With flash attention off V is stored transposed, and every created layer is padded to the widest V.
// A config is counted as its converter would write it: an architecture without a converter is refused.

#include "core/engine/engine.h"

#include <vector>

namespace kv::llamacpp {

struct Layer {
    std::int64_t keyWidth = 0, valueWidth = 0; ///< elements of one cell
    std::int64_t indexKey = 0, indexValue = 0;
    std::int64_t window = 0;    ///< 0: every token
    std::int64_t recurrent = 0; ///< FP32 elements of one row
    std::int64_t headSize = 0, valueHead = 0; ///< of K and of V, for the checks of quantised types
    bool created = false;       ///< has a place in the attention cache, even of no width
    std::optional<CompressedAttention> compressed; ///< DeepSeek-4
};

struct Layers {
    std::optional<Note> refusal;
    Notes warnings;
    std::string architecture; ///< "llama", "gemma3"
    std::vector<Layer> list;  ///< trunk layers, in order
    std::int64_t blocks = 0;  ///< with next-token layers, as block_count holds them
    bool latent = false;      ///< K rows only
    bool rollback = false;    ///< n_rs_seq counts (llm_arch_supports_rs_rollback)
};

Layers layersOf(const ModelSpec &model);

/// Whether the file holds the layers of multi-token prediction: as it is told of a GGUF file, and by its type's converter of a checkpoint.
bool keepsDrafts(const ModelSpec &model);

} // namespace kv::llamacpp
