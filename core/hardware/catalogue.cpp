// SPDX-License-Identifier: GPL-3.0-or-later
//
// The accelerators of resources/gpus.json, and before them those of the user's own gpus.json, which win by id. Read once, when first
// asked for. A file of the user that cannot be read is left out whole: half a table would be worse than the one built in.
#include "core/hardware/gpu.h"

#include "core/base/embedded.h"
#include "core/base/json.h"
#include "core/base/smallfile.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace kv {

namespace {

constexpr std::int64_t mebibyte = 1024 * 1024;
constexpr std::int64_t largestTable = 16 * mebibyte;

std::string textOf(const Json &row, std::string_view key) {
    const Json *value = row.find(key);
    return value && value->isString() ? value->text() : std::string();
}

double numberOf(const Json &row, std::string_view key) {
    const Json *value = row.find(key);
    const bool usable = value && (value->kind() == Json::Kind::Integer || value->kind() == Json::Kind::Real) && value->real() > 0;
    return usable ? value->real() : 0;
}

/// A positive number × unit, to the nearest byte; 0 where it is absent or beyond any memory.
Bytes sizeOf(const Json &row, std::string_view key, std::int64_t unit) {
    constexpr double mostUnits = 1e9;
    const double number = numberOf(row, key);
    return Bytes(number < mostUnits ? std::llround(number * static_cast<double>(unit)) : 0);
}

int smallNumberOf(const Json &row, std::string_view key) {
    constexpr double most = 1e9;
    return static_cast<int>(std::min(numberOf(row, key), most));
}

Gpu readGpu(const Json &row) {
    Gpu gpu;
    gpu.id = textOf(row, "id");
    gpu.name = textOf(row, "name");
    gpu.vendor = textOf(row, "vendor");
    if (const Json *aliases = row.find("aliases"))
        for (const Json &alias : aliases->items())
            if (alias.isString())
                gpu.aliases.push_back(alias.text());
    gpu.formFactor = textOf(row, "form_factor");
    gpu.memoryType = textOf(row, "memory_type");
    gpu.marketed = sizeOf(row, "marketed_gb", 1'000'000'000);
    gpu.driver = sizeOf(row, "driver_mib", mebibyte);
    gpu.framework = sizeOf(row, "framework_mib", mebibyte);
    gpu.bandwidthGBs = numberOf(row, "bandwidth_gb_s");
    gpu.bf16Tflops = numberOf(row, "bf16_tflops");
    gpu.fp8Tflops = numberOf(row, "fp8_tflops");
    gpu.tdpWatts = smallNumberOf(row, "tdp_w");
    gpu.gpusPerNode = smallNumberOf(row, "gpus_per_node");
    gpu.releaseYear = smallNumberOf(row, "release_year");
    gpu.interconnect = textOf(row, "interconnect");
    gpu.notes = textOf(row, "notes");
    return gpu;
}

bool sameWord(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

/// Adds the rows of a table whose ids are not there yet. A row without id or without any memory is none.
void addTable(std::string_view text, std::string_view source, std::vector<Gpu> &list) {
    const Parsed<Json> root = parseJson(text, source);
    const Json *rows = root && root->isObject() ? root->find("gpus") : nullptr;
    if (!rows)
        return;
    list.reserve(list.size() + rows->items().size());
    for (const Json &row : rows->items()) {
        Gpu gpu = readGpu(row);
        const bool hasMemory = gpu.marketed.value > 0 || gpu.driver.value > 0 || gpu.framework.value > 0;
        const bool known = std::ranges::any_of(list, [&](const Gpu &other) { return sameWord(other.id, gpu.id); });
        if (gpu.id.empty() || !hasMemory || known)
            continue;
        if (gpu.name.empty())
            gpu.name = gpu.id;
        list.push_back(std::move(gpu));
    }
}

std::vector<Gpu> readAll() {
    std::vector<Gpu> list;
    if (const std::string folder = userDataFolder(); !folder.empty())
        if (const Parsed<std::string> own = readSmallFile(folder + "/gpus.json", largestTable))
            addTable(*own, "gpus.json", list);
    for (const EmbeddedFile &file : embeddedFiles())
        if (file.path == "gpus.json")
            addTable(file.content, file.path, list);
    return list;
}

} // namespace

std::span<const Gpu> gpus() {
    static const std::vector<Gpu> list = readAll();
    return list;
}

const Gpu *findGpu(std::string_view idOrAlias) {
    if (idOrAlias.empty())
        return nullptr;
    const std::span<const Gpu> list = gpus();
    // Ids before aliases: an id must never be hidden behind another card's second name.
    for (const Gpu &gpu : list)
        if (gpu.id == idOrAlias)
            return &gpu;
    for (const Gpu &gpu : list)
        if (sameWord(gpu.id, idOrAlias))
            return &gpu;
    for (const Gpu &gpu : list)
        if (sameWord(gpu.name, idOrAlias) || std::ranges::any_of(gpu.aliases, [&](const std::string &alias) { return sameWord(alias, idOrAlias); }))
            return &gpu;
    return nullptr;
}

} // namespace kv
