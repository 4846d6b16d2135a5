// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/fleet.h"

#include "core/engine/engines.h"
#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "core/plan/fitmap.h"
#include "core/report/comparison.h"
#include "tests/oracle/sums.h"
#include "tests/testmain.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace kv;

namespace {

SharedLengths shared(Lengths lengths) { return {std::make_shared<const Lengths>(std::move(lengths))}; }

Lengths classes(std::vector<LengthBin> bins) { return lengthsOfBins(Lengths::Kind::Classes, std::move(bins)); }

} // namespace

class FleetTest : public QObject {
    Q_OBJECT

private slots:
    void deployments_data();
    void deployments();
    void refused();
    void alikeLengthsAreThePlan_data();
    void alikeLengthsAreThePlan();
    void lengthsAddUp();
    void prefixOncePerReplica();
    void shortLengthsAreTheShortPlan_data();
    void shortLengthsAreTheShortPlan();
    void reservedSlotsTakeTheContext_data();
    void reservedSlotsTakeTheContext();
    void comparison();
    void busyMoments_data();
    void busyMoments();
};

// The first scenario holds 10 on 8 GPUs, a node of 8.
void FleetTest::deployments_data() {
    QTest::addColumn<qint64>("users");
    QTest::addColumn<double>("rate");
    QTest::addColumn<double>("seconds");
    QTest::addColumn<qint64>("lost");
    QTest::addColumn<qint64>("deployments");
    QTest::addColumn<qint64>("nodes");
    QTest::addColumn<double>("headroom");
    QTest::addColumn<double>("headroomLost");
    const auto row = [](const char *name, qint64 users, double rate, double seconds, qint64 lost, qint64 deployments, double headroom, double headroomLost) {
        QTest::newRow(name) << users << rate << seconds << lost << deployments << deployments << headroom << headroomLost;
    };
    row("full to the last", 20, 0, 0, 0, 2, 0, 0);
    row("one more", 21, 0, 0, 0, 3, 0.3, 0.3);
    row("one may be down", 20, 0, 0, 1, 3, 1 - 20.0 / 30, 0);
    row("by Little's law", 0, 12, 20, 1, 25, 0.04, 0);
}

void FleetTest::deployments() {
    QFETCH(qint64, users);
    QFETCH(double, rate);
    QFETCH(double, seconds);
    QFETCH(qint64, lost);
    FleetTarget target;
    target.lost = lost;
    if (users > 0)
        target.users = users;
    else
        target.requestsPerSecond = rate, target.secondsPerRequest = seconds;
    Scenario s = firstScenario();
    s.hardware.pricePerGpuHour = 2.5;
    const Fleet made = fleet(s, evaluateHere(s), target, nullptr);
    QVERIFY(!made.refusal);
    QTEST(qint64(made.deployments), "deployments");
    QTEST(qint64(made.nodes.value_or(0)), "nodes");
    QCOMPARE(made.gpus, made.deployments * 8);
    QFETCH(double, headroom);
    QFETCH(double, headroomLost);
    QVERIFY(std::abs(made.headroom - headroom) < 1e-9);
    QVERIFY(std::abs(made.headroomLost - headroomLost) < 1e-9);
    QCOMPARE(made.pricePerHour.value_or(0), 2.5 * static_cast<double>(made.gpus));
    QCOMPARE(made.requestsPerSecond.has_value(), seconds > 0);
}

void FleetTest::refused() {
    const Scenario s = firstScenario();
    const Plan plan = evaluateHere(s);
    QVERIFY(fleet(s, plan, {}, nullptr).refusal);
    FleetTarget target;
    target.users = 5;
    target.lost = -1;
    QVERIFY(fleet(s, plan, target, nullptr).refusal);
    target.lost = 0;
    FleetTarget two = target;
    two.requestsPerSecond = 100;
    two.secondsPerRequest = 100;
    QCOMPARE(fleet(s, plan, two, nullptr).refusal->code, std::string("bad-value"));
    two.users.reset();
    two.requestsPerSecond = two.secondsPerRequest = 1e300;
    QCOMPARE(fleet(s, plan, two, nullptr).refusal->code, std::string("out-of-range"));
    Scenario tiny = s;
    tiny.hardware.count = Count(1);
    QVERIFY(fleet(tiny, evaluateHere(tiny), target, nullptr).refusal);
    Scenario stands = s; // four requests would fit, and vLLM does not start: one of max_model_len does not
    stands.model = {};
    stands.model.preset = "llama-3.1-8b";
    stands.model.spec = *presetModel(stands.model.preset);
    stands.engine = {"vllm", *parseJson(R"({"max_model_len": 131072})", "t").value};
    stands.hardware.gpu = "rtx-4090-24gb";
    stands.hardware.count = Count(1);
    stands.workload.context = Tokens(8192);
    const Plan unstarted = evaluateHere(stands);
    QVERIFY(!unstarted.fit.fits && unstarted.fit.maxSequences.value_or(0) > 0);
    QCOMPARE(fleet(stands, unstarted, target, nullptr).refusal->code, std::string("no-answer"));
    FitMapAxes axes;
    axes.columns = axes.rows = 2;
    for (const FitMapColumn &column : fitMap(stands, axes).columns)
        QCOMPARE(column.most, std::optional<std::int64_t>(0));
    target.users = std::numeric_limits<std::int64_t>::max();
    Scenario one = s;
    one.workload.context = Tokens(1 << 20); // one sequence a deployment
    QCOMPARE(fleet(one, evaluateHere(one), target, nullptr).refusal->code, std::string("out-of-range"));
}

void FleetTest::alikeLengthsAreThePlan_data() {
    QTest::addColumn<QString>("engine");
    for (const Engine *engine : engines())
        QTest::newRow(engine->id().data()) << QString::fromStdString(std::string(engine->id()));
}

// Lengths that are all the context are the plan itself: the same total, and as many sequences as the plan says.
void FleetTest::alikeLengthsAreThePlan() {
    QFETCH(QString, engine);
    Scenario s = firstScenario();
    s.engine.id = engine.toStdString();
    s.workload.sequences = Count(4);
    const Plan plan = evaluateHere(s);
    QVERIFY(plan.ok());
    s.workload.distribution = shared(classes({{s.workload.context.value, 1}}));
    const std::optional<InFlight> flight = inFlight(s, plan);
    QVERIFY(flight && flight->total.exact);
    const Bytes fullest = std::ranges::max(plan.gpus, {}, &GpuPlan::kv).kv;
    QCOMPARE(flight->total.p99, fullest.value);
    QCOMPARE(flight->total.p50, flight->total.p99);
    QCOMPARE(flight->mostAtP99, flight->mostWithMean);
    QVERIFY2(std::abs(flight->mostAtP99 - *plan.fit.maxSequences) <= 1, QByteArray::number(qint64(flight->mostAtP99 - *plan.fit.maxSequences)));
    QCOMPARE(flight->total.above.value_or(-1), 0.0);
}

// Two classes under the textbook, by addition alone.
void FleetTest::lengthsAddUp() {
    Scenario s = firstScenario();
    s.workload.sequences = Count(30);
    s.workload.distribution = shared(classes({{16'384, 3}, {131'072, 1}}));
    const Plan plan = evaluateHere(s);
    const std::optional<InFlight> flight = inFlight(s, plan);
    QVERIFY(flight && flight->total.exact);
    constexpr std::int64_t token = 40'960; // 327,680 B on 8 GPUs
    const std::vector<SizeBin> bins{{16'384 * token, 3}, {131'072 * token, 1}};
    const auto sums = test::sumsSlowly(bins, 30);
    QCOMPARE(flight->total.p95, test::sumAt(sums, 0.95));
    QVERIFY(std::abs(*flight->total.above - test::shareAbove(sums, flight->room.value)) < 1e-9);
    QVERIFY(test::shareAbove(test::sumsSlowly(bins, flight->mostAtP99), flight->room.value) <= 0.01);
    QVERIFY(test::shareAbove(test::sumsSlowly(bins, flight->mostAtP99 + 1), flight->room.value) > 0.01);
    QVERIFY(flight->mostWithMean > flight->mostAtP99); // the mean promises too many
    QVERIFY(!inFlight(firstScenario(), evaluateHere(firstScenario())));
}

void FleetTest::prefixOncePerReplica() {
    Scenario s = firstScenario();
    s.engine.id = "vllm";
    s.workload.sequences = Count(8);
    s.workload.sharedPrefix = Tokens(5'000); // 312 whole blocks of 16
    s.workload.distribution = shared(classes({{16'384, 1}, {32'768, 1}}));
    const Plan plan = evaluateHere(s);
    const std::optional<InFlight> flight = inFlight(s, plan);
    QVERIFY(flight);
    constexpr std::int64_t block = 16 * 40'960;
    QCOMPARE(flight->prefix.value, 312 * block);
    const auto sums = test::sumsSlowly({{(1024 - 312) * block, 1}, {(2048 - 312) * block, 1}}, 8);
    QCOMPARE(flight->total.p95, test::sumAt(sums, 0.95));
}

void FleetTest::shortLengthsAreTheShortPlan_data() {
    QTest::addColumn<QString>("engine");
    for (const Engine *engine : engines())
        if (engine->id() != "llama-cpp") // its slots are set aside for the whole context
            QTest::newRow(engine->id().data()) << QString::fromStdString(std::string(engine->id()));
}

// Sequences that are all of 1,000 tokens in a plan for 131,072 are as many as a plan for 1,000 has: what the engine runs at a time without being
// told holds in both.
void FleetTest::shortLengthsAreTheShortPlan() {
    QFETCH(QString, engine);
    Scenario s = firstScenario();
    s.engine.id = engine.toStdString();
    s.workload.sequences = Count(4);
    Scenario brief = s;
    brief.workload.context = Tokens(1'000);
    s.workload.distribution = shared(classes({{1'000, 1}}));
    const std::optional<InFlight> flight = inFlight(s, evaluateHere(s));
    const Plan plan = evaluateHere(brief);
    QVERIFY(flight && plan.ok() && plan.fit.maxSequences);
    QVERIFY2(std::abs(flight->mostAtP99 - *plan.fit.maxSequences) <= 1, QByteArray::number(qint64(flight->mostAtP99 - *plan.fit.maxSequences)));
    if (engine == QLatin1String("vllm"))
        QCOMPARE(flight->mostAtP99, 1'024); // max_num_seqs of a large card, as engines/vllm's settings have it
}

void FleetTest::reservedSlotsTakeTheContext_data() {
    QTest::addColumn<QString>("option");
    QTest::addColumn<qint64>("value");
    QTest::newRow("by the context") << QString() << qint64(0);
    QTest::newRow("cells by hand") << QStringLiteral("n_ctx") << qint64(1'310'720);
    QTest::newRow("slots by hand") << QStringLiteral("n_parallel") << qint64(10);
}

void FleetTest::reservedSlotsTakeTheContext() {
    QFETCH(QString, option);
    QFETCH(qint64, value);
    Scenario s = firstScenario();
    s.engine.id = "llama-cpp";
    if (!option.isEmpty())
        s.engine.options.set(option.toStdString(), std::int64_t(value));
    s.workload.distribution = shared(classes({{1'000, 1}, {2'000, 1}}));
    const Plan plan = evaluateHere(s);
    QVERIFY(plan.ok());
    const std::optional<InFlight> flight = inFlight(s, plan);
    QVERIFY(flight && flight->reserved);
    const std::int64_t fullest = std::ranges::max(plan.gpus, {}, &GpuPlan::kv).kv.value;
    // Shared out among ten and added up again.
    QVERIFY2(flight->total.p50 >= fullest && flight->total.p50 < fullest + 10, QByteArray::number(qint64(flight->total.p50 - fullest)));
    QCOMPARE(flight->total.p50, flight->total.p99);
    QCOMPARE(flight->withMean.value, fullest);
    QCOMPARE(flight->mostAtP99, plan.fit.maxSequences.value_or(-1));
}

void FleetTest::busyMoments_data() {
    QTest::addColumn<double>("mean");
    for (const double mean : {0.001, 1.0, 1.5, 2.0, 2.1, 10.0, 100.0, 240.0, 499.0, 500.0, 501.0, 1000.0, 10'000.0, 100'000.0})
        QTest::addRow("%g", mean) << mean;
}

// The sum of the Poisson distribution, term by term in logarithms.
void FleetTest::busyMoments() {
    QFETCH(double, mean);
    long double sum = 0;
    qint64 least = 0;
    for (qint64 n = 0; sum < 0.99L; ++n) {
        sum += std::exp(-static_cast<long double>(mean) + static_cast<long double>(n) * std::log(static_cast<long double>(mean)) - std::lgamma(static_cast<long double>(n) + 1));
        least = n;
    }
    QVERIFY2(std::abs(qint64(poissonAtP99(mean)) - least) <= (mean > 500 ? 1 : 0), qPrintable(QStringLiteral("%1, %2").arg(poissonAtP99(mean)).arg(least)));
    Scenario s = firstScenario();
    const Plan plan = evaluate(s); // 10 sequences a deployment
    FleetTarget target;
    target.requestsPerSecond = mean;
    target.secondsPerRequest = 1;
    const Fleet f = fleet(s, plan, target, nullptr);
    QVERIFY(!f.refusal && f.usersAtPeak && f.deploymentsAtPeak);
    QCOMPARE(*f.usersAtPeak, std::max<std::int64_t>(1, poissonAtP99(mean)));
    QCOMPARE(*f.deploymentsAtPeak, (*f.usersAtPeak + 9) / 10);
    QCOMPARE(f.headroom, 1 - mean / static_cast<double>(f.deployments * 10));
    target = {};
    target.users = static_cast<std::int64_t>(std::ceil(mean));
    QVERIFY(!fleet(s, plan, target, nullptr).usersAtPeak); // so many are so many
}

void FleetTest::comparison() {
    std::vector<Scenario> scenarios(3, firstScenario());
    scenarios[0].name = "today";
    scenarios[1].name = "FP8";
    scenarios[1].kv = {ElementType::Fp8, ElementType::Fp8};
    scenarios[2].name = "bad";
    scenarios[2].engine.id = "vlm";
    std::vector<Plan> plans;
    for (const Scenario &s : scenarios)
        plans.push_back(evaluate(s));
    const Comparison table = compare(scenarios, plans, 0, SizeUnit::Decimal);
    const auto row = [&](std::string_view name) { return *std::ranges::find(table.rows, name, &ComparedRow::name); };
    QCOMPARE(row("Most sequences").cells[1].delta, std::string("+10"));
    QVERIFY(row("Most sequences").differs);
    QCOMPARE(row("KV in all").cells[1].delta, std::string("−214.7 GB"));
    QVERIFY(row("KV in all").cells[0].delta.empty());
    QVERIFY(row("Refused").cells[2].text.find("vlm") != std::string::npos);
    // The same number as everywhere: 3 cards would do by an odd split, 4 are what people deploy.
    std::vector<Scenario> small(1, firstScenario());
    small[0].engine.id = "vllm";
    small[0].hardware.gpu = "l40s-48gb";
    small[0].workload = {Tokens(8192), Count(4), Tokens(0), {}};
    small[0].weights.dtype = "fp8";
    const std::vector<Plan> planned{evaluate(small[0])};
    const Comparison fewest = compare(small, planned, 0, SizeUnit::Decimal);
    QCOMPARE(std::ranges::find(fewest.rows, std::string_view("Fewest GPUs"), &ComparedRow::name)->cells[0].text, std::string("4"));
    QCOMPARE(planned[0].fit.minGpus, std::optional<std::int64_t>(3));
    const Comparison two = compare(std::span(scenarios).first(2), std::span(plans).first(2), 1, SizeUnit::Decimal);
    QVERIFY(!std::ranges::find(two.rows, std::string_view("Context"), &ComparedRow::name)->differs);
    QVERIFY(comparisonText(two, false).find("Context") == std::string::npos);
    QVERIFY(comparisonMarkdown(two, true).find("Context") != std::string::npos);
    QVERIFY(comparisonCsv(two, false).find("Most sequences,1,10,20") != std::string::npos);
    QCOMPARE(comparisonText(compare(std::span(scenarios).first(1), std::span(plans).first(1), 0, SizeUnit::Decimal), false), std::string("The scenarios do not differ.\n"));
}

KV_TEST(FleetTest)
#include "fleettest.moc"
