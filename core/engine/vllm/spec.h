// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What one layer asks of the cache on one GPU: a kind, a block size in tokens and the bytes of one block ("page"). A layer may register
// several (a latent and its index keys, self- and cross-attention). Layers of equal specs share one; the list keeps the order in which
// the layers register, and the pipeline stage of each.
//
// vLLM v1/kv_cache_interface.py (KVCacheSpec and its classes), v1/worker/gpu_model_runner.py get_kv_cache_spec. What is no cache of its own
// (KV-sharing layers, encoders, feed-forward) registers nothing. Tensor parallel: max(1, KV heads ÷ tp) heads a GPU, a latent whole on each
// (config/model.py get_num_kv_heads).

#include "core/engine/vllm/settings.h"

#include <vector>

namespace kv::vllm {

enum class SpecKind : std::uint8_t {
    Full,         ///< FullAttentionSpec: every token, keys and values
    Latent,       ///< MLAAttentionSpec
    Index,        ///< the sparse indexer's keys, a MLAAttentionSpec of its own
    Compressed,   ///< DeepSeek V4's entries and their index keys, a MLAAttentionSpec with a ratio
    Window,       ///< SlidingWindowSpec
    LatentWindow, ///< SlidingWindowMLASpec: DeepSeek V4's windows and compressor states
    Chunked,      ///< ChunkedLocalAttentionSpec
    Cross,        ///< CrossAttentionSpec
    State,        ///< MambaSpec
};

/// Kinds that keep every token: they may stand in one group, whatever their pages, and keep a shared prefix once.
constexpr bool keepsEveryToken(SpecKind kind) { return kind <= SpecKind::Compressed; }

struct Spec {
    SpecKind kind{};
    std::int64_t blockSize = 0;                         ///< tokens; 0: a state of its own length (max_model_len)
    std::int64_t page = 0;                              ///< bytes of one block of one layer
    std::int64_t limit = 0;                             ///< window or chunk
    std::int64_t tokenBytes = 0;                        ///< what a token costs while inside the window; 0: fixed
    std::int64_t heads = 0, keySize = 0, valueSize = 0; ///< on this GPU; only equal shapes share a bucket

    bool operator==(const Spec &) const = default;
};

struct Registered {
    std::uint16_t spec = 0, stage = 0;
};

struct SpecList {
    std::vector<Spec> specs;
    std::vector<Registered> layers;
    std::int64_t stages = 1;
    std::size_t draftFrom = 0; ///< the layers from here on are a draft model's own; their number where there is none
    std::optional<std::int64_t> stateBlock; ///< attention block after it was grown to hold a state
};

/// `stageLayers` holds the number of layers of each stage; draft layers stand on the last one.
SpecList specsOf(const Deployment &d, const Settings &settings, const ModelTraits &traits,
                 const std::vector<std::int64_t> &stageLayers);

std::int64_t localHeads(std::int64_t heads, std::int64_t tp); ///< max(1, heads ÷ tp)

} // namespace kv::vllm
