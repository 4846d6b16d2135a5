// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/ollama.h"

#include "core/files/folder.h"
#include "core/files/shown.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace kv {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view modelLayer = "application/vnd.ollama.image.model";
constexpr std::string_view tensorLayer = "application/vnd.ollama.image.tensor";
constexpr std::string_view ownHost = "registry.ollama.ai";
constexpr std::string_view ownNamespace = "library";
constexpr std::size_t mostModels = 10'000;

std::string text(const Json &object, std::string_view key) {
    const Json *value = object.find(key);
    return value && value->isString() ? value->text() : std::string();
}

/// "sha256:" and 64 hex digits; some manifests write a dash.
bool isDigest(std::string_view digest) {
    const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
    return digest.size() == 71 && (digest.starts_with("sha256:") || digest.starts_with("sha256-")) &&
           std::ranges::all_of(digest.substr(7), hex);
}

std::string modelName(std::string_view host, std::string_view space, std::string_view model, std::string_view tag) {
    std::string name;
    if (host != ownHost)
        name.append(host).append("/");
    if (host != ownHost || space != ownNamespace)
        name.append(space).append("/");
    return name.append(model).append(":").append(tag);
}

/// The store that a manifest lies in: the folder above the nearest "manifests" that has "blobs" beside it.
fs::path storeOf(const fs::path &manifest) {
    std::error_code error;
    fs::path at = fs::absolute(manifest, error).lexically_normal();
    for (int level = 0; level < 8 && at.has_relative_path(); ++level, at = at.parent_path())
        if (at.filename() == "manifests" && entryKind((at.parent_path() / "blobs").string()) == EntryKind::Folder)
            return at.parent_path();
    return {};
}

} // namespace

bool isOllamaStore(const std::string &folder) {
    return entryKind(folder + "/manifests") == EntryKind::Folder && entryKind(folder + "/blobs") == EntryKind::Folder;
}

bool isOllamaManifest(const Json &root) {
    return root.isObject() && root.find("schemaVersion") && root.find("layers") && !root.find("model_type");
}

std::vector<OllamaModel> ollamaModels(const std::string &store) {
    std::vector<OllamaModel> models;
    const std::string top = store + "/manifests";
    for (const std::string &host : folderNames(top))
        for (const std::string &space : folderNames(inside(top, host)))
            for (const std::string &model : folderNames(inside(inside(top, host), space))) {
                const std::string folder = inside(inside(inside(top, host), space), model);
                for (const std::string &tag : folderNames(folder)) {
                    if (models.size() == mostModels)
                        return models;
                    models.push_back({modelName(host, space, model, tag), inside(folder, tag)});
                }
            }
    std::ranges::sort(models, {}, &OllamaModel::name);
    return models;
}

std::string ollamaName(const std::string &manifest) {
    const fs::path path(manifest);
    const fs::path store = storeOf(path);
    if (store.empty())
        return shown(baseName(manifest), 200);
    std::error_code error;
    std::vector<std::string> parts;
    for (const fs::path &part : fs::absolute(path, error).lexically_normal().lexically_relative(store / "manifests"))
        parts.push_back(part.string());
    return parts.size() == 4 ? modelName(parts[0], parts[1], parts[2], parts[3]) : shown(baseName(manifest), 200);
}

Parsed<OllamaBlob> ollamaBlob(const Json &manifest, const std::string &path) {
    const std::string name = ollamaName(path);
    const auto refused = [&](const char *code, const std::string &reason) {
        return Parsed<OllamaBlob>{std::nullopt,
                                  {errorNote(code, path, "The manifest of " + shown(name, 200) + " " + reason)}};
    };
    const Json *layers = manifest.find("layers");
    if (!layers || !layers->isArray())
        return refused("bad-manifest", "has no list of layers, so it names no model");
    const auto ofType = [](std::string_view type) {
        return [type](const Json &layer) { return layer.isObject() && text(layer, "mediaType") == type; };
    };
    const auto found = std::ranges::find_if(layers->items(), ofType(modelLayer));
    if (found == layers->items().end()) {
        if (std::ranges::any_of(layers->items(), ofType(tensorLayer)))
            return refused("no-model-layer",
                           "has a layer for each tensor and no GGUF file; name the model it was made from");
        return refused("no-model-layer", "has no model among its layers (" + std::string(modelLayer) + ")");
    }
    const std::string digest = text(*found, "digest");
    if (!isDigest(digest))
        return refused("bad-digest", "names its model by the digest \"" + shown(digest) +
                                         "\", which is no sha256 of 64 digits; nothing is opened");
    const fs::path store = storeOf(path);
    if (store.empty())
        return refused("missing-blob",
                       "lies in no store of Ollama (a folder with manifests and blobs), so its model cannot be found");
    OllamaBlob blob{(store / "blobs" / ("sha256-" + digest.substr(7))).string(), Bytes(0)};
    if (const Json *size = found->find("size"); size && size->kind() == Json::Kind::Integer && size->integer() > 0)
        blob.size = Bytes(size->integer());
    if (entryKind(blob.path) == EntryKind::Missing)
        return refused("missing-blob",
                       "names a blob that is missing: sha256-" + digest.substr(7, 12) + "…; pull the model again");
    return {std::move(blob), {}};
}

} // namespace kv
