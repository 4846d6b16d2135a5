// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every lever with its promise and its price. Longer than other files: each kind of lever is a case of its own over the same fixtures.
#include "core/plan/levers.h"

#include "core/engine/engines.h"
#include "core/model/catalogue.h"
#include "core/plan/deployable.h"
#include "core/plan/evaluate.h"
#include "core/plan/fitmap.h"
#include "core/plan/nearest.h"
#include "core/report/extras.h"
#include "tests/testmain.h"

#include <QTest>

#include <algorithm>

using namespace kv;

namespace {

const Lever *find(const Levers &levers, std::string_view id) {
    const auto found = std::ranges::find_if(levers.list, [&](const Lever &lever) { return lever.idea.id == id; });
    return found == levers.list.end() ? nullptr : &*found;
}

Scenario loaded(const char *engine, std::int64_t sequences) {
    Scenario s = firstScenario();
    s.engine.id = engine;
    s.workload.sequences = Count(sequences);
    return s;
}

} // namespace

class LeversTest : public QObject {
    Q_OBJECT

private slots:
    void sentences_data();
    void sentences();
    void deployedCounts_data();
    void deployedCounts();
    void eachIsThePlan_data();
    void eachIsThePlan();
    void smallestFirstWhereItDoesNotFit();
    void nearestAreOfSeveralKinds();
    void pairsWhereOneIsNotEnough();
    void everyKindIsTried_data();
    void everyKindIsTried();
    void switchesOfTheEngine_data();
    void switchesOfTheEngine();
    void p99CutsTheContext();
    void onlyWhatStarts_data();
    void onlyWhatStarts();
    void cancelled();
    void boundaryOfTheMap_data() { eachIsThePlan_data(); }
    void boundaryOfTheMap();
    void cheapestSettings();
    void settingsOfASplit();
    void settingsOfOtherCounts();
    void cacheOnTheHostIsNoFirstAdvice();
};

// 8 × H100, 131,072 tokens: the answers that people know.
void LeversTest::sentences_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *id, const char *sentence) { QTest::newRow(id) << QString::fromLatin1(id) << QString::fromUtf8(sentence); };
    row("kv.fp8", "FP8 cache: 10 → 20 users");
    row("weights.fp8", "FP8 weights: 10 → 11 users");
    row("gpus.tp", "16 GPUs, TP 16: 10 → 23 users (8 more GPUs)");
    row("context.half", "A context of 65,536 tokens: 10 → 20 users");
    row("prefix", "The first 32,768 tokens shared by all: 10 → 13 users");
}

void LeversTest::sentences() {
    QFETCH(QString, id);
    QFETCH(QString, sentence);
    const Levers all = levers(firstScenario());
    const Lever *lever = find(all, id.toStdString());
    QVERIFY(lever);
    QVERIFY2(QString::fromStdString(lever->sentence).startsWith(sentence), lever->sentence.c_str());
}

// The fewest GPUs that people deploy: within a node its parts, beyond it whole nodes, tensor parallel inside them.
void LeversTest::deployedCounts_data() {
    QTest::addColumn<QString>("engine");
    QTest::addColumn<QString>("model");
    QTest::addColumn<qint64>("sequences");
    const auto row = [](const char *engine, const char *model, qint64 sequences) {
        QTest::addRow("%s, %s, %lld", engine, model, static_cast<long long>(sequences)) << QString::fromLatin1(engine) << QString::fromLatin1(model) << sequences;
    };
    row("textbook", "llama-3.1-70b", 15);
    row("vllm", "llama-3.1-70b", 20);
    row("vllm", "llama-3.1-70b", 25); // 17 GPUs as TP 1 × PP 17 are the fewest on paper
    row("sglang", "llama-3.1-70b", 30);
    row("tensorrt-llm", "qwen3-32b", 40);
}

void LeversTest::deployedCounts() {
    QFETCH(QString, engine);
    QFETCH(QString, model);
    QFETCH(qint64, sequences);
    Scenario s = loaded(engine.toUtf8().constData(), sequences);
    s.model.preset = model.toStdString();
    s.model.spec = *presetModel(s.model.preset);
    for (const LeverIdea &idea : leverIdeas(s, evaluateHere(s))) {
        if (!idea.id.starts_with("gpus.fewest"))
            continue;
        const std::int64_t gpus = idea.scenario.hardware.count.value, tp = idea.scenario.parallel.tp->value;
        QVERIFY2(isDeployed(gpus, tp, 8), idea.name.c_str());
        QVERIFY2(evaluateHere(idea.scenario).fit.fits, idea.name.c_str());
    }
    QVERIFY(isDeployed(6, 2, 8) == false && isDeployed(4, 4, 8) && isDeployed(24, 8, 8) && !isDeployed(17, 1, 8) && !isDeployed(16, 16, 8) && isDeployed(6, 3, 6));
}

void LeversTest::eachIsThePlan_data() {
    QTest::addColumn<QString>("engine");
    for (const Engine *engine : engines())
        QTest::newRow(engine->id().data()) << QString::fromStdString(std::string(engine->id()));
}

void LeversTest::eachIsThePlan() {
    QFETCH(QString, engine);
    for (const std::int64_t sequences : {std::int64_t(4), std::int64_t(60)}) {
        const Scenario scenario = loaded(engine.toUtf8().constData(), sequences);
        const Plan before = evaluate(scenario);
        const Levers all = levers(scenario);
        QCOMPARE(all.fits, before.fit.fits);
        QVERIFY(all.list.size() >= 4);
        for (const Lever &lever : all.list) {
            const Plan plan = evaluate(lever.idea.scenario);
            QVERIFY2(plan.ok(), lever.sentence.c_str());
            QCOMPARE(plan.fit.fits, lever.fits);
            QVERIFY2(plan.fit.maxSequences == lever.users, lever.sentence.c_str());
            QVERIFY2((lever.fits && !all.fits) || !lever.users || *lever.users > *all.users, lever.sentence.c_str());
            QVERIFY2(!scenarioPatch(scenario, lever.idea.scenario).members().empty(), lever.sentence.c_str());
        }
    }
}

void LeversTest::smallestFirstWhereItDoesNotFit() {
    const Levers all = levers(loaded("textbook", 12));
    QVERIFY(!all.fits);
    QVERIFY(all.list.size() > 5);
    for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY2(all.list[i].nearest && all.list[i].fits, all.list[i].sentence.c_str());
        QVERIFY(i == 0 || all.list[i - 1].idea.size <= all.list[i].idea.size + 1);
    }
    QVERIFY(!all.list[3].nearest);
    // What fits never stands behind what does not.
    QVERIFY(std::ranges::is_sorted(all.list, std::ranges::greater(), &Lever::fits));
    const Levers fitting = levers(firstScenario());
    QVERIFY(std::ranges::none_of(fitting.list, &Lever::nearest));
}

// Three widths of one cache are one advice; serving fewer is none.
void LeversTest::nearestAreOfSeveralKinds() {
    const Levers all = levers(loaded("vllm", 24));
    QVERIFY(!all.fits);
    QStringList kinds;
    for (const Lever &lever : all.list)
        if (lever.nearest) {
            kinds += lever.isPair() ? QStringLiteral("+") : QString::fromStdString(lever.idea.id).section(QLatin1Char('.'), 0, 0);
            QVERIFY(lever.idea.id != "sequences");
        }
    QCOMPARE(kinds.size(), 3);
    QCOMPARE(kinds.removeDuplicates(), qsizetype(0));
}

void LeversTest::pairsWhereOneIsNotEnough() {
    const Levers all = levers(loaded("textbook", 23));
    const Lever *pair = find(all, "kv.fp8+weights.fp8");
    QVERIFY(pair && pair->fits && pair->isPair());
    QCOMPARE(pair->users.value_or(0), std::int64_t(23));
    QCOMPARE(pair->idea.name, std::string("FP8 cache and FP8 weights"));
    QVERIFY(!find(all, "kv.fp8")->fits);
    QVERIFY(!find(all, "kv.fp8")->isPair());
    QVERIFY(find(all, "kv.fp8+gpus.tp") && find(all, "kv.fp8+gpus.tp")->idea.scenario.hardware.count == Count(16));
    const Levers fitting = levers(firstScenario());
    QVERIFY(std::ranges::none_of(fitting.list, &Lever::isPair));
    // The rank is what the list is sorted by.
    QVERIFY(std::ranges::is_sorted(fitting.list, std::ranges::greater(), &Lever::worth));
}

// What people are told to try, where the engine has it: each is among the ideas, whether or not it gains here.
void LeversTest::everyKindIsTried_data() {
    QTest::addColumn<QString>("engine");
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("id");
    const auto row = [](const char *name, const char *engine, const char *options, const char *id) {
        QTest::newRow(name) << QString::fromLatin1(engine) << QString::fromLatin1(options) << QString::fromLatin1(id);
    };
    row("a smaller cache", "vllm", "{}", "kv.fp8");
    row("smaller weights", "vllm", "{}", "weights.fp8");
    row("weights of a GGUF", "llama-cpp", "{}", "weights.q4_k_m");
    row("another split over stages", "vllm", "{}", "split.4.2.1");
    row("copies", "sglang", "{}", "split.4.1.2");
    row("decode context parallel", "vllm", "{}", "dcp.2");
    row("twice the GPUs", "tensorrt-llm", "{}", "gpus.tp");
    row("other cards", "textbook", "{}", "gpu.h200-sxm-141gb");
    row("a shared prefix", "sglang", "{}", "prefix");
    row("half the context", "transformers", "{}", "context.half");
    row("a cut at p99", "vllm", "{}", "context.p99");
    row("pages in place of a reserved cache", "transformers", R"({"cache": "static"})", "engine.vllm");
    row("a cache that grows", "transformers", R"({"cache": "static"})", "cache");
    row("the window manager", "vllm", R"({"disable_hybrid_kv_cache_manager": true})", "disable_hybrid_kv_cache_manager");
    row("windows at their own size", "llama-cpp", R"({"swa_full": true})", "swa_full");
    row("another release", "vllm", R"({"version": "0.9"})", "version.0.24");
    row("another engine", "llama-cpp", "{}", "engine.sglang");
    row("a smaller pool of windows", "sglang", "{}", "swa_full_tokens_ratio");
    row("no prefix cache", "vllm", R"({"prefix_caching": true})", "prefix_caching");
}

void LeversTest::everyKindIsTried() {
    QFETCH(QString, engine);
    QFETCH(QString, options);
    QFETCH(QString, id);
    Scenario s = loaded(engine.toUtf8().constData(), 4);
    s.engine.options = *parseJson(options.toStdString(), "t").value;
    s.workload.distribution.value = std::make_shared<const Lengths>(lengthsOfBins(Lengths::Kind::Classes, {{1000, 99}, {120'000, 1}}));
    const std::vector<LeverIdea> ideas = leverIdeas(s, evaluateHere(s));
    const auto found = std::ranges::find(ideas, id.toStdString(), &LeverIdea::id);
    QVERIFY(found != ideas.end());
    QVERIFY(!found->name.empty() && !(found->scenario == s));
    if (id == QStringLiteral("engine.vllm"))
        QVERIFY2(found->caveat.find("pages") != std::string::npos, found->caveat.c_str());
    // Its own settings alone: an engine without the option is never told of it.
    for (const LeverIdea &idea : ideas)
        for (const auto &[key, value] : idea.scenario.engine.options.members())
            QVERIFY2(std::ranges::find(findEngine(idea.scenario.engine.id)->options(), key, &EngineOption::name) != findEngine(idea.scenario.engine.id)->options().end(), key.c_str());
}

void LeversTest::switchesOfTheEngine_data() {
    QTest::addColumn<QString>("engine");
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("lever");
    const auto row = [](const char *name, const char *engine, const char *option, const char *value, const char *lever) {
        QTest::newRow(name) << QString::fromLatin1(engine) << QString() << QString::fromLatin1(option) << QString::fromLatin1(value) << QString::fromLatin1(lever);
    };
    row("a limit on sequences", "vllm", "max_num_seqs", "3", "without.max_num_seqs");
    row("a small share of the memory", "vllm", "gpu_memory_utilization", "0.7", "gpu_memory_utilization");
    row("a small static share", "sglang", "mem_fraction_static", "0.6", "mem_fraction_static");
    row("a static cache longer than needed", "transformers", "max_cache_len", "262144", "cache");
}

void LeversTest::switchesOfTheEngine() {
    QFETCH(QString, engine);
    QFETCH(QString, option);
    QFETCH(QString, value);
    QFETCH(QString, lever);
    Scenario s = loaded(engine.toUtf8().constData(), 2);
    s.engine.options.set(option.toStdString(), value.toStdString());
    if (lever == QStringLiteral("cache"))
        s.engine.options.set("cache", "static");
    const Levers all = levers(s);
    QVERIFY(find(all, lever.toStdString()));
    // Not offered by an engine that has no such option.
    QVERIFY(!find(levers(loaded("textbook", 2)), lever.toStdString()));
}

void LeversTest::p99CutsTheContext() {
    Scenario s = firstScenario();
    s.workload.distribution.value = std::make_shared<const Lengths>(lengthsOfBins(Lengths::Kind::Classes, {{1000, 99}, {120'000, 1}}));
    QVERIFY(find(levers(s), "context.p99"));
    QCOMPARE(find(levers(s), "context.p99")->idea.scenario.workload.context, Tokens(1000));
    QVERIFY(!find(levers(firstScenario()), "context.p99"));
}

void LeversTest::onlyWhatStarts_data() {
    QTest::addColumn<QString>("gpu");
    QTest::addColumn<bool>("fourBit");
    QTest::newRow("Ada has no kernels for NVFP4 caches") << QStringLiteral("l40s-48gb") << false;
    QTest::newRow("Hopper has none") << QStringLiteral("h100-sxm-80gb") << false;
    QTest::newRow("Blackwell has") << QStringLiteral("b200-sxm-180gb") << true;
}

// Neither a lever nor the map of settings recommends a cache with which the engine would not start.
void LeversTest::onlyWhatStarts() {
    QFETCH(QString, gpu);
    QFETCH(bool, fourBit);
    Scenario s = firstScenario();
    s.engine.id = "vllm";
    s.hardware.gpu = gpu.toStdString();
    s.workload.sequences = Count(64);
    const Levers all = levers(s);
    QVERIFY(!all.list.empty());
    QCOMPARE(std::ranges::any_of(all.list, [](const Lever &lever) { return lever.idea.scenario.kv.key == ElementType::Nvfp4; }), fourBit);
    for (const SettingsCell &cell : settingsMap(s, 8).cells)
        if (cell.cache == ElementType::Nvfp4 && !fourBit)
            QVERIFY(!cell.taken && !cell.fits && !cell.why.empty());
}

void LeversTest::cancelled() {
    int asked = 0;
    levers(firstScenario(), [&] { return ++asked < 3; });
    QCOMPARE(asked, 3);
}

// The boundary of a column is where the plan itself turns.
void LeversTest::boundaryOfTheMap() {
    QFETCH(QString, engine);
    Scenario s = loaded(engine.toUtf8().constData(), 4);
    FitMapAxes axes;
    axes.columns = 12;
    axes.rows = 40;
    axes.toContext = Tokens(200'000);
    const FitMap map = fitMap(s, axes);
    QVERIFY(map.complete);
    QCOMPARE(map.columns.size(), std::size_t(12));
    QCOMPARE(map.columns.back().context, Tokens(200'000));
    for (std::size_t column = 0; column < map.columns.size(); ++column) {
        const FitMapColumn &at = map.columns[column];
        s.workload.context = at.context;
        for (const std::int64_t sequences : {at.most.value_or(0), at.most.value_or(0) + 1}) {
            s.workload.sequences = Count(std::max<std::int64_t>(sequences, 1));
            const Plan plan = evaluateHere(s);
            const bool within = at.most && s.workload.sequences.value <= *at.most;
            if (plan.ok() && at.most)
                QCOMPARE(plan.fit.fits, within);
        }
        for (std::size_t row = 0; row < map.sequences.size(); ++row)
            QCOMPARE(map.fits(column, row), map.headroom(column, row) >= 0);
    }
    QCOMPARE(std::ranges::count(fitMapCsv(map), '\n'), std::ptrdiff_t(12 * 40 + 1));
    int asked = 0;
    QVERIFY(!fitMap(s, axes, [&] { return ++asked < 3; }).complete);
}

void LeversTest::cheapestSettings() {
    const Scenario s = firstScenario();
    const SettingsMap map = settingsMap(s, 16);
    QCOMPARE(map.cells.size(), map.gpus.size() * map.caches.size() * map.weights.size());
    QVERIFY(map.cheapest);
    const SettingsCell &best = map.cells[*map.cheapest];
    QCOMPARE(best.gpus, std::int64_t(4));
    QCOMPARE(best.weights, std::string());
    for (const SettingsCell &cell : map.cells) {
        const Plan plan = evaluateHere(cell.scenario);
        QCOMPARE(cell.fits, plan.ok() && plan.fit.fits);
        QVERIFY(!cell.fits || cell.gpus >= best.gpus);
    }
    QCOMPARE(map.at(3, 0, 0).gpus, std::int64_t(8));
    QVERIFY(map.at(3, 0, 0).fits);
}

// The scenario's own cell is its own plan, whatever its split; where no split holds the load, a cell has the one with most room.
void LeversTest::settingsOfASplit() {
    Scenario s = loaded("vllm", 100);
    s.parallel.tp = Count(4);
    s.parallel.pp = Count(2);
    const SettingsMap map = settingsMap(s, 16);
    QCOMPARE(map.at(3, 0, 0).scenario, s);
    QCOMPARE(map.at(3, 0, 0).users, evaluateHere(s).fit.maxSequences);
    const SettingsCell &sixteen = map.at(4, 0, 0);
    QVERIFY(!sixteen.fits);
    std::int64_t most = 0, least = 1'000'000;
    for (const std::int64_t tp : {1, 2, 4, 8, 16}) {
        Scenario split = s;
        split.hardware.count = Count(16);
        split.parallel.tp = Count(tp);
        split.parallel.pp = Count(16 / tp);
        const Plan plan = evaluateHere(split);
        const std::int64_t users = plan.ok() ? plan.fit.maxSequences.value_or(0) : 0;
        most = std::max(most, users);
        least = std::min(least, users);
    }
    QVERIFY(least < most);
    QCOMPARE(sixteen.users, std::optional(most));
}

// On other counts a cell holds the most of all splits even where the first would do, and the scenario's own count is among them.
void LeversTest::settingsOfOtherCounts() {
    Scenario s = loaded("vllm", 10);
    s.parallel.tp = Count(2);
    s.parallel.pp = Count(3);
    s.hardware.count = Count(6);
    const SettingsMap map = settingsMap(s, 16);
    QVERIFY(map.gpus == (std::vector<std::int64_t>{1, 2, 4, 6, 8, 16}));
    QCOMPARE(map.at(3, 0, 0).scenario, s);
    const SettingsCell &sixteen = map.at(5, 0, 0);
    QVERIFY(sixteen.fits);
    std::int64_t most = 0;
    for (const std::int64_t tp : {1, 2, 4, 8, 16}) {
        Scenario split = s;
        split.hardware.count = Count(16);
        split.parallel.tp = Count(tp);
        split.parallel.pp = Count(16 / tp);
        const Plan plan = evaluateHere(split);
        most = std::max(most, plan.ok() && plan.fit.fits ? plan.fit.maxSequences.value_or(0) : 0);
    }
    QCOMPARE(sixteen.users, std::optional(most));
    // One type of each size: a menu of all widths is no map.
    QVERIFY(std::ranges::find(map.caches, ElementType::Fp32) == map.caches.end());
    QVERIFY(map.caches.size() <= 3);
}

void LeversTest::cacheOnTheHostIsNoFirstAdvice() {
    Scenario s = loaded("llama-cpp", 8);
    s.model = {};
    s.model.spec = *presetModel("llama-3.1-8b");
    s.parallel = {};
    s.hardware.gpu = "rtx-4090-24gb";
    s.hardware.count = Count(1);
    s.workload.context = Tokens(65'536);
    const Levers all = levers(s);
    QVERIFY(!all.fits);
    const Lever *host = find(all, "no_kv_offload");
    QVERIFY(host && host->fits && host->idea.cost == LeverCost::Speed);
    // 256 of 65,536 tokens of 131,072 B: what the promised users take, not those that are there now.
    QVERIFY2(host->sentence.find("2,199.0 GB more of the host's memory") != std::string::npos, host->sentence.c_str());
    QVERIFY(all.list.front().idea.id != host->idea.id);
    // Where all fits already, 256 slots at a crawl are not the first advice either.
    s.workload.sequences = Count(1);
    const Levers fitting = levers(s);
    QVERIFY(fitting.fits && fitting.list.size() > 3);
    const auto place = std::ranges::find_if(fitting.list, [](const Lever &lever) { return lever.idea.id == "no_kv_offload"; });
    QVERIFY(place != fitting.list.end() && place - fitting.list.begin() >= 3);
}

KV_TEST(LeversTest)
#include "leverstest.moc"
