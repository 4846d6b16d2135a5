// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/measured.h"

#include "core/base/plaintext.h"

namespace kv {

namespace {

constexpr std::string_view options = "engine.options.";

} // namespace

std::optional<std::int64_t> valueByHand(const Scenario &scenario, std::string_view place) {
    const auto of = [](const std::optional<Bytes> &bytes) { return bytes ? std::optional(bytes->value) : std::nullopt; };
    if (place == "weights.bytes")
        return of(scenario.weights.bytes);
    if (place == "hardware.memory_bytes")
        return of(scenario.hardware.memory);
    if (!place.starts_with(options))
        return std::nullopt;
    const Json *value = scenario.engine.options.find(place.substr(options.size()));
    return value && value->kind() == Json::Kind::Integer ? std::optional(value->integer()) : std::nullopt;
}

std::vector<std::string> measuredPlaces(const Scenario &scenario) {
    std::vector<std::string> places;
    for (const auto &[place, value] : scenario.measured.values)
        if (valueByHand(scenario, place) == value)
            places.push_back(place);
    return places;
}

std::optional<Note> measuredNote(const Scenario &scenario) {
    const std::vector<std::string> places = measuredPlaces(scenario);
    if (places.empty())
        return std::nullopt;
    std::string list;
    for (const std::string &place : places)
        list += (list.empty() ? "" : ", ") + std::string(std::string_view(place).starts_with(options) ? place.substr(options.size()) : place);
    return infoNote("measured", places.front(), "Measured, not estimated (" + scenario.measured.from + "): " + list + ".");
}

Json writeMeasured(const Measured &measured) {
    Json out = Json::object();
    if (measured.values.empty())
        return out;
    out.set("from", measured.from);
    Json &values = out.set("values", Json::object());
    for (const auto &[place, value] : measured.values)
        values.set(place, value);
    return out;
}

Measured readMeasured(const Json &section) {
    constexpr std::size_t most = 64;
    Measured out;
    if (const Json *from = section.find("from"); from && from->isString())
        out.from = oneLine(from->text(), 200);
    if (const Json *values = section.find("values"); values && values->isObject())
        for (const auto &[place, value] : values->members())
            if (value.kind() == Json::Kind::Integer && out.values.size() < most)
                out.values.emplace_back(oneLine(place, 100), value.integer());
    return out;
}

} // namespace kv
