// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tensors of a real file, summed into the parts that engines split differently, by what their names say.
//
// Two vocabularies of names: those of GGUF ("blk.3.ffn_down_exps.weight"; llama.cpp v0.5.0, src/llama-arch.cpp, LLM_TENSOR_NAMES) and those
// of the Hub's checkpoints ("model.layers.3.mlp.experts.0.down_proj.weight"). A name that says nothing counts as feed-forward inside a layer
// and as an embedding outside: whole files must add up, whatever their names.

#include "core/weights/weightspec.h"

#include <array>
#include <map>
#include <string_view>

namespace kv {

struct TensorPlace {
    WeightPartKind kind{};
    std::int32_t layer = -1;
};

/// `trunk`: layers of the model without draft layers; what lies in a later one is a draft.
TensorPlace ggufTensorPlace(std::string_view name, std::int64_t trunk);
TensorPlace hubTensorPlace(std::string_view name, std::int64_t trunk);

class TensorParts {
public:
    void add(TensorPlace place, std::int64_t elements, Bytes stored);

    /// Layers that are alike joined to one part each, in the order of the kinds.
    std::vector<WeightPart> parts() const;
    Bytes stored() const { return m_stored; }
    std::int64_t allElements() const { return m_elements; }
    /// Without drafts and towers.
    std::int64_t textElements() const;

private:
    struct Sum {
        std::int64_t elements = 0;
        Bytes stored;
        bool operator==(const Sum &) const = default;
    };
    std::map<std::pair<WeightPartKind, std::int32_t>, Sum> m_sums;
    Bytes m_stored;
    std::int64_t m_elements = 0;
};

/// Parameters that a token passes through: all but the experts it is not sent to.
std::int64_t activeParameters(const std::vector<WeightPart> &parts, std::int64_t parameters, std::int64_t experts,
                              std::int64_t expertsPerToken);

} // namespace kv
