// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/modelword.h"

#include "core/base/plaintext.h"
#include "core/files/modelsource.h"
#include "core/files/stores.h"
#include "core/model/catalogue.h"
#include "core/weights/weighttypes.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace kv {

namespace {

namespace fs = std::filesystem;

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return c == '_' ? '-' : static_cast<char>(std::tolower(c)); });
    return out;
}

/// Takes `mark` off the end; whether it was there.
bool dropEnd(std::string &name, std::string_view mark) {
    if (!name.ends_with(mark) || name.size() == mark.size())
        return false;
    name.resize(name.size() - mark.size());
    return true;
}

/// The last part of a name, in lower case, without ".gguf".
std::string lastPart(std::string_view word) {
    while (word.size() > 1 && word.back() == '/')
        word.remove_suffix(1);
    if (const std::size_t slash = word.find_last_of("/\\"); slash != std::string_view::npos)
        word.remove_prefix(slash + 1);
    std::string name = lower(word);
    std::ranges::replace(name, ':', '-');
    dropEnd(name, ".gguf");
    return name;
}

/// Takes one mark of a conversion off the end; a type of weights is kept in `weightsType`.
bool dropMark(std::string &name, std::string &weightsType) {
    for (const WeightType &type : weightTypes())
        if (weightsType.empty() && dropEnd(name, "-" + lower(type.name))) {
            weightsType = type.name;
            return true;
        }
    for (const std::string_view mark : {"-gguf", "-instruct", "-it", "-chat", "-hf", "-dynamic"})
        if (dropEnd(name, mark))
            return true;
    if (weightsType.empty() && (dropEnd(name, "-bnb-4bit") || dropEnd(name, "-4bit"))) {
        weightsType = "int4";
        return true;
    }
    if (!dropEnd(name, "-awq") && !dropEnd(name, "-gptq"))
        return false;
    if (weightsType.empty())
        weightsType = "int4";
    return true;
}

/// What two names of the same model share.
std::string keyOf(std::string name, std::string &weightsType) {
    while (dropMark(name, weightsType)) {
    }
    for (const std::string_view mark : {"-instruct-", "-chat-", "-it-"}) // "Mixtral-8x7B-Instruct-v0.1"
        if (const std::size_t at = name.find(mark); at != std::string::npos)
            name.erase(at, mark.size() - 1);
    return name.starts_with("meta-") ? name.substr(5) : name;
}

bool takePreset(const Preset &preset, FoundModel &out) {
    Parsed<std::shared_ptr<const ModelSpec>> model = presetModel(preset.id);
    if (!model)
        return false;
    out.model = {preset.id, {}, {}, *model};
    return true;
}

bool takeExact(std::string_view word, FoundModel &out) {
    const std::string wanted = lower(word);
    for (const Preset &preset : presets())
        if (preset.id == word || (!preset.repository.empty() && lower(preset.repository) == wanted))
            return takePreset(preset, out);
    return false;
}

bool takePath(std::string path, FoundModel &out) {
    std::error_code error;
    if (path.starts_with("~/")) // as a shell would have written it out
        path.replace(0, 1, systemEnvironment().home);
    if (path.empty() || !fs::exists(path, error))
        return false;
    Parsed<std::shared_ptr<const ModelSpec>> model = loadModel(path);
    out.notes.insert(out.notes.end(), model.notes.begin(), model.notes.end());
    if (model)
        out.model = {{}, path, {}, *model};
    return model.value.has_value();
}

bool takeStored(std::string_view word, FoundModel &out) {
    const std::string wanted = lower(word);
    for (const StoredModel &stored : listStores(systemEnvironment()))
        if (lower(stored.name) == wanted)
            return takePath(stored.path, out);
    return false;
}

/// The preset of that name, and what was taken off the name to see it.
const Preset *alike(std::string_view word, std::string &weightsType) {
    std::string name = lastPart(word);
    do // as little as possible: some presets are conversions themselves
        for (const Preset &preset : presets())
            if (preset.id == name || (!preset.repository.empty() && lastPart(preset.repository) == name))
                return &preset;
    while (dropMark(name, weightsType));
    const std::string key = keyOf(name, weightsType);
    for (const Preset &preset : presets()) {
        std::string itsOwn; // a quantised preset is not what a plain name means
        if ((keyOf(lastPart(preset.repository.empty() ? preset.id : preset.repository), itsOwn) == key && itsOwn.empty()) || preset.id == key)
            return &preset;
    }
    return nullptr;
}

/// `given`: a type of weights that was said beside the name.
bool takeAlike(std::string_view word, FoundModel &out, std::string_view given = {}) {
    std::string weightsType;
    const Preset *preset = alike(word, weightsType);
    if (!preset || !takePreset(*preset, out))
        return false;
    out.weightsType = given.empty() ? std::move(weightsType) : std::string(given);
    out.notes.push_back(infoNote("model-by-name", "model",
                                 "\"" + oneLine(word, 200) + "\" is taken for " + preset->name +
                                     (out.weightsType.empty() ? "" : " with weights in " + out.weightsType) +
                                     ", by its name; open its folder or file for exact figures."));
    return true;
}

/// "Q8_0" of "Qwen3-8B-Q8_0.gguf" and of "…/Qwen3-8B.Q8_0-00001-of-00002.gguf"; empty where the name has no parts.
std::string tagOfFile(std::string_view file) {
    if (file.ends_with(".gguf"))
        file.remove_suffix(5);
    constexpr std::string_view shard = "-00001-of-00002";
    if (file.size() > shard.size() && file.substr(file.size() - shard.size()).substr(6, 4) == "-of-")
        file.remove_suffix(shard.size());
    const std::size_t mark = file.find_last_of("-./");
    return mark == std::string_view::npos ? std::string() : std::string(file.substr(mark + 1));
}

/// The type that a tag names, or of a mixture that is not known here ("UD-Q4_K_XL") the nearest that is; nullptr: none.
const WeightType *typeOfTag(std::string_view tag) {
    if (const WeightType *type = findWeightType(tag))
        return type;
    if (tag.starts_with("UD-") || tag.starts_with("ud-"))
        tag.remove_prefix(3);
    for (const std::string_view larger : {"_XL", "_xl", "_L", "_l"}) // a few matrices in more bits than the type of that name
        if (tag.ends_with(larger)) {
            tag.remove_suffix(larger.size());
            break;
        }
    const std::string stem(tag);
    for (const std::string &name : {stem, stem + "_M"})
        if (const WeightType *type = findWeightType(name); type && type->group == WeightTypeGroup::Gguf)
            return type;
    return nullptr;
}

/// "Qwen3-8B-UD-Q4_K_XL-00001-of-00003.gguf": the name stands before the tag.
bool takeFile(const std::string &word, FoundModel &out) {
    const std::string tag = word.ends_with(".gguf") ? tagOfFile(word) : std::string();
    const WeightType *type = tag.empty() ? nullptr : typeOfTag(tag);
    if (!type)
        return false;
    std::string name = word.substr(0, word.rfind(tag) - 1);
    if (!dropEnd(name, "-UD"))
        dropEnd(name, "-ud");
    return takeAlike(name, out, type->name);
}

} // namespace

std::string modelWord(const Scenario &scenario, bool gguf, Notes &notes) {
    const ModelChoice &model = scenario.model;
    const bool isGguf = model.spec && model.spec->sourceIsGguf;
    if (!model.path.empty() && isGguf == gguf) {
        const fs::path path(model.path);
        return path.filename() == "config.json" && path.has_parent_path() ? path.parent_path().string() : model.path;
    }
    const Preset *preset = model.preset.empty() ? nullptr : findPreset(model.preset);
    if (preset && !gguf && !preset->repository.empty())
        return preset->repository;
    std::string name = preset ? preset->id : !model.name.empty() ? model.name : model.spec ? model.spec->name : std::string();
    name = name.empty() ? "model" : lower(name);
    std::ranges::replace_if(name, [](unsigned char c) { return std::isspace(c) != 0 || c == '/' || std::iscntrl(c) != 0; }, '-');
    if (gguf)
        name += (scenario.weights.dtype.empty() ? "" : "-" + scenario.weights.dtype) + ".gguf";
    notes.push_back(infoNote("model-name-unknown", "model",
                             gguf ? "Put the path of your GGUF file in the place of " + name + "."
                                  : "No repository of this model is known: put its name or folder in the place of " + name + "."));
    return name;
}

const Preset *presetCalled(std::string_view word, std::optional<Note> &note) {
    if (const Preset *exact = findPreset(word))
        return exact;
    std::string weightsType;
    const Preset *preset = alike(word, weightsType);
    if (!preset || !weightsType.empty())
        return nullptr;
    note = infoNote("model-by-name", "model", "\"" + oneLine(word, 200) + "\" is taken for " + preset->name + ", by its name; open its folder or file for exact figures.");
    return preset;
}

FoundModel findModel(const std::string &word) {
    FoundModel out;
    if (!takeExact(word, out) && !takePath(word, out) && !takeStored(word, out) && !takeAlike(word, out))
        takeFile(word, out);
    return out;
}

FoundModel findHubModel(const std::string &word, const std::string &file) {
    FoundModel out;
    if (takePath(word, out) || takeStored(word, out)) // a file knows its own type
        return out;
    const std::size_t colon = word.find(':');
    const std::string repository = word.substr(0, colon);
    std::string tag = !file.empty() ? tagOfFile(file) : colon == std::string::npos ? std::string() : word.substr(colon + 1);
    if (file.empty() && lower(tag) == "latest")
        tag.clear();
    const WeightType *type = tag.empty() ? nullptr : typeOfTag(tag);
    if (takeExact(repository, out))
        out.weightsType = type ? std::string(type->name) : std::string();
    else if (!takeAlike(repository, out, type ? type->name : std::string_view()))
        return out;
    const auto say = [&out](std::string text) { out.notes.push_back(warningNote("launch-assumed", "weights.dtype", std::move(text))); };
    constexpr std::string_view standard = "q4_k_m";
    if (!tag.empty() || !file.empty()) {
        const std::string said = oneLine(tag.empty() ? file : tag, 60);
        if (!type && out.weightsType.empty() && out.model.spec->quantMethod != "mxfp4")
            out.weightsType = standard; // nearer than 16 bit, which no such file holds
        if (!type)
            say("-hf: the type of weights \"" + said + "\" is not known here; they count as " + (out.weightsType.empty() ? "the model's own files hold them." : out.weightsType + "."));
        else if (!findWeightType(tag))
            say("-hf: the mixture \"" + said + "\" of the weights is not known here; they count as " + std::string(type->name) + ", the nearest that is.");
    } else if (out.weightsType.empty() && out.model.spec->quantMethod != "mxfp4") {
        out.weightsType = standard;
        say("-hf names no type of weights: they count as q4_k_m, which llama.cpp takes where the repository has it, else q8_0, else the first file; name another behind a colon, such as :Q8_0.");
    }
    return out;
}

} // namespace kv
