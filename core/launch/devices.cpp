// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/devices.h"

#include "core/base/plaintext.h"
#include "core/launch/launchvalues.h"

#include <vector>

namespace kv {

namespace {

/// The number at the end of "CUDA1"; a name without one counts by its place in the list.
std::size_t ordinalOf(std::string_view name, std::size_t place) {
    const std::size_t last = name.find_last_not_of("0123456789");
    const auto number = launchNumber("llama-cpp", name.substr(last == std::string_view::npos ? 0 : last + 1));
    return number && *number >= 0 ? static_cast<std::size_t>(*number) : place;
}

std::vector<std::size_t> ordinalsOf(std::string_view list) {
    std::vector<std::size_t> ordinals;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        ordinals.push_back(ordinalOf(list.substr(0, end), ordinals.size()));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return ordinals;
}

/// Of unlike cards those named; of alike ones as many.
void keepCards(Hardware &hardware, const std::vector<std::size_t> &ordinals) {
    std::vector<std::string> all;
    for (const Device &device : hardware.devices)
        all.insert(all.end(), static_cast<std::size_t>(device.count.value), device.gpu);
    hardware.devices.clear();
    hardware.count = Count(static_cast<std::int64_t>(ordinals.size()));
    if (all.empty())
        return;
    for (const std::size_t ordinal : ordinals) {
        const std::string &gpu = all[std::min(ordinal, all.size() - 1)];
        if (!hardware.devices.empty() && hardware.devices.back().gpu == gpu)
            hardware.devices.back().count += Count(1);
        else
            hardware.devices.push_back({gpu, Count(1)});
    }
    hardware.gpu = hardware.devices.front().gpu;
    if (hardware.devices.size() == 1)
        hardware.devices.clear();
}

} // namespace

void takeLlamaDevices(const LaunchLine &line, Scenario &scenario, Notes &notes) {
    Hardware &hardware = scenario.hardware;
    if (line.visibleGpus > 0) {
        hardware.devices.clear();
        hardware.count = Count(static_cast<std::int64_t>(line.visibleGpus));
    }
    const std::string *devices = line.find(FlagUse::Devices), *mode = line.find(FlagUse::SplitMode), *main = line.find(FlagUse::MainDevice);
    if (devices && *devices == "none")
        scenario.engine.options.set("n_gpu_layers", std::int64_t{0});
    else if (devices && !devices->empty())
        keepCards(hardware, ordinalsOf(*devices));
    if (!mode || *mode == "layer")
        return;
    if (*mode != "none") {
        notes.push_back(warningNote("flag-not-planned", "--split-mode",
                                    "--split-mode " + oneLine(*mode, 40) + ": what this changes in memory is not planned; the layers are split."));
        return;
    }
    const auto card = main ? launchNumber("llama-cpp", *main) : std::optional<std::int64_t>(0);
    if (!card || *card < 0)
        notes.push_back(errorNote("bad-launch-line", "--main-gpu", "--main-gpu: expected a whole number, found \"" + oneLine(*main, 60) + "\""));
    else
        keepCards(hardware, {static_cast<std::size_t>(*card)});
}

} // namespace kv
