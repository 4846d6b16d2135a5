// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/stages.h"

#include <numeric>
#include <string>

namespace kv {

std::vector<std::int64_t> stageLayers(std::int64_t layers, std::int64_t stages, StageRule rule) {
    if (stages < 1 || stages > layers)
        return {};
    std::vector<std::int64_t> result(static_cast<std::size_t>(stages), layers / stages);
    const std::int64_t rest = layers % stages;
    for (std::int64_t i = 0; i < rest; ++i) {
        std::int64_t stage = i;
        if (rule == StageRule::RestLast)
            stage = stages - 1 - i;
        else if (rule == StageRule::RestBeforeLast)
            stage = stages - 2 - i; // rest < stages, so the first stage is the furthest this goes
        ++result[static_cast<std::size_t>(stage)];
    }
    return result;
}

std::optional<Note> checkPartition(const std::vector<std::int64_t> &partition, std::int64_t layers, std::int64_t stages) {
    constexpr const char *where = "engine.options.layer_partition";
    const auto refuse = [&](const std::string &what) { return errorNote("bad-partition", where, std::string(where) + ": " + what); };
    if (static_cast<std::int64_t>(partition.size()) != stages)
        return refuse("expected one number of layers for each of the " + std::to_string(stages) + " pipeline stages, found " + std::to_string(partition.size()));
    for (const std::int64_t stage : partition)
        if (stage < 0 || stage > layers)
            return refuse("a stage cannot have " + std::to_string(stage) + " of " + std::to_string(layers) + " layers");
    if (const std::int64_t sum = std::accumulate(partition.begin(), partition.end(), std::int64_t{0}); sum != layers)
        return refuse("the stages hold " + std::to_string(sum) + " layers together, the model has " + std::to_string(layers));
    return std::nullopt;
}

} // namespace kv
