// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/gguffacts.h"

#include "core/base/quantity.h"

namespace kv {

namespace {

class Facts {
public:
    Facts(GgufKeys &keys, ModelSpec &spec) : m_keys(keys), m_spec(spec) {}

    void add(Role role, std::int64_t value, std::string_view key, std::string trap = {}) {
        m_spec.facts.push_back({role, value, Origin::File, m_keys.fullKey(key), std::move(trap)});
    }
    void derived(Role role, std::int64_t value, std::string from) {
        m_spec.facts.push_back({role, value, Origin::Derived, std::move(from), {}});
    }
    void byDefault(Role role, std::int64_t value, std::string from) {
        m_spec.facts.push_back({role, value, Origin::ClassDefault, std::move(from), {}});
    }

    /// From the key where it stands, else from the width: embedding_length ÷ head_count.
    void headSize(Role role, std::int64_t value, std::string_view key) {
        const std::int64_t query = m_spec.queryHeads;
        const std::string division = m_keys.fullKey("embedding_length") + " " + writeNumber(m_spec.hidden) + " ÷ " +
                                     writeNumber(query) + " heads";
        const std::int64_t quotient = query > 0 ? m_spec.hidden / query : 0;
        if (!m_keys.has(key))
            derived(role, value, division);
        else
            add(role, value, key,
                quotient != value && quotient > 0 ? "not " + division + " = " + writeNumber(quotient) : std::string());
    }

private:
    GgufKeys &m_keys;
    ModelSpec &m_spec;
};

void addHeads(GgufKeys &keys, Facts &facts, ModelSpec &spec, const HeadShape &heads, bool sliding) {
    spec.kvHeads = heads.kvHeads;
    spec.headDim = heads.keySize;
    const bool own = sliding && keys.has("attention.key_length_swa");
    const std::string_view keyKey = own ? "attention.key_length_swa" : "attention.key_length";
    const std::string_view valueKey = own ? "attention.value_length_swa" : "attention.value_length";
    if (!keys.has("attention.head_count_kv"))
        facts.derived(Role::KvHeads, heads.kvHeads,
                      keys.fullKey("attention.head_count") + ": there is no head_count_kv, so every head has its own");
    else
        facts.add(Role::KvHeads, heads.kvHeads, "attention.head_count_kv",
                  spec.queryHeads != heads.kvHeads
                      ? "not the " + writeNumber(spec.queryHeads) + " of attention.head_count"
                      : std::string());
    if (heads.keySize == heads.valueSize) {
        facts.headSize(Role::HeadDim, heads.keySize, keyKey);
    } else {
        facts.headSize(Role::KeySize, heads.keySize, keyKey);
        facts.headSize(Role::ValueSize, heads.valueSize, valueKey);
    }
}

/// Adds what the parts of one shape are made of; the first part with heads decides what the model calls its heads.
class PartFacts {
public:
    PartFacts(GgufKeys &keys, Facts &facts, ModelSpec &spec) : m_keys(keys), m_facts(facts), m_spec(spec) {}

    void operator()(const FullAttention &part) { heads(part.heads, false); }
    void operator()(const SlidingWindow &part) {
        heads(part.heads, true);
        window(Role::Window, part.window);
    }
    void operator()(const ChunkedAttention &part) {
        heads(part.heads, true);
        window(Role::Chunk, part.chunk);
    }
    void operator()(const LatentAttention &part) {
        if (!once(Role::LatentRank))
            return;
        m_spec.kvHeads = 1;
        m_spec.headDim = part.rank + part.ropeSize;
        if (m_keys.has("attention.kv_lora_rank"))
            m_facts.add(Role::LatentRank, part.rank, "attention.kv_lora_rank",
                        "one vector for all heads: head_count does not multiply it");
        else
            m_facts.derived(Role::LatentRank, part.rank,
                            m_keys.fullKey("attention.key_length") + " less the rotary part");
        m_facts.add(Role::RopeSize, part.ropeSize, "rope.dimension_count");
    }
    void operator()(const IndexKeys &part) {
        if (once(Role::IndexSize))
            m_facts.add(Role::IndexSize, part.size, "attention.indexer.key_length");
    }
    void operator()(const CompressedAttention &part) {
        if (!once(Role::Ratio))
            return;
        m_spec.kvHeads = 1;
        m_spec.headDim = part.headDim;
        m_facts.add(Role::Ratio, part.ratio, "attention.compress_ratios");
        m_facts.add(Role::HeadDim, part.headDim, "attention.key_length");
        if (part.window.value > 0)
            window(Role::Window, part.window);
        if (m_keys.has("attention.indexer.key_length"))
            m_facts.add(Role::IndexSize, m_keys.numberOr("attention.indexer.key_length", 0),
                        "attention.indexer.key_length");
    }
    void operator()(const RecurrentState &part) {
        if (!once(Role::StateElements))
            return;
        const std::string prefix = m_keys.architecture() + ".";
        const char *from = part.family == StateFamily::Kda    ? "kda.head_dim × kda.head_dim × heads"
                           : part.family == StateFamily::Rwkv ? "embedding_length × (wkv.head_size + token_shift_count)"
                           : part.family == StateFamily::Lightning        ? "attention.key_length² × heads"
                           : part.family == StateFamily::ShortConvolution ? "no state beside the convolution"
                                                                          : "ssm.inner_size × ssm.state_size";
        m_facts.derived(Role::StateElements, part.stateElements(), prefix + from);
        if (part.kernel > 0)
            m_facts.derived(Role::ConvElements, part.convElements(),
                            prefix + (part.family == StateFamily::ShortConvolution
                                          ? "embedding_length × (shortconv.l_cache − 1)"
                                          : "the channels of its convolution × (ssm.conv_kernel − 1)"));
    }
    void operator()(const CrossAttention &part) {
        if (once(Role::EncoderTokens))
            m_facts.add(Role::EncoderTokens, part.encoderTokens.value, "context_length",
                        "as long as the longest input; a shorter one costs less");
    }

private:
    bool once(Role role) const { return m_spec.fact(role) == nullptr; }
    void heads(const HeadShape &shape, bool sliding) {
        if (once(Role::KvHeads))
            addHeads(m_keys, m_facts, m_spec, shape, sliding);
    }
    void window(Role role, Tokens tokens) {
        if (!once(role))
            return;
        const Json *given = m_keys.find("attention.sliding_window");
        if (given && given->kind() == Json::Kind::Integer && given->integer() == tokens.value)
            m_facts.add(role, tokens.value, "attention.sliding_window");
        else
            m_facts.byDefault(role, tokens.value, "fixed by the architecture " + m_keys.architecture());
    }

    GgufKeys &m_keys;
    Facts &m_facts;
    ModelSpec &m_spec;
};

} // namespace

void addGgufFacts(GgufKeys &keys, const GgufLayers &layers, ModelSpec &spec) {
    Facts facts(keys, spec);
    if (spec.kind == ModelKind::EncoderDecoder && keys.has("decoder_block_count"))
        facts.add(Role::Layers, spec.layerCount(), "decoder_block_count", "not the block_count of the encoder");
    else if (spec.draftLayers > 0)
        facts.derived(Role::Layers, spec.layerCount(),
                      keys.fullKey("block_count") + " less the " + writeNumber(spec.draftLayers) +
                          " of nextn_predict_layers");
    else
        facts.add(Role::Layers, spec.layerCount(), "block_count");
    PartFacts each(keys, facts, spec);
    for (const LayerShape &shape : spec.shapes)
        for (const CachePart &part : shape.parts)
            std::visit(each, part);
    if (layers.queryHeads() > 0)
        facts.add(Role::QueryHeads, layers.queryHeads(), "attention.head_count");
    facts.add(Role::Hidden, spec.hidden, "embedding_length");
    if (spec.maxContext)
        facts.add(Role::MaxContext, spec.maxContext->value, "context_length");
    if (spec.vocabulary > 0 && keys.has("vocab_size"))
        facts.add(Role::Vocabulary, spec.vocabulary, "vocab_size");
    else if (spec.vocabulary > 0)
        facts.derived(Role::Vocabulary, spec.vocabulary, "the entries of tokenizer.ggml.tokens");
    if (spec.intermediate > 0)
        facts.add(Role::Intermediate, spec.intermediate, "feed_forward_length");
    if (spec.experts > 0)
        facts.add(Role::Experts, spec.experts, "expert_count");
}

} // namespace kv
