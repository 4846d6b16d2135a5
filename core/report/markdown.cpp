// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markdown.h"

#include "core/base/version.h"
#include "core/report/digest.h"
#include "core/report/extras.h"

#include <cctype>

namespace kv {

std::string markdownText(std::string_view text) {
    static constexpr std::string_view special = "\\`*[]<>|#~&";
    const auto inWord = [&text](std::size_t at) { return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])); };
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        // An underscore between letters (num_gpu_blocks) is one; elsewhere it would begin or end emphasis.
        const bool emphasis = text[i] == '_' && !(i > 0 && inWord(i - 1) && inWord(i + 1));
        if (emphasis || special.find(text[i]) != std::string_view::npos)
            out += '\\';
        out += text[i];
    }
    return out;
}

std::string derivationMarkdown(const std::vector<ExplainSection> &sections) {
    std::string out;
    for (const ExplainSection &section : sections) {
        out += "\n### " + markdownText(section.title) + "\n\n```\n";
        for (const std::string &line : section.lines)
            out += line + "\n";
        out += "```\n";
        TextTable terms;
        terms.column("Value", TextTable::Align::Right).column("What").column("From").column("Note");
        for (const ExplainTerm &term : section.terms)
            terms.row({term.value, term.name, term.from, term.note});
        if (!terms.empty())
            out += "\n" + terms.markdown();
    }
    return out;
}

std::string planMarkdown(const Scenario &scenario, const Plan &plan, SizeUnit unit, const PlanExtras *extras) {
    Digest digest = digestOf(scenario, plan, unit, extras && extras->inFlight ? &*extras->inFlight : nullptr);
    addExtras(digest, extras, unit);
    std::string out = "# " + markdownText(digest.title) + "\n\n";
    out += "**" + std::string(stateWord(digest.verdict.state)) + ": " + markdownText(digest.verdict.headline) + ".**\n" + markdownText(digest.verdict.detail) + "\n";
    for (const DigestSection &section : digest.sections)
        out += "\n## " + markdownText(section.title) + "\n\n" + section.table.markdown();
    if (!digest.derivation.empty())
        out += "\n## How it is counted\n";
    out += derivationMarkdown(digest.derivation);
    if (!digest.warnings.empty())
        out += "\n## Warnings\n\n";
    for (const std::string &warning : digest.warnings)
        out += "- " + markdownText(warning) + "\n";
    return out + "\nMade by KV Planner " + std::string(version()) + ".\n";
}

} // namespace kv
