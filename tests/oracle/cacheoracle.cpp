// SPDX-License-Identifier: GPL-3.0-or-later
//
// The textbook's closed forms against a simulator that knows none: it appends token by token, layer by layer, keeps what each layer would
// keep as a list of stored vectors, drops what a window or chunk forgets, closes an entry when a compressor has its tokens, and counts.
//
// Thousands of models are made up (fixed seed, so that a failure comes back), each written as a config.json in one of the ways that files
// have, read by the reader, and compared at several lengths. The simulator is built from what was made up, never from what was read.
//
//     kv_oracle [MODELS [SEED]]
#include "core/model/configreader.h"
#include "tests/oracle/madeup.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>

namespace {

using namespace kv;
using kv::oracle::Keeps;
using kv::oracle::MadeUp;

/// Bytes of a vector stored in 16 bit; the oracle's own arithmetic.
std::int64_t stored(std::int64_t elements) { return 2 * elements; }

/// One kind of thing that a layer keeps, token by token.
class Shelf {
public:
    explicit Shelf(const Keeps &keeps) : m_keeps(keeps) {}

    void append() {
        ++m_waiting;
        if (m_waiting < m_keeps.every)
            return; // a compressor waits for the rest of its entry
        m_waiting = 0;
        m_items.push_back(stored(m_keeps.elements));
        if (m_keeps.atMost > 0 && static_cast<std::int64_t>(m_items.size()) > m_keeps.atMost)
            m_items.pop_front();
    }
    std::int64_t bytes() const {
        std::int64_t sum = m_keeps.fixedBytes;
        for (const std::int64_t item : m_items)
            sum += item;
        return sum;
    }

private:
    Keeps m_keeps;
    std::int64_t m_waiting = 0;
    std::deque<std::int64_t> m_items;
};

std::int64_t closedForm(const ModelSpec &model, std::int64_t tokens) {
    const CacheTypes types{ElementType::Bf16, ElementType::Bf16, ElementType::Bf16};
    Bytes sum;
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            sum += (bytesAt(part, Tokens(tokens), types) + fixedBytes(part, types)) * shape.count;
    return sum.value;
}

bool agrees(const MadeUp &madeUp) {
    const auto read = readConfig(madeUp.config, "made up", "config.json");
    if (!read) {
        std::printf("%s: refused: %s\n%s\n", madeUp.form.c_str(), firstError(read.notes)->text.c_str(), writeJson(madeUp.config).c_str());
        return false;
    }
    std::vector<Shelf> shelves;
    for (const std::vector<Keeps> &layer : madeUp.layers)
        for (const Keeps &keeps : layer)
            shelves.emplace_back(keeps);
    if ((*read)->layerCount() != static_cast<std::int64_t>(madeUp.layers.size())) {
        std::printf("%s: %lld layers read, %zu made up\n", madeUp.form.c_str(), static_cast<long long>((*read)->layerCount()), madeUp.layers.size());
        return false;
    }
    for (std::int64_t tokens = 0; tokens <= madeUp.length; ++tokens) {
        std::int64_t counted = 0;
        for (const Shelf &shelf : shelves)
            counted += shelf.bytes();
        if (const std::int64_t closed = closedForm(**read, tokens); closed != counted) {
            std::printf("%s: %lld bytes by the closed form, %lld counted, at %lld tokens\n%s\n", madeUp.form.c_str(), static_cast<long long>(closed),
                        static_cast<long long>(counted), static_cast<long long>(tokens), writeJson(madeUp.config).c_str());
            return false;
        }
        for (Shelf &shelf : shelves)
            shelf.append();
    }
    return true;
}

} // namespace

int main(int argc, char **argv) {
    const long models = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 3000;
    const auto seed = static_cast<std::uint32_t>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 20260819);
    kv::oracle::Maker maker(seed);
    long failed = 0;
    for (long i = 0; i < models && failed < 10; ++i)
        failed += agrees(maker.next()) ? 0 : 1;
    std::printf("%ld models, %ld disagree\n", models, failed);
    return failed == 0 ? 0 : 1;
}
