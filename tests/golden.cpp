// SPDX-License-Identifier: GPL-3.0-or-later
//
// Known answers, without Qt: every line of tests/data/golden/*.jsonl goes the way of a --batch line (readScenario, evaluate, planToJson),
// and what comes out is held against the line's "expect" (a dotted path into the plan: the value; null: none, or nothing there; "tolerance" is
// relative) or "refuse" (a word of the refusal).
//
// Those of tests/data/rules are no answers of others: sums worked out by hand from the rules (sums.jsonl), and figures that are held so that a
// change of a rule is seen (held.jsonl). tests/mutation looks whether they see enough.
//
//     kv_golden FILE...     every row of the files; an id stands once in a file, every row names the source of its figures
//     kv_golden embedded    the files that are compiled in: in order, and each of them JSON
//     kv_golden --table [FILE...]   how near the figures come, by engine: rows, those exact in every figure, those within 1 % in every figure;
//                           without files all of tests/data/golden. A figure that its source rounds (1.56x) is exact when it rounds to the same.
#include "core/base/embedded.h"
#include "core/base/smallfile.h"
#include "core/plan/evaluate.h"
#include "core/report/planjson.h"
#include "core/scenario/scenariofile.h"
#include "tests/testpaths.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using kv::Json;

int checkEmbedded() {
    std::string_view previous;
    for (const kv::EmbeddedFile &file : kv::embeddedFiles()) {
        const std::string name(file.path);
        const kv::Parsed<Json> json = kv::parseJson(file.content, name);
        if (!json || file.path <= previous) {
            std::fprintf(stderr, "%s: %s\n", name.c_str(), json ? "out of order" : kv::firstError(json.notes)->text.c_str());
            return 1;
        }
        previous = file.path;
    }
    return kv::embeddedFiles().empty() ? 1 : 0;
}

/// The value at a dotted path, whose parts are keys or, in a list, places; nullptr where there is none.
const Json *lookUp(const Json &plan, std::string_view path) {
    const Json *node = &plan;
    while (node && !path.empty()) {
        const std::size_t end = std::min(path.find('.'), path.size());
        const std::string_view part = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (!node->isArray()) {
            node = node->find(part);
            continue;
        }
        std::size_t place = 0;
        const auto read = std::from_chars(part.data(), part.data() + part.size(), place);
        node = read.ec == std::errc() && place < node->items().size() ? &node->items()[place] : nullptr;
    }
    return node;
}

bool holds(const Json &value, const Json &wanted, double tolerance) {
    if (!wanted.isNumber())
        return value == wanted;
    if (!value.isNumber())
        return false;
    if (tolerance == 0 && value.kind() == Json::Kind::Integer && wanted.kind() == Json::Kind::Integer)
        return value.integer() == wanted.integer();
    return std::abs(value.real() - wanted.real()) <= tolerance * std::abs(wanted.real());
}

/// What is wrong with the answer to one row; empty: nothing. Paths in the scenario are relative to `folder`, the row's file's.
std::string faultOf(const Json &row, const std::string &folder) {
    const Json *scenario = row.find("scenario");
    const Json *expect = row.find("expect");
    const Json *refuse = row.find("refuse");
    const Json *source = row.find("source");
    if (!scenario || !source || !source->isString() || (expect != nullptr) == (refuse != nullptr) || (expect && expect->members().empty()))
        return "the row needs a scenario, a source, and either something expected or a refusal";
    const kv::Parsed<kv::Scenario> read = kv::readScenario(*scenario, folder, kv::scenarioDefaults());
    const kv::Plan made = read ? kv::evaluate(*read) : kv::Plan();
    const kv::Note *error = read ? (made.refusal ? &*made.refusal : nullptr) : kv::firstError(read.notes);
    if (refuse) {
        if (!error)
            return "should be refused";
        const std::string said = kv::writeJson(kv::refusalToJson(*error));
        return said.find(refuse->text()) == std::string::npos ? "the refusal does not name " + refuse->text() + ": " + said : std::string();
    }
    if (error)
        return "refused: " + error->text;
    const Json plan = kv::planToJson(*read, made);
    const Json *within = row.find("tolerance");
    for (const auto &[path, wanted] : expect->members()) {
        const Json *value = lookUp(plan, path);
        if (!value && wanted.isNull())
            continue;
        if (!value)
            return path + " is missing";
        if (!holds(*value, wanted, within ? within->real() : 0))
            return path + " is " + kv::describe(*value) + ", should be " + kv::describe(wanted);
    }
    return {};
}

/// A row of the table: how many rows of one engine there are, and how near they come.
struct Tally {
    int rows = 0, exact = 0, near = 0;
};
using Table = std::map<std::string, Tally>;

/// Whether a figure is the one wanted as far as its source wrote it: "1.56" has two decimals.
bool isExact(const Json &value, const Json &wanted) {
    if (!value.isNumber() || !wanted.isNumber())
        return value == wanted;
    if (wanted.kind() == Json::Kind::Integer)
        return value.real() == wanted.real();
    const std::string written = kv::writeJson(wanted);
    const std::size_t point = written.find('.');
    const auto decimals = point == std::string::npos ? 0 : written.size() - point - 1;
    return std::abs(value.real() - wanted.real()) <= 0.5 * std::pow(10.0, -static_cast<double>(decimals)) + 1e-9;
}

/// Refusals have no figures and are left out.
void tally(const Json &row, const std::string &folder, Table &table) {
    const Json *scenario = row.find("scenario"), *expect = row.find("expect");
    const kv::Parsed<kv::Scenario> read = scenario && expect ? kv::readScenario(*scenario, folder, kv::scenarioDefaults()) : kv::Parsed<kv::Scenario>{};
    if (!read)
        return;
    const Json plan = kv::planToJson(*read, kv::evaluate(*read));
    constexpr double percent = 0.01;
    bool exact = true, near = true;
    for (const auto &[path, wanted] : expect->members()) {
        const Json *value = lookUp(plan, path);
        exact = exact && value && isExact(*value, wanted);
        near = near && value && holds(*value, wanted, percent);
    }
    Tally &t = table[read->engine.id];
    ++t.rows;
    t.exact += exact ? 1 : 0;
    t.near += near ? 1 : 0;
}

template <typename Each>
bool forEachRow(const std::string &path, Each &&each) {
    constexpr std::int64_t largest = 256 * 1024 * 1024;
    const kv::Parsed<std::string> text = kv::readSmallFile(path, largest);
    if (!text)
        std::fprintf(stderr, "%s\n", kv::firstError(text.notes)->text.c_str());
    for (std::string_view rest = text ? std::string_view(*text) : std::string_view(); !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.find_first_not_of(" \r\t") != std::string_view::npos)
            each(kv::parseJson(line, path));
    }
    return text.value.has_value();
}

int printTable(std::vector<std::string> files) {
    if (files.empty()) {
        std::error_code error;
        for (const auto &entry : std::filesystem::directory_iterator(std::string(kv::test::dataFolder()) + "/golden", error))
            if (entry.path().extension() == ".jsonl")
                files.push_back(entry.path().string());
    }
    Table table;
    bool readAll = !files.empty();
    for (const std::string &path : files)
        readAll = forEachRow(path, [&](const kv::Parsed<Json> &row) {
            if (row)
                tally(*row, std::filesystem::path(path).parent_path().string(), table);
        }) && readAll;
    std::printf("| engine | cases | exact | within 1 %% |\n|---|---:|---:|---:|\n");
    for (const auto &[engine, t] : table)
        std::printf("| %s | %d | %d | %d |\n", engine.c_str(), t.rows, t.exact, t.near);
    return readAll ? 0 : 1;
}

int checkFile(const char *path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    std::set<std::string> seen;
    int rows = 0, faults = 0;
    const bool read = forEachRow(path, [&](const kv::Parsed<Json> &row) {
        ++rows;
        const Json *id = row ? row->find("id") : nullptr;
        const std::string called = id ? id->text() : "?";
        std::string fault = row ? faultOf(*row, folder) : kv::firstError(row.notes)->text;
        if (fault.empty() && !seen.insert(called).second)
            fault = "this id stands twice";
        if (fault.empty())
            return;
        ++faults;
        std::fprintf(stderr, "%s: %s\n", called.c_str(), fault.c_str());
    });
    std::printf("%s: %d of %d rows hold\n", path, rows - faults, rows);
    return faults > 0 || rows == 0 || !read ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "embedded")
        return checkEmbedded();
    if (what == "--table")
        return printTable({argv + 2, argv + argc});
    int status = argc > 1 ? 0 : 2;
    for (int i = 1; i < argc; ++i)
        status = std::max(status, checkFile(argv[i]));
    if (status == 2)
        std::fputs("usage: kv_golden FILE... | embedded | --table [FILE...]\n", stderr);
    return status;
}
