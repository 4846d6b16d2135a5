// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/usageparts.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kv {

namespace {

/// The objects that a name lies in: "usage." of "usage.prompt_tokens".
std::string_view objectOf(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return name.substr(0, dot == std::string_view::npos ? 0 : dot + 1);
}

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Whether a name without its object reads so, case and signs left aside. Asked of every key of every request: nothing is copied.
bool reads(std::string_view name, std::string_view plain) {
    for (const char c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c)))
            continue;
        if (plain.empty() || lower(c) != plain.front())
            return false;
        plain.remove_prefix(1);
    }
    return plain.empty();
}

struct Rule {
    std::string_view beside, part;
    UsagePart use;
};
constexpr auto rules = std::to_array<Rule>({
    {"inputtokens", "cachecreationinputtokens", UsagePart::Input},
    {"inputtokens", "cachereadinputtokens", UsagePart::Input},
    {"inputtokens", "cachewriteinputtokens", UsagePart::Input},
    {"prompttokencount", "tooluseprompttokencount", UsagePart::Input},
    {"candidatestokencount", "thoughtstokencount", UsagePart::Output},
});
constexpr auto totals = std::to_array<std::string_view>({"totaltokens", "totaltokencount"});

} // namespace

std::string plainName(std::string_view name) {
    name.remove_prefix(objectOf(name).size());
    std::string plain;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            plain += lower(c);
    return plain;
}

UsagePart usagePart(std::string_view name, std::string_view input, std::string_view output) {
    const std::string_view object = objectOf(name);
    if (input.empty() || output.empty() || object != objectOf(input) || object != objectOf(output) || name == input || name == output)
        return UsagePart::None;
    const std::string_view own = name.substr(object.size());
    if (!object.starts_with("gen_ai."))
        for (const Rule &rule : rules)
            if (reads(own, rule.part) && reads((rule.use == UsagePart::Input ? input : output).substr(object.size()), rule.beside))
                return rule.use;
    return std::ranges::any_of(totals, [own](std::string_view total) { return reads(own, total); }) ? UsagePart::Total : UsagePart::None;
}

void UsageCheck::added(std::string_view part, std::string_view to, std::int64_t tokens) {
    if (tokens == 0)
        return;
    auto one = std::ranges::find(m_added, to, &Addition::to);
    if (one == m_added.end())
        one = m_added.insert(one, {std::string(to), {}});
    if (std::ranges::find(one->parts, part) == one->parts.end())
        one->parts.emplace_back(part);
}

void UsageCheck::compare(std::string_view total, std::int64_t said, std::int64_t counted, std::int64_t line) {
    if (said == counted || m_unlike++ > 0)
        return;
    m_total = total;
    m_firstLine = line;
    m_firstSaid = said;
    m_firstCounted = counted;
}

void UsageCheck::tell(Notes &notes, const std::string &file) const {
    for (const Addition &one : m_added) {
        std::string text = file + ": added to " + oneLine(one.to, 80) + ", which the API with these names counts without: ";
        for (std::size_t i = 0; i < one.parts.size(); ++i)
            text.append(i == 0 ? "" : ", ").append(oneLine(one.parts[i], 80));
        notes.push_back(infoNote("length-part-added", file, std::move(text)));
    }
    if (m_unlike > 0)
        notes.push_back(warningNote("total-contradicts", file,
                                    file + ": " + oneLine(m_total, 80) + " is not input and output together in " + writeNumber(m_unlike) + (m_unlike == 1 ? " row" : " rows") +
                                        ", the first in line " + writeNumber(m_firstLine) + ", which says " + writeNumber(m_firstSaid) + " where they come to " +
                                        writeNumber(m_firstCounted) + "; input and output are counted. Where the total is right, as with reasoning that no output holds, choose it: "
                                        "--lengths-columns total=" + oneLine(m_total, 80)));
}

} // namespace kv
