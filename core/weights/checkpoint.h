// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How a checkpoint stores its tensors, read from what its config says about quantisation.
//
// Shapes that are read: quantization_config (at the top or in any block around the language model's part) and compression_config with a quant_method or a
// modelopt quant_algo; the contents of a hf_quant_config.json under "quantization" or "hf_quant_config". A scheme takes the matrices of the
// layers that its ignore list does not name; embedding, head, norms, biases, routers, convolutions and towers stay as the model's dtype has
// them unless a list of targets names them. GPTQModel's "dynamic" and AutoRound's "extra_config" give modules sizes of their own or leave
// them out; MLX packs embeddings, head and routers as well (core/weights/mlxscheme.h).
// Sources: transformers utils/quantization_config.py; vllm/model_executor/layers/quantization/*.py; compressed-tensors
// quantization/quant_scheme.py; GPTQModel quantization/config.py dynamic_get; auto-round
// schemes in vllm quantization/inc.py; NVIDIA ModelOpt torch/export (hf_quant_config.json); August 2026.

#include "core/model/modelspec.h"
#include "core/weights/namelist.h"
#include "core/weights/storedas.h"

#include <span>

namespace kv {

struct StorageRule {
    StoredAs as;
    bool all = true;         ///< all matrices of the layers, and beside them what `targets` names
    bool everyMatrix = false; ///< `all`, and embeddings, head and routers with them; no convolution
    bool expertsOnly = false;
    NameList targets;
    bool matricesOnly = false; ///< targets name what any scheme may take, no embedding, head or router
    bool unquantised = false;  ///< stored as what no rule takes

    bool mayTake(Trunk trunk, const Tensor &tensor) const { return !matricesOnly || (!tensor.sixteenBit && trunk != Trunk::Outside); }
};

/// What holds of a tensor in every layer: most is said once, not layer by layer.
struct TensorStanding {
    bool ignored = false;
    std::size_t rule = 0; ///< the first rule that takes it, counted from 1; 0: none
};

/// Its lists point into the config that it was read from.
struct StoragePlan {
    StoredAs plain;          ///< what no rule makes smaller
    std::vector<StorageRule> rules; ///< the first that takes a tensor counts
    NameList ignored;
    bool known = true;       ///< false: the scheme is not known and its bytes cannot be said
    std::string scheme;      ///< for people: "BF16", "FP8 blocks 128 × 128"

    bool tellsLayersApart() const;
    TensorStanding standing(Trunk trunk, const Tensor &tensor) const;
    /// Which rule takes the tensor in that layer: 0 none (plain), else its number from 1.
    std::size_t ruleFor(Trunk trunk, std::int64_t layer, const Tensor &tensor, const TensorStanding &standing) const;
    std::size_t ruleFor(Trunk trunk, std::int64_t layer, const Tensor &tensor) const {
        return ruleFor(trunk, layer, tensor, standing(trunk, tensor));
    }
    const StoredAs &storedBy(std::size_t rule) const { return rule == 0 ? plain : rules[rule - 1].as; }
};

/// `chain`: the config's blocks from the whole file to the language model's part. Notes: "quantisation-unknown" (warning).
StoragePlan readStorage(std::span<const Json *const> chain, ElementType dtype, Notes &notes);

} // namespace kv
