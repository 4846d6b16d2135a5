// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenarioreader.h"

#include "core/base/plaintext.h"
#include "core/files/modelsource.h"
#include "core/model/catalogue.h"
#include "core/model/configreader.h"
#include "core/model/ggufmodel.h"
#include "core/scenario/measured.h"
#include "core/scenario/scenariofile.h"
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
constexpr std::array engineKeys{Keys("id"), Keys("options")};
constexpr std::array fleetKeys{Keys("users"), Keys("requests_per_second"), Keys("seconds_per_request"), Keys("lost")};

} // namespace

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

Parsed<Scenario> readScenario(const Json &object, const std::string &folder, const Scenario &base) {
    return ScenarioReader(object, folder, {}, base, false).read();
}

Parsed<Scenario> readScenarioAt(const Json &object, const std::string &folder, const Scenario &base, std::string_view prefix) {
    return ScenarioReader(object, folder, prefix, base, true).read();
}

} // namespace kv
