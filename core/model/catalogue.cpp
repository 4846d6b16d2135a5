// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/catalogue.h"

#include "core/base/embedded.h"
#include "core/base/plaintext.h"
#include "core/base/smallfile.h"
#include "core/base/units.h"
#include "core/model/configreader.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace kv {

namespace {

constexpr std::int64_t largestPreset = 16 * mebibyte;

std::string textOf(const Json &root, std::string_view key) {
    const Json *value = root.find(key);
    return value && value->isString() ? value->text() : std::string();
}

std::int64_t countOf(const Json &root, std::string_view key) {
    const Json *value = root.find(key);
    return value && value->kind() == Json::Kind::Integer && value->integer() > 0 ? value->integer() : 0;
}

Preset readPreset(const Json &root, bool own) {
    Preset preset;
    preset.id = textOf(root, "id");
    preset.name = textOf(root, "name");
    preset.maker = textOf(root, "maker");
    preset.repository = textOf(root, "repository");
    preset.kind = textOf(root, "kind");
    preset.license = textOf(root, "license");
    preset.release = textOf(root, "release");
    preset.source = textOf(root, "source");
    preset.nativeType = textOf(root, "native_dtype");
    preset.parameters = countOf(root, "parameters");
    preset.checkpointBytes = countOf(root, "checkpoint_bytes");
    preset.own = own;
    if (preset.name.empty())
        preset.name = preset.id;
    return preset;
}

/// A file with an id and a config; anything else in the folder is not a preset.
bool isPreset(const Parsed<Json> &root) {
    const Json *config = root && root->isObject() ? root->find("config") : nullptr;
    return config && config->isObject() && !textOf(*root, "id").empty();
}

constexpr std::string_view embeddedFolder = "models/";

/// The user's own presets, with the text of each: there are few, and all must be looked at, since the id stands inside.
struct OwnPreset {
    Preset preset;
    Json config;
};

const std::vector<OwnPreset> &ownPresets() {
    static const std::vector<OwnPreset> list = [] {
        std::vector<OwnPreset> found;
        for (const std::string &path : userFiles("models")) {
            const Parsed<std::string> text = readSmallFile(path, largestPreset);
            if (!text)
                continue;
            const Parsed<Json> root = parseJson(*text, oneLine(path));
            if (isPreset(root))
                found.push_back({readPreset(*root, true), *root->find("config")});
        }
        return found;
    }();
    return list;
}

bool hasOwn(std::string_view id) {
    return std::ranges::any_of(ownPresets(), [id](const OwnPreset &own) { return own.preset.id == id; });
}

std::vector<Preset> readAll() {
    std::vector<Preset> list;
    for (const OwnPreset &own : ownPresets())
        list.push_back(own.preset);
    for (const EmbeddedFile &file : embeddedFiles()) {
        if (!file.path.starts_with(embeddedFolder))
            continue;
        const Parsed<Json> root = parseJson(file.content, file.path);
        if (isPreset(root) && !hasOwn(textOf(*root, "id")))
            list.push_back(readPreset(*root, false));
    }
    std::ranges::stable_sort(list, [](const Preset &a, const Preset &b) { return a.maker < b.maker; });
    return list;
}

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

using Model = Parsed<std::shared_ptr<const ModelSpec>>;

Model readModel(const Json &config, std::string_view id, std::string_view name) {
    Model model = readConfig(config, name, "preset " + std::string(id));
    if (model.value && *model.value) {
        ModelSpec spec = **model.value;
        spec.presetId = id;
        model.value = std::make_shared<const ModelSpec>(std::move(spec));
    }
    return model;
}

Model unknownPreset(std::string_view id) {
    std::vector<std::string_view> known;
    for (const Preset &preset : presets())
        known.push_back(preset.id);
    const std::string shown = oneLine(id, 200);
    std::string text = "model.preset: there is no preset \"" + shown + "\"";
    if (const std::string_view near = nearestName(id, known); !near.empty())
        text += "; did you mean \"" + std::string(near) + "\"?";
    return {std::nullopt, {errorNote("unknown-preset", "model.preset", text + " (kvplanner models lists all)")}};
}

/// An embedded preset lies in models/<id>.json, so that one is found without reading the others.
Model readById(std::string_view id) {
    for (const OwnPreset &own : ownPresets())
        if (own.preset.id == id)
            return readModel(own.config, id, own.preset.name);
    const std::string path = std::string(embeddedFolder) + std::string(id) + ".json";
    const auto files = embeddedFiles();
    const auto file = std::ranges::lower_bound(files, path, {}, &EmbeddedFile::path);
    if (file == files.end() || file->path != path) {
        const Preset *named = findPreset(id);
        return named && named->id != id ? readById(named->id) : unknownPreset(id);
    }
    const Parsed<Json> root = parseJson(file->content, file->path);
    if (!isPreset(root))
        return unknownPreset(id);
    return readModel(*root->find("config"), id, textOf(*root, "name"));
}

} // namespace

std::span<const Preset> presets() {
    static const std::vector<Preset> list = readAll();
    return list;
}

const Preset *findPreset(std::string_view id) {
    const std::span<const Preset> list = presets();
    auto found = std::ranges::find(list, id, &Preset::id);
    if (found == list.end() && id.find('/') != std::string_view::npos) // the Hub takes a repository's name in any case
        found = std::ranges::find_if(list, [id](const Preset &preset) { return std::ranges::equal(preset.repository, id, {}, lowered, lowered); });
    return found == list.end() ? nullptr : &*found;
}

Parsed<std::shared_ptr<const ModelSpec>> presetModel(std::string_view id) {
    static std::mutex mutex;
    static std::map<std::string, Model, std::less<>> known;
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(id); found != known.end())
        return found->second;
    Model model = readById(id);
    // Misspelt ids are not kept: a long batch of them would only fill the memory.
    return model ? known.emplace(std::string(id), std::move(model)).first->second : model;
}

} // namespace kv
