// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a server measured in the place of what is estimated: the weights and the memory of a GPU, and the overhead by the engine's own option
// (vLLM's activation_bytes, non_torch_bytes and cuda_graph_bytes; overhead_bytes of SGLang and TensorRT-LLM; compute_bytes of llama.cpp).
// The memory for KV is left to follow from them, so that a calibrated scenario still answers other lengths, types and counts.
#include "core/engine/engines.h"
#include "core/log/loggedroom.h"
#include "core/log/reconcile.h"
#include "core/plan/evaluate.h"
#include "core/scenario/measured.h"

#include <algorithm>

namespace kv {

namespace {

class Calibration {
public:
    Calibration(const Scenario &scenario, const ServerLog &log) : m_scenario(scenario), m_log(log) {
        const Engine *engine = findEngine(log.engine);
        m_scenario.measured.from = "start-up log of " + std::string(engine ? engine->name() : log.engine) + (log.version ? " " + *log.version : "");
        m_scenario.measured.values.clear();
        if (!budgetGiven())
            m_scenario.engine.options.erase("available_kv_bytes");
    }

    void take() {
        if (m_log.gpuMemory && *m_log.gpuMemory > Bytes(0)) {
            m_scenario.hardware.memory = m_log.gpuMemory;
            mark("hardware.memory_bytes");
        }
        takeWeights();
        if (m_log.engine == "vllm")
            takeVllm();
        else if (m_log.engine == "llama-cpp")
            takeCompute();
        else
            takeRest();
    }

    Scenario result() && { return std::move(m_scenario); }

private:
    /// The server's own setting, which holds whatever was measured; else it is what the log has left on a card that it does not name.
    bool budgetGiven() const { return m_log.settings.find("available_kv_bytes") != nullptr; }

    void mark(const std::string &place) {
        if (const std::optional<std::int64_t> value = valueByHand(m_scenario, place))
            m_scenario.measured.values.emplace_back(place, *value);
    }

    void setOption(const char *name, std::optional<Bytes> bytes) {
        if (!bytes || *bytes < Bytes(0))
            return;
        m_scenario.engine.options.set(name, bytes->value);
        mark("engine.options." + std::string(name));
    }

    /// The log has one rank's weights, the scenario those of one copy: the size whose fullest rank is the logged one.
    void takeWeights() {
        if (!m_log.weights || *m_log.weights <= Bytes(0))
            return;
        if (m_log.engine == "llama-cpp") {
            m_scenario.weights = {{}, m_log.weights};
            mark("weights.bytes");
            return;
        }
        Plan plan = evaluate(m_scenario);
        if (!plan.ok() || plan.weights.total <= Bytes(0))
            return;
        Bytes together, drafter; // said together, by the GPU that holds most of both
        for (const GpuPlan &gpu : plan.gpus)
            if (gpu.weights + gpu.draftWeights > together)
                together = gpu.weights + gpu.draftWeights, drafter = gpu.draftWeights;
        const Bytes logged = *m_log.weights - drafter;
        if (logged <= Bytes(0))
            return;
        Bytes total = plan.weights.total;
        constexpr int rounds = 4; // parts are rounded up to ranks: the second round is exact but for a few bytes
        for (int round = 0; round < rounds && plan.ok() && plan.weights.perGpu != logged && plan.weights.perGpu > Bytes(0); ++round) {
            total = Bytes(checked::mulDiv(total.value, logged.value, plan.weights.perGpu.value));
            if (!total.inRange() || total <= Bytes(0))
                return;
            m_scenario.weights = {{}, total};
            plan = evaluate(m_scenario);
        }
        if (!m_scenario.weights.bytes)
            m_scenario.weights = {{}, total};
        mark("weights.bytes");
    }

    void takeVllm() {
        // Newer logs name weights and what lies outside the framework together; what is left of the budget is it then.
        setOption("activation_bytes", m_log.activation);
        setOption("non_torch_bytes", m_log.nonTorch);
        setOption("cuda_graph_bytes", m_log.cudaGraphEstimate ? m_log.cudaGraphEstimate : m_log.cudaGraph);
        if ((m_log.nonTorch && m_log.activation) || budgetGiven()) // without profiling nothing tells what is left
            return;
        const std::optional<Bytes> rest = overheadLeft();
        if (!rest)
            return;
        if (m_log.activation)
            setOption("non_torch_bytes", *rest - *m_log.activation - graphsInside());
        else
            setOption("activation_bytes", *rest - graphsInside() - outside());
    }

    /// CUDA graphs as far as this release takes them from the budget: what a plan's overhead changes by when they do.
    Bytes graphsInside() const {
        Scenario without = m_scenario;
        without.engine.options.set("cuda_graph_bytes", std::int64_t{0});
        return overheadOf(m_scenario) - overheadOf(without);
    }

    Bytes outside() {
        if (m_log.nonTorch)
            return *m_log.nonTorch;
        Scenario without = m_scenario;
        without.engine.options.set("non_torch_bytes", std::int64_t{0});
        const Bytes estimated = overheadOf(m_scenario) - overheadOf(without);
        m_scenario.engine.options.set("non_torch_bytes", std::max(Bytes(0), estimated).value); // unmarked: still the estimate
        return estimated;
    }

    static Bytes overheadOf(const Scenario &scenario) {
        const Plan plan = evaluate(scenario);
        return plan.ok() && !plan.gpus.empty() ? plan.gpus.back().overhead : Bytes(0);
    }

    /// Budget − weights − what the log has left for KV.
    std::optional<Bytes> overheadLeft() const {
        const std::optional<Bytes> room = loggedRoom(m_log);
        const Plan plan = evaluate(m_scenario);
        if (!room || !plan.ok() || plan.gpus.empty() || (!m_log.gpuMemory && !m_log.weights))
            return std::nullopt;
        const auto left = [](const GpuPlan &gpu) { return gpu.memory - gpu.reserve - gpu.weights - gpu.draftWeights; };
        Bytes least = left(plan.gpus.front());
        for (const GpuPlan &gpu : plan.gpus)
            least = std::min(least, left(gpu));
        const Bytes rest = least - *room;
        return rest.inRange() && rest >= Bytes(0) ? std::optional(rest) : std::nullopt;
    }

    /// SGLang and TensorRT-LLM print what became of the memory, not what took the rest.
    void takeRest() {
        const std::optional<Bytes> room = loggedRoom(m_log);
        if (!room || *room <= Bytes(0))
            return;
        Scenario none = m_scenario;
        none.engine.options.set("overhead_bytes", std::int64_t{0});
        const Plan plan = evaluate(none);
        if (!plan.ok() || plan.gpus.empty())
            return;
        Bytes least = plan.gpus.front().kv + plan.gpus.front().free;
        for (const GpuPlan &gpu : plan.gpus)
            least = std::min(least, gpu.kv + gpu.free);
        Bytes rest = least - *room;
        // TensorRT-LLM gives a share of what is free after the overhead, so that a byte of overhead costs less than a byte of KV.
        const Bytes shared = least + plan.gpus.front().reserve;
        if (m_log.engine == "tensorrt-llm" && least > Bytes(0))
            rest = Bytes(checked::mulDiv(rest.value, shared.value, least.value));
        setOption("overhead_bytes", rest);
    }

    void takeCompute() {
        const Plan plan = evaluate(m_scenario);
        const auto gpus = static_cast<std::int64_t>(plan.gpus.size());
        if (m_log.compute && gpus > 0)
            setOption("compute_bytes", Bytes(checked::ceilDiv(m_log.compute->value, gpus)));
    }

    Scenario m_scenario;
    const ServerLog &m_log;
};

} // namespace

Scenario calibrate(const Scenario &scenario, const ServerLog &log) {
    if (!scenario.model.spec || scenario.engine.id != log.engine)
        return scenario;
    Calibration calibration(scenario, log);
    calibration.take();
    return std::move(calibration).result();
}

} // namespace kv
