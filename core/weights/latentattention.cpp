// SPDX-License-Identifier: GPL-3.0-or-later
//
// Multi-head latent attention of one layer, and the indexer of sparse attention beside it.
// The projections to the latents are repeated on every rank of a tensor-parallel group (their output is shared by all heads), those from
// them are cut by heads; the indexer's heads are few and repeated too.
// Sources: transformers/models/deepseek_v3/modeling_deepseek_v3.py DeepseekV3Attention; deepseek-ai/DeepSeek-V3.2-Exp inference/model.py
// Indexer; vllm/model_executor/models/deepseek_v2.py DeepseekV2MLAAttention, Indexer (ReplicatedLinear).
#include "core/weights/counting.h"

namespace kv {

using namespace checked;
using enum WeightPartKind;

bool usesLatentAttention(const Counting &c) { return c.fields.number({"kv_lora_rank"}, 0) > 0; }

void addLatentAttention(TensorList &list, const Counting &c) {
    const std::string_view block = c.family.attentionBlock;
    const std::int64_t q = c.spec.queryHeads;
    const std::int64_t rank = c.fields.number({"kv_lora_rank"}, 0);
    const std::int64_t rope = c.fields.need({"qk_rope_head_dim"});
    const std::int64_t plain = c.fields.need({"qk_nope_head_dim"});
    const std::int64_t value = c.fields.number({"v_head_dim"}, plain);
    const std::int64_t queries = mul(q, add(plain, rope));
    if (const std::int64_t queryRank = c.fields.number({"q_lora_rank"}, 0); queryRank > 0) {
        list.matrix(LatentDown, block, "q_a_proj", queryRank, c.hidden);
        list.matrix(LatentUp, block, "q_b_proj", queries, queryRank);
        list.vectors(queryRank);
    } else {
        list.matrix(LatentUp, block, "q_proj", queries, c.hidden);
    }
    list.matrix(LatentDown, block, "kv_a_proj_with_mqa", add(rank, rope), c.hidden);
    list.matrix(LatentUp, block, "kv_b_proj", mul(q, add(plain, value)), rank);
    list.matrix(AttentionOutput, block, "o_proj", c.hidden, mul(q, value));
    if (c.fields.flag("mla_use_output_gate"))
        list.matrix(LatentUp, block, "g_proj", mul(q, value), c.hidden);
    list.vectors(rank);
}

void addIndexer(TensorList &list, const Counting &c, std::int64_t size) {
    const std::int64_t heads = c.fields.need({"index_n_heads"});
    const std::int64_t from = c.fields.number({"q_lora_rank"}, c.hidden);
    list.matrix(Indexer, c.family.attentionBlock, "indexer.wq_b", mul(heads, size), from);
    list.matrix(Indexer, c.family.attentionBlock, "indexer.wk", size, c.hidden);
    list.fine(Indexer, c.family.attentionBlock, "indexer.weights_proj", heads, c.hidden);
    list.vectors(Indexer, mul(2, size)); // norm of the key, with bias
}

} // namespace kv
