// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From a config.json (the text, or the tree) to a ModelSpec, layer by layer, or to the reason why not.
//
// The language model is found first (nested text_config and its like), then its family by model_type (families.h), which says where the
// layers' kinds stand. Facts that a nested block leaves out come from the class defaults of its model_type (defaults.h), each marked so;
// a flat file without its layers or heads is refused, naming the key.

#include "core/model/modelspec.h"

#include <string_view>

namespace kv {

/// `source` names the input in messages; `name` is how the model is called (empty: from the config or the source).
Parsed<std::shared_ptr<const ModelSpec>> readConfig(const Json &config, std::string_view name, std::string_view source);
/// The same without a copy of the tree, which the model keeps.
Parsed<std::shared_ptr<const ModelSpec>> readConfig(std::shared_ptr<const Json> config, std::string_view name, std::string_view source);
Parsed<std::shared_ptr<const ModelSpec>> readConfigText(std::string_view text, std::string_view name, std::string_view source);

} // namespace kv
