// SPDX-License-Identifier: GPL-3.0-or-later
//
// The attention of DeepSeek V4: queries through a latent, one shared key-and-value head, an output projection in groups of low rank, a
// compressor of the entries where the layer has a ratio (two overlapping series at a low one), an indexer beside the low ratio; and the
// hyper-connections that mix the parallel residual streams before and after both halves of a layer.
// Source: transformers/models/deepseek_v4/modular_deepseek_v4.py (August 2026).
#include "core/weights/counting.h"

namespace kv {

using namespace checked;
using enum WeightPartKind;

namespace {

/// Projections of entries and gates, the bias of each place in a window, the norm.
void addCompressor(TensorList &list, const Counting &c, WeightPartKind kind, std::int64_t size, std::int64_t ratio, std::int64_t series) {
    list.fine(kind, c.family.attentionBlock, "compressor.kv_proj", mul(series, size), c.hidden);
    list.fine(kind, c.family.attentionBlock, "compressor.gate_proj", mul(series, size), c.hidden);
    list.vectors(kind, add(mul(ratio, mul(series, size)), size));
}

} // namespace

void addCompressedAttention(TensorList &list, const Counting &c, const CompressedAttention &part) {
    const std::string_view block = c.family.attentionBlock;
    const std::int64_t queries = mul(c.spec.queryHeads, part.headDim);
    const std::int64_t queryRank = c.fields.need({"q_lora_rank"});
    const std::int64_t groups = c.fields.need({"o_groups"});
    const std::int64_t outputs = mul(groups, c.fields.need({"o_lora_rank"}));
    list.matrix(LatentDown, block, "q_a_proj", queryRank, c.hidden);
    list.matrix(LatentUp, block, "q_b_proj", queries, queryRank);
    list.matrix(LatentDown, block, "kv_proj", part.headDim, c.hidden);
    list.matrix(AttentionOutput, block, "o_a_proj", outputs, floorDiv(queries, groups));
    list.matrix(AttentionOutput, block, "o_b_proj", c.hidden, outputs);
    list.vectors(add(queryRank, add(part.headDim, c.spec.queryHeads))); // norms and sinks
    if (part.ratio > 0)
        addCompressor(list, c, LatentDown, part.headDim, part.ratio, part.indexSize > 0 ? 2 : 1);
    if (part.indexSize <= 0)
        return;
    const std::int64_t heads = c.fields.need({"index_n_heads"});
    addCompressor(list, c, Indexer, part.indexSize, part.ratio, 2);
    list.matrix(Indexer, block, "indexer.wq_b", mul(heads, part.indexSize), queryRank);
    list.fine(Indexer, block, "indexer.weights_proj", heads, c.hidden);
}

void addHyperConnections(TensorList &list, const Counting &c) {
    const std::int64_t streams = c.fields.number({"hc_mult"}, 4);
    const std::int64_t mixes = mul(add(2, streams), streams);
    // One before the attention and one before the feed-forward: a matrix, a base and three scales.
    list.vectors(mul(2, add(mul(mixes, mul(streams, c.hidden)), add(mixes, 3))));
}

std::int64_t hyperHeadElements(const Counting &c) {
    const std::int64_t streams = c.fields.number({"hc_mult"}, 4);
    return add(mul(streams, mul(streams, c.hidden)), add(streams, 1));
}

} // namespace kv
