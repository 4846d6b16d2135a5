// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/oracle/blockallocator.h"

#include <algorithm>
#include <map>
#include <set>

namespace kv::oracle {

namespace {

bool sameCache(const Layer &a, const Layer &b) {
    return a.kind == b.kind && a.heads == b.heads && a.keySize == b.keySize && a.valueSize == b.valueSize &&
           a.elementBytes == b.elementBytes && a.window == b.window && a.stateBytes == b.stateBytes;
}

/// The smallest number of pieces of `size` that cover `length`, counted off.
std::int64_t pieces(std::int64_t length, std::int64_t size) {
    std::int64_t n = 0;
    for (std::int64_t covered = 0; covered < length; covered += size)
        ++n;
    return n;
}

} // namespace

BlockAllocator::BlockAllocator(std::vector<Layer> layers, Server server)
    : m_layers(std::move(layers)), m_server(std::move(server)), m_block(m_layers.size(), m_server.block),
      m_pages(m_layers.size(), 0) {
    growBlocksForStates();
    makePagesEqual();
    if (!m_possible)
        return;
    deal();
    fillMemory();
}

std::int64_t BlockAllocator::bytesOfTokens(const Layer &layer, std::int64_t tokens) const {
    std::int64_t bytes = 0;
    for (std::int64_t token = 0; token < tokens; ++token)
        for (std::int64_t head = 0; head < layer.heads; ++head) {
            const bool oneSize = layer.kind == Kind::Cross;
            bytes += layer.keySize * layer.elementBytes;
            bytes += (oneSize ? layer.keySize : layer.valueSize) * layer.elementBytes;
        }
    return bytes;
}

void BlockAllocator::growBlocksForStates() {
    std::int64_t state = 0;
    const Layer *attention = nullptr;
    for (const Layer &layer : m_layers) {
        if (layer.kind == Kind::State)
            state = std::max(state, layer.stateBytes);
        else if (!attention && layer.kind != Kind::Cross)
            attention = &layer;
    }
    std::int64_t block = m_server.block;
    while (state > 0 && attention && bytesOfTokens(*attention, block) < state)
        block += m_server.block;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        m_block[i] = m_layers[i].kind == Kind::State ? 0 : block;
        m_pages[i] = m_layers[i].kind == Kind::State
                         ? (attention ? bytesOfTokens(*attention, block) : m_layers[i].stateBytes)
                         : bytesOfTokens(m_layers[i], block);
    }
}

void BlockAllocator::makePagesEqual() {
    m_page = *std::max_element(m_pages.begin(), m_pages.end());
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        if (m_layers[i].kind == Kind::State) {
            m_pages[i] = m_page;
            continue;
        }
        const std::int64_t step = m_block[i], bytes = m_pages[i];
        while (m_pages[i] < m_page) {
            m_block[i] += step;
            m_pages[i] += bytes;
        }
        m_possible = m_possible && m_pages[i] == m_page;
    }
}

void BlockAllocator::deal() {
    std::vector<std::vector<std::size_t>> buckets;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        auto bucket = std::find_if(buckets.begin(), buckets.end(),
                                   [&](const auto &b) { return sameCache(m_layers[b.front()], m_layers[i]); });
        if (bucket == buckets.end())
            bucket = buckets.insert(buckets.end(), std::vector<std::size_t>());
        bucket->push_back(i);
    }
    std::size_t least = m_layers.size(), most = 0;
    for (const auto &bucket : buckets) {
        least = std::min(least, bucket.size());
        most = std::max(most, bucket.size());
    }
    const std::size_t size = static_cast<double>(most) < static_cast<double>(least) * 1.5 ? most : least;
    for (const auto &bucket : buckets) {
        const std::size_t ways =
            static_cast<std::size_t>(pieces(static_cast<std::int64_t>(bucket.size()), static_cast<std::int64_t>(size)));
        for (std::size_t way = 0; way < ways; ++way) {
            Dealt group;
            for (std::size_t card = way; card < bucket.size(); card += ways)
                group.layers.push_back(bucket[card]);
            group.block = m_block[group.layers.front()];
            m_groups.push_back(std::move(group));
        }
    }
}

/// Places of a block on a stage: as many as its largest group has layers there; each place is one page in a tensor of its own.
std::int64_t BlockAllocator::bytesOfBlock(std::size_t stage) const {
    std::int64_t places = 0;
    for (const Dealt &group : m_groups)
        places =
            std::max<std::int64_t>(places, std::count_if(group.layers.begin(), group.layers.end(),
                                                         [&](std::size_t i) { return m_layers[i].stage == stage; }));
    return places * m_page;
}

void BlockAllocator::fillMemory() {
    std::optional<std::int64_t> least;
    for (std::size_t stage = 0; stage < m_server.memory.size(); ++stage) {
        const std::int64_t each = bytesOfBlock(stage);
        if (each == 0)
            continue;
        std::int64_t blocks = 0;
        for (std::int64_t left = m_server.memory[stage]; left >= each; left -= each)
            ++blocks;
        least = std::min(least.value_or(blocks), blocks);
    }
    m_blocks = least.value_or(0);
}

std::vector<std::int64_t> BlockAllocator::admitted(std::int64_t tokens) const {
    std::vector<std::int64_t> list;
    for (const Dealt &group : m_groups) {
        const Layer &layer = m_layers[group.layers.front()];
        switch (layer.kind) {
        case Kind::Full:
            list.push_back(pieces(tokens, group.block));
            break;
        // The window before the step and the step's own tokens, wherever in a block they begin.
        case Kind::Window:
            list.push_back(pieces(std::min(layer.window - 1 + m_server.batch, tokens), group.block) + 1);
            break;
        case Kind::State:
            list.push_back(m_server.stateRows);
            break;
        case Kind::Cross:
            list.push_back(pieces(m_server.encoder, group.block));
            break;
        }
    }
    return list;
}

std::int64_t BlockAllocator::requestsThatFit(std::int64_t tokens, std::int64_t prefix) const {
    std::set<std::int64_t> free;
    for (std::int64_t block = 0; block < m_blocks; ++block)
        free.insert(block);
    std::map<std::size_t, std::vector<std::int64_t>>
        shared; // by group: the blocks of the common beginning, once somebody computed them
    const std::vector<std::int64_t> wanted = admitted(tokens);
    for (std::int64_t requests = 0;; ++requests) {
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            std::int64_t need = wanted[g];
            const bool keepsAll = m_layers[m_groups[g].layers.front()].kind == Kind::Full;
            if (keepsAll && shared.count(g) != 0)
                need -= static_cast<std::int64_t>(shared[g].size());
            std::vector<std::int64_t> table;
            for (; need > 0; --need) {
                if (free.empty())
                    return requests;
                table.push_back(*free.begin());
                free.erase(free.begin());
            }
            if (keepsAll && shared.count(g) == 0) {
                const std::int64_t whole = prefix / m_groups[g].block;
                shared[g].assign(table.begin(), table.begin() + std::min<std::int64_t>(
                                                                    whole, static_cast<std::int64_t>(table.size())));
            }
        }
        if (requests > 100'000)
            return requests;
    }
}

std::int64_t BlockAllocator::longest(std::int64_t limit) const {
    std::int64_t best = 0;
    for (std::int64_t tokens = 1; tokens <= limit; ++tokens) {
        std::int64_t all = 0;
        for (const std::int64_t blocks : admitted(tokens))
            all += blocks;
        bool fits = true;
        for (std::size_t stage = 0; stage < m_server.memory.size(); ++stage)
            fits = fits && all * bytesOfBlock(stage) <= m_server.memory[stage];
        if (!fits)
            return best;
        best = tokens;
    }
    return best;
}

std::int64_t BlockAllocator::heldAtMost(const Dealt &group, std::int64_t tokens, std::int64_t offset) const {
    const Layer &layer = m_layers[group.layers.front()];
    std::set<std::int64_t> held;
    std::size_t most = 0;
    for (std::int64_t computed = 0; computed < tokens;) {
        const std::int64_t step = computed == 0 && offset > 0 ? offset : m_server.batch;
        const std::int64_t upTo = std::min(tokens, computed + step);
        if (layer.kind == Kind::Window)
            for (auto block = held.begin(); block != held.end();) {
                // The next token sees itself and the window − 1 before it.
                const bool outside = (*block + 1) * group.block <= computed - layer.window + 1;
                block = outside ? held.erase(block) : std::next(block);
            }
        for (std::int64_t token = computed; token < upTo; ++token)
            held.insert(token / group.block);
        most = std::max(most, held.size());
        computed = upTo;
    }
    return static_cast<std::int64_t>(most);
}

} // namespace kv::oracle
