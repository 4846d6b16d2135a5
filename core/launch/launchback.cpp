// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/launchback.h"

#include "core/launch/launch.h"
#include "core/launch/shellwords.h"
#include "core/plan/deploy.h"

#include <algorithm>

namespace kv {

namespace {

class Differences {
public:
    Differences(const Scenario &scenario, const Scenario &back) : m_s(scenario), m_back(back) {}

    std::vector<std::string> all() {
        model();
        workload();
        hardware();
        parallel();
        for (const auto &[name, value] : m_s.engine.options.members())
            if (!value.isNull() && !saidAlike(name, value))
                add("--engine-option", name + "=" + textOf(value));
        return std::move(m_out);
    }

private:
    void add(const std::string &option, const std::string &value) { m_out.push_back(option + " " + quoteShellWord(value)); }
    void add(const char *option, std::int64_t value) { add(option, std::to_string(value)); }
    template <typename Q>
    void compare(const char *option, Q wanted, Q found) {
        if (!(wanted == found))
            add(option, wanted.value);
    }

    static std::string textOf(const Json &value) {
        if (!value.isArray())
            return value.isString() ? value.text() : writeJson(value);
        std::string text;
        for (const Json &item : value.items())
            text += (text.empty() ? "" : ",") + textOf(item);
        return text;
    }

    /// An option left out because it is the engine's default says the same; what no flag says is lost.
    bool saidAlike(const std::string &name, const Json &value) const {
        if (const Json *read = m_back.engine.options.find(name); read && textOf(*read) == textOf(value))
            return true;
        Scenario with = m_back;
        with.engine.options.set(name, value);
        const Deployed one = deploy(m_back), other = deploy(with);
        if (one.refusal || other.refusal)
            return false;
        Plan a, b;
        one.engine->plan(one.deployment, a);
        other.engine->plan(other.deployment, b);
        return sameFigures(a, b);
    }

    static bool sameFigures(const Plan &a, const Plan &b) {
        const auto alike = [](const GpuPlan &x, const GpuPlan &y) {
            return x.memory == y.memory && x.reserve == y.reserve && x.weights == y.weights && x.overhead == y.overhead && x.kv == y.kv && x.kvReserved == y.kvReserved;
        };
        return std::ranges::equal(a.gpus, b.gpus, alike) && a.engine.version == b.engine.version && a.fit.maxSequences == b.fit.maxSequences &&
               a.fit.kvCapacityTokens == b.fit.kvCapacityTokens && a.kv.perTokenPerGpu == b.kv.perTokenPerGpu &&
               (!a.host || !b.host || a.host->memory == b.host->memory);
    }

    void model() {
        if (m_s.weights.bytes)
            add("--weights-bytes", m_s.weights.bytes->value);
        else if (m_s.weights.dtype != m_back.weights.dtype && !m_s.weights.dtype.empty() && weightsOf(m_s) != weightsOf(m_back))
            add("--weights-dtype", m_s.weights.dtype);
        const Deployed wanted = deploy(m_s), found = deploy(m_back);
        if (wanted.refusal || found.refusal || wanted.deployment.types == found.deployment.types)
            return;
        const CacheTypes &types = wanted.deployment.types;
        if (types.key == types.value)
            add("--kv-dtype", std::string(info(types.key).name));
        else
            add("--k-dtype", std::string(info(types.key).name)), add("--v-dtype", std::string(info(types.value).name));
    }

    static Bytes weightsOf(const Scenario &scenario) { return deploy(scenario).deployment.weights; }

    void workload() {
        compare("--context", m_s.workload.context, m_back.workload.context);
        compare("--sequences", m_s.workload.sequences, m_back.workload.sequences);
        compare("--shared-prefix", m_s.workload.sharedPrefix, m_back.workload.sharedPrefix);
    }

    void hardware() {
        const Hardware &wanted = m_s.hardware, &found = m_back.hardware;
        if (wanted.gpu != found.gpu)
            add("--gpu", wanted.gpu);
        if (wanted.memory && wanted.memory != found.memory)
            add("--gpu-memory", wanted.memory->value);
        compare("--display", wanted.display, found.display);
        if (m_s.engine.id == "llama-cpp")
            compare("--gpus", wanted.count, found.count);
    }

    void parallel() {
        if (m_s.engine.id == "tensorrt-llm" && m_s.parallel.dp.value_or(Count(1)) != m_back.parallel.dp.value_or(Count(1)))
            add("--dp", m_s.parallel.dp->value);
    }

    const Scenario &m_s, &m_back;
    std::vector<std::string> m_out;
};

} // namespace

std::vector<std::string> optionsBesideLaunch(const Scenario &scenario, const Scenario &base) {
    const LaunchCommand command = launchCommand(scenario);
    if (command.empty())
        return {};
    Scenario from = base;
    from.model = scenario.model;
    const Parsed<Scenario> back = readLaunch(command.script(), from);
    return back ? Differences(scenario, *back).all() : std::vector<std::string>();
}

} // namespace kv
