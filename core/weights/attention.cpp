// SPDX-License-Identifier: GPL-3.0-or-later
//
// Attention of one layer: q, k, v and o, their biases, norms of q and k, sinks. Cross-attention to an image has the same four matrices.
// Fused matrices (Wqkv, query_key_value, W_pack) hold the same numbers and are listed apart.
// Sources: transformers/models/{llama,qwen2,qwen3,gemma3,olmo2,minimax_m2,gpt_oss,phi,qwen3_next,mllama}/modeling_*.py (August 2026).
#include "core/weights/counting.h"

namespace kv {

using namespace checked;
using enum WeightPartKind;

namespace {

std::int64_t smallVectors(const Counting &c, const HeadShape &heads, AttentionReach reach, std::int64_t queries, std::int64_t keys,
                          std::int64_t values) {
    const WeightFamily &f = c.family;
    const bool switched = c.fields.flag(f.biasKey);
    std::int64_t sum = 0;
    if (f.queryKeyValueBias || switched)
        sum = add(sum, add(queries, add(f.noKeyBias ? 0 : keys, values)));
    if (f.outputBias || (switched && !f.switchNoOutput) || c.fields.flag("attention_out_bias"))
        sum = add(sum, c.hidden);
    if (f.sinks || c.fields.flag(reach == AttentionReach::Window ? "add_swa_attention_sink_bias" : "add_full_attention_sink_bias"))
        sum = add(sum, c.spec.queryHeads);
    const bool told = c.fields.flag("use_qk_norm") || c.fields.flag("qk_layernorm");
    if (f.norms == QueryKeyNorm::PerHead || (f.norms == QueryKeyNorm::IfTold && told))
        sum = add(sum, mul(f.queryKeyNormBias ? 4 : 2, heads.keySize));
    if (f.norms == QueryKeyNorm::AllHeads || (f.norms == QueryKeyNorm::AllHeadsIfTold && told))
        sum = add(sum, add(mul(c.spec.queryHeads, heads.keySize), keys));
    return sum;
}

} // namespace

void addAttention(TensorList &list, const Counting &c, const HeadShape &heads, AttentionReach reach) {
    const std::string_view block = c.family.attentionBlock;
    const std::int64_t q = c.spec.queryHeads;
    const std::int64_t queries = mul(q, heads.keySize);
    const std::int64_t keys = mul(heads.kvHeads, heads.keySize);
    // Gemma 4 may read the values off the keys in layers of full attention: no matrix of their own.
    const bool keysAreValues = reach == AttentionReach::Full && c.fields.flag("attention_k_eq_v");
    const std::int64_t values = keysAreValues ? 0 : mul(heads.kvHeads, heads.valueSize);
    list.matrix(AttentionQuery, block, "q_proj", mul(c.family.gatedQuery ? 2 : 1, queries), c.hidden);
    list.matrix(AttentionKeyValue, block, "k_proj", keys, c.hidden);
    list.matrix(AttentionKeyValue, block, "v_proj", values, c.hidden);
    list.matrix(AttentionOutput, block, "o_proj", c.hidden, mul(q, heads.valueSize));
    list.vectors(smallVectors(c, heads, reach, queries, keys, values));
}

void addCrossAttention(TensorList &list, const Counting &c, const CrossAttention &part) {
    addAttention(list, c, part.heads, AttentionReach::Full);
    if (c.family.gatedCross)
        list.vectors(add(mul(2, part.heads.keySize), 2));
}

} // namespace kv
