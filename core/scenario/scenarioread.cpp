// SPDX-License-Identifier: GPL-3.0-or-later
//
// A scenario from its JSON object, section by section. What is not said stays as in the base; what is said replaces its part: a model brings
// its own weights with it, a card its own memory, an engine its own options.
#include "core/scenario/scenariofile.h"

#include "core/base/plaintext.h"
#include "core/files/modelsource.h"
#include "core/hardware/gpurow.h"
#include "core/model/catalogue.h"
#include "core/model/configreader.h"
#include "core/model/ggufmodel.h"
#include "core/scenario/measured.h"
#include "core/scenario/section.h"
#include "core/scenario/storedweights.h"
#include "core/workload/percentiles.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace kv {

namespace {

using Keys = std::string_view;

// "id" is a batch line's own mark: known, and kept like a key that is not.
constexpr std::array topKeys{Keys("kvplan"), Keys("id"), Keys("name"), Keys("model"), Keys("weights"), Keys("kv"),
                             Keys("workload"), Keys("hardware"), Keys("parallel"), Keys("engine"), Keys("fleet"), Keys("measured")};
constexpr std::array modelKeys{Keys("preset"), Keys("path"), Keys("config"), Keys("gguf"), Keys("name"), Keys("stored")};
constexpr std::array weightsKeys{Keys("dtype"), Keys("bytes")};
constexpr std::array kvKeys{Keys("dtype"), Keys("k"), Keys("v")};
constexpr std::array workloadKeys{Keys("context"), Keys("sequences"), Keys("shared_prefix"), Keys("lengths")};
constexpr std::array hardwareKeys{Keys("gpu"), Keys("count"), Keys("memory_bytes"), Keys("reserve"), Keys("devices"), Keys("display_bytes"), Keys("price_per_gpu_hour"), Keys("cards")};
constexpr std::array deviceKeys{Keys("gpu"), Keys("count")};
constexpr std::array parallelKeys{Keys("tp"), Keys("pp"), Keys("dp"), Keys("expert_parallel")};
constexpr std::array engineKeys{Keys("id"), Keys("options")};
constexpr std::array fleetKeys{Keys("users"), Keys("requests_per_second"), Keys("seconds_per_request"), Keys("lost")};

/// The GPUs that a split asks for. With SGLang's attention data parallelism dp lies inside tp and needs no GPUs of its own
/// (sglang/srt/server_args.py, enable_dp_attention).
Count gpusOfSplit(const Scenario &scenario) {
    const Parallel &split = scenario.parallel;
    const Json *inside = scenario.engine.id == "sglang" ? scenario.engine.options.find("enable_dp_attention") : nullptr;
    // On the command line the option is a text, as core/engine/options.cpp reads it.
    const bool said = inside && inside->isString() && (inside->text() == "true" || inside->text() == "on" || inside->text() == "1");
    const bool dpInsideTp = said || (inside && inside->isBool() && inside->boolean());
    const Count one(1);
    const Count gpus = split.tp.value_or(one) * split.pp.value_or(one).value;
    return dpInsideTp ? gpus : gpus * split.dp.value_or(one).value;
}

/// Reads one scenario; its parts share the notes and the list of unknown keys.
class ScenarioReader {
public:
    ScenarioReader(const Json &root, const std::string &folder, std::string_view prefix, const Scenario &base, bool fromFile)
        : m_root(root), m_folder(folder), m_prefix(prefix), m_scenario(base), m_fromFile(fromFile) {}

    Parsed<Scenario> read();

private:
    void readTop();
    void readModel();
    void takeModel(Parsed<std::shared_ptr<const ModelSpec>> model, std::string_view place);
    void refuseTextNumbers(const Section &model);
    void readWeights();
    void readKv();
    std::optional<ElementType> kvType(const Section &section, std::string_view key);
    void readWorkload();
    void keepLengths(const Json &lengths, SharedLengths read);
    void readHardware();
    void readDevices(const Section &hardware);
    void readCards(const Section &hardware);
    void readParallel();
    void readEngine();
    void readFleet();

    const Json &m_root;
    const std::string &m_folder;
    std::string_view m_prefix;
    Scenario m_scenario;
    Notes m_notes;
    std::string m_unknown;
    bool m_fromFile;
    bool m_modelGiven = false;
    bool m_countGiven = false;
};

Parsed<Scenario> ScenarioReader::read() {
    if (!m_root.isObject()) {
        const std::string at = m_prefix.empty() ? "scenario" : std::string(m_prefix.substr(0, m_prefix.size() - 1));
        return {std::nullopt, {errorNote("bad-value", at, at + ": expected a scenario, which is an object, found " + describe(m_root))}};
    }
    m_scenario.unknown = Json();
    readTop();
    readModel();
    readWeights();
    readKv();
    readWorkload();
    readEngine();
    readHardware();
    readParallel();
    readFleet();
    if (!m_unknown.empty())
        m_notes.push_back(warningNote("unknown-key", std::string(m_prefix), "not known to this version, kept and without effect: " + m_unknown));
    if (hasError(m_notes))
        return {std::nullopt, std::move(m_notes)};
    return {std::move(m_scenario), std::move(m_notes)};
}

void ScenarioReader::readTop() {
    const Section top(m_root, {}, m_prefix, topKeys, m_notes);
    checkScenarioVersion(m_root, m_notes);
    if (auto name = top.text("name"))
        m_scenario.name = std::move(*name);
    if (const Json *measured = top.find("measured"))
        m_scenario.measured = readMeasured(*measured);
    top.keepUnknown(m_scenario.unknown, m_unknown);
    for (const std::string_view kept : {"id", "kvplan"})
        if (const Json *value = top.find(kept); value && !(kept == "kvplan" && *value == Json(1))) {
            if (!m_scenario.unknown.find(""))
                m_scenario.unknown.set("", Json::object());
            m_scenario.unknown.find("")->set(std::string(kept), *value);
        }
}

void ScenarioReader::takeModel(Parsed<std::shared_ptr<const ModelSpec>> model, std::string_view place) {
    if (model && *model) {
        m_scenario.model.spec = std::move(*model.value);
        // The model carries its reader's notes with it; what the file around it gave rise to is said here.
        const Notes &carried = m_scenario.model.spec->notes;
        for (Note &note : model.notes)
            if (std::ranges::find(carried, note) == carried.end())
                m_notes.push_back(std::move(note));
        return;
    }
    // The reader's notes are about the model's own keys: the place in the scenario goes before them.
    for (Note &note : model.notes)
        if (note.severity == Severity::Error) {
            if (note.where.empty())
                note.where = place;
            m_notes.push_back(std::move(note));
        }
    if (!hasError(m_notes))
        m_notes.push_back(errorNote("no-model", std::string(place), std::string(place) + ": no model could be read"));
}

void ScenarioReader::readModel() {
    const Section model(m_root, "model", m_prefix, modelKeys, m_notes);
    if (!model.given()) {
        if (!m_scenario.model.spec && !hasError(m_notes))
            model.refuse("no-model", "", "the scenario names no model; give {\"preset\": …}, {\"path\": …} or {\"config\": {…}}");
        return;
    }
    m_modelGiven = true;
    m_scenario.model = {};
    model.keepUnknown(m_scenario.unknown, m_unknown);
    m_scenario.model.preset = model.text("preset").value_or("");
    if (std::string &id = m_scenario.model.preset; id.find('/') != std::string::npos) // a preset may be called by its repository
        if (const Preset *preset = findPreset(id))
            id = preset->id;
    m_scenario.model.path = model.text("path").value_or("");
    m_scenario.model.name = model.text("name").value_or("");
    if (const std::string &path = m_scenario.model.path; !path.empty() && !m_folder.empty())
        m_scenario.model.path = (std::filesystem::path(m_folder) / path).lexically_normal().string();
    // What is embedded comes first: the plan must not depend on what lies at that path on this machine.
    if (const Json *config = model.find("config")) {
        takeModel(readConfig(*config, m_scenario.model.name, "model.config"), model.place("config"));
        refuseTextNumbers(model);
    } else if (const Json *metadata = model.find("gguf")) {
        takeModel(readGgufMetadata(*metadata, m_scenario.model.name, "model.gguf"), model.place("gguf"));
    } else if (!m_scenario.model.preset.empty()) {
        takeModel(presetModel(m_scenario.model.preset), model.place("preset"));
    } else if (!m_scenario.model.path.empty()) {
        takeModel(loadModel(m_scenario.model.path), model.place("path"));
    } else if (!hasError(m_notes)) {
        model.refuse("no-model", "", "it names no model; give preset, path or config");
    }
    const bool embedded = model.find("config") || model.find("gguf");
    if (const Json *stored = model.object("stored"); stored && embedded && m_scenario.model.spec)
        m_scenario.model.spec = withStoredWeights(m_scenario.model.spec, *stored);
}

/// People write "80" for 80 in a config.json, and it is taken, with a warning. A scenario file is written by a program, with numbers as
/// numbers (scenariowrite.cpp sees to it): text there is damage.
void ScenarioReader::refuseTextNumbers(const Section &model) {
    if (!m_fromFile || !m_scenario.model.spec)
        return;
    for (const Note &note : m_scenario.model.spec->notes)
        if (note.code == "number-as-text")
            model.refuse("bad-value", "config." + note.where, "expected a number, found text");
}

void ScenarioReader::readWeights() {
    const Section weights(m_root, "weights", m_prefix, weightsKeys, m_notes);
    if (m_modelGiven || weights.find("dtype") || weights.find("bytes"))
        m_scenario.weights = {};
    if (auto dtype = weights.text("dtype"))
        m_scenario.weights.dtype = std::move(*dtype);
    if (auto bytes = weights.bytes("bytes", 0))
        m_scenario.weights.bytes = bytes;
    weights.keepUnknown(m_scenario.unknown, m_unknown);
}

std::optional<ElementType> ScenarioReader::kvType(const Section &section, std::string_view key) {
    const std::optional<std::string> name = section.text(key);
    if (!name)
        return std::nullopt;
    const std::optional<ElementType> type = elementTypeFromName(*name);
    if (!type) {
        std::string known;
        for (const ElementTypeInfo &entry : elementTypes())
            known.append(known.empty() ? "" : ", ").append(entry.name);
        section.refuse("unknown-type", key, "there is no KV type \"" + oneLine(*name, 60) + "\"; there are " + known + " (kvplanner dtypes says which engine takes which)");
    }
    return type;
}

void ScenarioReader::readKv() {
    const Section kv(m_root, "kv", m_prefix, kvKeys, m_notes);
    if (const auto both = kvType(kv, "dtype"))
        m_scenario.kv = {*both, *both};
    if (const auto key = kvType(kv, "k"))
        m_scenario.kv.key = *key;
    if (const auto value = kvType(kv, "v"))
        m_scenario.kv.value = *value;
    kv.keepUnknown(m_scenario.unknown, m_unknown);
}

void ScenarioReader::readWorkload() {
    const Section workload(m_root, "workload", m_prefix, workloadKeys, m_notes);
    Workload &chosen = m_scenario.workload;
    chosen.context = workload.tokens("context").value_or(chosen.context);
    chosen.sequences = workload.count("sequences").value_or(chosen.sequences);
    chosen.sharedPrefix = workload.tokens("shared_prefix").value_or(chosen.sharedPrefix);
    if (workload.holds("lengths")) {
        chosen.lengths = Json();
        chosen.distribution = {};
    }
    if (const Json *lengths = workload.object("lengths")) {
        Parsed<SharedLengths> read = readLengths(*lengths, m_folder, workload.place("lengths"));
        m_notes.insert(m_notes.end(), read.notes.begin(), read.notes.end());
        if (read)
            keepLengths(*lengths, std::move(*read.value));
    }
    workload.keepUnknown(m_scenario.unknown, m_unknown);
}

/// A trace is kept apart from its JSON, which every copy of the scenario carries along: the path and the columns are enough there.
void ScenarioReader::keepLengths(const Json &lengths, SharedLengths read) {
    Workload &chosen = m_scenario.workload;
    chosen.lengths = lengths;
    chosen.lengths.erase("trace");
    if (Json *file = chosen.lengths.find("file"); file && read->kind == Lengths::Kind::Trace) {
        if (!m_folder.empty())
            *file = (std::filesystem::path(m_folder) / file->text()).lexically_normal().string();
        chosen.lengths.set("columns", columnsJson(read->columns));
    }
    chosen.distribution = std::move(read);
}

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
    if (!m_countGiven && tp)
        m_scenario.hardware.count = gpusOfSplit(m_scenario);
    parallel.keepUnknown(m_scenario.unknown, m_unknown);
}

void ScenarioReader::readEngine() {
    const Section engine(m_root, "engine", m_prefix, engineKeys, m_notes);
    EngineChoice &chosen = m_scenario.engine;
    if (auto id = engine.text("id"); id && *id != chosen.id) {
        chosen.id = std::move(*id);
        chosen.options = Json::object();
    }
    if (const Json *options = engine.object("options"))
        for (const auto &[key, value] : options->members())
            chosen.options.set(key, value);
    engine.keepUnknown(m_scenario.unknown, m_unknown);
}

void ScenarioReader::readFleet() {
    const Section fleet(m_root, "fleet", m_prefix, fleetKeys, m_notes);
    FleetTarget &target = m_scenario.fleet;
    if (fleet.holds("users")) {
        const auto users = fleet.count("users");
        target.users = users ? std::optional(users->value) : std::nullopt;
    }
    if (fleet.holds("requests_per_second"))
        target.requestsPerSecond = fleet.amount("requests_per_second");
    if (fleet.holds("seconds_per_request"))
        target.secondsPerRequest = fleet.amount("seconds_per_request");
    target.lost = fleet.number("lost").value_or(target.lost);
    if (target.users && target.requestsPerSecond)
        fleet.refuse("contradiction", "users", "users at the same time and requests a second are two loads; give one of them");
    fleet.keepUnknown(m_scenario.unknown, m_unknown);
}

} // namespace

Parsed<Scenario> readScenario(const Json &object, const std::string &folder, const Scenario &base) {
    return ScenarioReader(object, folder, {}, base, false).read();
}

Parsed<Scenario> readScenarioAt(const Json &object, const std::string &folder, const Scenario &base, std::string_view prefix) {
    return ScenarioReader(object, folder, prefix, base, true).read();
}

} // namespace kv
