// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engines.h"
#include "core/model/catalogue.h"
#include "core/model/configreader.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain.h"
#include "core/plan/sweep.h"
#include "tests/core/plan/models.h"
#include "tests/testmain.h"

#include <QTest>

using namespace kv;

namespace {

Scenario eightH100() {
    Scenario s;
    s.model.spec = test::llama70b();
    s.workload = {Tokens(131072), Count(10), Tokens(0), {}};
    s.hardware.count = Count(8);
    return s;
}

constexpr qint64 none = -1;
qint64 orNone(const std::optional<std::int64_t> &value) { return value.value_or(none); }

} // namespace

class EvaluateTest : public QObject {
    Q_OBJECT

private slots:
    void knownAnswers_data();
    void knownAnswers();
    void figuresOfTheFirstScenario();
    void partsAddUp_data();
    void partsAddUp();
    void windowsFill();
    void sharedPrefix();
    void refused_data();
    void refused();
    void answersHoldForwards_data();
    void answersHoldForwards();
    void sweepHoldsTheBreakpoints();
    void derivationIsTheNumber();
    void derivationAddsUpInEveryEngine_data();
    void derivationAddsUpInEveryEngine();
    void verdictNamesTheNumbers();
    void verdictSaysWhatIsAssumed();
    void curvesByHand_data();
    void curvesByHand();
};

// 8 × H100 of 80 GB, a tenth kept back: 10 users in BF16, 20 with an FP8 cache, 23 with FP8 weights too.
void EvaluateTest::knownAnswers_data() {
    QTest::addColumn<ElementType>("cache");
    QTest::addColumn<qint64>("weights");
    QTest::addColumn<qint64>("users");
    QTest::newRow("BF16") << ElementType::Auto << qint64(141'107'412'992) << qint64(10);
    QTest::newRow("FP8 cache") << ElementType::Fp8 << qint64(141'107'412'992) << qint64(20);
    QTest::newRow("FP8 cache and weights") << ElementType::Fp8 << qint64(70'553'706'496) << qint64(23);
}

void EvaluateTest::knownAnswers() {
    QFETCH(ElementType, cache);
    QFETCH(qint64, weights);
    Scenario s = eightH100();
    s.kv = {cache, cache};
    s.weights.bytes = Bytes(weights);
    const Plan plan = evaluate(s);
    QVERIFY(plan.ok());
    QTEST(orNone(plan.fit.maxSequences), "users");
}

void EvaluateTest::figuresOfTheFirstScenario() {
    const Plan plan = evaluate(eightH100());
    QVERIFY(plan.ok());
    QCOMPARE(plan.kv.perToken, Bytes(327'680));
    QCOMPARE(plan.kv.perSequence, Bytes(42'949'672'960));
    QCOMPARE(plan.kv.total, Bytes(429'496'729'600));
    QCOMPARE(plan.fit.kvBudget, Bytes(434'892'587'008));
    QCOMPARE(orNone(plan.fit.kvCapacityTokens), qint64(1'327'186));
    QCOMPARE(orNone(plan.fit.minGpus), qint64(8));
    QCOMPARE(orNone(plan.fit.maxContext), qint64(131'072));
    QCOMPARE(plan.gpus.size(), std::size_t(8));
    QCOMPARE(plan.gpus[0].free, Bytes(674'482'176));
    QCOMPARE(plan.gpus[0].reserve, Bytes(8'000'000'000));
}

void EvaluateTest::partsAddUp_data() {
    QTest::addColumn<qint64>("gpus");
    QTest::addColumn<qint64>("dp");
    QTest::addColumn<qint64>("sequences");
    for (const qint64 gpus : {1, 3, 7, 8, 12})
        for (const qint64 dp : {1, 3})
            if (gpus % dp == 0)
                for (const qint64 sequences : {0, 1, 10, 1001})
                    QTest::addRow("%lld GPUs, dp %lld, %lld sequences", gpus, dp, sequences) << gpus << dp << sequences;
}

// Nothing is lost in the even split: weights and KV of the GPUs are those of the replicas, to the byte, and every bar adds up.
void EvaluateTest::partsAddUp() {
    QFETCH(qint64, gpus);
    QFETCH(qint64, dp);
    QFETCH(qint64, sequences);
    Scenario s = eightH100();
    s.hardware.count = Count(gpus);
    s.parallel.dp = Count(dp);
    s.workload.context = Tokens(1001);
    s.workload.sequences = Count(sequences);
    s.weights.bytes = Bytes(1'000'000'007);
    const Plan plan = evaluate(s);
    QVERIFY(plan.ok());
    Bytes weights, kv;
    for (const GpuPlan &gpu : plan.gpus) {
        weights += gpu.weights;
        kv += gpu.kv;
        QCOMPARE(gpu.reserve + gpu.weights + gpu.overhead + gpu.kv + gpu.free, gpu.memory);
    }
    QCOMPARE(weights, Bytes(1'000'000'007 * dp));
    QCOMPARE(kv, plan.kv.perSequence * sequences);
    QCOMPARE(plan.kv.total, kv);
    QCOMPARE(plan.fit.fits, sequences <= *plan.fit.maxSequences);
}

// 4 full layers and 20 with a window of 1,024: 24 × 2,048 bytes a token at first, 4 × 2,048 once the windows are full.
void EvaluateTest::windowsFill() {
    Scenario s = eightH100();
    s.model.spec = test::windowed(4, 20, 1024);
    const auto marginal = [&](qint64 context) {
        s.workload.context = Tokens(context);
        return evaluate(s).kv.perTokenMarginal;
    };
    QCOMPARE(evaluate(s).kv.perToken, Bytes(24 * 2048));
    QCOMPARE(marginal(1023), Bytes(24 * 2048));
    QCOMPARE(marginal(1024), Bytes(4 * 2048));
    s.workload.context = Tokens(5000);
    QCOMPARE(evaluate(s).kv.perSequence, Bytes(4 * 2048 * 5000 + 20 * 2048 * 1024));
}

void EvaluateTest::sharedPrefix() {
    Scenario s = eightH100();
    s.hardware.count = Count(2);
    s.parallel = {Count(1), Count(1), Count(2), false};
    s.model.spec = test::windowed(4, 20, 1024);
    s.workload = {Tokens(4096), Count(7), Tokens(3000), {}};
    const Plan plan = evaluate(s);
    // Kept once a replica by the full layers; the windows are charged to each sequence.
    const qint64 prefix = 4 * 2048 * 3000, sequence = 4 * 2048 * 4096 + 20 * 2048 * 1024;
    QCOMPARE(plan.kv.total, Bytes(2 * prefix + 7 * (sequence - prefix)));
    s.workload.sharedPrefix = s.workload.context;
    s.model.spec = test::llama70b();
    s.weights.bytes = Bytes(0);
    QCOMPARE(orNone(evaluate(s).fit.maxSequences), none); // nothing more is needed for another: no limit
}

void EvaluateTest::refused_data() {
    QTest::addColumn<std::function<void(Scenario &)>>("change");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("says");
    using Change = std::function<void(Scenario &)>;
    const auto row = [](const char *name, Change change, const char *code, const char *says) {
        QTest::newRow(name) << change << QString::fromUtf8(code) << QString::fromUtf8(says);
    };
    row("no model", [](Scenario &s) { s.model.spec = nullptr; }, "no-model", "model");
    row("engine misspelt", [](Scenario &s) { s.engine.id = "textbok"; }, "unknown-engine", "did you mean textbook?");
    row("option misspelt", [](Scenario &s) { s.engine.options.set("draft_layer", 1); }, "unknown-option", "draft_layers");
    row("option of another kind", [](Scenario &s) { s.engine.options.set("draft_layers", "two"); }, "bad-value", "expected a whole number, found \"two\"");
    row("negative option", [](Scenario &s) { s.engine = {"sglang", *parseJson(R"({"max_running_requests": -5})", "options")}; }, "bad-value", "engine.options.max_running_requests");
    row("a negative cache that another option would be blamed for", [](Scenario &s) { s.engine = {"llama-cpp", *parseJson(R"({"n_ctx": -5})", "options")}; }, "bad-value", "engine.options.n_ctx");
    row("beyond the engine's own word for all layers", [](Scenario &s) { s.engine = {"llama-cpp", *parseJson(R"({"n_gpu_layers": -3})", "options")}; }, "bad-value", "engine.options.n_gpu_layers");
    row("option beyond 64 bits", [](Scenario &s) { s.engine.options.set("draft_layers", 1e300); }, "bad-value", "expected a whole number, found 1e");
    row("type not taken", [](Scenario &s) { s.kv = {ElementType::Nvfp4, ElementType::Nvfp4}; }, "type-not-taken", "auto, bf16, fp16, fp32, fp8, fp8_e5m2, int8, int4, q8_0");
    row("unlike types", [](Scenario &s) { s.kv = {ElementType::Bf16, ElementType::Fp8}; }, "unlike-kv-types", "K and V in one type");
    row("prefix beyond context", [](Scenario &s) { s.workload.sharedPrefix = Tokens(131'073); }, "prefix-beyond-context", "131,073");
    row("no GPUs", [](Scenario &s) { s.hardware.count = Count(0); }, "bad-value", "hardware.count");
    row("count against parallel", [](Scenario &s) { s.parallel.tp = Count(4); }, "count-contradicts-parallel", "tp 4 × pp 1 × dp 1 = 4");
    row("unknown card", [](Scenario &s) { s.hardware.gpu = "h100-sxm-80g"; }, "unknown-gpu", "h100-sxm-80gb");
    row("reserve beyond all", [](Scenario &s) { s.hardware.reserve = 2 * fractionOne; }, "bad-value", "hardware.reserve");
    row("negative sequences", [](Scenario &s) { s.workload.sequences = Count(-1); }, "bad-value", "workload.sequences");
    row("product out of range", [](Scenario &s) { s.workload.sequences = Count(std::int64_t{1} << 60); }, "out-of-range", "range");
    row("more GPUs than anybody has", [](Scenario &s) { s.hardware.count = Count(1'000'000'000); }, "out-of-range", "range");
}

void EvaluateTest::refused() {
    QFETCH(std::function<void(Scenario &)>, change);
    QFETCH(QString, code);
    QFETCH(QString, says);
    Scenario s = eightH100();
    change(s);
    const Plan plan = evaluate(s);
    QVERIFY(!plan.ok());
    QCOMPARE(QString::fromStdString(plan.refusal->code), code);
    QVERIFY2(plan.refusal->text.find(says.toStdString()) != std::string::npos, plan.refusal->text.c_str());
    QVERIFY(!plan.refusal->where.empty());
}

// Solving backwards and evaluating forwards agree: it fits at the answer and not at the next larger one.
void EvaluateTest::answersHoldForwards_data() {
    QTest::addColumn<qint64>("context");
    QTest::addColumn<qint64>("sequences");
    QTest::addColumn<qint64>("gpus");
    QTest::addColumn<qint64>("prefix");
    for (const qint64 context : {1024, 40'000, 131'072})
        for (const qint64 sequences : {1, 9, 64})
            for (const qint64 gpus : {2, 4, 8})
                for (const qint64 prefix : {0, 1000})
                    QTest::addRow("%lld × %lld on %lld, prefix %lld", sequences, context, gpus, prefix) << context << sequences << gpus << prefix;
}

void EvaluateTest::answersHoldForwards() {
    QFETCH(qint64, context);
    QFETCH(qint64, sequences);
    QFETCH(qint64, gpus);
    QFETCH(qint64, prefix);
    for (const auto &spec : {test::llama70b(), test::windowed(8, 40, 4096)}) {
        Scenario s = eightH100();
        s.model.spec = spec;
        s.weights.bytes = Bytes(141'107'412'992);
        s.workload = {Tokens(context), Count(sequences), Tokens(prefix), {}};
        s.hardware.count = Count(gpus);
        const Plan plan = evaluate(s);
        QVERIFY(plan.ok());
        const qint64 most = *plan.fit.maxSequences;
        if (most > 0)
            QVERIFY(fitsAt(s, Tokens(context), Count(most)));
        QVERIFY(!fitsAt(s, Tokens(context), Count(most + 1)));
        const qint64 longest = *plan.fit.maxContext;
        if (longest > 0)
            QVERIFY(fitsAt(s, Tokens(longest), Count(sequences)));
        if (longest < 131'072)
            QVERIFY(!fitsAt(s, Tokens(std::max<qint64>(longest + 1, prefix)), Count(sequences)));
        const qint64 fewest = *plan.fit.minGpus;
        s.hardware.count = Count(fewest);
        QVERIFY(evaluate(s).fit.fits);
        s.hardware.count = Count(fewest - 1);
        QVERIFY(fewest == 1 || !evaluate(s).fit.fits);
    }
}

void EvaluateTest::sweepHoldsTheBreakpoints() {
    Scenario s = eightH100();
    s.model.spec = test::windowed(4, 20, 1000);
    s.workload.context = Tokens(77'777);
    const Plan plan = evaluate(s);
    const ElementType types[]{ElementType::Bf16, ElementType::Fp8, ElementType::Nvfp4};
    const Sweep sweep = sweepContext(s, plan, Tokens(64), Tokens(262'144), types);
    QCOMPARE(sweep.curves.size(), std::size_t(2)); // its own BF16 once, FP8; NVFP4 is not taken
    QVERIFY(sweep.curves[0].current && !sweep.curves[1].current);
    const std::vector<SweepPoint> &points = sweep.curves[0].points;
    QVERIFY(points.size() <= 256);
    for (const qint64 wanted : {64, 1000, 77'777, 131'072, 262'144}) {
        const auto at = std::ranges::find(points, Tokens(wanted), &SweepPoint::context);
        QVERIFY2(at != points.end(), qPrintable(QString::number(wanted)));
        s.workload.context = Tokens(wanted);
        QCOMPARE(at->total, evaluate(s).kv.total);
    }
}

void EvaluateTest::derivationAddsUpInEveryEngine_data() {
    QTest::addColumn<QString>("engine");
    for (const Engine *engine : engines())
        QTest::newRow(engine->id().data()) << QString::fromStdString(std::string(engine->id()));
}

// What is explained is what is counted, for every preset: the parts of a token are the token, and those of a sequence the sequence.
void EvaluateTest::derivationAddsUpInEveryEngine() {
    QFETCH(QString, engine);
    int planned = 0;
    for (const Preset &preset : presets()) {
        Scenario s = firstScenario();
        s.model = {preset.id, {}, {}, presetModel(preset.id).value.value_or(nullptr)};
        s.engine.id = engine.toStdString();
        s.workload.context = Tokens(3'000);
        const Plan plan = evaluate(s);
        if (!plan.ok())
            continue;
        ++planned;
        Bytes token, sequence;
        for (const PartTerms &part : plan.derivation) {
            token += part.perToken;
            sequence += part.atContext + part.fixed;
        }
        QVERIFY2(token == plan.kv.perToken, qPrintable(QStringLiteral("%1: %2 against %3").arg(QString::fromStdString(preset.id)).arg(token.value).arg(plan.kv.perToken.value)));
        QVERIFY2(sequence == plan.kv.perSequence, qPrintable(QStringLiteral("%1: %2 against %3").arg(QString::fromStdString(preset.id)).arg(sequence.value).arg(plan.kv.perSequence.value)));
    }
    QVERIFY(planned > 40);
}

void EvaluateTest::derivationIsTheNumber() {
    const Scenario s = eightH100();
    const Plan plan = evaluate(s);
    const std::vector<ExplainSection> sections = explain(s, plan, SizeUnit::Decimal);
    QCOMPARE(sections.size(), std::size_t(3));
    QCOMPARE(QString::fromStdString(sections[0].lines[0]), QStringLiteral("2 × layers × KV heads × head dim × bytes"));
    QCOMPARE(QString::fromStdString(sections[0].lines[1]), QStringLiteral("= 2 × 80 × 8 × 128 × 2"));
    QCOMPARE(QString::fromStdString(sections[0].lines[2]), QStringLiteral("= 327,680 B = 327.7 kB (320 KiB)"));
    QCOMPARE(QString::fromStdString(sections[1].lines[0]), QStringLiteral("327,680 × 131,072 × 10"));
    QCOMPARE(QString::fromStdString(sections[2].lines[0]), QStringLiteral("8 × 80 GB × 0.90 − 141.1 GB"));
    QCOMPARE(QString::fromStdString(sections[2].lines[1]), QStringLiteral("= 434.9 GB → 10 sequences"));
    const auto kvHeads = std::ranges::find(sections[0].terms, std::string("KV heads"), &ExplainTerm::name);
    QCOMPARE(QString::fromStdString(kvHeads->from), QStringLiteral("num_key_value_heads"));
    QCOMPARE(QString::fromStdString(kvHeads->note), QStringLiteral("not the 64 of num_attention_heads"));
}

void EvaluateTest::verdictNamesTheNumbers() {
    Scenario s = eightH100();
    Verdict v = verdict(s, evaluate(s), SizeUnit::Decimal);
    QCOMPARE(v.state, Verdict::State::Tight);
    QCOMPARE(QString::fromStdString(v.headline), QStringLiteral("10 sequences of 131,072 tokens fit on 8 × H100 SXM 80 GB"));
    QCOMPARE(QString::fromStdString(v.detail), QStringLiteral("5.4 GB stays free. An 11th sequence needs 37.6 GB more; an FP8 cache would hold 20."));
    s.workload.sequences = Count(5);
    QCOMPARE(verdict(s, evaluate(s), SizeUnit::Decimal).state, Verdict::State::Fits);
    s.workload.sequences = Count(24);
    v = verdict(s, evaluate(s), SizeUnit::Decimal);
    QCOMPARE(v.state, Verdict::State::DoesNotFit);
    QCOMPARE(QString::fromStdString(v.headline), QStringLiteral("24 sequences of 131,072 tokens do not fit: 10 do"));
    s.hardware.count = Count(1);
    v = verdict(s, evaluate(s), SizeUnit::Decimal);
    QCOMPARE(QString::fromStdString(v.headline), QStringLiteral("The weights alone do not fit on 1 × H100 SXM 80 GB"));
    QVERIFY2(v.detail.starts_with("141.1 GB of weights are 61.1 GB more than the memory it has. "), v.detail.c_str());
    // Weights that fit by themselves are not the fault: it is what is set aside beside them.
    s.hardware.count = Count(2);
    s.parallel.tp = Count(2);
    s.hardware.reserve = fractionOne / 5;
    v = verdict(s, evaluate(s), SizeUnit::Decimal);
    QCOMPARE(QString::fromStdString(v.headline), QStringLiteral("No room for a cache is left on 2 × H100 SXM 80 GB"));
    QVERIFY2(v.detail.starts_with("Of 80 GB on the fullest GPU weights take 70.6 GB, the engine withholds 16 GB and 0 B go to its own buffers: 6.6 GB too much."), v.detail.c_str());
}

// A model that nobody knows is never shown as certain, and is named where everybody looks.
void EvaluateTest::verdictSaysWhatIsAssumed() {
    const std::string config = R"("num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 8, "num_key_value_heads": 8, "vocab_size": 100})";
    Scenario s = eightH100();
    s.workload.sequences = Count(1);
    s.workload.context = Tokens(1024); // within what a class without a key is made for
    for (const auto &[type, said] : {std::pair{R"("model_type": "zebra9", )", "The KV cache is an assumption: the architecture \"zebra9\" is not known."},
                                     {"", "The KV cache is an assumption: the file names no model type."}}) {
        const auto model = readConfigText("{" + std::string(type) + config, "m", "config.json");
        QVERIFY2(model, said);
        s.model.spec = *model;
        s.weights.bytes = Bytes(1'000'000);
        const Verdict v = verdict(s, evaluate(s), SizeUnit::Decimal);
        QCOMPARE(v.state, Verdict::State::Tight);
        QVERIFY2(v.detail.find(said) != std::string::npos, v.detail.c_str());
    }
    s.model.spec = *readConfigText(R"({"model_type": "llama", )" + config, "m", "config.json").value;
    QCOMPARE(verdict(s, evaluate(s), SizeUnit::Decimal).state, Verdict::State::Fits);
}

void EvaluateTest::curvesByHand_data() {
    QTest::addColumn<QString>("engine");
    QTest::addColumn<qlonglong>("dp");
    QTest::addColumn<qlonglong>("total");
    // 4 layers of 4 KV heads of 64: 4,096 B a token; 7 sequences of 1,000 tokens, of which 100 are shared.
    QTest::newRow("textbook: a prefix each replica") << QStringLiteral("textbook") << qlonglong(3) << qlonglong((3 * 100 + 7 * 900) * 4096);
    QTest::newRow("transformers: none") << QStringLiteral("transformers") << qlonglong(3) << qlonglong(7 * 1000 * 4096);
    // 63 blocks of 16 tokens, of which 6 are shared: replicas of 3, 2 and 2 sequences, 6 + 57 n each.
    QTest::newRow("vllm: whole blocks") << QStringLiteral("vllm") << qlonglong(3) << qlonglong((3 * 6 + 7 * 57) * 65536);
}

void EvaluateTest::curvesByHand() {
    QFETCH(QString, engine);
    QFETCH(qlonglong, dp);
    QFETCH(qlonglong, total);
    Scenario s = eightH100();
    auto spec = test::model(4, {FullAttention{{4, 64, 64}}}, 131072);
    spec->queryHeads = 16;
    spec->kvHeads = 4;
    spec->weights.stored = Bytes(1'000'000);
    spec->weights.source = WeightSource::CountedFromConfig;
    s.model = {};
    s.model.spec = spec;
    s.engine = {engine.toStdString(), *parseJson("{}", "t").value};
    s.workload = {Tokens(1000), Count(7), Tokens(100), {}};
    s.hardware.count = Count(dp);
    s.parallel = {};
    s.parallel.dp = Count(dp);
    const Plan plan = evaluateHere(s);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.refusal->text.c_str());
    const Sweep sweep = sweepContext(s, plan, Tokens(500), Tokens(2000), {});
    const std::vector<SweepPoint> &points = sweep.curves.at(0).points;
    const auto at = std::ranges::find(points, Tokens(1000), &SweepPoint::context);
    QVERIFY(at != points.end());
    QCOMPARE(at->total.value, std::int64_t(total));
    QCOMPARE(plan.kv.total.value, std::int64_t(total));
}

KV_TEST(EvaluateTest)
#include "evaluatetest.moc"
