// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/modelsource.h"

#include "core/base/plaintext.h"
#include "core/files/mistralparams.h"
#include "core/model/configreader.h"

#include <array>
#include <filesystem>

namespace kv {

namespace {

namespace fs = std::filesystem;

using Model = Parsed<std::shared_ptr<const ModelSpec>>;

Model refused(const char *code, const std::string &path, const std::string &reason) {
    const std::string shown = oneLine(path);
    return {std::nullopt, {errorNote(code, shown, shown + ": " + reason)}};
}

/// A JSON file: a config.json, a params.json, or something that is said to be neither.
Model loadConfigFile(const std::string &path) {
    const Parsed<std::string> text = readSmallFile(path, maxConfigBytes);
    if (!text)
        return {std::nullopt, text.notes};
    const std::string source = oneLine(path);
    const Parsed<Json> root = parseJson(*text, source);
    if (!root)
        return {std::nullopt, root.notes};
    if (root->isObject() && (root->find("kvplan") || root->find("scenarios")))
        return refused("not-a-model", path, "this is a scenario of KV Planner, not a model's config.json; give it as --scenario");
    Model model = isMistralParams(*root) ? readConfig(configFromMistralParams(*root), {}, source) : readConfig(*root, {}, source);
    model.notes.insert(model.notes.begin(), root.notes.begin(), root.notes.end());
    return model;
}

Model loadFolder(const std::string &path) {
    // config.json first: where both lie in a folder, params.json is the maker's own form of the same model.
    static constexpr std::array names{"config.json", "params.json"};
    for (const char *name : names) {
        const std::string file = (fs::path(path) / name).string();
        std::error_code error;
        // A link that leads nowhere is a broken model, not a missing one: reading it gives the reason.
        if (fs::symlink_status(file, error).type() != fs::file_type::not_found)
            return loadConfigFile(file);
    }
    return refused("no-model-in-folder", path, "there is no config.json (and no params.json) in this folder");
}

} // namespace

Parsed<std::shared_ptr<const ModelSpec>> loadModel(const std::string &path) {
    std::error_code error;
    return fs::is_directory(path, error) ? loadFolder(path) : loadConfigFile(path);
}

} // namespace kv
