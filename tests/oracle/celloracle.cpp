// SPDX-License-Identifier: GPL-3.0-or-later
//
// llama.cpp's closed forms against a slow allocator of cells, over generated models and servers. The allocator serves: every slot takes in
// its whole context a micro-batch at a time, a window layer frees what no coming token can see, and cells are made 256 at a time where
// none is left. Bytes are counted cell by cell, a row in whole blocks of its type.
// Mirrors llama.cpp v0.5.0: src/llama-kv-cache.cpp (find_slot, is_masked_swa), src/llama-kv-cache-iswa.cpp.
#include "core/engine/llamacpp/cells.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <limits>
#include <random>

using namespace kv;
using namespace kv::llamacpp;

namespace {

/// The cells of one stream, shared by some slots; each holds a token's slot and place.
class Stream {
public:
    /// `window` 0: nothing is forgotten.
    Stream(std::int64_t seats, std::int64_t window, std::int64_t most) : m_held(static_cast<std::size_t>(seats)), m_window(window), m_most(most) {}

    void take(std::size_t slot, std::int64_t tokens) {
        // A cell is taken over as soon as the next token of its own slot cannot see it, whichever slot needs it.
        for (std::size_t one = 0; m_window > 0 && one < m_held.size(); ++one)
            while (!m_held[one].empty() && m_next[one] - m_held[one].front() >= m_window) {
                m_held[one].pop_front();
                --m_live;
            }
        std::deque<std::int64_t> &held = m_held[slot];
        for (std::int64_t i = 0; i < tokens; ++i, ++m_live)
            held.push_back(m_next[slot]++);
        while (m_cells < m_live && m_cells < m_most)
            m_cells += 256;
        m_highest = std::max(m_highest, m_live);
    }
    std::int64_t cells() const { return m_cells; }
    std::int64_t highest() const { return m_highest; }
    std::int64_t taken(std::size_t slot) const { return m_next.at(slot); }
    void begin() { m_next.assign(m_held.size(), 0); }

private:
    std::vector<std::deque<std::int64_t>> m_held;
    std::vector<std::int64_t> m_next;
    std::int64_t m_window, m_most, m_cells = 0, m_live = 0, m_highest = 0;
};

/// A row in whole blocks: 32 elements to a block of the quantised types.
std::int64_t rowBytes(std::int64_t elements, ElementType type) {
    const std::int64_t block = type == ElementType::Q8_0 ? 34 : type == ElementType::Q4_0 ? 18 : 64;
    std::int64_t bytes = 0;
    for (std::int64_t done = 0; done < elements; done += 32)
        bytes += block;
    return bytes;
}

struct Made {
    Layers layers;
    Scenario scenario;
    ModelSpec model;
    Deployment deployment;
    std::int64_t seats = 1, context = 0, ubatch = 0;
    bool unified = false;
};

Made make(std::mt19937 &random) {
    const auto one = [&](std::initializer_list<std::int64_t> of) { return *(of.begin() + random() % of.size()); };
    Made m;
    m.layers.architecture = "gemma3";
    const std::int64_t key = 32 * one({2, 4, 8, 16}), value = 32 * one({2, 4, 8, 16}), window = one({33, 128, 512, 1024});
    const std::int64_t count = one({2, 3, 6, 12}), every = one({1, 2, 3, 6});
    for (std::int64_t i = 0; i < count; ++i)
        m.layers.list.push_back({.keyWidth = key, .valueWidth = value, .window = i % every == every - 1 ? 0 : window, .headSize = 64, .created = true, .compressed = {}});
    m.layers.blocks = count;
    m.seats = one({1, 1, 2, 3, 4});
    m.context = static_cast<std::int64_t>(random() % 5000) + 1;
    m.ubatch = one({64, 512, 1000});
    m.unified = one({0, 1}) == 1;
    m.scenario.engine.id = "llama-cpp";
    m.scenario.engine.options = Json::object();
    m.scenario.engine.options.set("kv_unified", m.unified);
    m.scenario.engine.options.set("n_ubatch", m.ubatch);
    constexpr ElementType types[]{ElementType::Fp16, ElementType::Q8_0, ElementType::Q4_0};
    m.deployment.types.key = types[random() % 3];
    m.deployment.types.value = types[random() % 3];
    return m;
}

/// Serves every slot to the end of what a slot may hold, slots in turn, and returns the stream.
Stream served(std::int64_t seats, std::int64_t window, std::int64_t tokensEach, std::int64_t most, std::int64_t ubatch) {
    Stream stream(seats, window, most);
    stream.begin();
    for (bool more = true; more;) {
        more = false;
        for (std::size_t slot = 0; slot < static_cast<std::size_t>(seats); ++slot)
            if (const std::int64_t left = tokensEach - stream.taken(slot); left > 0) {
                stream.take(slot, std::min(left, ubatch));
                more = true;
            }
    }
    return stream;
}

bool held(bool what, const char *words, int round, std::int64_t a, std::int64_t b) {
    if (!what)
        std::fprintf(stderr, "round %d: %s: %lld against %lld\n", round, words, static_cast<long long>(a), static_cast<long long>(b));
    return what;
}

/// One server in both worlds. `shared` counts those whose slots share the cells of a window, the case that is easiest to get wrong.
bool agrees(int round, std::mt19937 &random, int &shared) {
    Made m = make(random);
    m.deployment.scenario = &m.scenario;
    m.deployment.model = &m.model;
    const Context closed = contextOf(m.deployment, m.layers, m.seats, m.context);
    if (!held(!closed.refusal, "refused", round, m.seats, m.context))
        return false;
    // What a slot may hold: of a shared stream its part of what was asked, of its own stream all of it.
    const std::int64_t sharing = m.unified ? m.seats : 1, streams = m.unified ? 1 : m.seats;
    const std::int64_t ubatch = std::min({m.ubatch, std::int64_t{2048}, m.context * m.seats});
    const Stream whole = served(sharing, 0, m.context, std::numeric_limits<std::int64_t>::max(), ubatch);
    bool good = held(closed.settings.nCtxSeq == whole.cells(), "cells of a slot", round, closed.settings.nCtxSeq, whole.cells());
    std::int64_t bytes = 0;
    for (const Layer &layer : m.layers.list) {
        std::int64_t cells = whole.cells();
        if (layer.window > 0) {
            const std::int64_t each = m.unified ? whole.cells() / sharing : whole.cells();
            const Stream windowed = served(sharing, layer.window, each, whole.cells(), ubatch);
            // The engine makes room for every slot's window and one micro-batch; a slot may hold no more, and where the cache is not
            // smaller than that, no cell of it is spare beyond the rounding.
            const std::int64_t room = closed.layers[static_cast<std::size_t>(&layer - m.layers.list.data())].attention.value / streams /
                                      (rowBytes(layer.keyWidth, m.deployment.types.key) + rowBytes(layer.valueWidth, m.deployment.types.value));
            good = held(windowed.highest() <= room, "cells in use, cells there", round, windowed.highest(), room) && good;
            good = held(room <= whole.cells(), "cells of a window, of all", round, room, whole.cells()) && good;
            if (each >= 2 * layer.window + 2 * ubatch) {
                good = held(room - windowed.highest() < 256, "cells there, in use", round, room, windowed.highest()) && good;
                shared += m.unified && m.seats > 1 ? 1 : 0;
            }
            cells = room;
        }
        for (std::int64_t cell = 0; cell < cells * streams; ++cell)
            bytes += rowBytes(layer.keyWidth, m.deployment.types.key) + rowBytes(layer.valueWidth, m.deployment.types.value);
    }
    return held(closed.all().value == bytes, "bytes", round, closed.all().value, bytes) && good;
}

} // namespace

int main() {
    std::mt19937 random(20261129);
    int shared = 0, rounds = 2000, bad = 0;
    for (int round = 0; round < rounds; ++round)
        bad += agrees(round, random, shared) ? 0 : 1;
    std::printf("%d servers, %d with windows that slots share, %d unlike\n", rounds, shared, bad);
    return bad == 0 && shared > 20 ? 0 : 1;
}
