// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/gguflayers.h"

#include "core/base/quantity.h"

#include <algorithm>

namespace kv {

GgufLayers::GgufLayers(GgufKeys &keys, const GgufArchitecture &architecture, std::int64_t blocks, std::int64_t trunk)
    : m_keys(keys), m_architecture(architecture), m_blocks(blocks), m_trunk(trunk) {
    readHeads();
    readSizes();
    readLatent();
    readWindow();
    readStates();
    readShared();
    checkWidths();
}

void GgufLayers::readHeads() {
    const bool stateless = m_architecture.states != StateRule::All;
    m_queryHeads = m_keys.perLayer("attention.head_count", m_blocks, m_trunk);
    if (m_queryHeads.empty() && stateless)
        m_keys.needed("attention.head_count");
    m_kvHeads = m_keys.perLayer("attention.head_count_kv", m_blocks, m_trunk);
    if (m_kvHeads.empty())
        m_kvHeads = m_queryHeads;
    m_experts = m_keys.numberOr("expert_count", 0) > 0;
    m_feedForward = m_keys.perLayer("feed_forward_length", m_blocks, m_trunk);
    const std::int64_t query = queryHeads();
    for (const std::int64_t kv : m_kvHeads)
        if (stateless && kv > 0 && query > 0 && std::ranges::count(m_queryHeads, query) == std::ssize(m_queryHeads) &&
            query % kv != 0) {
            m_keys.warn("contradiction", "attention.head_count_kv",
                        "is " + writeNumber(kv) + ", which does not divide the " + writeNumber(query) +
                            " of head_count; taken as it stands");
            break;
        }
}

void GgufLayers::readSizes() {
    const std::int64_t hidden = m_keys.needed("embedding_length");
    const std::int64_t query = queryHeads();
    const std::int64_t derived =
        query > 0 ? hidden / query : 0; // of layer 0, for every layer: as the engine derives it
    m_keySize = m_keys.numberOr("attention.key_length", derived);
    m_valueSize = m_keys.numberOr("attention.value_length", derived);
    m_slidingKeySize = m_keys.numberOr("attention.key_length_swa", m_keySize);
    m_slidingValueSize = m_keys.numberOr("attention.value_length_swa", m_valueSize);
    if (m_architecture.kind == ModelKind::EncoderDecoder)
        m_encoderTokens = m_keys.numberOr("context_length", 0);
}

void GgufLayers::readLatent() {
    const std::int64_t rank = m_keys.numberOr("attention.kv_lora_rank", 0);
    m_rotary = m_keys.numberOr("rope.dimension_count", 0);
    const std::int64_t keyMla = m_keys.numberOr("attention.key_length_mla", 0);
    const std::int64_t valueMla = m_keys.numberOr("attention.value_length_mla", 0);
    if (keyMla > 0 && valueMla > 0) {
        // key_length is the whole latent, the rotary part included.
        m_latentRank = rank > 0 && rank <= m_keySize ? rank : std::max<std::int64_t>(0, m_keySize - m_rotary);
        m_ropeSize = m_keySize - m_latentRank;
        m_expanded = {queryHeads(), keyMla, valueMla};
    } else if (rank > 0) {
        m_latentRank = rank;
        m_ropeSize = m_rotary;
        m_expanded = {queryHeads(), m_keySize, m_valueSize};
    }
    m_indexSize = m_keys.numberOr("attention.indexer.key_length", 0);
    m_indexed = m_keys.perLayer("attention.indexer.types", m_blocks, m_trunk);
    if (m_keys.architecture() == "minimax-m3")
        m_indexFrom = m_keys.numberOr("leading_dense_block_count", 0);
}

void GgufLayers::readWindow() {
    m_window = m_keys.numberOr("attention.sliding_window", m_architecture.defaultWindow);
    if (m_keys.architecture() == "exaone4" && m_trunk != 64 && !m_keys.has("attention.sliding_window"))
        m_window = 0; // only the 32B model, of 64 layers, slides
    if (m_window > 0 && m_architecture.fixedWindow > 0)
        m_window = m_architecture.fixedWindow;
    m_period = m_architecture.period;
    m_fullFirst = m_architecture.fullFirst;
    const Json *pattern = m_keys.find("attention.sliding_window_pattern");
    if (pattern && pattern->isArray())
        m_pattern = m_keys.perLayer("attention.sliding_window_pattern", m_blocks, m_trunk);
    else if (pattern)
        m_period = m_keys.numberOr("attention.sliding_window_pattern", 0);
    if (m_window > 0 && !pattern && m_architecture.windowNeedsPattern)
        m_keys.refuse("missing-key", "attention.sliding_window_pattern",
                      "is missing; without it nobody knows which layers slide");
    // DeepSeek-4: how many tokens each layer's entries stand for; the list may go on behind the layers.
    if (const Json *ratios = m_keys.find("attention.compress_ratios"); ratios && ratios->isArray()) {
        const auto entries = static_cast<std::int64_t>(ratios->items().size());
        m_ratios = m_keys.perLayer("attention.compress_ratios", std::max(entries, m_trunk), std::max(entries, m_trunk));
    } else if (m_keys.architecture() == "deepseek4") {
        m_keys.refuse("missing-key", "attention.compress_ratios", "must be a list with an entry for every layer");
    }
}

void GgufLayers::readStates() {
    if (m_architecture.states == StateRule::None)
        return;
    m_state = ggufState(m_keys, m_architecture.family, queryHeads(), m_keySize);
    if (m_architecture.states == StateRule::Interval) {
        m_recurrent = m_keys.perLayer("attention.recurrent_layers", m_blocks, m_trunk);
        m_interval = m_keys.numberOr("full_attention_interval", m_architecture.interval);
        if (m_interval <= 0)
            m_keys.refuse("bad-value", "full_attention_interval", "must be 1 or more");
    }
    if (m_state.convElements() == outOfRangeValue || m_state.stateElements() == outOfRangeValue)
        m_keys.refuse("out-of-range", "ssm.state_size", "makes a state that is out of range: more than 2^63 elements");
}

void GgufLayers::readShared() {
    m_ownLayers = m_trunk;
    if (m_architecture.ownLayers > 0) {
        m_ownLayers = std::min(m_trunk, m_architecture.ownLayers);
        return;
    }
    const std::int64_t shared = m_keys.numberOr("attention.shared_kv_layers", 0);
    if (shared >= m_blocks)
        m_keys.refuse("bad-value", "attention.shared_kv_layers",
                      "is " + writeNumber(shared) + ", which leaves no layer to share with");
    else
        m_ownLayers = std::min(m_trunk, m_blocks - shared);
}

void GgufLayers::checkWidths() {
    const std::int64_t heads = m_kvHeads.empty() ? 0 : std::ranges::max(m_kvHeads);
    const std::int64_t size = std::max({m_keySize, m_valueSize, m_slidingKeySize, m_slidingValueSize});
    constexpr std::int64_t most = std::int64_t{1}
                                  << 40; // so that sums over all layers and any context stay checked, not absurd
    if (checked::mul(heads, size) == outOfRangeValue || heads * size > most)
        m_keys.refuse("out-of-range", "attention.head_count_kv",
                      "times the size of a head is out of range: " + writeNumber(heads) + " × " + writeNumber(size));
    if (m_architecture.kind != ModelKind::EncoderOnly && heads > 0 && size == 0)
        m_keys.refuse("bad-value", m_keys.has("attention.key_length") ? "attention.key_length" : "embedding_length",
                      "leaves the heads without a size");
}

bool GgufLayers::recurrent(std::int64_t layer) const {
    switch (m_architecture.states) {
    case StateRule::None:
        return false;
    case StateRule::All:
    case StateRule::Beside:
        return true;
    case StateRule::NoKvHeads:
        return kvHeads(layer) == 0;
    case StateRule::NemotronH:
        return kvHeads(layer) == 0 && at(m_feedForward, layer) == 0;
    case StateRule::Interval:
        return m_recurrent.empty() ? (layer + 1) % m_interval != 0 : at(m_recurrent, layer) != 0;
    }
    return false;
}

bool GgufLayers::attends(std::int64_t layer) const {
    if (m_architecture.states == StateRule::All || kvHeads(layer) == 0)
        return false;
    return m_architecture.states == StateRule::Beside || !recurrent(layer);
}

bool GgufLayers::slides(std::int64_t layer) const {
    if (m_window == 0)
        return false;
    if (!m_pattern.empty())
        return at(m_pattern, layer) != 0;
    if (m_period <= 0)
        return true;
    return m_fullFirst ? layer % m_period != 0 : layer % m_period < m_period - 1;
}

bool GgufLayers::indexed(std::int64_t layer) const {
    if (m_indexSize == 0 || layer < m_indexFrom || (!latent() && m_keys.architecture() != "minimax-m3"))
        return false;
    return m_indexed.empty() || at(m_indexed, layer) != 0;
}

CachePart GgufLayers::attention(std::int64_t layer) const {
    const bool sliding = slides(layer);
    if (!m_ratios.empty()) {
        const std::int64_t ratio = at(m_ratios, layer);
        return CompressedAttention{ratio, m_keySize, m_rotary, Tokens(m_window), ratio == 4 ? m_indexSize : 0};
    }
    if (latent())
        return LatentAttention{m_latentRank, m_ropeSize, m_expanded};
    const HeadShape heads{kvHeads(layer), sliding ? m_slidingKeySize : m_keySize,
                          sliding ? m_slidingValueSize : m_valueSize};
    if (sliding && m_architecture.chunked)
        return ChunkedAttention{heads, Tokens(m_window)};
    if (sliding)
        return SlidingWindow{heads, Tokens(m_window)};
    return FullAttention{heads};
}

std::vector<CachePart> GgufLayers::parts(std::int64_t layer) const {
    std::vector<CachePart> list;
    if (m_architecture.kind == ModelKind::EncoderOnly || layer >= m_ownLayers)
        return list;
    if (attends(layer)) {
        list.push_back(attention(layer));
        if (indexed(layer))
            list.push_back(IndexKeys{m_indexSize});
    }
    if (recurrent(layer))
        list.push_back(m_state);
    if (m_architecture.kind == ModelKind::EncoderDecoder)
        list.push_back(CrossAttention{{kvHeads(layer), m_keySize, m_valueSize}, Tokens(m_encoderTokens)});
    return list;
}

Idle GgufLayers::idle(std::int64_t layer) const {
    if (layer >= m_ownLayers)
        return Idle::SharedCache;
    if (m_architecture.states == StateRule::NemotronH)
        return m_experts ? Idle::Experts : Idle::FeedForward;
    return Idle::NoAttention;
}

std::int32_t GgufLayers::sharedFrom(std::int64_t layer) const {
    if (layer < m_ownLayers)
        return -1;
    // The last two owning layers are a sliding and a full one; each kind reads its own.
    return static_cast<std::int32_t>(std::max<std::int64_t>(0, m_ownLayers - (slides(layer) ? 2 : 1)));
}

} // namespace kv
