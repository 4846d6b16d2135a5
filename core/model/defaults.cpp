// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/defaults.h"

#include "core/base/embedded.h"

#include <algorithm>
#include <memory>

namespace kv {

namespace {

struct Table {
    Json file;
    std::vector<ClassDefaults> types; // ascending by modelType
};

std::string_view textOf(const Json &object, std::string_view key) {
    const Json *value = object.find(key);
    return value && value->isString() ? std::string_view(value->text()) : std::string_view();
}

ClassDefaults entry(const std::string &type, const Json &value) {
    ClassDefaults result;
    result.modelType = type;
    result.className = textOf(value, "class");
    result.values = value.find("defaults");
    result.attributeMap = value.find("attribute_map");
    const std::string_view role = textOf(value, "role");
    result.role = role == "encoder" ? TypeRole::Encoder
        : role == "vision"          ? TypeRole::Vision
        : role == "composite"       ? TypeRole::Composite
                                    : TypeRole::Language;
    if (const Json *text = value.find("text")) {
        result.textKey = textOf(*text, "key");
        result.textType = textOf(*text, "type");
    }
    return result;
}

std::unique_ptr<const Table> load() {
    auto table = std::make_unique<Table>();
    for (const EmbeddedFile &file : embeddedFiles()) {
        if (file.path != "defaults.json")
            continue;
        if (Parsed<Json> parsed = parseJson(file.content, file.path))
            table->file = std::move(*parsed.value);
    }
    if (const Json *types = table->file.find("types"))
        for (const Json::Member &member : types->members())
            table->types.push_back(entry(member.first, member.second));
    if (const Json *noCache = table->file.find("no_cache"))
        for (const Json &type : noCache->items())
            table->types.push_back({.modelType = type.text(), .role = TypeRole::Vision});
    std::ranges::stable_sort(table->types, {}, &ClassDefaults::modelType);
    return table;
}

const Table &table() {
    static const std::unique_ptr<const Table> loaded = load();
    return *loaded;
}

} // namespace

const ClassDefaults *classDefaults(std::string_view modelType) {
    const std::vector<ClassDefaults> &types = table().types;
    const auto it = std::ranges::lower_bound(types, modelType, {}, &ClassDefaults::modelType);
    return it != types.end() && it->modelType == modelType ? &*it : nullptr;
}

std::string_view modelTypeOfArchitecture(std::string_view architecture) {
    constexpr std::string_view suffix = "Config";
    std::string_view best;
    std::size_t length = 0;
    for (const ClassDefaults &type : table().types) {
        if (!type.className.ends_with(suffix))
            continue;
        const std::string_view stem = type.className.substr(0, type.className.size() - suffix.size());
        const std::string_view rest = architecture.starts_with(stem) ? architecture.substr(stem.size()) : std::string_view("?");
        const bool whole = rest.empty() || rest.starts_with("For") || rest == "Model" || rest == "LMHeadModel";
        if (whole && stem.size() > length) {
            best = type.modelType;
            length = stem.size();
        }
    }
    return best;
}

} // namespace kv
