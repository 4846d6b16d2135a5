// SPDX-License-Identifier: GPL-3.0-or-later
//
// The machine of a scenario and the split over it: cards, how many, what is built in by hand, tensor, pipeline and data parallelism.
#include "core/hardware/gpurow.h"
#include "core/scenario/scenarioreader.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

using Keys = std::string_view;

constexpr std::array hardwareKeys{Keys("gpu"), Keys("count"), Keys("memory_bytes"), Keys("reserve"), Keys("devices"), Keys("display_bytes"), Keys("price_per_gpu_hour"), Keys("cards")};
constexpr std::array deviceKeys{Keys("gpu"), Keys("count")};
constexpr std::array parallelKeys{Keys("tp"), Keys("pp"), Keys("dp"), Keys("expert_parallel")};

/// The GPUs that a split asks for. With SGLang's attention data parallelism dp lies inside tp and needs no GPUs of its own
/// (sglang/srt/server_args.py, enable_dp_attention); without a tp that is dp then, the least that holds it.
Count gpusOfSplit(const Scenario &scenario) {
    const Parallel &split = scenario.parallel;
    const Json *inside = scenario.engine.id == "sglang" ? scenario.engine.options.find("enable_dp_attention") : nullptr;
    // On the command line the option is a text, as core/engine/options.cpp reads it.
    const bool said = inside && inside->isString() && (inside->text() == "true" || inside->text() == "on" || inside->text() == "1");
    const bool dpInsideTp = said || (inside && inside->isBool() && inside->boolean());
    const Count one(1);
    const Count pp = split.pp.value_or(one), dp = split.dp.value_or(one);
    return dpInsideTp ? split.tp.value_or(dp) * pp.value : split.tp.value_or(one) * pp.value * dp.value;
}

} // namespace

void ScenarioReader::readHardware() {
    const Section hardware(m_root, "hardware", m_prefix, hardwareKeys, m_notes);
    Hardware &chosen = m_scenario.hardware;
    if (auto gpu = hardware.text("gpu")) {
        chosen.gpu = std::move(*gpu);
        chosen.devices.clear();
        chosen.memory.reset();
    }
    if (const auto count = hardware.count("count")) {
        chosen.count = *count;
        m_countGiven = true;
    }
    if (hardware.holds("memory_bytes"))
        chosen.memory = hardware.bytes("memory_bytes", 1);
    chosen.reserve = hardware.fraction("reserve").value_or(chosen.reserve);
    if (hardware.holds("display_bytes"))
        chosen.display = hardware.bytes("display_bytes", 0).value_or(Bytes(0));
    if (hardware.holds("price_per_gpu_hour"))
        chosen.pricePerGpuHour = hardware.amount("price_per_gpu_hour");
    readDevices(hardware);
    readCards(hardware);
    hardware.keepUnknown(m_scenario.unknown, m_unknown);
}

void ScenarioReader::readDevices(const Section &hardware) {
    const Json *devices = hardware.find("devices");
    if (!devices)
        return;
    if (!devices->isArray()) {
        hardware.refuseKind("devices", "a list of {\"gpu\": …, \"count\": …}", *devices);
        return;
    }
    m_scenario.hardware.devices.clear();
    Count total(0);
    for (std::size_t i = 0; i < devices->items().size(); ++i) {
        const std::string place = hardware.place("devices") + "[" + std::to_string(i) + "].";
        const Json &item = devices->items()[i];
        if (!item.isObject()) {
            hardware.refuseKind("devices", "a list of {\"gpu\": …, \"count\": …}", item);
            return;
        }
        const Section device(item, {}, place, deviceKeys, m_notes);
        const std::optional<std::string> gpu = device.text("gpu");
        if (!gpu)
            device.refuse("missing-key", "gpu", "each device needs the id of its GPU");
        Device one{gpu.value_or(""), device.count("count").value_or(Count(1))};
        total += one.count;
        m_scenario.hardware.devices.push_back(std::move(one));
    }
    // The number of unlike cards is the sum of their counts; a count beside them that says otherwise is a contradiction.
    if (m_scenario.hardware.devices.empty())
        return;
    if (m_countGiven && m_scenario.hardware.count != total)
        hardware.refuse("contradiction", "count", "count is " + std::to_string(m_scenario.hardware.count.value) + ", but devices has " + std::to_string(total.value) + " cards");
    m_scenario.hardware.count = total;
    m_countGiven = true;
    if (!hardware.find("gpu")) // one of them stands for all where one name is asked for
        m_scenario.hardware.gpu = m_scenario.hardware.devices.front().gpu;
}

/// Cards that are of no built-in list come along with the file, so that it plans the same on any machine. One that bears the id of another
/// card here gets an id of its own.
void ScenarioReader::readCards(const Section &hardware) {
    const Json *cards = hardware.find("cards");
    if (!cards)
        return;
    if (!cards->isArray()) {
        hardware.refuseKind("cards", "a list of GPUs, rows as in gpus.json", *cards);
        return;
    }
    for (const Json &row : cards->items()) {
        const Gpu card = readGpuRow(row);
        if (!isWhole(card)) {
            hardware.refuse("bad-value", "cards", "each card needs an id and one of marketed_gb, driver_mib and framework_mib");
            return;
        }
        const Hardware &asked = m_scenario.hardware;
        if (asked.gpu != card.id && std::ranges::find(asked.devices, card.id, &Device::gpu) == asked.devices.end())
            continue; // nobody's: it would only take a place
        const std::string id = adoptGpu(card);
        if (id.empty()) {
            hardware.refuse("out-of-range", "cards", "more cards than can be kept");
            return;
        }
        Hardware &chosen = m_scenario.hardware;
        if (chosen.gpu == card.id)
            chosen.gpu = id;
        for (Device &device : chosen.devices)
            if (device.gpu == card.id)
                device.gpu = id;
    }
}

void ScenarioReader::readParallel() {
    const Section parallel(m_root, "parallel", m_prefix, parallelKeys, m_notes);
    Parallel &chosen = m_scenario.parallel;
    const auto tp = parallel.count("tp"), pp = parallel.count("pp"), dp = parallel.count("dp");
    // A count alone means tp = count, whatever the base was split into.
    if (m_countGiven && !tp && !pp && !dp)
        chosen.tp = chosen.pp = chosen.dp = std::nullopt;
    if (tp)
        chosen.tp = tp;
    if (pp)
        chosen.pp = pp;
    if (dp)
        chosen.dp = dp;
    chosen.expertParallel = parallel.boolean("expert_parallel").value_or(chosen.expertParallel);
    // A split alone says how many GPUs there are.
    if (!m_countGiven && (tp || pp || dp))
        m_scenario.hardware.count = gpusOfSplit(m_scenario);
    parallel.keepUnknown(m_scenario.unknown, m_unknown);
}

} // namespace kv
