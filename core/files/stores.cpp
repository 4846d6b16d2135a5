// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/stores.h"

#include "core/base/environment.h"
#include "core/files/checkpoint.h"
#include "core/files/configfile.h"
#include "core/files/folder.h"
#include "core/files/gguf.h"
#include "core/files/hubrepository.h"
#include "core/files/modelfolder.h"
#include "core/files/ollama.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace kv {

namespace {

constexpr std::size_t mostModels = 10'000;

bool isNameLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool isWeights(std::string_view name) {
    return name.ends_with(".safetensors") || name.ends_with(".gguf") || isPickleName(name);
}

class Lister {
public:
    explicit Lister(std::vector<StoredModel> &models) : m_models(models) {}

    void hub(const std::string &folder) {
        for (const std::string &name : folderNames(folder)) {
            const std::string path = inside(folder, name);
            if (!isHubRepository(path))
                continue;
            const Parsed<std::string> snapshot = hubSnapshot(path);
            if (snapshot)
                snapshotModels(hubRepositoryName(name), path, *snapshot);
        }
    }

    /// <publisher>/<model>/<file>.gguf, or a folder with a config.json.
    void lmStudio(const std::string &folder) {
        for (const std::string &publisher : folderNames(folder))
            for (const std::string &model : folderNames(inside(folder, publisher)))
                files(StoreKind::LmStudio, inside(publisher, model), inside(inside(folder, publisher), model));
    }

    void ollama(const std::string &folder) {
        if (!isOllamaStore(folder))
            return;
        for (const OllamaModel &model : ollamaModels(folder)) {
            const Parsed<Json> manifest = readJsonFile(model.manifest);
            const Parsed<OllamaBlob> blob = manifest ? ollamaBlob(*manifest, model.manifest) : Parsed<OllamaBlob>{};
            if (blob)
                add(StoreKind::Ollama, model.name, model.manifest, blob->size);
        }
    }

private:
    void add(StoreKind store, std::string name, std::string path, Bytes size) {
        if (m_models.size() < mostModels)
            m_models.push_back({store, std::move(name), std::move(path), size});
    }

    void snapshotModels(const std::string &name, const std::string &repository, const std::string &snapshot) {
        const std::size_t before = m_models.size();
        files(StoreKind::Hub, name, snapshot);
        // The repository's own path outlives its snapshots; only one of several files has to be named in full.
        if (m_models.size() == before + 1 && m_models.back().path == snapshot)
            m_models.back().path = repository;
    }

    /// One model for a checkpoint, one for each GGUF.
    void files(StoreKind store, const std::string &name, const std::string &folder) {
        const std::vector<FolderEntry> entries = listFolder(folder);
        std::vector<std::string> names;
        for (const FolderEntry &entry : entries)
            if (entry.kind == EntryKind::File)
                names.push_back(entry.name);
        const std::vector<std::string> ggufs = ggufModels(names);
        if (std::ranges::binary_search(names, "config.json") || std::ranges::binary_search(names, "params.json"))
            add(store, name, folder, checkpointSize(entries));
        else if (ggufs.size() == 1)
            add(store, name, folder, ggufSize(entries, ggufs.front()));
        else
            for (const std::string &gguf : ggufs)
                add(store, inside(name, gguf), inside(folder, gguf), ggufSize(entries, gguf));
    }

    static Bytes checkpointSize(const std::vector<FolderEntry> &entries) {
        Bytes safetensors, others;
        for (const FolderEntry &entry : entries)
            if (entry.kind == EntryKind::File && isWeights(entry.name))
                (entry.name.ends_with(".safetensors") ? safetensors : others) += Bytes(entry.size);
        return safetensors.value > 0 ? safetensors : others;
    }

    static Bytes ggufSize(const std::vector<FolderEntry> &entries, const std::string &name) {
        const SplitName split = splitName(name);
        Bytes size;
        for (const FolderEntry &entry : entries)
            if (entry.name == name || (split.count > 1 && splitName(entry.name).count == split.count &&
                                       splitName(entry.name).prefix == split.prefix))
                size += Bytes(entry.size);
        return size;
    }

    std::vector<StoredModel> &m_models;
};

} // namespace

std::string expanded(std::string text, const Environment &environment) {
    if (text == "~" || text.starts_with("~/"))
        text.replace(0, 1, environment.home);
    for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1)) {
        const bool braced = at + 1 < text.size() && text[at + 1] == '{';
        std::size_t end = at + (braced ? 2 : 1);
        const std::size_t begin = end;
        while (end < text.size() && isNameLetter(text[end]))
            ++end;
        const std::string value = environment.variable(text.substr(begin, end - begin));
        if (braced && (end == text.size() || text[end++] != '}'))
            continue;
        if (!value.empty())
            text.replace(at, end - at, value);
    }
    return text;
}

std::string hubHome(const Environment &environment) {
    if (const std::string value = environment.variable("HF_HOME"); !value.empty())
        return expanded(value, environment);
    const std::string cache = environment.variable("XDG_CACHE_HOME");
    return (cache.empty() ? environment.home + "/.cache" : expanded(cache, environment)) + "/huggingface";
}

std::string hubCache(const Environment &environment) {
    for (const char *name : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"})
        if (const std::string value = environment.variable(name); !value.empty())
            return expanded(value, environment);
    return hubHome(environment) + "/hub";
}

std::string_view storeName(StoreKind kind) {
    switch (kind) {
    case StoreKind::Hub:
        return "Hugging Face";
    case StoreKind::LmStudio:
        return "LM Studio";
    case StoreKind::Ollama:
        return "Ollama";
    }
    return {};
}

Environment systemEnvironment() {
    const auto variable = [](const std::string &name) { return environmentValue(name).value_or(std::string()); };
    return {variable, variable("HOME")};
}

std::vector<StorePlace> storePlaces(const Environment &environment) {
    std::vector<StorePlace> places;
    const auto offer = [&](StoreKind kind, const std::string &folder) {
        if (entryKind(folder) == EntryKind::Folder)
            places.push_back({kind, folder});
    };
    offer(StoreKind::Hub, hubCache(environment));
    offer(StoreKind::LmStudio, environment.home + "/.lmstudio/models");
    if (const std::string given = environment.variable("OLLAMA_MODELS"); !given.empty()) {
        offer(StoreKind::Ollama, expanded(given, environment));
    } else {
        offer(StoreKind::Ollama, environment.home + "/.ollama/models");
        offer(StoreKind::Ollama, environment.systemOllama);
    }
    return places;
}

std::vector<StoredModel> listStores(const Environment &environment) {
    std::vector<StoredModel> models;
    Lister lister(models);
    for (const StorePlace &place : storePlaces(environment)) {
        if (place.store == StoreKind::Hub)
            lister.hub(place.folder);
        else if (place.store == StoreKind::LmStudio)
            lister.lmStudio(place.folder);
        else
            lister.ollama(place.folder);
    }
    std::ranges::sort(models, {}, [](const StoredModel &m) { return std::tie(m.store, m.name); });
    return models;
}

} // namespace kv
