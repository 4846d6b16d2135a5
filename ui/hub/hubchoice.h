// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which files of a repository say what its model is: a config with the headers of its safetensors, or one GGUF file. Of names alone,
// by the same rules as a folder on disk (core/files/modelfolder.h). Codes: "hub-no-model", "hub-not-found".

#include "ui/hub/hubname.h"

#include <QStringList>

#include <string>
#include <vector>

namespace kv {

struct HubChoice {
    std::string config;               ///< "config.json" or "params.json"; empty: no checkpoint
    std::vector<std::string> whole;   ///< files to fetch whole: the config, ModelOpt's file, the index
    std::string index;                ///< empty: none
    std::vector<std::string> shards;  ///< whose headers hold the weights, where no index says which
    std::vector<std::string> all;     ///< every name of the repository, in order
    std::string gguf;                 ///< the only or the chosen one; of a split model its first part
    std::vector<std::string> several; ///< models to choose from: each is a HubName::file
    Notes notes;
};

/// `names`: all files of the repository. Names that would lead out of a folder are left out.
HubChoice chooseFiles(std::vector<std::string> names, const HubName &asked);

/// The GGUF models among files in several folders.
std::vector<std::string> ggufsOf(const std::vector<std::string> &names);

} // namespace kv
