// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/answers.h"

#include "core/base/jsonwriter.h"
#include "core/plan/nearest.h"
#include "core/report/extras.h"
#include "core/report/planjson.h"
#include "core/report/texttable.h"

#include <cstdio>

namespace kv {

namespace {

using enum TextTable::Align;

constexpr std::string_view questionNames[]{"users", "context", "gpus", "utilization"};

std::string decimals(double number, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, number);
    return text;
}

std::string most(const std::optional<std::int64_t> &users) { return users ? writeNumber(*users) : std::string("no limit"); }

std::string weightsName(const std::string &weights) { return weights.empty() ? "as stored" : weights; }

} // namespace

std::string solutionJson(const Scenario &asked, const Solution &solution, Question question, const Notes &warnings, const InFlight *inFlight) {
    std::string out;
    JsonWriter json(out, true);
    json.beginObject();
    json.member("ok", true);
    json.member("question", questionNames[static_cast<std::size_t>(question)]);
    if (question == Question::Utilization) {
        json.key("answer");
        solution.answer ? json.value(static_cast<double>(*solution.answer) / 1000) : json.null();
        json.member("option", solution.option);
    } else {
        json.member("answer", solution.answer);
    }
    json.member("fits", solution.fits);
    json.member("at_limit", solution.atLimit);
    json.member("sentence", solution.sentence);
    json.key("set").tree(scenarioPatch(asked, solution.scenario));
    if (inFlight) {
        json.key("lengths").beginObject();
        writeInFlight(json, *inFlight);
        json.endObject();
    }
    writeWarnings(json, warnings);
    json.endObject();
    return out + "\n";
}

namespace {

TextTable fitMapTable(const FitMap &map, SizeUnit unit) {
    TextTable table;
    table.column("Context", Right).column("Most sequences", Right).column("One sequence on the fullest GPU", Right);
    for (const FitMapColumn &column : map.columns)
        table.row({writeNumber(column.context.value), column.refused ? "not taken" : most(column.most), writeBytes(column.perSequence, unit)});
    return table;
}

} // namespace

std::string fitMapText(const FitMap &map, SizeUnit unit) { return fitMapTable(map, unit).text(); }
std::string fitMapMarkdown(const FitMap &map, SizeUnit unit) { return fitMapTable(map, unit).markdown(); }

std::string fitMapJson(const FitMap &map, const Notes &warnings) {
    std::string out;
    JsonWriter json(out, true);
    json.beginObject();
    json.member("ok", true);
    json.key("columns").beginArray();
    for (const FitMapColumn &column : map.columns) {
        json.beginObject();
        json.member("context", column.context.value);
        json.member("max_sequences", column.most);
        json.member("bytes_per_sequence_per_gpu", column.perSequence.value);
        if (column.refused)
            json.member("refused", true);
        json.endObject();
    }
    json.endArray();
    writeWarnings(json, warnings);
    json.endObject();
    return out + "\n";
}

namespace {

TextTable settingsMapTable(const SettingsMap &map) {
    TextTable table;
    table.column("GPUs", Right).column("Split").column("Cache").column("Weights").column("").column("Most sequences", Right).column("");
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const SettingsCell &cell = map.cells[i];
        table.row({writeNumber(cell.gpus), cell.taken ? splitText(cell.scenario) : "", std::string(info(cell.cache).label), weightsName(cell.weights), !cell.taken ? "not taken" : cell.fits ? "fits" : "does not fit",
                   cell.taken ? most(cell.users) : "", map.cheapest == i ? "the cheapest that fits" : ""});
    }
    return table;
}

} // namespace

std::string settingsMapText(const SettingsMap &map) { return settingsMapTable(map).text(); }
std::string settingsMapMarkdown(const SettingsMap &map) { return settingsMapTable(map).markdown(); }

std::string settingsMapJson(const Scenario &asked, const SettingsMap &map, const Notes &warnings) {
    std::string out;
    JsonWriter json(out, true);
    json.beginObject();
    json.member("ok", true);
    json.key("cells").beginArray();
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const SettingsCell &cell = map.cells[i];
        json.beginObject();
        json.member("gpus", cell.gpus);
        json.member("kv", info(cell.cache).name);
        json.member("weights", weightsName(cell.weights));
        json.member("taken", cell.taken);
        json.member("fits", cell.fits);
        json.member("max_sequences", cell.users);
        json.member("cheapest", map.cheapest == i);
        json.key("set").tree(scenarioPatch(asked, cell.scenario));
        json.endObject();
    }
    json.endArray();
    writeWarnings(json, warnings);
    json.endObject();
    return out + "\n";
}

std::string fleetText(const Fleet &fleet) {
    TextTable table;
    table.column("").column("");
    table.row({fleet.usersAtPeak ? "Sequences in flight, on average" : "Sequences in flight", writeNumber(fleet.users)});
    if (fleet.usersAtPeak)
        table.row({"In 99 of 100 moments, arriving at random", writeNumber(*fleet.usersAtPeak) + ", for which it takes " + writeNumber(*fleet.deploymentsAtPeak) +
                                                                    (*fleet.deploymentsAtPeak == 1 ? " deployment" : " deployments")});
    table.row({"One deployment holds", writeNumber(fleet.usersEach) + (fleet.atP99 ? ", in 99 of 100 cases" : "")});
    table.row({"Deployments", writeNumber(fleet.deployments) + (fleet.lost > 0 ? ", of which " + writeNumber(fleet.lost) + " may be down" : "")});
    table.row({"GPUs", writeNumber(fleet.gpus)});
    if (fleet.nodes)
        table.row({"Nodes", writeNumber(*fleet.nodes)});
    table.row({"Headroom, all up", decimals(100 * fleet.headroom, 1) + " %"});
    if (fleet.lost > 0)
        table.row({"Headroom, " + writeNumber(fleet.lost) + " down", decimals(100 * fleet.headroomLost, 1) + " %"});
    if (fleet.requestsPerSecond)
        table.row({"Carries on average at most", decimals(*fleet.requestsPerSecond, 2) + " requests a second"});
    if (fleet.pricePerHour)
        table.row({"Price", decimals(*fleet.pricePerHour, 2) + " an hour"});
    return table.text(0, false);
}

std::string fleetJson(const Fleet &fleet, const Notes &warnings) {
    std::string out;
    JsonWriter json(out, true);
    json.beginObject();
    json.member("ok", true);
    json.member("sequences", fleet.users);
    json.member("sequences_at_p99", fleet.usersAtPeak);
    json.member("deployments_at_p99", fleet.deploymentsAtPeak);
    json.member("sequences_per_deployment", fleet.usersEach);
    json.member("at_p99", fleet.atP99);
    json.member("deployments", fleet.deployments);
    json.member("lost", fleet.lost);
    json.member("gpus", fleet.gpus);
    json.member("nodes", fleet.nodes);
    json.member("headroom", fleet.headroom);
    json.member("headroom_with_lost", fleet.headroomLost);
    for (const auto &[key, number] : {std::pair("max_requests_per_second", fleet.requestsPerSecond), {"price_per_hour", fleet.pricePerHour}}) {
        json.key(key);
        number ? json.value(*number) : json.null();
    }
    writeWarnings(json, warnings);
    json.endObject();
    return out + "\n";
}

} // namespace kv
