// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which files of a folder are the model's safetensors, where no index says so. Names alone decide; nothing is opened.
// Sources: transformers utils/__init__.py SAFE_WEIGHTS_NAME and SAFE_WEIGHTS_INDEX_NAME; huggingface_hub serialization/_base.py
// split_state_dict_into_shards_factory (the numbers of shards); consolidated.safetensors as Mistral publishes and vLLM reads them
// (model_executor/model_loader/default_loader.py); August 2026.

#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct ShardSet {
    std::vector<std::string> files;   ///< by name
    std::vector<std::string> missing; ///< of "…-00001-of-00003", what the names say should be there
    std::string remark;               ///< what was decided between several; empty: nothing
};

/// `names`: all names in the folder. `only`: the file that the user named; its own set is taken then.
ShardSet findShards(const std::vector<std::string> &names, std::string_view only = {});

/// The index to follow: model.safetensors.index.json, else the only other one; empty: none.
std::string findIndex(const std::vector<std::string> &names);

} // namespace kv
