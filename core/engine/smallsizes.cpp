// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/smallsizes.h"

#include "core/base/quantity.h"
#include "core/engine/options.h"

namespace kv {

void warnOfSmallSizes(const Scenario &scenario, const Engine &engine, Notes &warnings) {
    constexpr Bytes least{1 << 20};
    const auto look = [&](std::string_view place, std::string_view name, std::optional<Bytes> size) {
        if (!size || *size <= Bytes(0) || *size >= least)
            return;
        const std::string where = std::string(place) + std::string(name);
        warnings.push_back(warningNote("size-without-unit", where,
                                       where + ": " + "planned with " + writeNumber(size->value) + " B, less than 1 MiB; if another unit is meant, write it, as 80GB or 80GiB"));
    };
    look("hardware.", "memory_bytes", scenario.hardware.memory);
    look("hardware.", "display_bytes", scenario.hardware.display);
    look("weights.", "bytes", scenario.weights.bytes);
    const OptionReader options(scenario.engine.options);
    for (const EngineOption &option : engine.options())
        if (option.kind == OptionKind::Size)
            look("engine.options.", option.name, options.size(option.name));
}

} // namespace kv
