// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/evaluate.h"
#include "core/plan/explain.h"
#include "core/plan/inflight.h"
#include "core/workload/percentiles.h"
#include "tests/oracle/sums.h"
#include "tests/testmain.h"

#include <QTest>

#include <cmath>

using namespace kv;

namespace {

Scenario with(const std::vector<RequestClass> &classes, std::int64_t sequences) {
    Scenario s = firstScenario();
    s.workload.sequences = Count(sequences);
    s.workload.distribution.value = std::make_shared<const Lengths>(lengthsOf(classes));
    return s;
}

} // namespace

// What unlike lengths come to, and how it is said.
class InFlightTest : public QObject {
    Q_OBJECT

private slots:
    void cases_data();
    void cases();
    void theMeanIsWrong();
    void theMeanOfWhatIsServed();
    void sentences();
    void slotsAreSetAside();
    void shortRequestsWithoutEnd();
};

void InFlightTest::cases_data() {
    QTest::addColumn<double>("share");
    QTest::addColumn<QString>("words");
    const auto row = [](double share, const char *words) { QTest::newRow(words) << share << QString::fromUtf8(words); };
    row(0, "none");
    row(1, "all");
    row(0.5, "50 of 100");
    row(0.123, "12 of 100");
    row(0.032, "3.2 of 100");
    row(0.01, "1 of 100");
    row(0.0096, "1 of 100");
    row(0.0063, "6.3 of 1,000");
    row(0.00002, "2 of 100,000");
    row(1e-9, "fewer than 1 of 1,000,000");
    row(0.999, "999 of 1,000");
    row(0.9977, "998 of 1,000");
    row(0.99996, "99,996 of 100,000");
    row(1 - 1e-9, "999,999 of 1,000,000");
    row(0.99, "99 of 100");
}

void InFlightTest::cases() {
    QFETCH(double, share);
    QTEST(QString::fromStdString(casesOf(share)), "words");
}

// The plan by the mean fails as often as addition alone says.
void InFlightTest::theMeanIsWrong() {
    const Scenario s = with({{"chat", 7, 1500, 548, 0}, {"documents", 3, 60'000, 5'536, 0}}, 9);
    const std::optional<InFlight> flight = inFlight(s, evaluateHere(s));
    QVERIFY(flight && flight->total.exact && flight->meanFails);
    const std::int64_t each = 40'960; // bytes of a token on one GPU of eight
    const std::vector<SizeBin> bins{{2048 * each, 7}, {65'536 * each, 3}};
    QVERIFY(flight->mostWithMean > 20 && flight->mostWithMean < 100);
    const double fails = test::shareAbove(test::sumsSlowly(bins, flight->mostWithMean), flight->room.value);
    QVERIFY2(std::abs(*flight->meanFails - fails) < 1e-9 && fails > 0.3, std::to_string(*flight->meanFails - fails).c_str());
    QVERIFY(flight->mostAtP99 < flight->mostWithMean);
}

void InFlightTest::theMeanOfWhatIsServed() {
    // The one request of a million tokens is cut at the context of 131,072, and the mean with it.
    const Scenario s = with({{"short", 99, 1000, 24, 0}, {"endless", 1, 1'000'000, 0, 0}}, 10);
    const std::optional<InFlight> flight = inFlight(s, evaluateHere(s));
    QVERIFY(flight && flight->cut);
    QCOMPARE(flight->meanTokens, (99.0 * 1024 + 131'072) / 100);
    QVERIFY(inFlightWords(*flight).method.find("cut at it") != std::string::npos);
    QVERIFY2(inFlightWords(*flight).mean.find("the mean of 2,324 tokens, lengths cut at the context, says ") != std::string::npos, inFlightWords(*flight).mean.c_str());
    // What a server refuses is nothing to be green about.
    const Verdict said = verdict(s, evaluateHere(s), SizeUnit::Decimal, &*flight);
    QCOMPARE(said.state, Verdict::State::Tight);
    QVERIFY2(said.detail.find("longer than the context") != std::string::npos, said.detail.c_str());
    const Scenario shorter = with({{"short", 99, 1000, 24, 0}}, 5);
    const std::optional<InFlight> whole = inFlight(shorter, evaluateHere(shorter));
    QCOMPARE(verdict(shorter, evaluateHere(shorter), SizeUnit::Decimal, &*whole).state, Verdict::State::Fits);
}

void InFlightTest::sentences() {
    const Scenario s = with({{"chat", 7, 1500, 548, 0}, {"documents", 3, 60'000, 5'536, 0}}, 60);
    const Plan plan = evaluateHere(s);
    const std::optional<InFlight> flight = inFlight(s, plan);
    QVERIFY(flight);
    const InFlightWords said = inFlightWords(*flight);
    QVERIFY2(said.fit.find("With these lengths 60 sequences do not fit in ") == 0, said.fit.c_str());
    QVERIFY2(said.most.ends_with("sequences fit in 99 of 100 cases."), said.most.c_str());
    QVERIFY2(said.mean.find("Planning with the mean of 21,094 tokens says ") == 0 && said.mean.find("is wrong in ") != std::string::npos, said.mean.c_str());
    QVERIFY2(said.method.find("exactly") != std::string::npos, said.method.c_str());
    MixOptions drawn;
    drawn.simulate = true;
    const InFlightWords simulated = inFlightWords(*inFlight(s, plan, drawn));
    QVERIFY2(simulated.method.find("100,000 draws with the seed 20,260,801") != std::string::npos && simulated.method.find("±") != std::string::npos, simulated.method.c_str());
    // The verdict says it where it is known, and else that it counts the whole context.
    QVERIFY(verdict(s, plan, SizeUnit::Decimal, &*flight).detail.find(said.fit) != std::string::npos);
    const std::string without = verdict(s, plan, SizeUnit::Decimal).detail;
    QVERIFY2(without.find("99 of 100 up to 65,536") != std::string::npos, without.c_str());
    QVERIFY(verdict(firstScenario(), plan, SizeUnit::Decimal).detail.find("requests") == std::string::npos);
}

void InFlightTest::slotsAreSetAside() {
    Scenario s = with({{"chat", 1, 100, 100, 0}, {"documents", 1, 4000, 0, 0}}, 2);
    s.engine.id = "llama-cpp";
    s.workload.context = Tokens(8192);
    const Plan plan = evaluateHere(s);
    const std::optional<InFlight> flight = inFlight(s, plan);
    QVERIFY(flight && flight->reserved && !flight->meanFails);
    QVERIFY(inFlightWords(*flight).fit.find("change nothing") != std::string::npos);
}

/// Requests of one token each, all alike: as many as the plan says in every case, beyond a million as well.
void InFlightTest::shortRequestsWithoutEnd() {
    Scenario s = with({{"tiny", 1, 1, 0}}, 1'300'000);
    const Plan plan = evaluate(s);
    QVERIFY(plan.ok());
    const std::optional<InFlight> flight = inFlight(s, plan);
    QVERIFY(flight.has_value());
    Scenario alike = s;
    alike.workload.distribution.value = nullptr;
    alike.workload.context = Tokens(1);
    QCOMPARE(flight->mostAtP99, evaluate(alike).fit.maxSequences.value_or(0));
    QVERIFY(flight->mostAtP99 > 1'000'000);
}

KV_TEST(InFlightTest)
#include "inflighttest.moc"
