// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/gpubars.h"

#include <QTest>

using namespace kv;
using namespace kv::test;

using Gbs = QList<double>;

class GpuBarsTest : public QObject {
    Q_OBJECT

private slots:
    void pieces_data();
    void pieces();
    void piecesOfTheirOwn();
    void folding_data();
    void folding();
    void apartIsNotFolded();
    void moreBarsThanFit();
    void textsInside();
    void unlikeCards();
    void host();
    void refusal();
    void outOfRange();
    void description();
    void estimates();
};

void GpuBarsTest::pieces_data() {
    QTest::addColumn<Gbs>("figures"); // memory, reserve, weights, overhead, kv, kvReserved
    QTest::addColumn<Gbs>("drawn");   // weights, overhead, kv, idle, free, reserve, short
    QTest::newRow("fits") << Gbs{80, 8, 17.6, 0, 53.7, 53.7} << Gbs{17.6, 0, 53.7, 0, 0.7, 8, 0};
    QTest::newRow("idle pool is not free") << Gbs{85, 6.8, 18.8, 4.7, 25.9, 54.5} << Gbs{18.8, 4.7, 25.9, 28.6, 0.2, 6.8, 0};
    QTest::newRow("KV is short") << Gbs{80, 8, 17.6, 0, 128.9, 54} << Gbs{17.6, 0, 54.4, 0, 0, 8, 74.5};
    QTest::newRow("weights alone are short") << Gbs{24, 2.4, 141.1, 1, 5, 5} << Gbs{21.6, 0, 0, 0, 0, 2.4, 125.5};
    QTest::newRow("nothing at all") << Gbs{80, 0, 0, 0, 0, 0} << Gbs{0, 0, 0, 0, 80, 0, 0};
    QTest::newRow("full to the byte") << Gbs{80, 8, 18, 0, 54, 54} << Gbs{18, 0, 54, 0, 0, 8, 0};
    QTest::newRow("all of it reserved") << Gbs{80, 80, 1, 0, 0, 0} << Gbs{0, 0, 0, 0, 0, 80, 1};
    QTest::newRow("no memory") << Gbs{0, 0, 1, 0, 1, 1} << Gbs{0, 0, 0, 0, 0, 0, 2};
}

void GpuBarsTest::pieces() {
    QFETCH(Gbs, figures);
    QFETCH(Gbs, drawn);
    const Plan plan = planOf(1, {figures[0], figures[1], figures[2], figures[3], figures[4], figures[5]});
    const GpuBars bars = gpuBars(plan, SizeUnit::Decimal);
    QCOMPARE(bars.bars.size(), std::size_t(1));
    const GpuBar &bar = bars.bars.front();
    Bytes sum;
    constexpr std::array kinds{MemoryKind::Weights, MemoryKind::Overhead, MemoryKind::Kv, MemoryKind::KvIdle, MemoryKind::Free, MemoryKind::Reserve, MemoryKind::Short};
    for (int i = 0; i < memoryKinds; ++i) {
        const auto kind = static_cast<MemoryKind>(i);
        const auto at = std::ranges::find(kinds, kind) - kinds.begin();
        const double length = at < std::ssize(kinds) ? drawn[at] : 0; // the others have a test of their own
        QCOMPARE(bar.length(kind).value, gb(length).value);
        QCOMPARE(bars.holds(kind), length > 0);
        sum += bar.length(kind);
    }
    // The bar is the card, and what is short beyond it.
    QCOMPARE(sum.value, (gb(figures[0]) + bar.shortBy()).value);
    QCOMPARE(bar.end().value, sum.value);
}

// A display, a draft model and LoRA slots are parts of the overhead in a plan, and pieces of their own here.
void GpuBarsTest::piecesOfTheirOwn() {
    Plan plan = planOf(1, {80, 8, 20, 10, 30, 30});
    plan.gpus.front().display = gb(1);
    plan.gpus.front().adapters = gb(2);
    plan.gpus.front().draftWeights = gb(3);
    const GpuBars bars = gpuBars(plan, SizeUnit::Decimal);
    const GpuBar &bar = bars.bars.front();
    QCOMPARE(bar.length(MemoryKind::Extra).value, gb(5).value);
    QCOMPARE(bar.length(MemoryKind::Display).value, gb(1).value);
    QCOMPARE(bar.length(MemoryKind::Overhead).value, gb(4).value);
    QCOMPARE(bar.end().value, gb(80).value);
    QCOMPARE(bars.kindName(MemoryKind::Extra), QStringLiteral("Draft, LoRA"));
    QVERIFY2(bars.sentence(bar).contains(QLatin1String("Display 1 GB")), qPrintable(bars.sentence(bar)));
}

void GpuBarsTest::folding_data() {
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("other"); // every so many has more KV; 0: none
    QTest::addColumn<QStringList>("labels");
    QTest::newRow("one") << 1 << 0 << QStringList{QStringLiteral("GPU 0")};
    QTest::newRow("16 alike stand apart") << 16 << 0 << [] {
        QStringList all;
        for (int i = 0; i < 16; ++i)
            all.append(QStringLiteral("GPU %1").arg(i));
        return all;
    }();
    QTest::newRow("17 alike fold") << 17 << 0 << QStringList{QStringLiteral("GPU 0–16 (17 alike)")};
    QTest::newRow("1,024 alike") << 1024 << 0 << QStringList{QStringLiteral("GPU 0–1023 (1,024 alike)")};
    QTest::newRow("two kinds, mixed") << 32 << 8 << QStringList{QStringLiteral("GPU 0, 8, … (4 alike)"), QStringLiteral("GPU 1–7, 9–15, … (28 alike)")};
    QTest::newRow("one of its own") << 18 << 100 << QStringList{QStringLiteral("GPU 0"), QStringLiteral("GPU 1–17 (17 alike)")};
}

void GpuBarsTest::folding() {
    QFETCH(int, gpus);
    QFETCH(int, other);
    Plan plan = planOf(gpus);
    for (int i = 0; other > 0 && i < gpus; i += other)
        plan.gpus[static_cast<std::size_t>(i)].kv += Bytes(1);
    const GpuBars bars = gpuBars(plan, SizeUnit::Decimal);
    QStringList labels;
    std::int64_t counted = 0;
    for (const GpuBar &bar : bars.bars) {
        labels.append(bar.label);
        counted += bar.gpus;
    }
    QTEST(labels, "labels");
    QCOMPARE(counted, std::int64_t(gpus));
}

void GpuBarsTest::apartIsNotFolded() {
    // Every figure counts: a difference in one of them alone keeps a GPU apart.
    const auto kinds = [](auto change) {
        Plan plan = planOf(20);
        change(plan.gpus[7]);
        return gpuBars(plan, SizeUnit::Decimal).bars.size();
    };
    QCOMPARE(kinds([](GpuPlan &) {}), std::size_t(1));
    QCOMPARE(kinds([](GpuPlan &g) { g.gpu = "l4"; }), std::size_t(2));
    QCOMPARE(kinds([](GpuPlan &g) { g.memory += Bytes(1); }), std::size_t(2));
    QCOMPARE(kinds([](GpuPlan &g) { g.reserve += Bytes(1); }), std::size_t(2));
    QCOMPARE(kinds([](GpuPlan &g) { g.weights += Bytes(1); }), std::size_t(2));
    QCOMPARE(kinds([](GpuPlan &g) { g.overhead += Bytes(1); }), std::size_t(2));
    QCOMPARE(kinds([](GpuPlan &g) { g.kvReserved += Bytes(1); }), std::size_t(2));
    QCOMPARE(kinds([](GpuPlan &g) { g.free += Bytes(1); }), std::size_t(2));
    QCOMPARE(kinds([](GpuPlan &g) { g.kvReplicated = true; }), std::size_t(2));
}

void GpuBarsTest::moreBarsThanFit() {
    Plan plan = planOf(100);
    for (std::size_t i = 0; i < plan.gpus.size(); ++i)
        plan.gpus[i].free = Bytes(static_cast<std::int64_t>(i == 99 ? 0 : 1000 + i)); // the last is the fullest
    const GpuBars bars = gpuBars(plan, SizeUnit::Decimal);
    QCOMPARE(bars.bars.size(), mostBars);
    QCOMPARE(bars.bars.front().label, QStringLiteral("GPU 0"));
    QCOMPARE(bars.bars.back().label, QStringLiteral("GPU 99"));
    QCOMPARE(bars.note, QStringLiteral("and 52 more GPUs, none of them fuller"));
}

void GpuBarsTest::textsInside() {
    const GpuBars bars = gpuBars(planOf(1, {80, 8, 17.6, 0.04, 128.9, 54}), SizeUnit::Decimal);
    const ScaledUnit unit = unitFor(bars.largest, SizeUnit::Decimal);
    const auto text = [&](MemoryKind kind) { return bars.pieceText(bars.bars.front(), kind, unit); };
    QCOMPARE(text(MemoryKind::Weights), QStringLiteral("17.6"));
    QCOMPARE(text(MemoryKind::Overhead), QStringLiteral("0.0"));
    QCOMPARE(text(MemoryKind::Kv), QStringLiteral("54.4 of 128.9"));
    QCOMPARE(text(MemoryKind::Reserve), QStringLiteral("8.0"));
    QCOMPARE(text(MemoryKind::Short), QStringLiteral("short 74.5 GB"));
    QCOMPARE(bars.kindName(MemoryKind::Kv), QStringLiteral("KV cache"));
    const GpuBars idle = gpuBars(planOf(1, {80, 8, 17.6, 0, 20, 50}), SizeUnit::Binary);
    QCOMPARE(idle.kindName(MemoryKind::Kv), QStringLiteral("KV in use"));
    QCOMPARE(idle.pieceText(idle.bars.front(), MemoryKind::KvIdle, unitFor(idle.largest, SizeUnit::Binary)), QStringLiteral("27.9"));
}

void GpuBarsTest::unlikeCards() {
    Plan plan = planOf(2);
    plan.gpus[1].gpu = "<b>my & card</b>";
    const GpuBars bars = gpuBars(plan, SizeUnit::Decimal);
    QCOMPARE(bars.bars[1].label, QStringLiteral("GPU 1 · <b>my & card</b>"));
}

void GpuBarsTest::host() {
    Plan plan = planOf(1);
    plan.host = HostPlan{gb(100), gb(20), {}};
    const GpuBars bars = gpuBars(plan, SizeUnit::Decimal);
    QCOMPARE(bars.bars.size(), std::size_t(2));
    QCOMPARE(bars.bars[1].label, QStringLiteral("Host"));
    QCOMPARE(bars.largest.value, gb(120).value);
    QCOMPARE(bars.memory.value, gb(80).value);
    QVERIFY(!bars.anyShort());
    plan.host = HostPlan{};
    QCOMPARE(gpuBars(plan, SizeUnit::Decimal).bars.size(), std::size_t(1));
}

void GpuBarsTest::refusal() {
    Plan plan = planOf(8);
    plan.refusal = errorNote("x", "y", "config.json has no num_hidden_layers.");
    const GpuBars bars = gpuBars(plan, SizeUnit::Decimal);
    QVERIFY(bars.bars.empty());
    QCOMPARE(bars.description(), QStringLiteral("Nothing to draw: config.json has no num_hidden_layers."));
    QVERIFY(!gpuBars(Plan{}, SizeUnit::Decimal).message.isEmpty());
}

void GpuBarsTest::outOfRange() {
    Plan plan = planOf(1);
    plan.gpus[0].kv = Bytes::outOfRange();
    const GpuBars bars = gpuBars(plan, SizeUnit::Decimal);
    QVERIFY(bars.bars.empty());
    QCOMPARE(bars.message, QStringLiteral("A figure is out of range."));
}

void GpuBarsTest::description() {
    QCOMPARE(gpuBars(planOf(8), SizeUnit::Decimal).description(),
             QStringLiteral("8 GPUs alike. GPU 0, 80 GB of memory: Weights 17.6 GB, KV cache 53.7 GB, Free 700 MB, Reserve 8 GB."));
    Plan plan = planOf(2, {80, 8, 17.6, 0, 128.9, 54});
    plan.gpus[1].kvReplicated = true;
    const QString text = gpuBars(plan, SizeUnit::Decimal).description();
    QVERIFY2(text.contains(QStringLiteral("KV cache 128.9 GB, Reserve 8 GB, Short 74.5 GB.")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("its KV repeats another GPU's")), qPrintable(text));
}

void GpuBarsTest::estimates() {
    Plan plan = planOf(1, {80, 8, 17.6, 4.4, 20, 40});
    plan.engine.id = "vllm";
    plan.fit.estimate = true;
    plan.engine.values.emplace_back("overhead_band_bytes", std::int64_t{300'000'000});
    const GpuBars bars = gpuBars(plan, SizeUnit::Decimal);
    const ScaledUnit unit = unitFor(bars.largest, SizeUnit::Decimal);
    QCOMPARE(bars.kindName(MemoryKind::Reserve), QStringLiteral("Withheld"));
    QCOMPARE(bars.nameWithBand(MemoryKind::Overhead), QStringLiteral("Overhead ± 300 MB"));
    QCOMPARE(bars.pieceText(bars.bars.front(), MemoryKind::Overhead, unit), QStringLiteral("≈4.4"));
    QCOMPARE(bars.figureText(bars.bars.front(), MemoryKind::Overhead), QStringLiteral("4.4 GB ± 300 MB"));
    QCOMPARE(bars.figureText(bars.bars.front(), MemoryKind::Weights), QStringLiteral("17.6 GB"));
    // An estimate whose reach is not known is still told apart from what is exact.
    plan.engine.values.clear();
    plan.weights.estimate = true;
    const GpuBars rough = gpuBars(plan, SizeUnit::Decimal);
    QCOMPARE(rough.nameWithBand(MemoryKind::Weights), QStringLiteral("Weights, estimated"));
    QCOMPARE(rough.nameWithBand(MemoryKind::Overhead), QStringLiteral("Overhead, estimated"));
    QCOMPARE(rough.figureText(rough.bars.front(), MemoryKind::Overhead), QStringLiteral("about 4.4 GB"));
}

KV_TEST(GpuBarsTest)
#include "gpubarstest.moc"
