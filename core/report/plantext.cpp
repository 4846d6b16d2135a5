// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plantext.h"

#include "core/report/digest.h"
#include "core/report/extras.h"

#include <algorithm>
#include <cctype>

namespace kv {

namespace {

constexpr std::size_t indent = 2;

std::string inCapitals(std::string_view word) {
    std::string text(word);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

} // namespace

std::string planText(const Scenario &scenario, const Plan &plan, SizeUnit unit, const PlanExtras *extras) {
    Digest digest = digestOf(scenario, plan, unit, extras && extras->inFlight ? &*extras->inFlight : nullptr);
    addExtras(digest, extras, unit);
    std::string out = inCapitals(stateWord(digest.verdict.state)) + ": " + digest.verdict.headline + "\n";
    if (!digest.verdict.detail.empty())
        out += digest.verdict.detail + "\n";
    for (const DigestSection &section : digest.sections)
        out += "\n" + section.title + "\n" + section.table.text(indent, section.headings);
    for (const ExplainSection &section : digest.derivation) {
        out += "\n" + section.title + "\n";
        for (const std::string &line : section.lines)
            out += std::string(indent, ' ') + line + "\n";
        TextTable terms;
        terms.column("", TextTable::Align::Right).column("").column("").column("");
        for (const ExplainTerm &term : section.terms)
            terms.row({term.value, term.name, term.from, term.note});
        if (!terms.empty())
            out += terms.text(2 * indent, false);
    }
    if (!digest.warnings.empty())
        out += "\nWarnings\n";
    for (const std::string &warning : digest.warnings)
        out += std::string(indent, ' ') + "! " + warning + "\n";
    return out;
}

} // namespace kv
