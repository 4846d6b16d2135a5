// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The mixes of GGUF files: which type llama.cpp's quantiser gives each kind of tensor when it is asked for "Q4_K_M".
//
// Most matrices have the type that the mix is named by; values (attn_v), the down projections of the feed-forward, the head and a tied embedding
// have better ones, in some layers or all. One-dimensional tensors, routers and convolutions stay F32; towers are files of their own in F16.
// Without an importance matrix. A matrix whose rows are no whole blocks of 256 gets a larger type, of blocks of 32, or F16 where those do not
// divide them either; where the length of the rows is not known (latent and recurrent blocks, shared experts, drafts, layers of unlike widths) whole blocks are assumed.
// Source: llama.cpp v0.5.0, src/llama-quant.cpp, llama_tensor_get_type_impl, tensor_type_fallback; block sizes: ggml/src/ggml-common.h.

#include "core/weights/weightspec.h"

#include <string_view>

namespace kv {

bool isGgufMix(std::string_view name);
/// Bytes of each part in that mix; the order is that of the parts.
std::vector<Bytes> ggufMixBytes(const WeightSpec &weights, std::string_view name);

} // namespace kv
