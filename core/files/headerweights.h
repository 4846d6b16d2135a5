// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From the tensors of safetensors files to a WeightSpec: the bytes are the files', the parameters theirs too unless several of them are packed
// into one stored number (GPTQ, AWQ) or stand beside scales (FP8); then the count from the config says how many there are.
// Which types pack: AutoGPTQ and AutoAWQ keep eight 4-bit numbers in an I32; scales of FP8 stand beside as F32 or BF16 (core/weights/checkpoint.h).

#include "core/files/safetensors.h"
#include "core/files/tensorparts.h"
#include "core/model/modelspec.h"

#include <map>

namespace kv {

class HeaderWeights {
public:
    /// The spec's own weights are what was counted from its config.
    explicit HeaderWeights(const ModelSpec &spec) : m_spec(spec) {}

    void add(const SafetensorsFile &file);
    Bytes stored() const { return m_sums.stored(); }
    WeightSpec weights() const;

private:
    std::string scheme() const;

    const ModelSpec &m_spec;
    TensorParts m_sums;
    std::map<std::string_view, Bytes> m_byDtype;
    Bytes m_reduced; ///< in types of less than 16 bit, or of whole numbers that may hold several
};

/// What was counted, scaled to a total that an index gives.
WeightSpec weightsOfTotal(const WeightSpec &counted, Bytes total);

} // namespace kv
