// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What each layer of a GGUF model keeps, by the textbook: its attention, its state, both or neither.
//
// N = block_count − nextn_predict_layers layers count (T5: decoder_block_count). A window is one wherever the metadata holds it, also where
// llama.cpp ignores the key (llama, phi3): what the engine makes of it is the engine's file. Latent layers are those with key_length_mla
// and value_length_mla, and those of older files that hold kv_lora_rank. Source: llama.cpp v0.5.0, src/llama-hparams.cpp, src/models/*.cpp.

#include "core/model/ggufarchitectures.h"
#include "core/model/ggufkeys.h"

#include <vector>

namespace kv {

class GgufLayers {
public:
    /// Reads and checks all keys; what is wrong is in keys.notes(). `blocks` as the file counts them, `trunk` without draft layers.
    GgufLayers(GgufKeys &keys, const GgufArchitecture &architecture, std::int64_t blocks, std::int64_t trunk);

    std::vector<CachePart> parts(std::int64_t layer) const;
    Idle idle(std::int64_t layer) const; ///< why a layer without parts keeps nothing
    /// The layer whose cache this one reads; −1: its own.
    std::int32_t sharedFrom(std::int64_t layer) const;

    std::int64_t queryHeads() const { return at(m_queryHeads, 0); }
    std::int64_t kvHeads(std::int64_t layer) const { return at(m_kvHeads, layer); }
    bool attends(std::int64_t layer) const;
    bool latent() const { return m_latentRank > 0; }

private:
    static std::int64_t at(const std::vector<std::int64_t> &list, std::int64_t i) {
        return i < static_cast<std::int64_t>(list.size()) ? list[static_cast<std::size_t>(i)] : 0;
    }
    void readHeads();
    void readSizes();
    void readLatent();
    void readWindow();
    void readStates();
    void readShared();
    void checkWidths();
    bool recurrent(std::int64_t layer) const;
    bool slides(std::int64_t layer) const;
    CachePart attention(std::int64_t layer) const;
    bool indexed(std::int64_t layer) const;

    GgufKeys &m_keys;
    const GgufArchitecture &m_architecture;
    std::int64_t m_blocks;
    std::int64_t m_trunk;
    std::vector<std::int64_t> m_queryHeads, m_kvHeads, m_feedForward;
    std::int64_t m_keySize = 0, m_valueSize = 0, m_slidingKeySize = 0, m_slidingValueSize = 0;
    std::int64_t m_latentRank = 0, m_ropeSize = 0, m_rotary = 0;
    bool m_experts = false;
    HeadShape m_expanded;
    std::int64_t m_window = 0;           ///< 0: none
    std::vector<std::int64_t> m_pattern; ///< 1 where a layer slides; empty: by the period
    std::int64_t m_period = 0;
    bool m_fullFirst = false;
    std::vector<std::int64_t> m_recurrent; ///< recurrent_layers; empty: by the interval
    std::int64_t m_interval = 0;
    RecurrentState m_state;
    std::int64_t m_ownLayers = 0;
    std::vector<std::int64_t> m_ratios, m_indexed;
    std::int64_t m_indexSize = 0, m_indexFrom = 0;
    std::int64_t m_encoderTokens = 0;
};

/// The state of one layer from ssm.*, kda.*, wkv.* and shortconv.*; what is missing is noted.
RecurrentState ggufState(GgufKeys &keys, StateFamily family, std::int64_t queryHeads, std::int64_t keySize);

} // namespace kv
