// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How many of the present deployment serve a target load. The deployment of the scenario is the unit that is bought and that is lost: its
// GPUs, whatever its tp, pp and dp. Capacity is what fits in 99 of 100 cases where lengths differ (plan/inflight.h), else the plan's most
// sequences. A price is the user's own; there is none here.
//
// Of a rate Little's law gives the average in flight. Requests that arrive at random and wait for nobody are then in flight in a Poisson
// distributed number (the queue M/G/∞, whatever the times), whose 99th part is told beside.

#include "core/plan/inflight.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <optional>

namespace kv {

struct Fleet {
    std::optional<Note> refusal;
    std::int64_t users = 0;            ///< the target, in sequences in flight; by a rate: on average
    std::optional<std::int64_t> usersAtPeak; ///< by a rate: what 99 of 100 moments stay within when requests arrive at random
    std::optional<std::int64_t> deploymentsAtPeak; ///< for those, `lost` included
    std::int64_t usersEach = 0;        ///< of one deployment
    bool atP99 = false;                ///< usersEach is by the lengths' distribution
    std::int64_t deployments = 0, lost = 0;
    std::int64_t gpus = 0;
    std::optional<std::int64_t> nodes; ///< where the card's usual number in a node is known: no node holds two deployments in part
    double headroom = 0;               ///< part of the capacity that is free with all up
    double headroomLost = 0;           ///< with `lost` of them down
    std::optional<double> requestsPerSecond; ///< that the whole can carry, where a time is known
    std::optional<double> pricePerHour;
};

/// The least number that a Poisson distributed one of this mean does not exceed in 99 of 100 cases.
std::int64_t poissonAtP99(double mean);

/// `lengths`: what inFlight() said, or nullptr where all are alike.
Fleet fleet(const Scenario &scenario, const Plan &plan, const FleetTarget &target, const InFlight *lengths);

} // namespace kv
