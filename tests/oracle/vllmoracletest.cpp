// SPDX-License-Identifier: GPL-3.0-or-later
//
// vLLM's closed forms against an allocator that tries everything out, over generated models and servers.
#include "core/engine/vllm.h"
#include "core/engine/vllm/pool.h"
#include "tests/oracle/blockallocator.h"
#include "tests/testmain.h"

#include <QTest>

#include <random>

using namespace kv;

namespace {

/// A generated model in both worlds.
struct Pair {
    ModelSpec model;
    Scenario scenario;
    Deployment deployment;
    std::vector<oracle::Layer> layers;
    oracle::Server server;
};

class Generator {
public:
    explicit Generator(unsigned seed) : m_random(seed) {}

    std::int64_t from(std::initializer_list<std::int64_t> choices) {
        return *(choices.begin() + std::uniform_int_distribution<std::ptrdiff_t>(
                                       0, static_cast<std::ptrdiff_t>(choices.size()) - 1)(m_random));
    }
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(m_random);
    }

    void make(Pair &pair) {
        pair.model = {};
        pair.layers.clear();
        const std::int64_t tp = from({1, 1, 2, 4}), pp = from({1, 1, 2, 3}),
                           count = between(std::max<std::int64_t>(pp, 2), 30);
        // Fewer KV heads than GPUs: each GPU keeps a copy.
        const HeadShape full{from({1, 2, 4, 8}), from({32, 64, 128}), 0}, window{from({1, 4, 8}), from({32, 64, 128}), 0};
        const LatentAttention latent{from({64, 128, 512}), from({0, 32, 64}), {8, 192, 128}};
        const std::int64_t windowTokens = between(3, 200), every = between(2, 6), states = from({0, 0, 1}), latents = states * from({0, 1});
        const RecurrentState state{.family = StateFamily::Lightning,
                                   .heads = 4,
                                   .headRows = from({16, 32, 48}),
                                   .headColumns = 16,
                                   .groups = 4};
        for (std::int64_t i = 0; i < count; ++i) {
            const HeadShape heads{(i % every == every - 1 ? full : window).kvHeads,
                                  (i % every == every - 1 ? full : window).keySize,
                                  (i % every == every - 1 ? full : window).keySize};
            if (i % every == every - 1 && latents != 0)
                pair.model.addLayer({latent});
            else if (i % every == every - 1)
                pair.model.addLayer({FullAttention{heads}});
            else if (states != 0)
                pair.model.addLayer({state});
            else
                pair.model.addLayer({SlidingWindow{heads, Tokens(windowTokens)}});
        }
        pair.model.queryHeads = 8;
        serverFor(pair, tp, pp, latents != 0);
        mirror(pair);
    }

private:
    void serverFor(Pair &pair, std::int64_t tp, std::int64_t pp, bool latents) {
        pair.server = {};
        pair.server.block = latents ? 64 : from({16, 32}); // latent kernels take no smaller ones
        pair.server.batch = between(16, 400);
        pair.scenario = {};
        pair.scenario.parallel.pp = Count(pp);
        Json &options = pair.scenario.engine.options;
        options.set("block_size", pair.server.block);
        options.set("max_num_batched_tokens", pair.server.batch);
        options.set("max_num_seqs", std::int64_t{16});
        options.set("prefix_caching", true);
        options.set("mamba_cache_mode", "align");
        pair.deployment = {};
        pair.deployment.scenario = &pair.scenario;
        pair.deployment.model = &pair.model;
        pair.deployment.tp = tp;
        pair.deployment.pp = pp;
        pair.deployment.gpus = tp * pp;
        pair.deployment.sequences = Count(1);
        pair.deployment.context = Tokens(between(1, 1500));
        pair.deployment.prefix = Tokens(between(0, pair.deployment.context.value));
        pair.deployment.availableKv = Bytes(between(1, 60'000'000));
        pair.deployment.memory = Bytes(std::int64_t{80} << 30);
    }

    static void mirror(Pair &pair) {
        const Deployment &d = pair.deployment;
        // 61 over 4: the remainder goes to the stages before the last, backwards.
        std::vector<std::int64_t> stages(static_cast<std::size_t>(d.pp), pair.model.layerCount() / d.pp);
        for (std::int64_t rest = pair.model.layerCount() % d.pp, at = d.pp - 2; rest > 0; --rest, --at)
            ++stages[static_cast<std::size_t>(at)];
        std::size_t stage = 0;
        for (std::int64_t i = 0, used = 0; i < pair.model.layerCount(); ++i, ++used) {
            for (; used == stages[stage]; used = 0)
                ++stage;
            oracle::Layer layer;
            layer.stage = stage;
            const CachePart &part = pair.model.layer(static_cast<std::size_t>(i)).parts.front();
            if (const auto *state = std::get_if<RecurrentState>(&part)) {
                layer.kind = oracle::Kind::State;
                layer.stateBytes = state->heads / d.tp * state->headRows * state->headColumns * 2;
            } else if (const auto *latent = std::get_if<LatentAttention>(&part)) {
                layer.heads = 1; // one vector for all heads, whole on each GPU; no values beside it
                layer.keySize = latent->rank + latent->ropeSize;
                layer.valueSize = 0;
            } else {
                const auto *slides = std::get_if<SlidingWindow>(&part);
                const HeadShape &heads = slides ? slides->heads : std::get<FullAttention>(part).heads;
                layer.kind = slides ? oracle::Kind::Window : oracle::Kind::Full;
                layer.window = slides ? slides->window.value : 0;
                layer.heads = std::max<std::int64_t>(1, heads.kvHeads / d.tp);
                layer.keySize = layer.valueSize = heads.keySize;
            }
            pair.layers.push_back(layer);
        }
        pair.server.stateRows = 2;
        pair.server.memory.assign(stages.size(), d.availableKv->value);
    }

    std::mt19937 m_random;
};

/// One kind of layer alone: there are no groups to deal, which is other tests' matter (vllmtest).
bool uniform(const std::vector<oracle::Layer> &layers) {
    return std::ranges::all_of(layers, [&](const oracle::Layer &layer) { return layer.kind == layers.front().kind; });
}

/// A row for each of the first 300 seeds whose model is one that `applies`.
template <typename Applies>
void addSeeds(Applies applies) {
    QTest::addColumn<unsigned>("seed");
    int rows = 0;
    for (unsigned seed = 1; rows < 300; ++seed) {
        Pair pair;
        Generator(seed).make(pair);
        if (!applies(pair))
            continue;
        QTest::addRow("model %u", seed) << seed;
        ++rows;
    }
}

} // namespace

class VllmOracleTest : public QObject {
    Q_OBJECT

private slots:
    void closedFormsHold_data();
    void closedFormsHold();
    void windowsNeverHoldMore_data();
    void windowsNeverHoldMore();
};

void VllmOracleTest::closedFormsHold_data() {
    addSeeds([](const Pair &pair) { return !uniform(pair.layers); });
}

void VllmOracleTest::closedFormsHold() {
    QFETCH(unsigned, seed);
    Pair pair;
    Generator(seed).make(pair);
    const vllm::Pool pool(pair.deployment);
    const oracle::BlockAllocator slow(pair.layers, pair.server);
    QCOMPARE(!pool.refusal(), slow.possible());
    if (pool.refusal())
        return;
    const vllm::Groups &groups = pool.groups();
    QCOMPARE(groups.list.size(), slow.groups().size());
    QCOMPARE(groups.page, slow.page());
    const std::int64_t context = pair.deployment.context.value;
    const std::vector<std::int64_t> admitted = slow.admitted(context);
    for (std::size_t g = 0; g < groups.list.size(); ++g) {
        QCOMPARE(groups.list[g].layers, static_cast<std::int64_t>(slow.groups()[g].layers.size()));
        if (slow.groups()[g].block > 0)
            QCOMPARE(groups.list[g].blockSize, slow.groups()[g].block);
        QCOMPARE(pool.demand().blocks(groups.list[g], context), admitted[g]);
    }
    for (std::size_t stage = 0; stage < groups.blockBytes.size(); ++stage)
        QCOMPARE(groups.blockBytes[stage], slow.bytesOfBlock(stage));
    const std::vector<vllm::Rank> ranks = pool.ranks(context);
    QCOMPARE(pool.blocks(ranks), slow.blocks());
    QCOMPARE(pool.longestLength(ranks, context), slow.longest(context));
    QCOMPARE(*pool.mostPerReplica(pool.blocks(ranks), context),
             std::min<std::int64_t>(16, slow.requestsThatFit(context, pair.deployment.prefix.value)));
}

void VllmOracleTest::windowsNeverHoldMore_data() {
    addSeeds([](const Pair &pair) {
        return std::ranges::any_of(pair.layers, [](const oracle::Layer &layer) { return layer.kind == oracle::Kind::Window; }) &&
               oracle::BlockAllocator(pair.layers, pair.server).possible();
    });
}

// The blocks a window is admitted with cover what it holds at every step, wherever its steps begin; at most one of them is never touched.
void VllmOracleTest::windowsNeverHoldMore() {
    QFETCH(unsigned, seed);
    Pair pair;
    Generator(seed).make(pair);
    const oracle::BlockAllocator slow(pair.layers, pair.server);
    const std::int64_t tokens = 1500;
    const std::vector<std::int64_t> admitted = slow.admitted(tokens);
    int windows = 0;
    for (std::size_t g = 0; g < admitted.size(); ++g) {
        const oracle::Dealt &group = slow.groups()[g];
        if (group.block == 0 || pair.layers[group.layers.front()].kind != oracle::Kind::Window)
            continue;
        ++windows;
        std::int64_t most = 0;
        for (std::int64_t offset = 0; offset < std::min(group.block, pair.server.batch); ++offset)
            most = std::max(most, slow.heldAtMost(group, tokens, offset));
        QVERIFY2(most <= admitted[g], qPrintable(QString::number(most)));
        QVERIFY2(most >= admitted[g] - 1, qPrintable(QString::number(most)));
    }
    QVERIFY(windows > 0);
}

KV_TEST(VllmOracleTest)
#include "vllmoracletest.moc"
