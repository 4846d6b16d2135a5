// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/fleet.h"

#include "core/engine/engines.h"
#include "core/model/catalogue.h"
#include "core/plan/decodefloor.h"
#include "core/plan/evaluate.h"
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
    void floorByHand();
    void floorOfExperts();
    void floorBesideTheHost_data();
    void floorBesideTheHost();
    void comparison();
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

// 17,638,426,624 B of weights and 10 × 5,368,709,120 B of cache on each of 8 GPUs at 3.35 TB/s.
void FleetTest::floorByHand() {
    Scenario s = firstScenario();
    const Plan plan = evaluateHere(s);
    const std::optional<DecodeFloor> floor = decodeFloor(s, plan);
    QVERIFY(floor);
    QCOMPARE(floor->batch, std::int64_t(10));
    QCOMPARE(floor->cacheRead.value, std::int64_t(53'687'091'200));
    // Without the embedding of 128,256 rows of 8,192, which is looked up: 2.1 GB over 8 GPUs.
    const std::int64_t weights = (141'107'412'992 - std::int64_t(128'256) * 8192 * 2) / 8;
    QVERIFY2(std::abs(floor->weightsRead.value - weights) < 100, QByteArray::number(qint64(floor->weightsRead.value - weights)));
    const double bandwidth = findGpu("h100-sxm-80gb")->bandwidthGBs * 1e9;
    QVERIFY(std::abs(floor->secondsPerToken - static_cast<double>(weights + 53'687'091'200) / bandwidth) < 1e-9);
    QCOMPARE(floor->cacheOvertakes.value_or(0), std::int64_t(4)); // 17.4 GB of weights are 3.2 sequences
    s.parallel.pp = Count(2);
    s.parallel.tp = Count(4);
    const std::optional<DecodeFloor> stages = decodeFloor(s, evaluateHere(s));
    QVERIFY(stages && std::abs(stages->secondsPerToken / floor->secondsPerToken - 2) < 0.01); // half as many cards at a time
}

void FleetTest::floorOfExperts() {
    QCOMPARE(expertsTouched(1, 7), 1.0);
    QVERIFY(std::abs(expertsTouched(8.0 / 256, 1) - 8.0 / 256) < 1e-12);
    QVERIFY(std::abs(expertsTouched(0.5, 2) - 0.75) < 1e-12);
    Scenario s = firstScenario();
    s.model.spec = *presetModel("deepseek-v3");
    s.hardware.gpu = "h200-sxm-141gb";
    s.workload.sequences = Count(1);
    s.workload.context = Tokens(4096);
    const std::optional<DecodeFloor> one = decodeFloor(s, evaluateHere(s));
    QVERIFY(one && std::abs(one->expertsTouched - 8.0 / 256) < 1e-3);
    s.workload.sequences = Count(64);
    const std::optional<DecodeFloor> many = decodeFloor(s, evaluateHere(s));
    QVERIFY(many && std::abs(many->expertsTouched - expertsTouched(8.0 / 256, 64)) < 1e-2);
    QVERIFY(many->weightsRead > one->weightsRead);
}

void FleetTest::floorBesideTheHost_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("options");
    QTest::addColumn<double>("weights"); ///< read each step, in 10^9 bytes; 0: none known
    QTest::newRow("the embedding is looked up there") << QStringLiteral("llama-3.1-70b") << QStringLiteral("{}") << 139.006;
    QTest::newRow("the head is a second copy of it") << QStringLiteral("llama-3.2-1b") << QStringLiteral("{}") << 2.472;
    QTest::newRow("layers left there") << QStringLiteral("llama-3.1-70b") << QStringLiteral(R"({"n_gpu_layers": 60})") << 0.0;
    QTest::newRow("the cache left there") << QStringLiteral("llama-3.1-70b") << QStringLiteral(R"({"no_kv_offload": true})") << 0.0;
    QTest::newRow("experts left there") << QStringLiteral("gpt-oss-20b") << QStringLiteral(R"({"n_cpu_moe": 2})") << 0.0;
}

// llama.cpp keeps the embedding on the host, always: 128,256 rows of 8,192 in 16 bit, none of which is read through.
void FleetTest::floorBesideTheHost() {
    QFETCH(QString, model);
    QFETCH(QString, options);
    QFETCH(double, weights);
    Scenario s = firstScenario();
    s.model = {};
    s.model.spec = *presetModel(model.toStdString());
    s.workload = {Tokens(4096), Count(2), Tokens(0), {}};
    s.engine = {"llama-cpp", *parseJson(options.toStdString(), "t").value};
    const Plan plan = evaluateHere(s);
    QVERIFY(plan.ok() && plan.host && plan.host->weights > Bytes(0));
    const std::optional<DecodeFloor> floor = decodeFloor(s, plan);
    QCOMPARE(floor.has_value(), weights > 0);
    QCOMPARE(whyNoFloor(s, plan).empty(), weights > 0);
    if (floor)
        QVERIFY2(std::abs(static_cast<double>(floor->weightsRead.value) / 1e9 / weights - 1) < 0.002, QByteArray::number(qint64(floor->weightsRead.value)));
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
    const Comparison two = compare(std::span(scenarios).first(2), std::span(plans).first(2), 1, SizeUnit::Decimal);
    QVERIFY(!std::ranges::find(two.rows, std::string_view("Context"), &ComparedRow::name)->differs);
    QVERIFY(comparisonText(two, false).find("Context") == std::string::npos);
    QVERIFY(comparisonMarkdown(two, true).find("Context") != std::string::npos);
    QVERIFY(comparisonCsv(two, false).find("Most sequences,1,10,20") != std::string::npos);
    QCOMPARE(comparisonText(compare(std::span(scenarios).first(1), std::span(plans).first(1), 0, SizeUnit::Decimal), false), std::string("The scenarios do not differ.\n"));
}

KV_TEST(FleetTest)
#include "fleettest.moc"
