// SPDX-License-Identifier: GPL-3.0-or-later
//
// Encoders: Whisper's, which stands before its decoder, and BERT's, which is the whole model. Their layers cache nothing and are no layers of
// the ModelSpec; they are counted as layers of the usual encoder (attention and two matrices with biases, two norms with biases).
// Sources: transformers/models/whisper/modeling_whisper.py, bert/modeling_bert.py, xlm_roberta/modeling_xlm_roberta.py (August 2026).
#include "core/weights/counting.h"

namespace kv {

using namespace checked;
using enum WeightPartKind;

namespace {

struct EncoderSize {
    std::int64_t layers = 0, hidden = 0, width = 0;
};

void addEncoderLayers(TensorList &list, const EncoderSize &e, bool keyBias) {
    list.matrix(AttentionQuery, "self_attn", "q_proj", e.hidden, e.hidden, e.layers);
    list.matrix(AttentionKeyValue, "self_attn", "k_proj", e.hidden, e.hidden, e.layers);
    list.matrix(AttentionKeyValue, "self_attn", "v_proj", e.hidden, e.hidden, e.layers);
    list.matrix(AttentionOutput, "self_attn", "out_proj", e.hidden, e.hidden, e.layers);
    list.matrix(FeedForward, "mlp", "fc1", e.width, e.hidden, e.layers);
    list.matrix(FeedForward, "mlp", "fc2", e.hidden, e.width, e.layers);
    const std::int64_t biases = add(mul(keyBias ? 4 : 3, e.hidden), add(e.width, e.hidden));
    list.vectors(mul(e.layers, add(biases, mul(4, e.hidden))));
}

} // namespace

void addWhisperEncoder(TensorList &list, Counting &c) {
    const EncoderSize e{c.fields.need({"encoder_layers"}), c.hidden, c.fields.need({"encoder_ffn_dim"})};
    const std::int64_t bins = c.fields.number({"num_mel_bins"}, 80);
    addEncoderLayers(list, e, false);
    list.fine(Embedding, "encoder", "conv1", c.hidden, mul(3, bins));
    list.fine(Embedding, "encoder", "conv2", c.hidden, mul(3, c.hidden));
    list.fine(Embedding, "encoder", "embed_positions", c.fields.need({"max_source_positions"}), c.hidden);
    list.vectors(FinalNorm, mul(4, c.hidden)); // biases of the convolutions, the last norm
}

void addBertModel(TensorList &list, Counting &c) {
    const std::int64_t hidden = c.fields.need({"hidden_size"});
    const EncoderSize e{c.fields.need({"num_hidden_layers"}), hidden, c.fields.need({"intermediate_size"})};
    addEncoderLayers(list, e, true);
    list.fine(Embedding, "embeddings", "word_embeddings", c.fields.need({"vocab_size"}), hidden);
    list.fine(Embedding, "embeddings", "position_embeddings", c.fields.need({"max_position_embeddings"}), hidden);
    list.fine(Embedding, "embeddings", "token_type_embeddings", c.fields.number({"type_vocab_size"}, 2), hidden);
    list.vectors(FinalNorm, mul(2, hidden));
    list.fine(Head, "pooler", "dense", hidden, hidden);
    list.vectors(Head, hidden);
}

} // namespace kv
