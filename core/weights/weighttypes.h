// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The types that a user can choose for the weights of any model, and what a checkpoint in that type would take.
// 16- and 32-bit types: every element. Smaller ones: as checkpoints are usually stored, the layers' matrices in the type with its
// scales, embedding, head, norms, routers, biases and vision towers in 16 bit. An estimate unless the checkpoint is stored so.

#include "core/base/note.h"
#include "core/weights/weightspec.h"

#include <span>
#include <string_view>

namespace kv {

struct WeightTypeInfo {
    std::string_view name;    ///< "bf16", "q4_k_m": the first name, the one that is written
    std::string_view aliases; ///< further names, separated by spaces
    std::string_view label;   ///< for people: "BF16", "INT4 (AWQ)"
};

std::span<const WeightTypeInfo> weightTypes();

struct TypedWeights {
    Bytes bytes;
    std::string scheme; ///< for people: "FP8"
    bool estimate = true;
};

/// Refused: an unknown type (naming the nearest), or weights whose elements are not known.
Parsed<TypedWeights> bytesInType(const WeightSpec &weights, std::string_view type);

} // namespace kv
