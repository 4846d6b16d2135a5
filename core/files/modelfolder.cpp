// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/modelfolder.h"

#include "core/base/plaintext.h"
#include "core/files/checkpoint.h"
#include "core/files/configfile.h"
#include "core/files/folder.h"
#include "core/files/gguf.h"
#include "core/files/ggufsource.h"
#include "core/files/hubrecord.h"
#include "core/files/hubrepository.h"
#include "core/files/ollama.h"
#include "core/files/shown.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace kv {

namespace {

using Model = Parsed<std::shared_ptr<const ModelSpec>>;

Model refused(const char *code, const std::string &path, const std::string &reason) {
    const std::string where = oneLine(path);
    return {std::nullopt, {errorNote(code, where, where + ": " + reason)}};
}

Model withNotes(Notes before, Model model) {
    model.notes.insert(model.notes.begin(), std::make_move_iterator(before.begin()),
                       std::make_move_iterator(before.end()));
    return model;
}

/// "a, b, c and 12 more", so that a list of thousands stays a sentence.
std::string listed(const std::vector<std::string> &names) {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i > 0 ? ", " : "") + shown(names[i]);
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

/// What people call the folder: of a snapshot its repository.
std::string folderTitle(const std::string &path) {
    if (const std::string repository = hubRepositoryOf(path); !repository.empty())
        return hubRepositoryName(baseName(repository));
    if (const std::optional<HubRecord> fetched = readHubRecord(path))
        return fetched->repository;
    std::error_code error;
    const std::string absolute = std::filesystem::absolute(path, error).lexically_normal().string();
    return shown(baseName(error ? path : absolute), 200);
}

bool holds(const std::vector<std::string> &names, std::string_view name) {
    return std::ranges::binary_search(names, name);
}

bool hasSafetensors(const std::vector<std::string> &names) {
    return std::ranges::any_of(names, [](const std::string &name) {
        return name.ends_with(".safetensors") || name.ends_with(".safetensors.index.json");
    });
}

Model loadGgufIn(const std::string &folder, const std::string &name) {
    const std::string path = folder + "/" + name;
    Notes notes = checkHubLink(path);
    const std::optional<HubRecord> fetched = readHubRecord(folder);
    return hasError(notes) ? Model{std::nullopt, std::move(notes)} : loadGguf(path, fetched ? fetched->repository : std::string());
}

/// The checkpoint of a folder, or its GGUF where only the config of a checkpoint lies beside it.
Model loadConfigured(const std::string &path, const std::string &config, const std::vector<std::string> &names,
                     const std::vector<std::string> &ggufs) {
    if (ggufs.empty())
        return loadCheckpoint(path, path + "/" + config);
    if (ggufs.size() == 1 && !hasSafetensors(names))
        return withNotes(
            {warningNote("two-models", path,
                         shown(baseName(path), 200) + " holds a " + config + " and " + shown(ggufs.front()) +
                             ": the GGUF file is planned with; name the " + config + " to plan with that")},
            loadGgufIn(path, ggufs.front()));
    return withNotes({warningNote("two-models", path,
                                  shown(baseName(path), 200) + " holds GGUF files as well (" + listed(ggufs) +
                                      "): " + config + " is planned with; name one of them to plan with that")},
                     loadCheckpoint(path, path + "/" + config));
}

Model loadOllamaStore(const std::string &path) {
    const std::vector<OllamaModel> models = ollamaModels(path);
    if (models.size() == 1)
        return loadOllama(models.front().manifest);
    std::vector<std::string> names;
    names.reserve(models.size());
    for (const OllamaModel &model : models)
        names.push_back(model.name);
    return models.empty()
               ? refused("no-model-in-folder", path, "this store of Ollama holds no model")
               : refused("several-models", path,
                         "this store of Ollama holds several models; name the manifest of one: " + listed(names));
}

/// A folder whose models lie one level deeper: the Hub's cache.
Model loadHubCache(const std::string &path, const std::vector<std::string> &repositories) {
    if (repositories.size() == 1)
        return loadFolder(path + "/" + repositories.front());
    return refused("several-models", path, "this folder holds several repositories; name one: " + listed(repositories));
}

Model nothingFound(const std::string &path, const std::vector<std::string> &names) {
    if (hasSafetensors(names))
        return refused("no-model-in-folder", path,
                       "there are safetensors but no config.json, so the weights are known and the attention is not; "
                       "fetch the model's config.json");
    if (std::ranges::any_of(names, isPickleName))
        return refused(
            "no-model-in-folder", path,
            "there is no config.json, and pickles (.bin, .pt, .pth) are never opened; fetch the model's config.json");
    return refused("no-model-in-folder", path, "there is no config.json, params.json or .gguf in this folder");
}

/// What is said of weights that are counted from the config: untrue where the files give their bytes.
constexpr std::array<std::string_view, 4> doubtsOfCounting{"tower-not-counted", "weights-unchecked", "weights-unknown", "quantisation-unknown"};

/// Where the files of a folder were fetched from.
Notes sourceNotes(const std::string &path) {
    const std::optional<HubRecord> fetched = readHubRecord(path);
    if (!fetched)
        return {};
    return {infoNote("from-hub", path,
                     "The config and the headers of the weights were fetched from " + fetched->endpoint + ": " + fetched->repository + " at " + fetched->commit)};
}

Model loadFilesOf(const std::string &path) {
    if (isHubRepository(path)) {
        Parsed<std::string> snapshot = hubSnapshot(path);
        return snapshot ? withNotes(std::move(snapshot.notes), loadFolder(*snapshot))
                        : Model{std::nullopt, std::move(snapshot.notes)};
    }
    if (isOllamaStore(path))
        return loadOllamaStore(path);
    const std::vector<std::string> names = folderNames(path);
    const std::vector<std::string> ggufs = ggufModels(names);
    // config.json first: where both lie in a folder, params.json is the maker's own form of the same model.
    for (const char *config : {"config.json", "params.json"})
        if (holds(names, config))
            return loadConfigured(path, config, names, ggufs);
    if (ggufs.size() == 1)
        return loadGgufIn(path, ggufs.front());
    if (ggufs.size() > 1)
        return refused("several-models", path,
                       "this folder holds several models; choose one and name its file: " + listed(ggufs));
    std::vector<std::string> repositories;
    std::ranges::copy_if(names, std::back_inserter(repositories),
                         [&](const std::string &name) { return isHubRepository(path + "/" + name); });
    return repositories.empty() ? nothingFound(path, names) : loadHubCache(path, repositories);
}

} // namespace

std::vector<std::string> ggufModels(const std::vector<std::string> &names) {
    std::vector<std::string> models;
    for (const std::string &name : names) {
        if (!name.ends_with(".gguf") || name.starts_with("mmproj") || name.find("-mmproj") != std::string::npos)
            continue;
        const SplitName split = splitName(name);
        // The first part stands for its model; where it is missing any other does, so that the gap is said.
        if (split.count > 1 && split.number > 1 && holds(names, splitPart(split, 1)))
            continue;
        if (split.count > 1 && !models.empty() && splitName(models.back()).count > 1 &&
            splitName(models.back()).prefix == split.prefix)
            continue;
        models.push_back(name);
    }
    return models;
}

Model loadCheckpoint(const std::string &folder, const std::string &config, const std::string &only) {
    Notes notes = checkHubLink(config);
    if (hasError(notes))
        return {std::nullopt, std::move(notes)};
    Parsed<Json> root = readJsonFile(config);
    if (!root)
        return {std::nullopt, std::move(root.notes)};
    Model model =
        withNotes(std::move(root.notes), readConfigTree(std::move(*root.value), config, folder, folderTitle(folder)));
    if (!model)
        return model;
    FoundWeights found = folderWeights(folder, **model, only);
    if (found.weights)
        std::erase_if(model.notes, [](const Note &note) { return std::ranges::find(doubtsOfCounting, note.code) != doubtsOfCounting.end(); });
    model.notes.insert(model.notes.end(), found.notes.begin(), found.notes.end());
    if (hasError(found.notes)) {
        model.value.reset();
    } else if (found.weights) {
        auto complete = std::make_shared<ModelSpec>(**model);
        complete->weights = std::move(*found.weights);
        model.value = std::move(complete);
    }
    return model;
}

Model loadOllama(const std::string &manifest) {
    Parsed<Json> root = readJsonFile(manifest);
    if (!root)
        return {std::nullopt, std::move(root.notes)};
    Parsed<OllamaBlob> blob = ollamaBlob(*root, manifest);
    if (!blob)
        return {std::nullopt, std::move(blob.notes)};
    return loadGguf(blob->path, ollamaName(manifest));
}

Model loadFolder(const std::string &path) {
    if (Notes source = sourceNotes(path); !source.empty())
        return withNotes(std::move(source), loadFilesOf(path));
    return loadFilesOf(path);
}

} // namespace kv
