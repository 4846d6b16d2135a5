// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/pagenumbers.h"

#include "core/plan/decodefloor.h"
#include "core/plan/explain.h"
#include "core/plan/fleet.h"
#include "core/plan/levers.h"
#include "core/plan/mistakes.h"
#include "core/plan/solve.h"
#include "core/report/csv.h"
#include "core/report/extras.h"
#include "core/report/markdown.h"

#include <cstdio>

namespace kv {

namespace {

using enum TextTable::Align;

std::string decimals(double number, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, number);
    return text;
}

std::string number(const std::optional<std::int64_t> &value) { return value ? std::to_string(*value) : std::string(); }

PageNumbers explainNumbers(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    const std::vector<ExplainSection> sections = explain(scenario, plan, unit);
    TextTable table;
    table.column("section").column("what").column("value").column("from").column("note");
    for (const ExplainSection &section : sections) {
        for (const std::string &line : section.lines)
            table.row({section.title, line});
        for (const ExplainTerm &term : section.terms)
            table.row({section.title, term.name, term.value, term.from, term.note});
    }
    return {table.csv(), derivationMarkdown(sections)};
}

PageNumbers mistakeNumbers(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    TextTable exact, shown;
    exact.column("mistake").column("token_bytes").column("sequence_bytes").column("all_bytes").column("why");
    shown.column("Mistake").column("A token", Right).column("A sequence", Right).column("All sequences", Right).column("Why it is wrong");
    const auto add = [&](const std::string &name, const CacheCount &count, std::string_view why) {
        exact.row({name, std::to_string(count.perToken.value), std::to_string(count.perSequence.value), std::to_string(count.total.value), std::string(why)});
        shown.row({name, writeBytes(count.perToken, unit), writeBytes(count.perSequence, unit), writeBytes(count.total, unit), std::string(why)});
    };
    const MistakeSheet sheet = mistakesOf(scenario, plan);
    add("none: the right value", sheet.right, {});
    for (const Mistake &mistake : sheet.mistakes)
        add(mistake.name, mistake.count, mistake.why);
    return {exact.csv(), shown.markdown()};
}

PageNumbers leverNumbers(const Scenario &scenario, SizeUnit unit, const std::function<bool()> &goOn) {
    PlanExtras extras;
    extras.levers = levers(scenario, goOn);
    TextTable table;
    table.column("id").column("change").column("cost").column("caveat").column("fits").column("nearest").column("max_sequences").column("gpus");
    for (const Lever &lever : extras.levers->list)
        table.row({lever.idea.id, lever.sentence, std::string(leverCostName(lever.idea.cost)), lever.idea.caveat, lever.fits ? "yes" : "no", lever.nearest ? "yes" : "no", number(lever.users),
                   std::to_string(lever.gpus)});
    Digest digest;
    addExtras(digest, &extras, unit);
    return {table.csv(), digest.sections.front().table.markdown()};
}

/// How many deployments serve the load that the scenario gives; nothing where it gives none.
void addFleet(TextTable &exact, TextTable &shown, const Scenario &scenario, const Plan &plan, const std::function<bool()> &goOn) {
    const FleetTarget &target = scenario.fleet;
    if (!target.users && !(target.requestsPerSecond && target.secondsPerRequest))
        return;
    MixOptions options;
    options.goOn = goOn;
    const std::optional<InFlight> lengths = inFlight(scenario, plan, options);
    const Fleet found = fleet(scenario, plan, target, lengths ? &*lengths : nullptr);
    const auto add = [&](const std::string &name, const std::string &answer, const std::string &written, const std::string &sentence = {}) {
        exact.row({"fleet: " + name, answer, sentence});
        shown.row({"fleet: " + name, written, sentence});
    };
    const auto count = [&](const std::string &name, std::int64_t value) { add(name, std::to_string(value), writeNumber(value)); };
    const auto amount = [&](const std::string &name, double value, int digits) { add(name, decimals(value, digits), decimals(value, digits)); };
    if (found.refusal)
        return add("deployments", {}, {}, found.refusal->text);
    count("users at the same time", found.users);
    count(found.atP99 ? "one deployment holds, in 99 of 100 cases" : "one deployment holds", found.usersEach);
    count("deployments", found.deployments);
    count("deployments that may be down", found.lost);
    count("GPUs", found.gpus);
    if (found.nodes)
        count("nodes", *found.nodes);
    amount("headroom, all up, in percent", 100 * found.headroom, 1);
    if (found.lost > 0)
        amount("headroom, those down, in percent", 100 * found.headroomLost, 1);
    if (found.requestsPerSecond)
        amount("requests a second at most", *found.requestsPerSecond, 2);
    if (found.pricePerHour)
        amount("price an hour", *found.pricePerHour, 2);
}

PageNumbers capacityNumbers(const Scenario &scenario, const Plan &plan, SizeUnit unit, const std::function<bool()> &goOn) {
    static constexpr std::pair<Question, std::string_view> questions[]{
        {Question::Users, "most sequences"}, {Question::Context, "longest context"}, {Question::Gpus, "fewest GPUs"}, {Question::Utilization, "least share of the memory, in thousandths"}};
    TextTable exact, shown;
    exact.column("question").column("answer").column("sentence");
    shown.column("Question").column("Answer", Right).column("");
    for (const auto &[question, name] : questions) {
        if (goOn && !goOn())
            break;
        const Solution found = solve(scenario, question);
        const std::string sentence = found.refusal ? found.refusal->text : found.sentence;
        exact.row({std::string(name), number(found.answer), sentence});
        shown.row({std::string(name), found.answer ? writeNumber(*found.answer) : std::string(), sentence});
    }
    addFleet(exact, shown, scenario, plan, goOn);
    PageNumbers out{exact.csv(), shown.markdown()};
    PlanExtras extras;
    extras.floor = decodeFloor(scenario, plan);
    Digest digest;
    addExtras(digest, &extras, unit);
    for (const DigestSection &section : digest.sections)
        out.markdown += "\n" + markdownText(section.title) + "\n\n" + section.table.markdown();
    return out;
}

} // namespace

std::optional<PageNumbers> pageNumbers(std::string_view page, const Scenario &scenario, const Plan &plan, SizeUnit unit, const std::function<bool()> &goOn) {
    if (page == "levers")
        return leverNumbers(scenario, unit, goOn);
    if (!plan.ok() || !plan.model)
        return PageNumbers{};
    if (page == "explain")
        return explainNumbers(scenario, plan, unit);
    if (page == "mistakes")
        return mistakeNumbers(scenario, plan, unit);
    if (page == "capacity")
        return capacityNumbers(scenario, plan, unit, goOn);
    return std::nullopt;
}

} // namespace kv
