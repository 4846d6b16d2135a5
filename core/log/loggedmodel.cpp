// SPDX-License-Identifier: GPL-3.0-or-later
//
// From the name in a log to a model: a file or folder of that path, a preset of that repository or name, a model of the stores on this
// machine, and last a preset of the same name but for the maker and the endings of its variants ("-Instruct", "-AWQ"), which is said:
// such a variant has the same layers, and other weights.
#include "core/log/reconcile.h"

#include "core/base/plaintext.h"
#include "core/files/modelsource.h"
#include "core/files/stores.h"
#include "core/model/catalogue.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace kv {

namespace {

std::string lower(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

std::string_view baseOf(std::string_view path) {
    while (path.ends_with('/'))
        path.remove_suffix(1);
    return path.substr(path.find_last_of("/\\") + 1);
}

/// Small letters and digits alone: "Gpt Oss 20b" and "gpt-oss-20b" are one name.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)))
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

/// The name without what only tells a variant apart, again and again: "Llama-3.3-70B-Instruct-FP8-dynamic" becomes "llama3.3-70b".
std::string familyName(std::string_view name) {
    static constexpr std::array<std::string_view, 32> endings{
        "-gguf", "-fp8-dynamic", "-fp8", "-awq", "-awq-int4", "-gptq", "-gptq-int4", "-gptq-int8", "-int4", "-int8", "-nvfp4",
        "-mxfp4", "-w4a16", "-w8a8", "-w8a16", "-bnb-4bit", "-4bit", "-8bit", "-bf16", "-instruct", "-it", "-chat", "-base", "-hf",
        "-unsloth", "-quantized.w4a16", "-quantized.w8a8", "-block", "-dynamic", "-fp16", "-autoround", "-pt"};
    std::string text = lower(name);
    std::ranges::replace(text, ' ', '-'); // GGUF files write "Qwen2.5 7B Instruct"
    for (bool cut = true; cut;) {
        cut = false;
        for (const std::string_view ending : endings)
            if (text.size() > ending.size() && text.ends_with(ending)) {
                text.resize(text.size() - ending.size());
                cut = true;
            }
    }
    if (text.starts_with("meta-"))
        text.erase(0, 5);
    return text;
}

/// Files name their quantisation last: "Qwen3-8B-Q4_K_M.gguf".
std::string_view withoutQuantisation(std::string_view file) {
    if (!file.ends_with(".gguf"))
        return file;
    file.remove_suffix(5);
    if (const std::size_t split = file.rfind("-00001-of-"); split != std::string_view::npos)
        file = file.substr(0, split);
    const std::size_t dash = file.find_last_of("-.");
    if (dash == std::string_view::npos || dash + 2 >= file.size())
        return file;
    const std::string tail = lower(file.substr(dash + 1));
    const bool quantised = ((tail[0] == 'q' || tail.starts_with("iq")) && tail.find('_') != std::string::npos) || tail == "f16" || tail == "bf16" || tail == "mxfp4" || tail == "f32";
    return quantised ? file.substr(0, dash) : file;
}

const Preset *presetBy(auto &&matches) {
    const std::span<const Preset> all = presets();
    const auto found = std::ranges::find_if(all, matches);
    return found == all.end() ? nullptr : &*found;
}

bool takePreset(LoggedModel &out, const Preset *preset) {
    if (!preset)
        return false;
    Parsed<std::shared_ptr<const ModelSpec>> model = presetModel(preset->id);
    if (!model)
        return false;
    out.choice.preset = preset->id;
    out.choice.spec = std::move(*model.value);
    return true;
}

bool takePath(LoggedModel &out, const std::string &path) {
    std::error_code error;
    if (std::filesystem::status(path, error).type() == std::filesystem::file_type::not_found || error)
        return false;
    Parsed<std::shared_ptr<const ModelSpec>> model = loadModel(path);
    if (!model) {
        if (const Note *reason = firstError(model.notes))
            out.notes.push_back(warningNote("log-model-unreadable", path, "The model that the log names was not read: " + reason->text));
        return false;
    }
    out.choice.path = path;
    out.choice.spec = std::move(*model.value);
    return true;
}

bool takeStored(LoggedModel &out, const std::string &name) {
    if (name.find('/') == std::string::npos)
        return false;
    for (const StoredModel &stored : listStores(systemEnvironment()))
        if (stored.store == StoreKind::Hub && lower(stored.name) == lower(name))
            return takePath(out, stored.path);
    return false;
}

bool takeRelative(LoggedModel &out, const std::string &name) {
    const std::string family = plain(familyName(withoutQuantisation(baseOf(name))));
    if (family.size() < 3)
        return false;
    // Of several variants the one without an ending: what the log says of its weights is laid over it.
    const Preset *preset = nullptr;
    for (const Preset &p : presets())
        if ((plain(familyName(baseOf(p.repository))) == family || plain(familyName(p.id)) == family || plain(familyName(p.name)) == family) && (!preset || p.id.size() < preset->id.size()))
            preset = &p;
    if (!takePreset(out, preset))
        return false;
    out.notes.push_back(warningNote("log-model-by-name", "model",
                                    "\"" + oneLine(name, 200) + "\" is no model known here; " + preset->name + ", which its name is a variant of, is planned in its place: the same layers, weights as far as the log tells."));
    return true;
}

LoggedModel findNamed(const ServerLog &log) {
    LoggedModel out;
    for (const std::optional<std::string> &named : {log.modelFile, log.model}) {
        if (!named || named->empty())
            continue;
        const std::string &name = *named;
        const bool path = name.starts_with('/') || name.starts_with("./") || name.starts_with('~') || name.ends_with(".gguf");
        if ((path && takePath(out, name)) || (!path && takePreset(out, presetBy([&](const Preset &p) { return !p.repository.empty() && lower(p.repository) == lower(name); }))) ||
            (!path && takeStored(out, name)) || takePreset(out, presetBy([&](const Preset &p) { return plain(p.id) == plain(name) || plain(p.name) == plain(name); })))
            return out;
    }
    for (const std::optional<std::string> &named : {log.model, log.modelFile})
        if (named && takeRelative(out, *named))
            return out;
    return out;
}

} // namespace

LoggedModel findLoggedModel(const ServerLog &log) {
    LoggedModel out = findNamed(log);
    const Json *named = log.settings.find("draft_model");
    if (!named || !named->isString())
        return out;
    ServerLog drafting;
    drafting.model = oneLine(named->text(), 1000);
    const LoggedModel drafter = findNamed(drafting);
    if (drafter.choice.spec) {
        out.drafter = drafter.choice.preset.empty() ? drafter.choice.path : drafter.choice.preset;
        out.notes.insert(out.notes.end(), drafter.notes.begin(), drafter.notes.end());
        if (log.engine == "llama-cpp" && drafter.choice.path.empty())
            out.notes.push_back(warningNote("log-assumption", "engine.options.draft_model", "The model that drafts, \"" + oneLine(named->text(), 200) + "\", counts in 16 bit, whatever its file holds."));
    }
    return out;
}

} // namespace kv
