// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Models made up at random for the oracle: a config.json, and beside it what each layer keeps, in the simplest words.

#include "core/base/json.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace kv::oracle {

/// A layer keeps vectors of so many elements: one for every `every` tokens, at most the last `atMost` (0: all), and something fixed.
struct Keeps {
    std::int64_t elements = 0;
    std::int64_t every = 1;
    std::int64_t atMost = 0;
    std::int64_t fixedBytes = 0;
};

struct MadeUp {
    std::string form; ///< the way the config says it
    Json config;
    std::vector<std::vector<Keeps>> layers;
    std::int64_t length = 0; ///< tokens to simulate
};

class Maker {
public:
    explicit Maker(std::uint32_t seed) : m_random(seed) {}
    MadeUp next();

private:
    std::int64_t between(std::int64_t least, std::int64_t most);
    bool coin() { return between(0, 1) == 1; }
    /// Layers, heads and sizes of an ordinary model; `head` is one token's keys and values in elements.
    Json base(std::int64_t &layers, std::int64_t &head);
    MadeUp plain();
    MadeUp listedWindows();
    MadeUp patternedWindows();
    MadeUp laterWindows();
    MadeUp ownHeads();
    MadeUp chunks();
    MadeUp latents();
    MadeUp sharedLayers();
    MadeUp letters();
    MadeUp deltaNet();
    MadeUp kimi();
    MadeUp compressed();
    MadeUp blocks();

    std::mt19937 m_random;
};

} // namespace kv::oracle
