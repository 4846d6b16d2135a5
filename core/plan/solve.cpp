// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/solve.h"

#include "core/base/quantity.h"
#include "core/engine/engines.h"
#include "core/engine/options.h"
#include "core/model/contextlimit.h"
#include "core/plan/deploy.h"
#include "core/plan/deployable.h"
#include "core/plan/evaluate.h"

#include <algorithm>

namespace kv {

namespace {

constexpr std::int64_t thousandth = fractionOne / 1000;
constexpr std::int64_t mostUsers = std::int64_t(1) << 40; // beyond all: what fits then has no limit that matters

std::string counted(std::int64_t n, std::string_view one, std::string_view many) { return writeNumber(n) + " " + std::string(n == 1 ? one : many); }

class Solver {
public:
    explicit Solver(const Scenario &scenario) : m_ready(deploy(scenario)), m_asked(scenario) { m_out.scenario = scenario; }

    Solution users();
    Solution context();
    Solution gpus();
    Solution utilization();
    /// What makes every answer impossible; also fills the plan of what was asked.
    bool refused() {
        m_out.refusal = m_ready.refusal;
        if (!m_out.refusal) {
            Plan plan = evaluateHere(m_asked);
            m_out.refusal = std::move(plan.refusal);
            m_before = std::move(plan.warnings);
        }
        return m_out.refusal.has_value();
    }
    Solution take() {
        if (!m_out.refusal && m_out.scenario != m_asked)
            for (Note &note : evaluateHere(m_out.scenario).warnings)
                if (std::ranges::find(m_before, note) == m_before.end() && note.severity == Severity::Warning)
                    m_out.warnings.push_back(std::move(note));
        return std::move(m_out);
    }

private:
    bool fits(Tokens context, Count sequences) const {
        Deployment d = m_ready.deployment;
        d.context = context;
        d.prefix = std::min(d.prefix, context);
        d.sequences = sequences;
        return m_ready.engine->fits(d);
    }
    std::string hardware(std::int64_t gpus) const { return cardsInWords(m_asked.hardware, gpus); }
    std::string load() const {
        return counted(m_asked.workload.sequences.value, "sequence", "sequences") + " of " + counted(m_asked.workload.context.value, "token", "tokens");
    }

    Deployed m_ready;
    const Scenario &m_asked;
    Solution m_out;
    Notes m_before; ///< what the plan of the settings asked about says
};

/// The plan's own figure, held against the judgement forwards and moved where the two part.
Solution Solver::users() {
    const std::optional<std::int64_t> most = evaluateHere(m_asked).fit.maxSequences;
    const Tokens context = m_asked.workload.context;
    const std::string tokens = counted(context.value, "token", "tokens");
    if (!most) {
        m_out.fits = true;
        m_out.sentence = "Memory sets no limit to the sequences: nothing more is kept for another one.";
        return take();
    }
    std::int64_t low = std::max<std::int64_t>(*most, 0), high = checked::add(low, 1);
    if (low > 0 && !fits(context, Count(low)))
        high = low, low = 0;
    for (std::int64_t step = 1; high < mostUsers && fits(context, Count(high)); step *= 2) {
        low = high;
        high += step;
    }
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (fits(context, Count(middle)) ? low : high) = middle;
    }
    m_out.answer = low;
    m_out.fits = low > 0;
    if (low > 0)
        m_out.scenario.workload.sequences = Count(low);
    m_out.sentence = low > 0 ? "At most " + counted(low, "sequence", "sequences") + " of " + tokens + (low == 1 ? " fits on " : " fit on ") + hardware(m_ready.deployment.gpus) + "."
                             : "Not one sequence of " + tokens + " fits on " + hardware(m_ready.deployment.gpus) + ".";
    return take();
}

Solution Solver::context() {
    const std::optional<std::int64_t> longest = m_ready.engine->maxContext(m_ready.deployment);
    const std::string users = counted(m_asked.workload.sequences.value, "sequence", "sequences");
    m_out.answer = longest;
    if (!longest) {
        m_out.fits = true;
        m_out.sentence = "Memory sets no limit to the context: what is kept does not grow with it, and the model names no limit of its own.";
        return take();
    }
    m_out.fits = *longest > 0;
    if (*longest == 0) {
        m_out.sentence = "At no length do " + users + " fit on " + hardware(m_ready.deployment.gpus) + ".";
        return take();
    }
    m_out.scenario.workload.context = Tokens(*longest);
    m_out.scenario.workload.sharedPrefix = std::min(m_asked.workload.sharedPrefix, Tokens(*longest));
    m_out.atLimit = fits(Tokens(*longest + 1), m_asked.workload.sequences) || contextLimit(m_asked.engine.id, *m_ready.deployment.model) == Tokens(*longest);
    m_out.sentence = users + (m_asked.workload.sequences == Count(1) ? " fits" : " fit") + " with up to " + counted(*longest, "token", "tokens") + " each on " + hardware(m_ready.deployment.gpus) +
                     (m_out.atLimit ? ": the longest that the model or the server takes." : ".");
    return take();
}

Solution Solver::gpus() {
    if (!m_asked.hardware.devices.empty()) {
        m_out.refusal = errorNote("unlike-devices", "hardware.devices", "hardware.devices: how many more unlike cards, and of which, is no single number; take alike ones");
        return take();
    }
    const std::optional<std::int64_t> fewest = m_ready.engine->minGpus(m_ready.deployment);
    m_out.answer = fewest;
    if (!fewest) {
        m_out.sentence = m_ready.deployment.availableKv ? "Not known: available_kv_bytes says the budget on these GPUs, not on another number of them."
                                                        : "No number of these GPUs that the engine splits the model over holds " + load() + ".";
        return take();
    }
    const Workload &asked = m_asked.workload;
    if (*fewest == m_ready.deployment.gpus && fitsAt(m_asked, asked.context, asked.sequences)) {
        m_out.fits = true; // as it stands
    } else if (std::optional<Scenario> split = onFewestGpus(m_asked, *fewest)) {
        m_out.scenario = std::move(*split);
        m_out.answer = m_out.scenario.hardware.count.value;
        m_out.fits = true;
    }
    m_out.sentence = load() + (m_asked.workload.sequences == Count(1) ? " needs " : " need ") + hardware(*m_out.answer) + (m_out.fits ? ", " + splitText(m_out.scenario) : "") + ".";
    if (*m_out.answer > *fewest)
        if (const std::optional<Scenario> odd = onGpus(m_asked, *fewest))
            m_out.sentence += " " + counted(*fewest, "GPU", "GPUs") + " would do by an odd split, " + splitText(*odd) + ".";
    return take();
}

/// The option that says how much of the memory the engine plans with.
std::string_view shareOption(std::string_view engine) {
    if (engine == "vllm")
        return "gpu_memory_utilization";
    if (engine == "sglang")
        return "mem_fraction_static";
    if (engine == "tensorrt-llm")
        return "free_gpu_memory_fraction";
    return engine == "textbook" ? "reserve" : "";
}

std::string thousandths(std::int64_t n) {
    std::string digits = std::to_string(n);
    digits.insert(0, digits.size() < 3 ? 3 - digits.size() : 0, '0');
    return "0." + digits;
}

void setShare(Scenario &scenario, std::string_view option, std::int64_t used) {
    if (option == "reserve")
        scenario.hardware.reserve = fractionOne - used * thousandth;
    else
        scenario.engine.options.set(std::string(option), thousandths(used));
}

Solution Solver::utilization() {
    m_out.option = shareOption(m_asked.engine.id);
    if (m_out.option.empty() || m_ready.deployment.availableKv) {
        m_out.refusal = errorNote("no-answer", "engine", m_out.option.empty()
                                                             ? "engine: " + m_asked.engine.id + " has no share of the memory to set"
                                                             : std::string("engine.options.available_kv_bytes: the budget is given, whatever the share"));
        return take();
    }
    const auto holds = [&](std::int64_t used) {
        Scenario tried = m_asked;
        setShare(tried, m_out.option, used);
        return fitsAt(tried, tried.workload.context, tried.workload.sequences);
    };
    std::int64_t low = 0, high = 999;
    const std::string name = m_out.option == "reserve" ? "the memory that is planned with" : m_out.option;
    if (!holds(high)) {
        m_out.sentence = "No value of " + name + " below 1 is enough for " + load() + " on " + hardware(m_ready.deployment.gpus) + ".";
        return take();
    }
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (holds(middle) ? high : low) = middle;
    }
    m_out.answer = high;
    m_out.fits = true;
    setShare(m_out.scenario, m_out.option, high);
    m_out.sentence = load() + (m_asked.workload.sequences == Count(1) ? " needs " : " need ") +
                     (m_out.option == "reserve" ? "a share of " + thousandths(high) + " of the memory, so a reserve of at most " + thousandths(1000 - high) : name + " of at least " + thousandths(high)) +
                     " on " + hardware(m_ready.deployment.gpus) + ".";
    return take();
}

/// Of a split that the engine refuses, another number of GPUs may still be the answer: the fewest are looked for from one GPU a copy.
Solution fewestUnsplit(const Scenario &scenario, Solution refused) {
    Scenario whole = scenario;
    whole.parallel.tp = whole.parallel.pp = Count(1);
    whole.hardware.count = scenario.parallel.dp.value_or(Count(1));
    Solver solver(whole);
    if (!scenario.hardware.devices.empty() || solver.refused())
        return refused;
    Solution found = solver.gpus();
    if (!found.fits)
        found.scenario = scenario;
    return found;
}

} // namespace

Solution solve(const Scenario &scenario, Question question) {
    Solver solver(scenario);
    if (solver.refused())
        return question == Question::Gpus ? fewestUnsplit(scenario, solver.take()) : solver.take();
    switch (question) {
    case Question::Users:
        return solver.users();
    case Question::Context:
        return solver.context();
    case Question::Gpus:
        return solver.gpus();
    case Question::Utilization:
        break;
    }
    return solver.utilization();
}

std::optional<Scenario> onGpus(const Scenario &scenario, std::int64_t gpus) {
    const Engine *engine = findEngine(scenario.engine.id);
    if (!engine || gpus < 1)
        return std::nullopt;
    const std::int64_t dp = scenario.parallel.dp.value_or(Count(1)).value;
    const bool inside = engine->dpInsideTp(scenario);
    const std::int64_t each = inside ? gpus : gpus / std::max<std::int64_t>(dp, 1);
    if (each < 1 || (!inside && each * dp != gpus))
        return std::nullopt;
    std::optional<Scenario> onPaper;
    for (std::int64_t tp = each; tp >= 1; --tp) {
        if (each % tp != 0)
            continue;
        Scenario tried = scenario;
        tried.hardware.count = Count(gpus);
        tried.parallel.tp = Count(tp);
        tried.parallel.pp = Count(each / tp);
        if (!fitsAt(tried, tried.workload.context, tried.workload.sequences))
            continue;
        if (!wouldNotStart(evaluateHere(tried)))
            return tried;
        if (!onPaper)
            onPaper = std::move(tried);
    }
    return onPaper;
}

std::string splitText(const Scenario &scenario) {
    const auto degree = [](const std::optional<Count> &given) { return given.value_or(Count(1)).value; };
    const std::int64_t pp = degree(scenario.parallel.pp), dp = degree(scenario.parallel.dp);
    std::string text = "TP " + writeNumber(scenario.parallel.tp.value_or(scenario.hardware.count).value);
    if (pp > 1)
        text += " × PP " + writeNumber(pp);
    const Engine *engine = findEngine(scenario.engine.id);
    return dp > 1 ? text + (engine && engine->dpInsideTp(scenario) ? ", DP " + writeNumber(dp) + " inside it" : " × DP " + writeNumber(dp)) : text;
}

std::string fewestText(const Scenario &scenario, std::int64_t gpus) {
    const std::optional<Scenario> split = scenario.hardware.devices.empty() ? onFewestGpus(scenario, gpus) : std::nullopt;
    if (!split)
        return writeNumber(gpus);
    const std::int64_t count = split->hardware.count.value;
    return writeNumber(count) + " (" + splitText(*split) + ")" + (count > gpus ? "; " + writeNumber(gpus) + " by an odd split" : "");
}

} // namespace kv
