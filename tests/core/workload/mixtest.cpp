// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/littleslaw.h"
#include "core/workload/mix.h"
#include "tests/oracle/sums.h"
#include "tests/testmain.h"

#include <QTest>

#include <cmath>

using namespace kv;

namespace {

using Bins = std::vector<SizeBin>;

/// Distributions that are unlike each other, by name.
struct Case {
    const char *name;
    Bins bins;
    std::int64_t draws;
};

std::vector<Case> cases() {
    Bins tail;
    for (int i = 1; i <= 40; ++i)
        tail.push_back({i * i * 16, 1.0 / (i * i)});
    return {
        {"one size", {{4096, 1}}, 50},
        {"a coin", {{0, 1}, {1, 1}}, 64},
        {"a die", {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}}, 20},
        {"two classes far apart", {{1'310'720, 9}, {171'798'691, 1}}, 30},
        {"blocks with a heavy tail", tail, 12},
        {"one draw", {{10, 3}, {70, 1}}, 1},
        {"no draw", {{10, 3}, {70, 1}}, 0},
    };
}

} // namespace

class MixTest : public QObject {
    Q_OBJECT

private slots:
    void exactAgreesWithAddition_data();
    void exactAgreesWithAddition();
    void drawnWithinItsError_data();
    void drawnWithinItsError();
    void mostWithinBudget_data();
    void mostWithinBudget();
    void sameSeedSameAnswer();
    void cancelled();
    void wideTailsAreDrawnToTheEnd();
    void manySequencesAreNormal();
    void littlesLaw();
};

void MixTest::exactAgreesWithAddition_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const Case &one : cases())
        QTest::newRow(one.name) << index++;
}

void MixTest::exactAgreesWithAddition() {
    QFETCH(int, index);
    const Case one = cases()[std::size_t(index)];
    const auto sums = test::sumsSlowly(one.bins, one.draws);
    for (const double share : {0.5, 0.95, 0.99}) {
        const std::int64_t budget = test::sumAt(sums, share);
        const std::optional<MixTotal> total = totalOf(one.bins, one.draws, budget);
        QVERIFY(total && total->exact && total->above);
        QVERIFY2(std::abs(*total->above - test::shareAbove(sums, budget)) < 1e-9, std::to_string(*total->above).c_str());
        // A percentile that falls on a step to the last bit may lie on either side of it.
        const std::int64_t said = share == 0.5 ? total->p50 : share == 0.95 ? total->p95 : total->p99;
        QVERIFY2(said >= test::sumAt(sums, share, 1e-9) && said <= test::sumAt(sums, share, -1e-9), std::to_string(said).c_str());
        double mean = 0;
        for (const auto &[sum, chance] : sums)
            mean += static_cast<double>(sum) * chance;
        QVERIFY(std::abs(total->mean - mean) <= 1e-9 * std::max(1.0, mean));
    }
}

void MixTest::drawnWithinItsError_data() { exactAgreesWithAddition_data(); }

void MixTest::drawnWithinItsError() {
    QFETCH(int, index);
    const Case one = cases()[std::size_t(index)];
    const auto sums = test::sumsSlowly(one.bins, one.draws);
    const std::int64_t budget = test::sumAt(sums, 0.9);
    MixOptions options;
    options.simulate = true;
    const std::optional<MixTotal> total = totalOf(one.bins, one.draws, budget, options);
    QVERIFY(total && !total->exact);
    const double above = test::shareAbove(sums, budget);
    // Four standard errors: one run in sixteen thousand would fail by chance, and the seed is fixed.
    QVERIFY2(std::abs(*total->above - above) <= 4 * std::sqrt(above * (1 - above) / 100'000.0) + 1e-12, std::to_string(*total->above - above).c_str());
    const std::int64_t p99 = test::sumAt(sums, 0.99);
    QVERIFY2(total->p99Low <= p99 && p99 <= total->p99High, std::to_string(p99).c_str());
}

void MixTest::mostWithinBudget_data() { exactAgreesWithAddition_data(); }

// At the answer 99 of 100 fit, with one sequence more they do not; by addition alone.
void MixTest::mostWithinBudget() {
    QFETCH(int, index);
    const Case one = cases()[std::size_t(index)];
    const std::int64_t draws = std::max<std::int64_t>(one.draws, 1);
    const std::int64_t budget = test::sumAt(test::sumsSlowly(one.bins, draws), 0.992);
    const std::optional<std::int64_t> most = mostWithin(one.bins, budget, 0.99, 1000);
    QVERIFY(most);
    QVERIFY(*most == 0 || test::shareAbove(test::sumsSlowly(one.bins, *most), budget) <= 0.01 + 2e-9);
    QVERIFY(test::shareAbove(test::sumsSlowly(one.bins, *most + 1), budget) > 0.01 - 2e-9);
    MixOptions drawn;
    drawn.simulate = true;
    const std::optional<std::int64_t> about = mostWithin(one.bins, budget, 0.99, 1000, drawn);
    QVERIFY2(about && std::abs(*about - *most) <= std::max<std::int64_t>(1, *most / 20), std::to_string(*about - *most).c_str());
    QCOMPARE(*mostWithin(one.bins, budget, 0.99, 1), std::min<std::int64_t>(*most, 1));
    QCOMPARE(*mostWithin(one.bins, -1, 0.99, 1000), std::int64_t(0));
}

void MixTest::sameSeedSameAnswer() {
    const Bins bins{{1'000'003, 1}, {1'777'777'777, 1}, {29, 5}};
    const std::optional<MixTotal> a = totalOf(bins, 1000, {}), b = totalOf(bins, 1000, {});
    QVERIFY(a && b && !a->exact);
    QCOMPARE(a->p99, b->p99);
    MixOptions other;
    other.seed = 7;
    QVERIFY(totalOf(bins, 1000, {}, other)->p99 != a->p99);
}

void MixTest::cancelled() {
    MixOptions options;
    options.simulate = true;
    int asked = 0;
    options.goOn = [&] { return ++asked < 3; };
    QVERIFY(!totalOf(cases()[2].bins, 100, {}, options));
    QCOMPARE(asked, 3);
}

// One request in a million of a thousand times the size: rarer than a slot of the table, and still drawn.
void MixTest::wideTailsAreDrawnToTheEnd() {
    const Bins bins{{1000, 999'999}, {1'000'000'007, 1}};
    MixOptions options;
    options.simulate = true;
    const std::optional<MixTotal> total = totalOf(bins, 10'000, 20'000'000, options);
    const double expected = 1 - std::pow(1 - 1e-6, 10'000);
    QVERIFY2(!total->normal && std::abs(*total->above - expected) < 4 * std::sqrt(expected / static_cast<double>(total->draws)), std::to_string(*total->above).c_str());
}

// Beyond what is drawn: against the drawn answer where both can be had, and at once where there are millions.
void MixTest::manySequencesAreNormal() {
    const Bins bins{{1'000'003, 90}, {17'777'777, 9}, {400'000'029, 1}};
    MixOptions few;
    few.draws = 10'000; // 5,000 sequences are still drawn
    few.simulate = true;
    const std::optional<MixTotal> drawn = totalOf(bins, 5'000, {}, few), normal = totalOf(bins, 5'000, {});
    QVERIFY(drawn && normal && !drawn->normal && normal->normal);
    for (const auto &[a, b] : {std::pair(drawn->p50, normal->p50), {drawn->p95, normal->p95}, {drawn->p99, normal->p99}})
        QVERIFY2(std::abs(static_cast<double>(a) / static_cast<double>(b) - 1) < 0.01, std::to_string(a - b).c_str());
    const std::int64_t budget = drawn->p99;
    const std::optional<std::int64_t> most = mostWithin(bins, budget, 0.99, 1'000'000);
    QVERIFY2(most && std::abs(*most - 5'000) < 60, std::to_string(*most).c_str());
    const std::optional<std::int64_t> millions = mostWithin(bins, std::int64_t(1) << 50, 0.99, 1'000'000'000);
    QVERIFY(millions && *millions > 100'000'000);
}

void MixTest::littlesLaw() {
    QCOMPARE(*sequencesInFlight(12, 20), std::int64_t(240));
    QCOMPARE(*sequencesInFlight(0.1, 15), std::int64_t(2));
    QVERIFY(!sequencesInFlight(1e300, 1e300));
    QVERIFY(!sequencesInFlight(-1, 1));
    QCOMPARE(*requestsPerSecond(240, 20), 12.0);
    QVERIFY(!requestsPerSecond(240, 0));
}

KV_TEST(MixTest)
#include "mixtest.moc"
