// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The names that a quantised checkpoint leaves out (or aims at): plain names, shell patterns, "re:" expressions, thousands of them.
//
// A plain name counts where its words stand in a row in the tensor's name: "mlp.gate" names "model.layers.3.mlp.gate" and not "gate_proj".
// The text of the entries is not copied: it has to live as long as the list.
// A name with "layers.N." counts for that layer of the stack alone, whatever the model calls the stack ("model", "model.language_model",
// "backbone"); one that stands below a tower or below "mtp." says nothing about the stack. Most entries name a layer: they are kept by
// layer, so that a list of a thousand names costs no more than the few that a layer has.
// Sources: transformers quantizers/quantizers_utils.py should_convert_module; compressed-tensors utils/match.py (re.match);
// modelopt torch/export (fnmatch patterns in exclude_modules); vllm quantization/utils/quant_utils.py is_layer_skipped.

#include "core/weights/namepattern.h"
#include "core/weights/tensors.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

class NameList {
public:
    void add(std::string_view pattern);
    /// Named whatever the layer.
    bool namesAlways(Trunk trunk, const Tensor &tensor) const;
    /// Named in this layer by an entry that tells layers apart.
    bool namesInLayer(Trunk trunk, std::int64_t layer, const Tensor &tensor) const;
    bool tellsLayersApart() const { return !m_byLayer.empty() || !m_layerPatterns.empty(); }
    /// The first expression that could not be read; empty when all could.
    const std::string &notUnderstood() const { return m_notUnderstood; }

private:
    struct Entry {
        std::string_view words;
        bool shell = false;
        bool names(std::string_view name) const;
    };
    void addPattern(std::string_view text, bool expression);
    bool addLayerName(std::string_view pattern);

    std::vector<std::string_view> m_plain;
    std::vector<NamePattern> m_patterns;
    std::vector<NamePattern> m_draftPatterns; ///< that begin with "mtp"
    std::vector<NamePattern> m_layerPatterns; ///< with a digit: their answer may differ from layer to layer
    std::map<std::int64_t, std::vector<Entry>> m_byLayer;      ///< of the stack
    std::map<std::int64_t, std::vector<Entry>> m_draftByLayer; ///< below "mtp."
    std::string m_notUnderstood;
};

} // namespace kv
