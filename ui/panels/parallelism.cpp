// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/hardwarepanel.h"

#include <algorithm>

namespace kv {

Degrees degreesOf(const Scenario &scenario) {
    const Parallel &p = scenario.parallel;
    Degrees d;
    d.pp = p.pp.value_or(Count(1)).value;
    d.dp = p.dp.value_or(Count(1)).value;
    const std::int64_t others = checked::mul(d.pp, d.dp), count = scenario.hardware.count.value;
    d.tp = p.tp ? p.tp->value : others > 0 && count % others == 0 ? count / others : 1;
    return d;
}

std::vector<Device> devicesOf(const Scenario &scenario) {
    const Hardware &hardware = scenario.hardware;
    return hardware.devices.empty() ? std::vector<Device>{{hardware.gpu, hardware.count}} : hardware.devices;
}

void setDevices(Scenario &scenario, std::vector<Device> devices) {
    Hardware &hardware = scenario.hardware;
    if (devices.empty())
        return;
    // Two lines of one kind are one.
    std::vector<Device> kinds;
    for (Device &device : devices) {
        const auto same = std::ranges::find(kinds, device.gpu, &Device::gpu);
        if (same == kinds.end())
            kinds.push_back(std::move(device));
        else
            same->count += device.count;
    }
    hardware.gpu = kinds.front().gpu;
    hardware.memory.reset(); // given for one kind
    hardware.count = Count(0);
    for (const Device &device : kinds)
        hardware.count += device.count;
    hardware.devices = kinds.size() > 1 ? std::move(kinds) : std::vector<Device>{};
    scenario.parallel.tp = scenario.parallel.pp = scenario.parallel.dp = std::nullopt;
}

void setGpuCount(Scenario &scenario, std::int64_t count) {
    if (!scenario.hardware.devices.empty()) {
        std::vector<Device> devices = scenario.hardware.devices;
        devices.front().count = Count(count);
        return setDevices(scenario, std::move(devices));
    }
    Degrees d = degreesOf(scenario);
    scenario.hardware.count = Count(count);
    if (!scenario.parallel.tp)
        return; // tp is what the others leave over
    const std::int64_t stage = checked::mul(d.tp, d.pp);
    if (d.pp == 1 && d.dp == 1)
        d.tp = count;
    else if (stage > 0 && count % stage == 0)
        d.dp = count / stage;
    else
        return; // evaluate() names both numbers
    scenario.parallel.tp = Count(d.tp);
    scenario.parallel.dp = Count(d.dp);
}

void setDegrees(Scenario &scenario, const Degrees &degrees) {
    scenario.parallel.tp = Count(degrees.tp);
    scenario.parallel.pp = Count(degrees.pp);
    scenario.parallel.dp = Count(degrees.dp);
    const std::int64_t gpus = checked::mul(checked::mul(degrees.tp, degrees.pp), degrees.dp);
    if (gpus != outOfRangeValue)
        scenario.hardware.count = Count(gpus);
}

} // namespace kv
