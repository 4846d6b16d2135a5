// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lengthoptions.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/workload/columns.h"
#include "core/workload/percentiles.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace kv {

namespace {

struct Percentile {
    const char *option;
    const char *key;
    ScenarioOptions::Text ScenarioOptions::*field;
};
constexpr std::array percentiles{Percentile{"--p50", "p50", &ScenarioOptions::p50}, Percentile{"--p90", "p90", &ScenarioOptions::p90}, Percentile{"--p99", "p99", &ScenarioOptions::p99}};

bool anyPercentile(const ScenarioOptions &o) {
    return std::ranges::any_of(percentiles, [&](const Percentile &p) { return (o.*p.field).has_value(); });
}

/// The workload to write into; nullptr where the file has something else there, which reading will refuse.
Json *workloadOf(Json &scenario) {
    if (Json *there = scenario.find("workload"); there && !there->isNull())
        return there->isObject() ? there : nullptr;
    return &scenario.set("workload", Json::object());
}

/// The columns of the trace that --lengths, or the file, names.
void applyColumns(Json &scenario, const std::string &given, Notes &notes) {
    const Parsed<LengthColumns> columns = readColumnChoice(given, "--lengths-columns");
    notes.insert(notes.end(), columns.notes.begin(), columns.notes.end());
    Json *workload = scenario.find("workload");
    Json *lengths = workload && workload->isObject() ? workload->find("lengths") : nullptr;
    if (!lengths || !lengths->find("file"))
        notes.push_back(errorNote("usage", "--lengths-columns", "--lengths-columns: names the columns of a trace; give the trace as --lengths"));
    if (hasError(notes))
        return;
    lengths->set("columns", columnsJson(*columns));
    lengths->erase("trace"); // embedded as other columns said
}

void applyPercentiles(Json &workload, const ScenarioOptions &o, Notes &notes) {
    const Json *there = workload.find("lengths");
    Json lengths = there && there->find("p50") ? *there : Json::object();
    for (const Percentile &p : percentiles) {
        if (!(o.*p.field))
            continue;
        const Parsed<Tokens> tokens = readTokens(*(o.*p.field), p.option);
        notes.insert(notes.end(), tokens.notes.begin(), tokens.notes.end());
        if (tokens)
            lengths.set(p.key, tokens->value);
    }
    if (!lengths.find("p50") && !hasError(notes)) // else the reader, which takes p50 for the sign of percentiles, would not know them
        notes.push_back(errorNote("missing-key", "--p50", "--p50: a distribution needs p50, p90 and p99; give all three"));
    workload.set("lengths", std::move(lengths));
}

void applyClasses(Json &workload, const std::vector<std::string> &given, Notes &notes) {
    Json list = Json::array();
    for (const std::string &text : given) {
        Parsed<Json> one = readClassChoice(text, "--class");
        notes.insert(notes.end(), one.notes.begin(), one.notes.end());
        if (one)
            list.push(std::move(*one.value));
    }
    Json lengths = Json::object();
    lengths.set("classes", std::move(list));
    workload.set("lengths", std::move(lengths));
}

} // namespace

Parsed<Json> readClassChoice(std::string_view text, std::string_view where) {
    const std::string at(where), whole(text);
    const auto refused = [&](const std::string &reason) {
        return Parsed<Json>{std::nullopt, {errorNote("bad-value", at, at + ": " + reason + ", found \"" + oneLine(whole, 100) + "\"")}};
    };
    Json one = Json::object();
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size()), equals = std::min(text.find('='), end);
        const std::string_view role = text.substr(0, equals), value = equals < end ? text.substr(equals + 1, end - equals - 1) : std::string_view();
        text.remove_prefix(std::min(end + 1, text.size()));
        if (role == "name") {
            one.set("name", value);
        } else if (role == "share") {
            double share = 0;
            const std::string_view digits = value.ends_with('%') ? value.substr(0, value.size() - 1) : value;
            const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), share);
            if (fault != std::errc() || stop != digits.data() + digits.size() || !std::isfinite(share) || share < 0)
                return refused("the share is a number of 0 or more such as 70");
            one.set("share", share);
        } else if (role == "input" || role == "output" || role == "media") {
            const Parsed<Tokens> tokens = readTokens(value, at + ": " + std::string(role));
            if (!tokens)
                return {std::nullopt, tokens.notes};
            one.set(std::string(role), tokens->value);
        } else {
            return refused("expected name=chat,share=70,input=1500,output=300, and media=N for the tokens of the input that are images or sound");
        }
    }
    for (const char *needed : {"share", "input", "output"})
        if (!one.find(needed))
            return refused(std::string("a class needs share, input and output; there is no ") + needed);
    return {std::move(one), {}};
}

void applyLengths(Json &scenario, const ScenarioOptions &o, Notes &notes) {
    const bool percent = anyPercentile(o), classes = !o.classes.empty();
    if (percent + classes + o.lengths.has_value() > 1) {
        const char *where = percent ? "--p50" : "--class";
        notes.push_back(errorNote("usage", where, std::string(where) + ": a trace, percentiles and classes are three ways to tell one distribution; give one of them"));
        return;
    }
    Json *workload = percent || classes ? workloadOf(scenario) : nullptr;
    if (workload && percent)
        applyPercentiles(*workload, o, notes);
    else if (workload)
        applyClasses(*workload, o.classes, notes);
    if (o.lengthsColumns)
        applyColumns(scenario, *o.lengthsColumns, notes);
}

std::string lengthsOptionOf(const ScenarioOptions &o, std::string_view place) {
    constexpr std::string_view lengths = "workload.lengths";
    if (!place.starts_with(lengths))
        return {};
    const std::string_view rest = place.substr(lengths.size());
    if (!o.classes.empty())
        return "--class";
    for (const Percentile &p : percentiles)
        if (anyPercentile(o) && rest == "." + std::string(p.key))
            return p.option;
    return anyPercentile(o) && rest.empty() ? "--p50, --p90, --p99" : std::string();
}

} // namespace kv
