// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Models with an encoder: the decoder's self-attention grows with the text, its cross-attention keeps the encoder's tokens once.
//
// Encoder tokens: Whisper max_source_positions; Llama 3.2 Vision one image of max_num_tiles × ((image_size ÷ patch_size)² + 1); a
// speech encoder its source positions after its strided convolutions; a picture encoder its patches (Swin: a quarter of them after each stage but
// the last); a text encoder the longest input it takes, which is an assumption
// and said so. The decoder's counts have names of their own (decoder_layers, decoder_attention_heads), and what
// num_hidden_layers means there is the encoder. Sources: transformers models/{whisper,t5,bart,mllama,moonshine,speech_to_text}.

#include "core/model/reader.h"

namespace kv {

void readEncoderDecoder(Reader &reader);
/// Pix2Struct: a decoder whose encoder is the vision tower, which takes vision_config.seq_len patches.
void readPix2Struct(Reader &reader);
/// Llama 3.2 Vision: the layers of cross_attention_layers keep the picture, the others the text.
void readMllama(Reader &reader);
/// Puts cross-attention beside the self-attention of a decoder that is nested beside its encoder.
void addCrossAttention(Reader &reader);
/// Whether the language part is a decoder that reads an encoder nested beside it.
bool readsNestedEncoder(Reader &reader);

/// Encoder-only and vision-only models: nothing is cached, and the notes say so. False when the model is neither.
bool readWithoutCache(Reader &reader);

} // namespace kv
