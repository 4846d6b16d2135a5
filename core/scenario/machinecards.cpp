// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/machinecards.h"

#include "core/base/quantity.h"

#include <algorithm>

namespace kv {

namespace {

std::string listed(const std::vector<std::string> &names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

} // namespace

std::vector<Device> devicesOf(const Machine &machine) {
    std::vector<Device> devices;
    for (const MachineCard &card : machine.cards) {
        const auto same = std::ranges::find(devices, card.gpu.id, &Device::gpu);
        if (same == devices.end())
            devices.push_back({card.gpu.id, Count(1)});
        else
            same->count += Count(1);
    }
    return devices;
}

std::string takeMachine(Scenario &scenario, const Machine &machine) {
    if (machine.cards.empty())
        return {};
    Machine here = machine;
    for (MachineCard &card : here.cards)
        if (!card.known)
            card.gpu.id = adoptGpu(card.gpu);
    std::vector<Device> devices = devicesOf(here);
    std::erase_if(devices, [](const Device &device) { return device.gpu.empty(); });
    if (devices.empty())
        return "The cards found could not be kept.";
    const auto words = [](const Device &device) {
        const Gpu *gpu = findGpu(device.gpu);
        return writeNumber(device.count.value) + " × " + (gpu ? gpu->name : device.gpu);
    };
    const auto memory = [](const Device &device) {
        const Gpu *gpu = findGpu(device.gpu);
        return gpu ? gpu->marketed * device.count.value : Bytes(0);
    };
    Hardware &hardware = scenario.hardware;
    hardware.memory.reset();
    scenario.parallel.tp = scenario.parallel.pp = scenario.parallel.dp = std::nullopt;
    std::vector<std::string> all;
    all.reserve(devices.size());
    for (const Device &device : devices)
        all.push_back(words(device));
    std::string said = "This machine has " + listed(all) + ".";
    hardware.devices.clear();
    if (devices.size() > 1 && takesUnlikeCards(scenario.engine.id)) {
        hardware.devices = devices;
        hardware.gpu = devices.front().gpu;
        hardware.count = Count(0);
        for (const Device &device : devices)
            hardware.count += device.count;
        return said;
    }
    const Device most = *std::ranges::max_element(devices, {}, memory);
    hardware.gpu = most.gpu;
    hardware.count = most.count;
    if (devices.size() > 1)
        said += " " + scenario.engine.id + " needs alike cards: planned are " + words(most) + ". llama.cpp takes them all.";
    return said;
}

} // namespace kv
