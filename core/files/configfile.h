// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A JSON file that describes a model: a config.json, or the params.json of Mistral and of the first Llamas. A hf_quant_config.json beside a
// config.json that says nothing of quantisation is read into it: NVIDIA's ModelOpt writes the scheme and the type of the KV cache
// there. Source: ModelOpt, torch/export (hf_quant_config.json); vLLM, transformers_utils/config.py (get_hf_file_to_dict of it), 0.24.

#include "core/base/json.h"
#include "core/model/modelspec.h"

#include <string>

namespace kv {

/// The tree of a JSON file of at most maxConfigBytes.
Parsed<Json> readJsonFile(const std::string &path);

/// `root`: what readJsonFile gave for the path. `folder`: where to look for hf_quant_config.json; empty: nowhere.
Parsed<std::shared_ptr<const ModelSpec>> readConfigTree(Json root, const std::string &path, const std::string &folder,
                                                        std::string_view name);

} // namespace kv
