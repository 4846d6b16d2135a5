// SPDX-License-Identifier: GPL-3.0-or-later
//
// A scenario as its JSON object: every part that decides the plan is written, also where it is a default, so that a later version with other
// defaults plans the same. What was kept from a newer version goes back to its section.
#include "core/scenario/scenariofile.h"

#include "core/hardware/gpurow.h"

#include "core/model/catalogue.h"
#include "core/scenario/measured.h"
#include "core/scenario/storedweights.h"
#include "core/workload/percentiles.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace kv {

namespace {

namespace fs = std::filesystem;

/// Relative to the scenario's folder where both lie under one root; otherwise as it is.
std::string pathFrom(const std::string &path, const std::string &folder) {
    const fs::path file(path), from(folder);
    if (folder.empty() || file.is_absolute() != from.is_absolute())
        return path;
    const fs::path relative = file.lexically_normal().lexically_relative(from.lexically_normal());
    return relative.empty() ? path : relative.generic_string();
}

/// A built-in preset is named; everything else that was read is embedded, since no other machine has it.
bool mustEmbed(const ModelChoice &model) {
    if (!model.spec || !model.spec->source)
        return false;
    if (model.preset.empty() || !model.path.empty())
        return true;
    const Preset *preset = findPreset(model.preset);
    return !preset || preset->own;
}

/// The config as it was read, but with numbers where it had them as text: reading took them so, and said it.
Json embedded(const ModelSpec &spec) {
    Json config = *spec.source;
    for (const Note &note : spec.notes) {
        if (note.code != "number-as-text")
            continue;
        Json *value = &config;
        for (std::string_view rest = note.where; value && !rest.empty();) {
            const std::size_t end = std::min(rest.find('.'), rest.size());
            value = value->find(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        std::int64_t number = 0;
        if (!value || !value->isString())
            continue;
        const std::string &text = value->text();
        if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc())
            *value = Json(number);
    }
    return config;
}

Json writeModel(const ModelChoice &model, const std::string &folder) {
    Json out = Json::object();
    if (!model.preset.empty())
        out.set("preset", model.preset);
    if (!model.path.empty())
        out.set("path", pathFrom(model.path, folder));
    if (!model.name.empty())
        out.set("name", model.name);
    if (!mustEmbed(model))
        return out;
    // A model from a file is called by what was read there; the embedded copy has to keep that name.
    if (model.name.empty() && !model.spec->name.empty())
        out.set("name", model.spec->name);
    out.set(model.spec->sourceIsGguf ? "gguf" : "config", embedded(*model.spec));
    if (const Json stored = storedWeights(*model.spec); !stored.isNull())
        out.set("stored", stored);
    return out;
}

Json writeWeights(const WeightsChoice &weights) {
    Json out = Json::object();
    if (!weights.dtype.empty())
        out.set("dtype", weights.dtype);
    if (weights.bytes)
        out.set("bytes", weights.bytes->value);
    return out;
}

Json writeKv(const KvChoice &kv) {
    Json out = Json::object();
    if (kv.key == kv.value) {
        if (kv.key != ElementType::Auto)
            out.set("dtype", info(kv.key).name);
        return out;
    }
    out.set("k", info(kv.key).name);
    out.set("v", info(kv.value).name);
    return out;
}

/// A fraction kept in units of 10^-9, as the shortest decimal.
double decimal(std::int64_t fraction) { return static_cast<double>(fraction) / static_cast<double>(fractionOne); }

/// Cards that another machine does not know go along.
void writeCards(const Hardware &hardware, Json &out) {
    std::vector<std::string> ids;
    if (hardware.devices.empty())
        ids.push_back(hardware.gpu);
    for (const Device &device : hardware.devices)
        ids.push_back(device.gpu);
    Json cards = Json::array();
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (const Gpu *gpu = findGpu(ids[i]); gpu && gpu->origin != GpuOrigin::BuiltIn && std::find(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(i), ids[i]) == ids.begin() + static_cast<std::ptrdiff_t>(i))
            cards.push(writeGpuRow(*gpu));
    if (!cards.items().empty())
        out.set("cards", std::move(cards));
}

Json writeHardware(const Hardware &hardware) {
    Json out = Json::object();
    if (hardware.devices.empty()) {
        out.set("gpu", hardware.gpu);
        out.set("count", hardware.count.value);
    } else {
        Json &list = out.set("devices", Json::array());
        for (const Device &device : hardware.devices) {
            Json one = Json::object();
            one.set("gpu", device.gpu);
            one.set("count", device.count.value);
            list.push(std::move(one));
        }
    }
    out.set("memory_bytes", hardware.memory ? Json(hardware.memory->value) : Json());
    out.set("reserve", decimal(hardware.reserve));
    if (hardware.display > Bytes(0))
        out.set("display_bytes", hardware.display.value);
    if (hardware.pricePerGpuHour)
        out.set("price_per_gpu_hour", *hardware.pricePerGpuHour);
    writeCards(hardware, out);
    return out;
}

Json writeParallel(const Parallel &parallel) {
    Json out = Json::object();
    if (parallel.tp)
        out.set("tp", parallel.tp->value);
    if (parallel.pp)
        out.set("pp", parallel.pp->value);
    if (parallel.dp)
        out.set("dp", parallel.dp->value);
    if (parallel.expertParallel)
        out.set("expert_parallel", true);
    return out;
}

Json writeWorkload(const Workload &workload, const std::string &folder) {
    Json out = Json::object();
    out.set("context", workload.context.value);
    out.set("sequences", workload.sequences.value);
    out.set("shared_prefix", workload.sharedPrefix.value);
    Json &lengths = out.set("lengths", workload.lengths);
    if (Json *file = lengths.find("file"); file && file->isString()) {
        *file = pathFrom(file->text(), folder);
        if (workload.distribution)
            lengths.set("trace", embeddedTrace(*workload.distribution));
    }
    return out;
}

Json writeFleet(const FleetTarget &target) {
    Json out = Json::object();
    if (target.users)
        out.set("users", *target.users);
    if (target.requestsPerSecond)
        out.set("requests_per_second", *target.requestsPerSecond);
    if (target.secondsPerRequest)
        out.set("seconds_per_request", *target.secondsPerRequest);
    if (target.lost > 0)
        out.set("lost", target.lost);
    return out;
}

void addSection(Json &root, const char *name, Json section) {
    if (!section.members().empty())
        root.set(name, std::move(section));
}

/// Keys that reading did not know, back where they stood.
void addUnknown(Json &root, const Json &unknown) {
    for (const auto &[section, kept] : unknown.members()) {
        Json &target = section.empty() ? root : root.find(section) ? *root.find(section) : root.set(section, Json::object());
        for (const auto &[key, value] : kept.members())
            target.set(key, value);
    }
}

} // namespace

Json writeScenario(const Scenario &scenario, const std::string &folder) {
    Json root = Json::object();
    root.set("kvplan", scenarioVersion);
    if (!scenario.name.empty())
        root.set("name", scenario.name);
    addSection(root, "model", writeModel(scenario.model, folder));
    addSection(root, "weights", writeWeights(scenario.weights));
    addSection(root, "kv", writeKv(scenario.kv));
    addSection(root, "workload", writeWorkload(scenario.workload, folder));
    addSection(root, "hardware", writeHardware(scenario.hardware));
    addSection(root, "parallel", writeParallel(scenario.parallel));
    Json engine = Json::object();
    engine.set("id", scenario.engine.id);
    engine.set("options", scenario.engine.options);
    addSection(root, "engine", std::move(engine));
    addSection(root, "fleet", writeFleet(scenario.fleet));
    addSection(root, "measured", writeMeasured(scenario.measured));
    addUnknown(root, scenario.unknown);
    return root;
}

} // namespace kv
