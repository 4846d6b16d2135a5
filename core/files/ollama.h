// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ollama's store: manifests/<host>/<namespace>/<model>/<tag> (JSON: layers with mediaType, digest, size) and blobs/sha256-<64 hex digits>.
//
// The layer application/vnd.ollama.image.model is a GGUF file; the others (template, params, licence, projector, adapter) are not the model.
// A digest that is no 64 hex digits never becomes a path. Source: ollama, manifest/manifest.go, manifest/paths.go (BlobsPath),
// envconfig/config.go (OLLAMA_MODELS), August 2026.

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/base/units.h"

#include <string>
#include <vector>

namespace kv {

struct OllamaModel {
    std::string name;     ///< "qwen3:8b", "someone/model:latest", with the host when it is another than Ollama's own
    std::string manifest; ///< path
};

bool isOllamaStore(const std::string &folder);
/// Whether JSON that was read is a manifest, well-formed or not.
bool isOllamaManifest(const Json &root);

/// All models of a store, by name.
std::vector<OllamaModel> ollamaModels(const std::string &store);
/// How the model of a manifest's path is called; its file name when the path lies in no store.
std::string ollamaName(const std::string &manifest);

struct OllamaBlob {
    std::string path;
    Bytes size; ///< as the manifest says
};
/// The GGUF file that a manifest names. Codes: "bad-manifest", "no-model-layer", "bad-digest", "missing-blob".
Parsed<OllamaBlob> ollamaBlob(const Json &manifest, const std::string &path);

} // namespace kv
