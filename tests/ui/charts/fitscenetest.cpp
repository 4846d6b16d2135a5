// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/evaluate.h"
#include "tests/testmain.h"
#include "tests/ui/charts/textrecorder.h"
#include "ui/maps/fitmapchart.h"
#include "ui/maps/settingschart.h"
#include "ui/maps/settingsgrid.h"
#include "ui/view.h"

Q_DECLARE_METATYPE(kv::Scenario)

using namespace kv;
using namespace kv::test;

namespace {

Scenario load(const char *engine, std::int64_t sequences, std::int64_t context = 131072) {
    Scenario s = firstScenario();
    s.engine.id = engine;
    s.workload.sequences = Count(sequences);
    s.workload.context = Tokens(context);
    return s;
}

constexpr FitRange usualRange{Tokens(1024), Tokens(262144), 0};

FitPicture pictureOf(const Scenario &s, const Ghost *ghost = nullptr, const FitRange &range = usualRange) {
    FitPicture picture = fitPicture(s, evaluate(s), SizeUnit::Decimal, ghost);
    picture.ground = fitGround(s, ghost ? &ghost->scenario : nullptr, range);
    return picture;
}

ChartStyle styleOf(bool dark) {
    QPalette palette;
    palette.setColor(QPalette::Base, dark ? QColor(0x24, 0x27, 0x2c) : QColor(Qt::white));
    palette.setColor(QPalette::Text, dark ? QColor(Qt::white) : QColor(Qt::black));
    QFont font;
    font.setPixelSize(13);
    return ChartStyle::fromPalette(palette, font);
}

} // namespace

// What the fit map and the map of settings show, and where.
class FitSceneTest : public QObject {
    Q_OBJECT

private slots:
    void groundIsExact_data();
    void groundIsExact();
    void wordsOfThePoint_data();
    void wordsOfThePoint();
    void boundaryGoesThroughTheMost();
    void placesAndBack();
    void textsKeepApart_data();
    void textsKeepApart();
    void refusedIsShown();
    void ghost();
    void roundMap();
    void settingsSayUsersOrWhy();
};

void FitSceneTest::groundIsExact_data() {
    QTest::addColumn<QString>("engine");
    for (const char *engine : {"textbook", "vllm", "sglang", "llama-cpp", "tensorrt-llm", "transformers"})
        QTest::newRow(engine) << QString::fromLatin1(engine);
}

// At every context that the map knows the most sequences fit, and one more does not.
void FitSceneTest::groundIsExact() {
    QFETCH(QString, engine);
    const Scenario s = load(engine.toLatin1().constData(), 10);
    const FitGround ground = fitGround(s, nullptr, usualRange);
    QVERIFY(ground.columns.size() >= 256);
    QCOMPARE(ground.columns.front().context, Tokens(1024));
    QCOMPARE(ground.columns.back().context, Tokens(262144));
    QCOMPARE(ground.nearest(Tokens(131072)).context, Tokens(131072));
    for (std::size_t i = 0; i < ground.columns.size(); i += 37) {
        const FitMapColumn &column = ground.columns[i];
        Scenario at = s;
        at.workload.context = column.context;
        QCOMPARE(column.refused, !evaluateHere(at).ok());
        if (column.refused || !column.most)
            continue;
        if (*column.most > 0)
            QVERIFY(fitsAt(s, column.context, Count(*column.most)));
        QVERIFY(!fitsAt(s, column.context, Count(*column.most + 1)));
    }
}

void FitSceneTest::wordsOfThePoint_data() {
    QTest::addColumn<qint64>("sequences");
    QTest::addColumn<qint64>("gpus");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("fits") << qint64(10) << qint64(8) << QStringLiteral("10 × 131,072 · 99 %") << QStringLiteral("10 sequences of 131,072 tokens fit. ");
    QTest::newRow("does not") << qint64(24) << qint64(8) << QStringLiteral("24 × 131,072 · 237 %") << QStringLiteral("24 sequences of 131,072 tokens do not fit. ");
    QTest::newRow("one") << qint64(1) << qint64(8) << QStringLiteral("1 × 131,072 · 10 %") << QStringLiteral("1 sequence of 131,072 tokens fits. ");
    QTest::newRow("no room for any") << qint64(1) << qint64(1) << QStringLiteral("1 × 131,072 · does not fit") << QStringLiteral("1 sequence of 131,072 tokens does not fit. ");
}

void FitSceneTest::wordsOfThePoint() {
    QFETCH(qint64, sequences);
    QFETCH(qint64, gpus);
    Scenario s = load("textbook", sequences);
    s.hardware.count = Count(gpus);
    const FitPicture picture = pictureOf(s);
    QTEST(picture.hereText(), "text");
    QFETCH(QString, said);
    QVERIFY2(picture.description().startsWith(said), qPrintable(picture.description()));
}

void FitSceneTest::boundaryGoesThroughTheMost() {
    const FitPicture picture = pictureOf(load("textbook", 24));
    const FitScene scene(picture, styleOf(false), {800, 400});
    for (const std::int64_t context : {4096, 32768, 131072}) {
        const FitMapColumn &column = picture.ground.nearest(Tokens(context));
        const QPointF on(scene.xOf(column.context), scene.yOf(static_cast<double>(*column.most)));
        QVERIFY(std::ranges::any_of(scene.boundary(), [&](const QPointF &p) { return QLineF(p, on).length() < 1e-6; }));
    }
    for (const QPointF &p : scene.boundary())
        QVERIFY(scene.plot().adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(p));
}

// A place gives what a slider gives there: round values within reach, whole numbers, never beyond the axes.
void FitSceneTest::placesAndBack() {
    const FitPicture picture = pictureOf(load("textbook", 10));
    const FitScene scene(picture, styleOf(false), {800, 400});
    for (const std::int64_t context : {1024, 8192, 131072, 262144})
        for (const double off : {-3.0, 0.0, 3.0})
            QCOMPARE(scene.contextAt(scene.xOf(Tokens(context)) + off), Tokens(context));
    for (const std::int64_t sequences : {1, 2, 10, 64, 1000})
        QCOMPARE(scene.sequencesAt(scene.yOf(static_cast<double>(sequences))), sequences);
    QCOMPARE(scene.sequencesAt(1e6), std::int64_t(1));
    QCOMPARE(scene.sequencesAt(-1e6), std::int64_t(1000));
    QCOMPARE(scene.contextAt(-1e6), Tokens(1024));
}

void FitSceneTest::textsKeepApart_data() {
    QTest::addColumn<Scenario>("scenario");
    QTest::addColumn<QSize>("size");
    const auto row = [](const char *name, const Scenario &s, const QSize &size = {800, 400}) { QTest::newRow(name) << s << size; };
    row("fits", load("textbook", 10));
    row("does not fit", load("textbook", 24));
    row("small", load("vllm", 24), {420, 220});
    row("at the corner", load("textbook", 1, 1024));
    row("above all", load("textbook", 900'000'000));
    Scenario none = load("textbook", 10);
    none.hardware.count = Count(1);
    row("no room for any", none);
    Scenario all = load("textbook", 1, 1);
    all.hardware.count = Count(4096);
    row("room for all", all);
    row("a context beyond everything", load("textbook", 10, std::int64_t(1) << 40));
}

void FitSceneTest::textsKeepApart() {
    QFETCH(Scenario, scenario);
    QFETCH(QSize, size);
    const Ghost ghost{QStringLiteral("a baseline with a name so long that no map could ever hold the whole of it in one line"), firstScenario(), evaluate(firstScenario())};
    FitMapChart chart;
    const std::int64_t to = scenario.workload.context > Tokens(262144) ? std::int64_t(1) << 41 : 262144, from = std::min<std::int64_t>(1024, scenario.workload.context.value);
    const FitPicture picture = pictureOf(scenario, &ghost, {Tokens(from), Tokens(to), 0});
    chart.show(picture, styleOf(false));
    TextRecorder recorder(size);
    QPainter painter(&recorder);
    chart.paintTo(painter, QRectF({}, QSizeF(size)), styleOf(false));
    painter.end();
    const QStringList faults = recorder.texts().faults(QRectF({}, QSizeF(size)));
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QStringLiteral("; "))));
    QVERIFY2(recorder.texts().has(picture.hereText()), qPrintable(recorder.texts().texts().join(QStringLiteral(" | "))));
}

void FitSceneTest::refusedIsShown() {
    Scenario s = load("transformers", 10, 65536);
    s.engine.options.set("cache", Json("static"));
    s.engine.options.set("max_cache_len", Json(131072));
    const FitPicture picture = pictureOf(s);
    const std::size_t first = picture.firstRefused();
    QVERIFY(first < picture.ground.columns.size());
    QCOMPARE(picture.ground.columns[first].context, Tokens(131073));
    QCOMPARE(picture.refusedText(), QStringLiteral("not taken by Transformers"));
    const Hover hover = picture.hoverAt(picture.ground.columns[first], 1);
    QCOMPARE(hover.lines.first().name, QStringLiteral("Not taken by Transformers"));
    QVERIFY(hover.lines.size() > 1);
    QVERIFY(picture.description().contains(QStringLiteral("From 131,073 tokens on: not taken by Transformers.")));
    const FitScene scene(picture, styleOf(true), {800, 400});
    QVERIFY(std::ranges::any_of(scene.texts(), [](const FitScene::Text &text) { return text.text == QLatin1String("not taken by Transformers"); }));
    QCOMPARE(pictureOf(load("textbook", 10)).refusedText(), QString());
}

void FitSceneTest::ghost() {
    Ghost ghost{QStringLiteral("as today"), load("textbook", 5), {}};
    ghost.plan = evaluate(ghost.scenario);
    Scenario s = load("textbook", 10);
    s.kv = {ElementType::Fp8, ElementType::Fp8};
    const FitPicture picture = pictureOf(s, &ghost);
    QCOMPARE(*picture.ground.nearest(Tokens(131072)).most, std::int64_t(20));
    const FitMapColumn &there = *std::ranges::find(picture.ground.ghost, Tokens(131072), &FitMapColumn::context);
    QCOMPARE(*there.most, std::int64_t(10));
    QCOMPARE(picture.ghost->sequences, std::int64_t(5));
}

void FitSceneTest::roundMap() {
    const std::string csv = fitMapCsv(roundFitMap(load("textbook", 24, 100'000), {Tokens(1024), Tokens(262144), 1000}));
    for (const char *line : {"\n131072,10,1,0.0000,10\n", "\n131072,20,0,-1.0000,10\n", "\n100000,24,0,", "\n1024,1000,1,"})
        QVERIFY2(csv.find(line) != std::string::npos, line);
}

void FitSceneTest::settingsSayUsersOrWhy() {
    const Scenario s = load("textbook", 10);
    const auto map = std::make_shared<const SettingsMap>(settingsMap(s, 16));
    const SettingsPicture picture = settingsPicture(s, evaluate(s), map);
    QCOMPARE(picture.columns(), map->weights.size() * map->caches.size());
    QVERIFY(picture.present.has_value());
    QCOMPARE(picture.cellName(*picture.present), QStringLiteral("8 GPUs · BF16 cache · BF16 weights"));
    QCOMPARE(picture.cellText(*picture.present, false), QStringLiteral("✓ 10 users"));
    QCOMPARE(picture.cellText(0, false), QStringLiteral("no: no room"));
    const auto at = [&](std::size_t gpu, std::size_t cache, std::size_t weight) { return (gpu * map->caches.size() + cache) * map->weights.size() + weight; };
    QCOMPARE(picture.takeText(at(2, 1, 0)), QStringLiteral("Take 4 GPUs, FP8 cache"));
    QCOMPARE(picture.takeText(at(3, 1, 0)), QStringLiteral("Take FP8 cache"));
    QVERIFY(map->cheapest.has_value());
    QVERIFY(picture.cheapestText().contains(picture.cellName(*map->cheapest)));
    // Every cell says what a plan of its settings says.
    for (std::size_t i = 0; i < map->cells.size(); ++i) {
        Scenario tried = s;
        takeSettings(tried, map->cells[i]);
        const Plan plan = evaluateHere(tried);
        QCOMPARE(plan.ok() && plan.fit.fits, map->cells[i].fits);
        QCOMPARE(plan.ok() ? plan.fit.maxSequences.value_or(-1) : 0, map->cells[i].users.value_or(-1));
    }
    TextRecorder recorder({640, 280});
    QPainter painter(&recorder);
    SettingsGrid(picture, styleOf(true), {640, 280}).paint(painter);
    painter.end();
    const QStringList faults = recorder.texts().faults({0, 0, 640, 280});
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QStringLiteral("; "))));
}

KV_TEST(FitSceneTest)
#include "fitscenetest.moc"
