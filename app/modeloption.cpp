// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/modeloption.h"

#include "core/base/plaintext.h"
#include "core/launch/modelword.h"
#include "core/model/catalogue.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace kv {

namespace {

namespace fs = std::filesystem;

bool endsLikeAFile(const std::string &text) {
    static constexpr std::array<std::string_view, 4> ends{".json", ".gguf", ".safetensors", ".kvplan"};
    return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

/// org/name, as the Hub calls a repository.
bool isRepositoryName(const std::string &given) {
    return std::ranges::count(given, '/') == 1 && given.front() != '/' && given.front() != '.' && given.front() != '~' && given.back() != '/' && !endsLikeAFile(given);
}

Note noSuchModel(const std::string &given) {
    const std::string shown = oneLine(given, 200);
    std::string text = "--model: there is no such file as " + shown + ", and no preset of this repository; kvplanner models lists the presets";
#ifdef KV_HAS_UI
    text += ", and kvplanner hub " + shown + " fetches the model and prints the path to give here";
#endif
    return errorNote("no-such-file", "--model", std::move(text));
}

/// The network is used on request alone, and planning is none.
Note notFetched() {
#ifdef KV_HAS_UI
    return errorNote("not-fetched", "--model", "--model: nothing is fetched while planning; kvplanner hub NAME fetches the model and prints the path to give here");
#else
    return errorNote("not-fetched", "--model", "--model: this build has no network; give a config.json, a model folder or a preset's id");
#endif
}

} // namespace

std::string pathFor(const std::string &path, const std::string &folder) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    return folder.empty() || error ? path : absolute.string();
}

Json modelOf(const std::string &given, const std::string &folder, Notes &notes) {
    if (given.starts_with("hf://") || given.starts_with("https://"))
        notes.push_back(notFetched());
    Json model = Json::object();
    std::error_code error;
    const bool exists = fs::symlink_status(given, error).type() != fs::file_type::not_found && !error;
    const bool path = given.find('/') != std::string::npos || endsLikeAFile(given);
    if (!path && (!exists || presetModel(given))) {
        model.set("preset", given);
        return model;
    }
    if (!exists && isRepositoryName(given)) {
        std::optional<Note> alike;
        if (const Preset *preset = presetCalled(given, alike)) {
            if (alike)
                notes.push_back(std::move(*alike));
            model.set("preset", preset->id);
            return model;
        }
        notes.push_back(noSuchModel(given));
    }
    model.set("path", pathFor(given, folder));
    return model;
}

} // namespace kv
