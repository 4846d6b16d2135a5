// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/fleet.h"

#include "core/base/quantity.h"
#include "core/plan/deploy.h"
#include "core/workload/littleslaw.h"

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

std::optional<std::int64_t> targetUsers(const FleetTarget &target) {
    if (target.users)
        return target.users;
    if (target.requestsPerSecond && target.secondsPerRequest)
        return sequencesInFlight(*target.requestsPerSecond, *target.secondsPerRequest);
    return std::nullopt;
}

/// Whole nodes a deployment: a part of a node serves as long as deployments divide it, else nodes are taken whole.
std::int64_t nodesFor(std::int64_t deployments, std::int64_t gpusEach, std::int64_t inNode) {
    if (gpusEach >= inNode)
        return checked::mul(deployments, checked::ceilDiv(gpusEach, inNode));
    return checked::ceilDiv(deployments, inNode / gpusEach);
}

} // namespace

std::int64_t poissonAtP99(double mean) {
    const double m = mean;
    if (mean > 500) { // Cornish and Fisher's expansion, right to the whole number there
        constexpr double z = 2.3263478740408408;
        constexpr double mostCounted = 9e18; // beyond it a whole number of 64 bits ends
        return std::llround(std::min(mostCounted, std::ceil(m + z * std::sqrt(m) + (z * z - 1) / 6 - 0.5)));
    }
    double term = std::exp(-m), sum = term;
    std::int64_t count = 0;
    while (sum < 0.99) {
        term *= m / static_cast<double>(++count);
        sum += term;
    }
    return count;
}

Fleet fleet(const Scenario &scenario, const Plan &plan, const FleetTarget &target, const InFlight *lengths) {
    Fleet out;
    const auto refused = [&](const char *code, const char *where, std::string reason) {
        out.refusal = errorNote(code, where, std::move(reason));
        return out;
    };
    if (!plan.ok())
        return refused(plan.refusal->code.c_str(), plan.refusal->where.c_str(), plan.refusal->text);
    const std::optional<std::int64_t> users = targetUsers(target);
    if (target.users && target.requestsPerSecond)
        return refused("bad-value", "target", "target: users at the same time and a rate are two loads; give one of them");
    if (!users && target.requestsPerSecond && target.secondsPerRequest)
        return refused("out-of-range", "target", "target: requests a second times the seconds of one are no whole number of sequences that can be counted");
    if (!users || *users < 1)
        return refused("no-answer", "target", "target: give the users at the same time, or requests a second with the seconds that one takes");
    if (target.lost < 0)
        return refused("bad-value", "target", "target: deployments lost must be 0 or more");
    const std::optional<std::int64_t> most = lengths ? std::optional(lengths->mostAtP99) : plan.fit.maxSequences;
    if (!most)
        return refused("no-answer", "fit.max_sequences", "one deployment serves any number of sequences as far as memory goes: nothing more is kept for another one");
    out.usersEach = lengths && lengths->engineLimit ? std::min(*most, *lengths->engineLimit) : *most;
    // Room for many is none where the engine does not start, whatever it has to hold (vLLM: a request of max_model_len alone).
    Deployed ready = deploy(scenario);
    ready.deployment.sequences = Count(1);
    if (out.usersEach < 1 || ready.refusal || !ready.engine->fits(ready.deployment))
        return refused("no-answer", "fit.max_sequences", "one deployment does not hold a single sequence; its levers (kvplanner plan --levers) show what would help");
    out.users = *users;
    const double average = target.users ? static_cast<double>(*users) : *target.requestsPerSecond * *target.secondsPerRequest;
    out.atP99 = lengths != nullptr;
    out.lost = target.lost;
    out.deployments = checked::add(checked::ceilDiv(*users, out.usersEach), target.lost);
    if (!target.users) {
        out.usersAtPeak = std::max<std::int64_t>(1, poissonAtP99(average));
        out.deploymentsAtPeak = checked::add(checked::ceilDiv(*out.usersAtPeak, out.usersEach), target.lost);
    }
    out.gpus = checked::mul(out.deployments, plan.gpusInAll);
    if (out.gpus == outOfRangeValue)
        return refused("out-of-range", "target", "target: the number of GPUs is out of range");
    const Gpu *gpu = findGpu(scenario.hardware.gpu);
    // Cards that are usually alone in a machine are put together in ones of all kinds.
    const bool usual = gpu && (gpu->gpusPerNode > 1 || (gpu->gpusPerNode == 1 && plan.gpusInAll == 1));
    if (usual && scenario.hardware.devices.empty())
        out.nodes = nodesFor(out.deployments, plan.gpusInAll, gpu->gpusPerNode);
    const auto free = [&](std::int64_t up) { return 1 - average / (static_cast<double>(up) * static_cast<double>(out.usersEach)); };
    out.headroom = free(out.deployments);
    out.headroomLost = free(out.deployments - out.lost);
    if (target.secondsPerRequest)
        out.requestsPerSecond = requestsPerSecond(checked::mul(out.deployments, out.usersEach), *target.secondsPerRequest);
    if (scenario.hardware.pricePerGpuHour)
        out.pricePerHour = *scenario.hardware.pricePerGpuHour * static_cast<double>(out.gpus);
    return out;
}

} // namespace kv
