// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/mlxscheme.h"

#include "core/weights/schemewords.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

struct Mode {
    std::string_view name;
    std::int64_t group;
    std::int64_t bits;
    std::int64_t scaleBits; ///< of a group, with its bias
    std::string_view label; ///< empty: by bits and group
};

constexpr std::array<Mode, 4> modes{{{"affine", 64, 4, 16 + 16, ""}, {"mxfp4", 32, 4, 8, "MLX MXFP4"}, {"nvfp4", 16, 4, 8, "MLX NVFP4"}, {"mxfp8", 32, 8, 8, "MLX MXFP8"}}};

Scheme mlx(const Json &block) {
    const std::string_view name = wordOf(block, "mode");
    const auto mode = name.empty() ? modes.begin() : std::ranges::find(modes, name, &Mode::name);
    if (mode == modes.end())
        return {};
    const std::int64_t bits = numberOf(block, "bits", mode->bits), group = numberOf(block, "group_size", mode->group);
    if (!plausibleBits(bits) || group <= 0)
        return {};
    return {{.bits = bits, .blockRows = 1, .blockColumns = group, .scaleBits = mode->scaleBits},
            mode->label.empty() ? groupLabel("MLX", bits, group) : std::string(mode->label)};
}

/// One rule for all modules of one size.
void addModule(std::vector<StorageRule> &rules, StorageRule rule, std::string_view module) {
    const auto same = std::ranges::find_if(rules, [&](const StorageRule &r) { return r.unquantised == rule.unquantised && r.as == rule.as; });
    (same == rules.end() ? rules.emplace_back(std::move(rule)) : *same).targets.add(module);
}

} // namespace

bool isMlx(const Json &config) {
    const auto has = [&](std::string_view key) { return config.find(key) != nullptr; };
    return wordOf(config, "quant_method").empty() && has("bits") && has("group_size") && !has("desc_act") && !has("sym") && !has("damp_percent");
}

SchemeReading readMlx(const Json &config, std::vector<StorageRule> &rules) {
    const Scheme all = mlx(config);
    if (all.label.empty())
        return unknownScheme("MLX " + std::string(wordOf(config, "mode")));
    std::string label = all.label;
    for (const Json::Member &member : config.members()) {
        const bool out = member.second.isBool() && !member.second.boolean();
        if (!out && !member.second.isObject())
            continue;
        const Scheme own = out ? Scheme{} : mlx(member.second); // what it does not say is MLX's own default, not that of the others
        if (!out && own.label.empty())
            return unknownScheme("MLX " + member.first);
        if (!out)
            joinLabel(label, own.label);
        addModule(rules, {.as = own.as, .all = false, .targets = {}, .unquantised = out}, member.first);
    }
    rules.push_back({.as = all.as, .everyMatrix = true, .targets = {}});
    return {true, label};
}

} // namespace kv
