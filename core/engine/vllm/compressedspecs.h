// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a layer of DeepSeek V4 registers, every page rounded up to a multiple of 576 bytes:
//   entries       block 256 ÷ ratio rows of nope + 2 × rope + 8 bytes (584: FP8, 16-bit rope, scales)   64 rows: 37,440; 2 rows: 1,728
//   index keys    the same rows of size + 4 bytes per 128 (132); an FP4 indexer still takes this         64 rows: 8,640
//   window        block 64, one such row a token, window = sliding_window                               37,440
//   compressor    FP32, 2 × overlap × size elements a token; block 4 and window 8 at ratio 4 (overlap 2), else block 8 and window = ratio
//                                                                                                       32,832; of the indexer 8,640
// vLLM models/deepseek_v4/{attention,compressor}.py, kv_cache_interface.py (alignment). The need and the estimate that a start-up error
// printed for DeepSeek-V4-Flash (vllm-project/vllm#44376: 6.66 GiB for 30,000 tokens) follow to the digit.

#include "core/engine/vllm/spec.h"

namespace kv::vllm {

std::vector<Spec> compressedSpecs(const CompressedAttention &part, const Settings &settings);

} // namespace kv::vllm
