// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scenariooptions.h"

#include "app/launchoption.h"
#include "app/lengthoptions.h"
#include "app/modeloption.h"
#include "app/scenariotext.h"
#include "core/base/quantity.h"
#include "core/scenario/machinecards.h"
#include "core/scenario/scenariofile.h"
#include "core/base/plaintext.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace kv {

namespace {

namespace fs = std::filesystem;

enum class Kind { Word, Tokens, Count, Bytes, Fraction, Model, File };

/// An option, the field that holds it, and the place in the scenario that it sets.
struct Place {
    const char *option;
    ScenarioOptions::Text ScenarioOptions::*field;
    const char *section;
    const char *key;
    Kind kind;
};

using O = ScenarioOptions;
constexpr std::array places{
    Place{"--model", &O::model, "model", "", Kind::Model},
    Place{"--weights-dtype", &O::weightsDtype, "weights", "dtype", Kind::Word},
    Place{"--weights-bytes", &O::weightsBytes, "weights", "bytes", Kind::Bytes},
    Place{"--kv-dtype", &O::kvDtype, "kv", "dtype", Kind::Word},
    Place{"--k-dtype", &O::keyDtype, "kv", "k", Kind::Word},
    Place{"--v-dtype", &O::valueDtype, "kv", "v", Kind::Word},
    Place{"--context", &O::context, "workload", "context", Kind::Tokens},
    Place{"--sequences", &O::sequences, "workload", "sequences", Kind::Count},
    Place{"--shared-prefix", &O::sharedPrefix, "workload", "shared_prefix", Kind::Tokens},
    Place{"--lengths", &O::lengths, "workload", "lengths", Kind::File},
    Place{"--gpu", &O::gpu, "hardware", "gpu", Kind::Word},
    Place{"--gpus", &O::gpus, "hardware", "count", Kind::Count},
    Place{"--gpu-memory", &O::gpuMemory, "hardware", "memory_bytes", Kind::Bytes},
    Place{"--display", &O::display, "hardware", "display_bytes", Kind::Bytes},
    Place{"--reserve", &O::reserve, "hardware", "reserve", Kind::Fraction},
    Place{"--tp", &O::tp, "parallel", "tp", Kind::Count},
    Place{"--pp", &O::pp, "parallel", "pp", Kind::Count},
    Place{"--dp", &O::dp, "parallel", "dp", Kind::Count},
    Place{"--engine", &O::engine, "engine", "id", Kind::Word},
};

std::string placeName(const Place &place) { return *place.key ? std::string(place.section) + "." + place.key : place.section; }

template <typename Q>
Json taken(const Parsed<Q> &read, Notes &notes) {
    notes.insert(notes.end(), read.notes.begin(), read.notes.end());
    return read ? Json(read->value) : Json();
}

Json valueOf(const Place &place, const std::string &given, const std::string &folder, Notes &notes) {
    switch (place.kind) {
    case Kind::Word:
    case Kind::Fraction: // as the decimal it is written as
        return given;
    case Kind::Tokens: {
        const Parsed<Tokens> tokens = readTokens(given, place.option);
        if (tokens && tokens->value == 0 && place.field == &O::context)
            notes.push_back(errorNote("bad-value", place.option, std::string(place.option) + ": expected 1 token or more, such as 128k, found \"" + oneLine(given, 40) + "\""));
        return taken(tokens, notes);
    }
    case Kind::Count:
        return taken(readCount(given, place.option), notes);
    case Kind::Bytes:
        return taken(readBytes(given, place.option), notes);
    case Kind::Model:
        return modelOf(given, folder, notes);
    case Kind::File: {
        Json file = Json::object();
        file.set("file", pathFor(given, folder));
        return file;
    }
    }
    return {};
}

/// The section to write into; nullptr where the file has something else there, which reading will refuse.
Json *sectionOf(Json &scenario, const char *name) {
    if (Json *there = scenario.find(name); there && !there->isNull())
        return there->isObject() ? there : nullptr;
    return &scenario.set(name, Json::object());
}

bool says(const Json *section, std::string_view key) {
    const Json *value = section && section->isObject() ? section->find(key) : nullptr;
    return value && !value->isNull();
}

void leaveBehind(Json &scenario, const char *section, const char *key, const char *option, Notes &notes) {
    Json *there = scenario.find(section);
    if (!says(there, key))
        return;
    there->erase(key);
    const std::string place = std::string(section) + "." + key;
    notes.push_back(warningNote("option-replaces", place, place + " of the file belonged to what " + option + " replaces and is left out"));
}

/// One kind of card in the place of unlike ones: as many of it, unless the line says how many.
void replaceDevices(Json &scenario, const ScenarioOptions &o, Notes &notes) {
    Json *hardware = scenario.find("hardware");
    if (!says(hardware, "devices"))
        return;
    std::int64_t cards = 0;
    if (const Json *devices = hardware->find("devices"); devices->isArray())
        for (const Json &device : devices->items()) {
            const Json *count = device.isObject() ? device.find("count") : nullptr;
            cards += count && count->kind() == Json::Kind::Integer ? std::clamp<std::int64_t>(count->integer(), 0, 65536) : 1;
        }
    leaveBehind(scenario, "hardware", "devices", "--gpu", notes);
    if (!o.gpus && !o.tp && !says(hardware, "count") && cards > 0)
        hardware->set("count", cards);
}

/// Takes out of the file's object what the options given replace besides their own keys.
void leaveBehindAll(Json &scenario, const ScenarioOptions &o, Notes &notes) {
    if (o.model)
        leaveBehind(scenario, "weights", "bytes", "--model", notes);
    if (o.weightsDtype || o.weightsBytes)
        scenario.erase("weights");
    if (o.kvDtype)
        scenario.erase("kv");
    if (o.gpu) {
        if (!o.gpuMemory)
            leaveBehind(scenario, "hardware", "memory_bytes", "--gpu", notes);
        replaceDevices(scenario, o, notes);
    }
    // The number of GPUs and their split say the same thing twice: the one that is given leads.
    const bool split = o.tp || o.pp || o.dp;
    if (o.gpus && !split)
        leaveBehind(scenario, "parallel", "tp", "--gpus", notes);
    if (split && !o.gpus && (o.tp || says(scenario.find("parallel"), "tp")))
        leaveBehind(scenario, "hardware", "count", o.tp ? "--tp" : o.pp ? "--pp" : "--dp", notes);
    const Json *engine = scenario.find("engine");
    const Json *id = engine && engine->isObject() ? engine->find("id") : nullptr;
    if (o.engine && id && id->isString() && id->text() != *o.engine)
        if (const Json *options = engine->find("options"); options && options->isObject() && !options->members().empty())
            leaveBehind(scenario, "engine", "options", "--engine", notes);
}

void applyEngineOptions(Json &scenario, const std::vector<std::string> &given, Notes &notes) {
    for (const std::string &pair : given) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos || equals == 0) {
            notes.push_back(errorNote("bad-value", "--engine-option", "--engine-option: expected KEY=VALUE, such as block_size=16, found \"" + oneLine(pair, 80) + "\""));
            return;
        }
        Json *engine = sectionOf(scenario, "engine");
        if (Json *options = engine ? sectionOf(*engine, "options") : nullptr)
            options->set(pair.substr(0, equals), pair.substr(equals + 1));
    }
}

bool isThisMachine(const ScenarioOptions &options) { return options.gpu == "this-machine"; }

/// --gpu this-machine: the cards built in, and, unless --gpus says otherwise, how many.
void applyMachine(Json &scenario, const ScenarioOptions &options, Notes &notes) {
    const Machine machine = readMachine();
    notes.insert(notes.end(), machine.notes.begin(), machine.notes.end());
    Json *hardware = sectionOf(scenario, "hardware");
    if (machine.cards.empty() || !hardware)
        return;
    Scenario taken;
    const Json *engine = scenario.find("engine");
    const Json *id = engine && engine->isObject() ? engine->find("id") : nullptr;
    taken.engine.id = options.engine ? *options.engine : id && id->isString() ? id->text() : "textbook";
    notes.push_back(infoNote("this-machine", "--gpu", takeMachine(taken, machine)));
    hardware->erase("count");
    if (taken.hardware.devices.empty()) {
        hardware->set("gpu", taken.hardware.gpu);
        hardware->set("count", taken.hardware.count.value);
    } else {
        hardware->erase("gpu");
        Json &devices = hardware->set("devices", Json::array());
        for (const Device &device : taken.hardware.devices) {
            Json one = Json::object();
            one.set("gpu", device.gpu);
            one.set("count", device.count.value);
            devices.push(std::move(one));
        }
    }
    if (options.tp || options.pp || options.dp) // the split says how many
        hardware->erase("count");
    else
        scenario.erase("parallel");
}

Note inFile(Note note, const std::string &file) {
    const std::string shown = oneLine(file);
    if (note.text.find(shown) == std::string::npos)
        note.text = shown + ": " + note.text;
    return note;
}

/// The index of the scenario that is asked for by name; the notes say when there is none, or more than one.
std::size_t pickByName(const ScenarioTable &table, const std::string &name, Notes &notes) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < table.scenarios.size(); ++i) {
        const Json *there = table.scenarios[i]->find("name");
        if (there && there->isString() && there->text() == name)
            found.push_back(i);
    }
    const std::string shown = "\"" + oneLine(name, 80) + "\"";
    if (found.empty())
        notes.push_back(errorNote("no-scenario", "--scenario-name", "--scenario-name: no such name: the file has no scenario called " + shown));
    else if (found.size() > 1)
        notes.push_back(warningNote("name-twice", "--scenario-name", std::to_string(found.size()) + " scenarios, not one, are called " + shown + "; the first of several is planned"));
    return found.empty() ? 0 : found.front();
}

struct FileScenario {
    Json object = Json::object();
    std::string folder, prefix;
};

Parsed<FileScenario> readFile(const std::string &file, const ScenarioOptions::Text &name) {
    Parsed<FileScenario> out;
    const auto take = [&out](Notes notes) { out.notes.insert(out.notes.end(), notes.begin(), notes.end()); };
    const Parsed<std::string> text = readScenarioText(file);
    take(text.notes);
    if (!text)
        return out;
    const Parsed<Json> root = parseJson(*text, oneLine(file));
    take(root.notes);
    if (!root)
        return out;
    const Parsed<ScenarioTable> table = readTable(*root);
    take(table.notes);
    if (!table)
        return out;
    const std::size_t index = name ? pickByName(*table, *name, out.notes) : table->current;
    if (hasError(out.notes))
        return out;
    const Json &object = *table->scenarios[index];
    if (object.isObject() && !object.find("model") && (object.find("model_type") || object.find("num_hidden_layers"))) {
        out.notes.push_back(errorNote("not-a-scenario", "--scenario", "--scenario: this is a model's config.json, not a scenario; give it as --model"));
        return out;
    }
    out.value = FileScenario{object, fs::path(file).parent_path().string(), table->isTable ? "scenarios[" + std::to_string(index) + "]." : std::string()};
    return out;
}

} // namespace

bool ScenarioOptions::any() const {
    return !engineOptions.empty() || !classes.empty() || lengthsColumns || p50 || p90 || p99 || std::ranges::any_of(places, [this](const Place &place) { return (this->*place.field).has_value(); });
}

void applyOptions(Json &scenario, const ScenarioOptions &options, const std::string &folder, Notes &notes) {
    if (!scenario.isObject() || !options.any())
        return;
    leaveBehindAll(scenario, options, notes);
    if (isThisMachine(options))
        applyMachine(scenario, options, notes);
    for (const Place &place : places) {
        const ScenarioOptions::Text &given = options.*place.field;
        if (!given || (place.field == &O::gpu && isThisMachine(options)))
            continue;
        Json value = valueOf(place, *given, folder, notes);
        if (!*place.key)
            scenario.set(place.section, std::move(value));
        else if (Json *section = sectionOf(scenario, place.section))
            section->set(place.key, std::move(value));
    }
    applyLengths(scenario, options, notes);
    applyEngineOptions(scenario, options.engineOptions, notes);
}

Note namedByOption(Note note, const ScenarioOptions &options) {
    for (const Place &place : places) {
        const std::string name = placeName(place);
        const bool begins = note.where == name || (place.kind == Kind::Model && note.where.starts_with(name + "."));
        if (!(options.*place.field) || !begins)
            continue;
        if (const std::size_t at = note.text.find(note.where); at != std::string::npos)
            note.text.replace(at, note.where.size(), place.option);
        note.where = place.option;
        return note;
    }
    if (std::string option = lengthsOptionOf(options, note.where); !option.empty()) {
        if (const std::size_t at = note.text.find(note.where); at != std::string::npos)
            note.text.replace(at, note.where.size(), option);
        note.where = std::move(option);
    }
    return note;
}

Parsed<Scenario> readChosenScenario(const ScenarioOptions &options) {
    Parsed<Scenario> out;
    const auto finish = [&](Notes notes) {
        for (Note &note : notes) {
            if (note.severity == Severity::Error)
                note = namedByOption(std::move(note), options);
            out.notes.push_back(options.scenarioFile ? inFile(std::move(note), *options.scenarioFile) : std::move(note));
        }
    };
    if (options.scenarioName && !options.scenarioFile) {
        out.notes.push_back(errorNote("usage", "--scenario-name", "--scenario-name: names a scenario of a file; give the file as --scenario"));
        return out;
    }
    if (options.launchLine) {
        if (options.scenarioFile)
            out.notes.push_back(errorNote("usage", "--from-launch", "--from-launch: the line is the scenario; give --scenario or the line, not both"));
        else
            out = readLaunchScenario(options);
        return out;
    }
    Parsed<FileScenario> file{FileScenario{}, {}};
    if (options.scenarioFile)
        file = readFile(*options.scenarioFile, options.scenarioName);
    finish(file.notes);
    if (!file)
        return out;
    Notes notes;
    applyOptions(file.value->object, options, file->folder, notes);
    finish(notes);
    if (hasError(notes))
        return out;
    const Scenario base = options.scenarioFile ? scenarioDefaults() : firstScenario();
    Parsed<Scenario> scenario = readScenarioAt(file->object, file->folder, base, file->prefix);
    finish(scenario.notes);
    // A file holds the default too; who types it means it.
    if (scenario && options.reserve && scenario->engine.id != "textbook" && scenario->hardware.reserve == Hardware{}.reserve)
        out.notes.push_back(warningNote("no-effect", "--reserve", "--reserve: the reserve is the textbook's alone and has no effect under " + scenario->engine.id));
    out.value = std::move(scenario.value);
    return out;
}

} // namespace kv
