// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engines.h"
#include "core/report/logfields.h"
#include "core/report/logjson.h"
#include "core/report/refusal.h"
#include "core/report/texttable.h"

#include <cmath>

namespace kv {

namespace {

constexpr std::size_t indent = 2;

std::string decimal(std::int64_t value, std::int64_t one, std::size_t digits) {
    std::string rest = std::to_string(value % one);
    rest.insert(0, digits - rest.size(), '0');
    return writeNumber(value / one) + "." + rest;
}

std::string shown(const ServerLog &log, const LogField &field, SizeUnit unit) {
    return std::visit(
        [&](const auto member) -> std::string {
            const auto &value = log.*member;
            using Value = typename std::remove_cvref_t<decltype(value)>::value_type;
            if (!value)
                return {};
            if constexpr (std::is_same_v<Value, Bytes>) {
                return writeBytes(*value, unit);
            } else if constexpr (std::is_same_v<Value, Tokens>) {
                return writeNumber(value->value);
            } else if constexpr (std::is_same_v<Value, std::int64_t>) {
                if (!field.fraction)
                    return writeNumber(*value);
                std::string text = decimal(*value, 1'000'000'000, 9);
                text.erase(text.find_last_not_of('0') + 1);
                return text.ends_with('.') ? text + "0" : text;
            } else if constexpr (std::is_same_v<Value, double>) {
                return decimal(std::llround(*value * 100), 100, 2) + "×";
            } else {
                return *value;
            }
        },
        field.field);
}

std::string amount(const std::optional<std::int64_t> &value, LoggedUnit kind, SizeUnit unit) {
    if (!value)
        return "–";
    switch (kind) {
    case LoggedUnit::Size:
        return writeBytes(Bytes(*value), unit);
    case LoggedUnit::Times: {
        const bool negative = *value < 0;
        return (negative ? "−" : "") + decimal(negative ? -*value : *value, 100, 2) + "×";
    }
    case LoggedUnit::Length:
    case LoggedUnit::Number:
        return *value < 0 ? "−" + writeNumber(-*value) : writeNumber(*value);
    }
    return {};
}

/// A sentence broken at blanks, so that a line of a terminal holds it.
std::string wrapped(const std::string &text, std::size_t margin) {
    constexpr std::size_t width = 100;
    std::string out(margin, ' ');
    std::size_t column = margin;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (column > margin && column + (end - at) + 1 > width) {
            out += "\n" + std::string(margin, ' ');
            column = margin;
        }
        if (column > margin) {
            out += ' ';
            ++column;
        }
        out.append(text, at, end - at);
        column += end - at;
        at = end + 1;
    }
    return out + "\n";
}

std::string differencesText(const Reconciliation &beside, SizeUnit unit) {
    TextTable table;
    using enum TextTable::Align;
    table.column("").column("Log", Right).column("Plan", Right).column("Difference", Right).column("");
    std::string reasons;
    for (const LogDifference &row : beside.differences) {
        table.row({row.name, amount(row.logged, row.unit, unit), amount(row.planned, row.unit, unit),
                   row.agrees ? "as logged" : amount(row.difference(), row.unit, unit), {}});
        if (!row.text.empty())
            reasons += wrapped(row.name + ": " + row.text, indent);
    }
    return "\nBeside the plan\n" + table.text(indent) + (reasons.empty() ? "" : "\n" + reasons);
}

} // namespace

std::string logText(const ServerLog &log, const Reconciliation &beside, SizeUnit unit) {
    const Engine *engine = findEngine(log.engine);
    std::string out = "A start of " + std::string(engine ? engine->name() : log.engine) + "\n";
    if (log.refusal)
        out += wrapped("It did not come up: " + *log.refusal, 0);
    TextTable said;
    said.column("").column("");
    for (const LogField &field : logFields())
        if (std::string text = shown(log, field, unit); !text.empty())
            said.row({std::string(field.name), std::move(text)});
    out += "\nThe log says\n" + said.text(indent, false);
    if (!beside.differences.empty())
        out += differencesText(beside, unit);
    if (beside.noPlan)
        out += "\n" + wrapped("No plan beside it: " + refusalSentence(*beside.noPlan), 0);
    if (!log.notes.empty() || !beside.notes.empty())
        out += "\nNotes\n";
    for (const Notes &notes : {log.notes, beside.notes})
        for (const Note &note : notes)
            out += wrapped("! " + note.text, indent);
    return out;
}

} // namespace kv
