// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/columns.h"

#include "core/base/plaintext.h"
#include "core/workload/usageparts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>

namespace kv {

namespace {

using Words = std::span<const std::string_view>;

// In the order of preference where a file has several of them.
constexpr auto inputNames = std::to_array<std::string_view>(
    {"inputlength", "inputtokens", "inputlen", "inputlens", "prompttokens", "promptlen", "promptlens", "promptlength", "contexttokens", "requesttokens",
     "numinputtokens", "numprompttokens", "numprefilltokens", "prefilltokens", "inputtokencount", "prompttokencount", "inputtokenscount", "promptevalcount",
     "tokensevaluated", "isl", "input"});
constexpr auto outputNames = std::to_array<std::string_view>(
    {"outputlength", "outputtokens", "outputlen", "outputlens", "completiontokens", "generatedtokens", "responsetokens", "generationtokens", "completionlength",
     "responselength", "numoutputtokens", "numgeneratedtokens", "numcompletiontokens", "numdecodetokens", "decodetokens", "outputtokencount",
     "candidatestokencount", "outputtokenscount", "generationlen", "evalcount", "tokenspredicted", "osl", "output"});
constexpr auto totalNames = std::to_array<std::string_view>(
    {"totaltokens", "totallength", "totallen", "totaltokencount", "sequencelength", "seqlen", "numtokens", "ntokens", "tokens", "length", "lengths", "len", "total"});

/// OpenAI's export of usage: how many requests a row adds up.
constexpr auto sumNames = std::to_array<std::string_view>({"nummodelrequests"});

/// Of "usage.prompt_tokens" the last part says what it is; "usage.cache_read.input_tokens" is a part of a prompt.
bool ofACache(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot != std::string_view::npos && plainName(name.substr(0, dot)).starts_with("cache");
}

int guess(std::span<const std::string> names, Words known) {
    for (const std::string_view word : known)
        for (std::size_t i = 0; i < names.size(); ++i)
            if (plainName(names[i]) == word && !ofACache(names[i]))
                return static_cast<int>(i);
    return -1;
}

std::string listed(std::span<const std::string> names) {
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + oneLine(name, 60);
    return oneLine(text, 400);
}

/// A column asked for by name: as it is written, or else with case and signs left aside.
std::optional<Note> findWanted(std::span<const std::string> names, const std::string &wanted, int &place, const std::string &file) {
    if (wanted.empty())
        return std::nullopt;
    auto found = std::ranges::find(names, wanted);
    if (found == names.end())
        found = std::ranges::find_if(names, [&](const std::string &name) { return plainName(name) == plainName(wanted); });
    if (found == names.end())
        return errorNote("unknown-column", file, file + ": there is no column \"" + oneLine(wanted, 80) + "\"; there are " + listed(names));
    place = static_cast<int>(found - names.begin());
    return std::nullopt;
}

Note noColumns(std::span<const std::string> names, const std::string &file) {
    return errorNote("unknown-column", file,
                     file + ": no column tells the length of a request. The columns are " + listed(names) +
                         "; looked for are an input (input_length, input_tokens, prompt_tokens, ContextTokens, Request tokens, input_lens) with an output "
                         "(output_length, output_tokens, completion_tokens, GeneratedTokens, Response tokens, output_lens), or a total (total_tokens, length)");
}

/// 1.2e4 is what some tools make of 12000.
CellNumber withExponent(std::string_view text, bool negative) {
    constexpr double mostExact = 9007199254740992; // 2^53: beyond it a double no longer counts by ones
    double number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault == std::errc::result_out_of_range || number > mostExact)
        return {0, CellNumber::Fault::Range};
    if (fault != std::errc() || end != text.data() + text.size())
        return {0, CellNumber::Fault::NoNumber};
    if (number != std::floor(number))
        return {0, CellNumber::Fault::Fraction};
    return negative && number > 0 ? CellNumber{0, CellNumber::Fault::Negative} : CellNumber{static_cast<std::int64_t>(number), CellNumber::Fault::None};
}

/// One to three digits, then groups of three behind commas, or points.
bool isGrouped(std::string_view text, char mark) {
    const auto digits = [](std::string_view part) { return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; }); };
    const std::size_t first = text.find(mark);
    if (first > 3 || !digits(text.substr(0, first)))
        return false;
    for (text.remove_prefix(first); !text.empty(); text.remove_prefix(4))
        if (text.front() != mark || text.size() < 4 || !digits(text.substr(1, 3)))
            return false;
    return true;
}

} // namespace

Parsed<ColumnPlaces> placeColumns(std::span<const std::string> names, const LengthColumns &wanted, const std::string &file) {
    ColumnPlaces places;
    if (wanted.given()) {
        for (const auto &[name, place] : {std::pair(&wanted.input, &places.input), {&wanted.output, &places.output}, {&wanted.total, &places.total}})
            if (std::optional<Note> fault = findWanted(names, *name, *place, file))
                return {std::nullopt, {std::move(*fault)}};
        return {places, {}};
    }
    if (guess(names, sumNames) >= 0)
        return {std::nullopt,
                {errorNote("unknown-column", file,
                           file + ": each row adds up several requests (num_model_requests), and a trace has one request a row; where a row is one request, say which "
                                  "columns are its lengths, such as --lengths-columns input=input_tokens,output=output_tokens")}};
    places = {guess(names, inputNames), guess(names, outputNames), guess(names, totalNames)};
    if (places.input >= 0 && places.output >= 0) {
        places.total = -1;
        return {places, {}};
    }
    if (places.total >= 0)
        return {ColumnPlaces{-1, -1, places.total}, {}};
    if (places.input < 0)
        return {std::nullopt, {noColumns(names, file)}};
    Notes notes{warningNote("assumption", file,
                            file + ": only the column \"" + oneLine(names[static_cast<std::size_t>(places.input)], 80) +
                                "\" tells a length, and none the output's; requests are taken to be as long as their input")};
    return {places, std::move(notes)};
}

Parsed<ColumnPlaces> placeUnnamed(std::size_t columns, const LengthColumns &wanted, const std::string &file) {
    if (wanted.given()) {
        std::vector<std::string> places;
        for (std::size_t i = 1; i <= columns; ++i)
            places.push_back(std::to_string(i));
        return placeColumns(places, wanted, file);
    }
    if (columns == 1)
        return {ColumnPlaces{-1, -1, 0}, {}};
    if (columns == 2)
        return {ColumnPlaces{0, 1, -1},
                {warningNote("assumption", file, file + ": the columns have no header; the first is taken for the input's length, the second for the output's")}};
    return {std::nullopt,
            {errorNote("unknown-column", file,
                       file + ": " + std::to_string(columns) + " columns without a header; say which of them, counted from 1, are the input and the output, "
                              "such as --lengths-columns input=2,output=3")}};
}

Parsed<LengthColumns> readColumnChoice(std::string_view text, std::string_view where) {
    LengthColumns columns;
    const auto refused = [&] {
        return Parsed<LengthColumns>{std::nullopt,
                                     {errorNote("bad-value", std::string(where),
                                                std::string(where) + ": expected input=NAME,output=NAME or total=NAME, found \"" + oneLine(text, 80) + "\"")}};
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view pair = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t equals = pair.find('=');
        if (equals == std::string_view::npos || equals + 1 == pair.size())
            return refused();
        const std::string_view role = pair.substr(0, equals);
        std::string *name = role == "input" ? &columns.input : role == "output" ? &columns.output : role == "total" ? &columns.total : nullptr;
        if (!name || !name->empty()) // a role that is none, or one told twice
            return refused();
        *name = pair.substr(equals + 1);
    }
    const bool parts = !columns.input.empty() || !columns.output.empty();
    if (parts != columns.total.empty())
        return refused();
    if (columns.input == columns.output && parts)
        return {std::nullopt, {errorNote("bad-value", std::string(where),
                                         std::string(where) + ": expected two columns, found \"" + oneLine(columns.input, 80) + "\" for both input and output; a column that holds their sum is total=" +
                                             oneLine(columns.input, 80))}};
    return {columns, {}};
}

CellNumber readCell(std::string_view text, Points points) {
    using enum CellNumber::Fault;
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    if (text.empty())
        return {0, Empty};
    const bool negative = text.front() == '-';
    if (negative || text.front() == '+')
        text.remove_prefix(1);
    std::string plain;
    if (text.find(',') != std::string_view::npos && isGrouped(text, ',')) { // "5,112", as spreadsheets write it, in quotes
        std::ranges::copy_if(text, std::back_inserter(plain), [](char c) { return c != ','; });
        text = plain;
    }
    if (points == Points::MayGroup && !text.starts_with('0') && isGrouped(text, '.'))
        return {0, Grouped};
    CellNumber number;
    std::size_t i = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
        number.value = checked::add(checked::mul(number.value, 10), text[i] - '0');
    if (i == 0)
        return {0, NoNumber};
    if (i < text.size() && text[i] == '.') { // whole numbers of a column with gaps come out of spreadsheets as 37.0
        for (++i; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
            if (text[i] != '0')
                number.fault = Fraction;
    }
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E'))
        return withExponent(text, negative);
    if (i != text.size())
        return {0, NoNumber};
    if (!(number.value >= 0))
        return {0, Range};
    if (negative && (number.value > 0 || number.fault == Fraction))
        return {0, Negative};
    return number;
}

std::string_view faultWords(CellNumber::Fault fault) {
    switch (fault) {
    case CellNumber::Fault::Empty:
        return "an empty cell";
    case CellNumber::Fault::NoNumber:
        return "no number";
    case CellNumber::Fault::Fraction:
        return "not a whole number of tokens";
    case CellNumber::Fault::Grouped:
        return "thousands set off by points, or a fraction; which of the two, this file does not say: write whole numbers without points";
    case CellNumber::Fault::Negative:
        return "negative";
    case CellNumber::Fault::Range:
        return "out of range for a length in tokens";
    case CellNumber::Fault::None:
        break;
    }
    return "";
}

} // namespace kv
