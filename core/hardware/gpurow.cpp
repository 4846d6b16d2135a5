// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/gpurow.h"

#include "core/base/units.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace kv {

namespace {


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

Json numberFor(double value) {
    if (!(value > 0))
        return {};
    const bool whole = value < 1e15 && value == std::floor(value);
    return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json sizeFor(Bytes bytes, std::int64_t unit) {
    if (bytes <= Bytes(0))
        return {};
    return bytes.value % unit == 0 ? Json(bytes.value / unit) : Json(static_cast<double>(bytes.value) / static_cast<double>(unit));
}

} // namespace

Gpu readGpuRow(const Json &row) {
    Gpu gpu;
    if (!row.isObject())
        return gpu;
    gpu.id = textOf(row, "id");
    gpu.name = textOf(row, "name");
    if (gpu.name.empty())
        gpu.name = gpu.id;
    gpu.vendor = textOf(row, "vendor");
    if (const Json *aliases = row.find("aliases"))
        for (const Json &alias : aliases->items())
            if (alias.isString())
                gpu.aliases.push_back(alias.text());
    gpu.formFactor = textOf(row, "form_factor");
    gpu.memoryType = textOf(row, "memory_type");
    gpu.marketed = sizeOf(row, "marketed_gb", gigabyte);
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

bool isWhole(const Gpu &gpu) { return !gpu.id.empty() && (gpu.marketed > Bytes(0) || gpu.driver > Bytes(0) || gpu.framework > Bytes(0)); }

Json writeGpuRow(const Gpu &gpu) {
    Json row = Json::object();
    row.set("id", gpu.id);
    row.set("vendor", gpu.vendor);
    row.set("name", gpu.name);
    Json &aliases = row.set("aliases", Json::array());
    for (const std::string &alias : gpu.aliases)
        aliases.push(alias);
    row.set("form_factor", gpu.formFactor);
    row.set("memory_type", gpu.memoryType);
    row.set("marketed_gb", sizeFor(gpu.marketed, gigabyte));
    row.set("driver_mib", sizeFor(gpu.driver, mebibyte));
    row.set("framework_mib", sizeFor(gpu.framework, mebibyte));
    row.set("bandwidth_gb_s", numberFor(gpu.bandwidthGBs));
    row.set("bf16_tflops", numberFor(gpu.bf16Tflops));
    row.set("fp8_tflops", numberFor(gpu.fp8Tflops));
    row.set("tdp_w", numberFor(gpu.tdpWatts));
    row.set("gpus_per_node", numberFor(gpu.gpusPerNode));
    row.set("release_year", numberFor(gpu.releaseYear));
    row.set("interconnect", gpu.interconnect);
    row.set("notes", gpu.notes);
    return row;
}

bool sameFigures(const Gpu &a, const Gpu &b) {
    Gpu same = a;
    same.origin = b.origin;
    return same == b;
}

std::string idFromName(std::string_view name) {
    constexpr std::size_t longest = 60;
    std::string id;
    bool gap = false;
    const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        if (c < 128 && std::isalnum(c)) {
            // "24 GB" is one word of an id, as in the built-in list.
            const bool unit = gap && !id.empty() && isDigit(id.back()) && (name.substr(i, 2) == "GB" || name.substr(i, 3) == "GiB");
            if (gap && !id.empty() && !unit)
                id += '-';
            id += static_cast<char>(std::tolower(c));
            gap = false;
        } else {
            gap = true;
        }
    }
    if (id.size() > longest)
        id.resize(longest);
    while (!id.empty() && id.back() == '-')
        id.pop_back();
    return id;
}

bool sameWord(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

} // namespace kv
