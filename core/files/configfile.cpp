// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/configfile.h"

#include "core/base/plaintext.h"
#include "core/base/smallfile.h"
#include "core/files/folder.h"
#include "core/files/mistralparams.h"
#include "core/files/modelsource.h"
#include "core/model/configreader.h"

#include <array>

namespace kv {

namespace {

bool saysQuantisation(const Json &config) {
    static constexpr std::array<std::string_view, 3> keys{"quantization_config", "compression_config", "quantization"};
    const auto here = [](const Json &object) {
        for (const std::string_view key : keys)
            if (const Json *value = object.find(key); value && !value->isNull())
                return true;
        return false;
    };
    const Json *text = config.find("text_config");
    return here(config) || (text && here(*text));
}

/// The keys of ModelOpt's own file under the names that it uses inside a config.json.
void addModelOpt(const std::string &folder, Json &config, Notes &notes) {
    const std::string path = folder + "/hf_quant_config.json";
    if (entryKind(path) == EntryKind::Missing)
        return;
    const Parsed<Json> file = readJsonFile(path);
    const Json *given = file ? file->find("quantization") : nullptr;
    if (!given || !given->isObject()) {
        const Note *reason = firstError(file.notes);
        notes.push_back(warningNote("ignored-file", path,
                                    reason ? "hf_quant_config.json is not used: " + reason->text
                                           : "hf_quant_config.json is not used: it has no object \"quantization\""));
        return;
    }
    Json quantisation = Json::object();
    quantisation.set("quant_method", "modelopt");
    for (const auto &[key, value] : given->members())
        quantisation.members().emplace_back(key == "exclude_modules" ? "ignore" : key, value);
    config.set("quantization_config", std::move(quantisation));
    notes.push_back(
        infoNote("quantisation-file", path, "The quantisation is that of hf_quant_config.json beside the config"));
}

} // namespace

Parsed<Json> readJsonFile(const std::string &path) {
    Parsed<std::string> text = readSmallFile(path, maxConfigBytes);
    return text ? parseJson(*text, oneLine(path)) : Parsed<Json>{std::nullopt, std::move(text.notes)};
}

Parsed<std::shared_ptr<const ModelSpec>> readConfigTree(Json root, const std::string &path, const std::string &folder,
                                                        std::string_view name) {
    const std::string source = oneLine(path);
    if (isMistralParams(root))
        return readConfig(configFromMistralParams(root), name, source);
    Notes notes;
    if (!folder.empty() && root.isObject() && !saysQuantisation(root))
        addModelOpt(folder, root, notes);
    Parsed<std::shared_ptr<const ModelSpec>> model = readConfig(root, name, source);
    model.notes.insert(model.notes.begin(), notes.begin(), notes.end());
    return model;
}

} // namespace kv
