// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// MLX checkpoints. mlx-lm writes "quantization", and a copy of it as "quantization_config" that names no method: {"group_size": 64, "bits": 4},
// a "mode" where the groups are not affine, and beside them modules by name with a block of their own (false: left as they are).
// Every linear layer and embedding is packed, the head and the routers with them; affine groups have a 16-bit scale and a 16-bit bias each.
// Sources: mlx python/mlx/nn/layers/quantized.py (quantize, _defaults_for_mode), mx.quantize; mlx-lm mlx_lm/utils.py (save_config, load_model).

#include "core/weights/schemes.h"

namespace kv {

bool isMlx(const Json &config);
SchemeReading readMlx(const Json &config, std::vector<StorageRule> &rules);

} // namespace kv
