// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/modelsource.h"

#include "core/base/plaintext.h"
#include "core/files/checkpoint.h"
#include "core/files/configfile.h"
#include "core/files/folder.h"
#include "core/files/gguf.h"
#include "core/files/ggufsource.h"
#include "core/files/hubrepository.h"
#include "core/base/inputfile.h"
#include "core/files/modelfolder.h"
#include "core/files/ollama.h"
#include "core/files/shown.h"

#include <filesystem>

namespace kv {

namespace {

using Model = Parsed<std::shared_ptr<const ModelSpec>>;

Model refused(const char *code, const std::string &path, const std::string &reason) {
    const std::string where = oneLine(path);
    return {std::nullopt, {errorNote(code, where, where + ": " + reason)}};
}

std::string folderOf(const std::string &path) {
    const std::string parent = std::filesystem::path(path).parent_path().string();
    return parent.empty() ? "." : parent;
}

/// Safetensors and indexes hold the weights; what the layers are stands in the config beside them.
Model loadBeside(const std::string &path, const std::string &only) {
    const std::string folder = folderOf(path);
    for (const char *config : {"config.json", "params.json"})
        if (entryKind(folder + "/" + config) != EntryKind::Missing)
            return loadCheckpoint(folder, folder + "/" + config, only);
    return refused("no-config", path,
                   "there is no config.json beside it: the weights are known, but not the attention; put the model's "
                   "config.json into the same folder");
}

/// A JSON file: a config.json, a params.json, a manifest of Ollama, or something that is said to be none of them.
Model loadJson(const std::string &path) {
    Parsed<Json> root = readJsonFile(path);
    if (!root)
        return {std::nullopt, std::move(root.notes)};
    if (root->isObject() && (root->find("kvplan") || root->find("scenarios")))
        return refused("not-a-model", path,
                       "this is a scenario of KV Planner, not a model's config.json; give it as --scenario");
    if (isOllamaManifest(*root))
        return loadOllama(path);
    if (root->isObject() && root->find("weight_map"))
        return loadBeside(path, {});
    if (baseName(path) == "config.json" || baseName(path) == "params.json")
        return loadCheckpoint(folderOf(path), path);
    Model model = readConfigTree(std::move(*root.value), path, {}, {});
    model.notes.insert(model.notes.begin(), root.notes.begin(), root.notes.end());
    return model;
}

/// The first bytes tell what a file is, its name only where they tell nothing.
Model loadFile(const std::string &path) {
    if (isPickleName(path))
        return refused("pickle", path,
                       "this is a pickle, which is never opened: reading one can run code; name the model's folder or "
                       "its config.json");
    Parsed<InputFile> file = InputFile::open(path);
    if (!file)
        return {std::nullopt, std::move(file.notes)};
    char start[4];
    const std::string_view magic(start, file->readAt(0, start, sizeof start));
    if (magic == ggufMagic || path.ends_with(".gguf"))
        return loadGguf(path);
    if (magic == "PK\x03\x04" && !path.ends_with(".safetensors"))
        return refused("pickle", path,
                       "this is an archive, such as a PyTorch pickle, which is never opened; name the model's folder "
                       "or its config.json");
    if (path.ends_with(".safetensors"))
        return loadBeside(path, std::string(baseName(path)));
    if (path.ends_with(".safetensors.index.json"))
        return loadBeside(path, {});
    return loadJson(path);
}

/// A plan shows the notes of its model: those that arose around the model go with it.
Model keepNotes(Model model) {
    if (model && *model && (*model)->notes != model.notes) {
        auto complete = std::make_shared<ModelSpec>(**model);
        complete->notes = model.notes;
        model.value = std::move(complete);
    }
    return model;
}

} // namespace

Parsed<std::shared_ptr<const ModelSpec>> loadModel(const std::string &path) {
    if (path.empty() || path.find('\0') != std::string::npos)
        return refused("no-such-file", path, "this is no path of a file or a folder");
    if (entryKind(path) == EntryKind::Folder)
        return keepNotes(loadFolder(path));
    Notes link = checkHubLink(path);
    return hasError(link) ? Model{std::nullopt, std::move(link)} : keepNotes(loadFile(path));
}

} // namespace kv
