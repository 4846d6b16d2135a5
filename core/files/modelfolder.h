// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A folder as a model, whatever kind of folder it is: a checkpoint (config.json or params.json, safetensors beside it), a folder of
// GGUF files (LM Studio), a repository or a snapshot of the Hub's cache, that cache itself, Ollama's store.
//
// What lies in it decides, its name only where a store prescribes it. One model: that one. Several: refused with their names, for the user
// to choose. A projector (mmproj*) is never the model; parts of one split GGUF are one model. With both forms in a folder the checkpoint
// is the model and the GGUF files are mentioned, unless there are no safetensors: then the only GGUF is.

#include "core/model/modelspec.h"

#include <string>

namespace kv {

Parsed<std::shared_ptr<const ModelSpec>> loadFolder(const std::string &path);

/// A checkpoint whose config is `config` (a path in `folder`), with the weights of the folder, or of the file `only` in it.
Parsed<std::shared_ptr<const ModelSpec>> loadCheckpoint(const std::string &folder, const std::string &config,
                                                        const std::string &only = {});

/// The model of one Ollama manifest.
Parsed<std::shared_ptr<const ModelSpec>> loadOllama(const std::string &manifest);

/// The .gguf files of a folder that are models: no projectors, of split ones the first part.
std::vector<std::string> ggufModels(const std::vector<std::string> &names);

} // namespace kv
