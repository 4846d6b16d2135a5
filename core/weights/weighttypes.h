// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The types that a user can choose for any model's weights, and what the weights would take in them.
//
// 32 and 16 bit: every element. The smaller ones as checkpoints of that kind are usually made: the matrices of the layers with their scales,
// and embedding, head, norms, biases, routers, convolutions and towers in 16 bit. GGUF mixes: each kind of tensor in the type that llama.cpp
// gives it (ggufmix.h). A result is an estimate unless it is how the checkpoint itself is stored, or every element has the same size.

#include "core/base/note.h"
#include "core/weights/storedas.h"
#include "core/weights/weightspec.h"

#include <span>
#include <string_view>

namespace kv {

enum class WeightTypeGroup : std::uint8_t {
    Plain,     ///< every element alike
    Quantised, ///< the matrices of the layers; safetensors checkpoints
    Gguf,      ///< a mix of llama.cpp
};

struct WeightType {
    std::string_view name;    ///< "int4"
    std::string_view aliases; ///< further names, separated by spaces
    std::string_view label;   ///< for people: "INT4 (AWQ)"
    WeightTypeGroup group = WeightTypeGroup::Plain;
    StoredAs as;              ///< of the matrices; unused for Gguf
    std::string_view scheme;  ///< how the label of a checkpoint stored in this type begins
};

std::span<const WeightType> weightTypes();
/// By any of its names, in any case; nullptr when unknown.
const WeightType *findWeightType(std::string_view name);

/// Whether GGUF files can hold weights of this type: ggml's own types, 16 and 32 bit, MXFP4 and NVFP4 (ggml/include/ggml.h, ggml_type).
bool isHeldByGguf(const WeightType &type);
/// The same of a checkpoint's scheme, by its label.
bool isHeldByGguf(std::string_view scheme);

/// What the weights would lie in. GGUF files keep routed experts in MXFP4 where the checkpoint has them so, whatever type is asked for: the
/// converter packs their blocks as they are (llama.cpp conversion/gpt_oss.py), and the published mixes leave them.
enum class WeightFile : std::uint8_t { Checkpoint, Gguf };

struct TypedWeights {
    Bytes bytes;
    std::string scheme;    ///< the type's label, or the checkpoint's own scheme where it is stored so
    bool estimate = false;
};

/// The size of the weights in a type. Refused by name: an unknown type ("unknown-weight-type"), weights whose number is not known
/// ("weights-unknown").
Parsed<TypedWeights> bytesInType(const WeightSpec &weights, std::string_view type, WeightFile file = WeightFile::Checkpoint);
/// The weights themselves as they would be stored in the type, part by part; refused like bytesInType().
Parsed<WeightSpec> weightsInType(const WeightSpec &weights, std::string_view type, WeightFile file = WeightFile::Checkpoint);

} // namespace kv
