// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the user chose: one value, from which everything else follows by evaluate(). It is what the window's controls edit, what a
// .kvplan file holds and what the command line's options fill in. Plain data with ==; big parts are shared pointers to const.

#include "core/base/elementtype.h"
#include "core/base/json.h"
#include "core/base/units.h"
#include "core/hardware/gpu.h"
#include "core/model/modelspec.h"
#include "core/workload/lengths.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kv {

/// Where the model comes from, and the model itself once read.
struct ModelChoice {
    std::string preset; ///< preset id, or empty
    std::string path;   ///< file or folder, or empty
    std::string name;   ///< given by the user; empty: the model's own
    std::shared_ptr<const ModelSpec> spec; ///< never null in a scenario that evaluate() plans

    bool operator==(const ModelChoice &) const = default; ///< the spec by identity: a spec never changes
};

struct WeightsChoice {
    std::string dtype;          ///< a weight type of weights/weighttypes.h ("bf16", "fp8", "int4", "q4_k_m"); empty: as the checkpoint stores them
    std::optional<Bytes> bytes; ///< given by hand: wins over dtype

    bool operator==(const WeightsChoice &) const = default;
};

struct KvChoice {
    ElementType key = ElementType::Auto;
    ElementType value = ElementType::Auto;

    bool operator==(const KvChoice &) const = default;
};

struct Workload {
    Tokens context{4096}; ///< all tokens a sequence holds at the end, prompt and output
    Count sequences{1};
    Tokens sharedPrefix{0};
    Json lengths; ///< as the scenario file holds them, without an embedded trace; null: all alike
    SharedLengths distribution{}; ///< what `lengths` says, read (workload/percentiles.h, readLengths); empty: all alike

    bool operator==(const Workload &) const = default;
};

struct Device {
    std::string gpu;
    Count count{1};
    bool operator==(const Device &) const = default;
};

/// Fractions are kept as the decimals they are written as, in units of 10^-9.
inline constexpr std::int64_t fractionOne = 1'000'000'000;

struct Hardware {
    std::string gpu = "h100-sxm-80gb";
    Count count{1};
    std::optional<Bytes> memory;         ///< by hand, instead of the card's
    std::int64_t reserve = fractionOne / 10; ///< textbook only: the share of memory that is not planned with
    std::vector<Device> devices;         ///< unlike cards (takesUnlikeCards()); empty: `count` of `gpu`
    Bytes display;                       ///< what the desktop and other programs take of a GPU before the engine starts
    std::optional<double> pricePerGpuHour;

    bool operator==(const Hardware &) const = default;
};

/// Whether an engine splits a model over unlike cards in one machine: llama.cpp does, by layers; all others count with alike ranks.
bool takesUnlikeCards(std::string_view engine);

struct Parallel {
    std::optional<Count> tp, pp, dp; ///< absent: tp = GPU count, pp = dp = 1
    bool expertParallel = false;

    bool operator==(const Parallel &) const = default;
};

struct EngineChoice {
    std::string id = "textbook";
    Json options = Json::object(); ///< checked against the engine's table when evaluated

    bool operator==(const EngineChoice &) const = default;
};

/// The load that a fleet of such deployments is to serve (plan/fleet.h); of no weight for the plan of one. Users, or the next two.
struct FleetTarget {
    std::optional<std::int64_t> users;       ///< sequences in flight
    std::optional<double> requestsPerSecond; ///< Little's law makes users of these two
    std::optional<double> secondsPerRequest;
    std::int64_t lost = 0;                   ///< deployments that may be down with the load still served

    bool operator==(const FleetTarget &) const = default;
};

/// Values by hand that a real server measured (scenario/measured.h).
struct Measured {
    std::string from; ///< "start-up log of vLLM 0.9.1"
    std::vector<std::pair<std::string, std::int64_t>> values; ///< place and what was measured there, in bytes

    bool operator==(const Measured &) const = default;
};

struct Scenario {
    std::string name;
    ModelChoice model;
    WeightsChoice weights;
    KvChoice kv;
    Workload workload;
    Hardware hardware;
    Parallel parallel;
    EngineChoice engine;
    FleetTarget fleet;
    Measured measured;
    Json unknown; ///< keys of a newer version, by section, written back as they were

    bool operator==(const Scenario &) const = default;
};

/// What the window shows at first start: Llama 3.1 70B, 131,072 tokens, 10 sequences, 8 × H100 SXM 80 GB, textbook.
Scenario firstScenario();

} // namespace kv
