// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/generation.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

struct Family {
    std::string_view idBegins;
    Generation generation;
};

using enum Generation;
// The first match counts: "rtx-a4000" before "rtx-", "l20x" before "l20".
constexpr auto families = std::to_array<Family>({
    {"p100", Older},       {"p40", Older},          {"p4-", Older},          {"v100", Volta},      {"t4", Turing},        {"rtx-20", Turing},     {"a100", Ampere},
    {"a800", Ampere},      {"a10", Ampere},         {"a16", Ampere},         {"a2-", Ampere},      {"a30", Ampere},       {"a40", Ampere},        {"rtx-a", Ampere},
    {"rtx-30", Ampere},    {"l4", Ada},             {"l20x", Hopper},        {"l20", Ada},         {"rtx-40", Ada},       {"rtx-5000-ada", Ada},  {"rtx-6000-ada", Ada},
    {"h100", Hopper},      {"h200", Hopper},        {"h800", Hopper},        {"h20", Hopper},      {"gh200", Hopper},     {"b100", Blackwell},    {"b200", Blackwell},
    {"b300", Blackwell},   {"gb200", Blackwell},    {"gb300", Blackwell},    {"rtx-pro", Blackwell}, {"rtx-50", Blackwell}, {"dgx-spark", Blackwell},
    {"jetson-agx-orin", Ampere}, {"jetson-orin", Ampere}, {"jetson-agx-thor", Blackwell},
});

} // namespace

Generation generationOf(const Gpu &gpu) {
    if (gpu.vendor != "NVIDIA" || gpu.origin != GpuOrigin::BuiltIn)
        return Unknown;
    const auto found = std::ranges::find_if(families, [&](const Family &family) { return std::string_view(gpu.id).starts_with(family.idBegins); });
    return found == families.end() ? Unknown : found->generation;
}

bool isServerBlackwell(const Gpu &gpu) {
    static constexpr std::array<std::string_view, 5> cards{"b100", "b200", "b300", "gb200", "gb300"};
    return generationOf(gpu) == Blackwell && std::ranges::any_of(cards, [&](std::string_view card) { return std::string_view(gpu.id).starts_with(card); });
}

std::string_view generationName(Generation generation) {
    static constexpr std::array<std::string_view, 8> names{"unknown", "older", "Volta", "Turing", "Ampere", "Ada", "Hopper", "Blackwell"};
    return names[static_cast<std::size_t>(generation)];
}

} // namespace kv
