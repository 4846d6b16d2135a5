// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The models that other programs have already put on this machine: the Hub's cache, LM Studio's folder, Ollama's store. Listed by names and
// sizes alone: no model file is opened, and of Ollama only the manifests are read.
//
// Places: Hub: HF_HUB_CACHE, else HUGGINGFACE_HUB_CACHE, else $HF_HOME/hub, else $XDG_CACHE_HOME/huggingface/hub, else ~/.cache/huggingface/hub
// (huggingface_hub, src/huggingface_hub/constants.py). Ollama: OLLAMA_MODELS, else ~/.ollama/models and /usr/share/ollama/.ollama/models (ollama,
// envconfig/config.go, docs/faq). LM Studio: ~/.lmstudio/models (its documentation, "Import models"). "~" and $NAME in a variable are expanded.

#include "core/base/units.h"

#include <functional>
#include <string>
#include <vector>

namespace kv {

enum class StoreKind : std::uint8_t { Hub, LmStudio, Ollama };
std::string_view storeName(StoreKind kind); ///< "Hugging Face", "LM Studio", "Ollama"

struct StoredModel {
    StoreKind store{};
    std::string name; ///< "meta-llama/Llama-3.1-8B", "qwen3:8b"
    std::string path; ///< what loadModel takes
    Bytes size;       ///< of its weights as stored; 0: nothing but the config is there
    bool operator==(const StoredModel &) const = default;
};

/// What the places depend on; read from the process by systemEnvironment(), made up by tests.
struct Environment {
    std::function<std::string(const std::string &)> variable; ///< empty where it is not set
    std::string home;
    std::string systemOllama = "/usr/share/ollama/.ollama/models"; ///< of the service's own user
};
Environment systemEnvironment();

/// "~/models" and "$DATA/models", as os.path.expanduser and expandvars have it.
std::string expanded(std::string text, const Environment &environment);
/// Where huggingface_hub keeps what is its own: the token, and hub/, its cache.
std::string hubHome(const Environment &environment);
std::string hubCache(const Environment &environment);

struct StorePlace {
    StoreKind store{};
    std::string folder;
};
/// The folders that exist, in the order they are searched.
std::vector<StorePlace> storePlaces(const Environment &environment);

/// All models of all stores, by store and name; a store that cannot be read has none.
std::vector<StoredModel> listStores(const Environment &environment);

} // namespace kv
