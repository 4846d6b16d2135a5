// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/logslider.h"
#include "ui/dialogs.h"
#include "ui/exporter.h"
#include "ui/maps/fitmapchart.h"
#include "ui/maps/settingschart.h"
#include "ui/picture.h"

using namespace kv;
using namespace kv::test;

namespace {

struct MapFixture : WindowFixture {
    explicit MapFixture(const QSize &size = {1440, 900}) : WindowFixture(size), chart(find<FitMapChart>("fitMapChart")) {
        trigger("fitMapAction");
        ready();
    }
    void trigger(const char *name) const {
        window->findChild<QAction *>(QLatin1String(name))->trigger();
        window->exporter()->finish();
        settle();
    }
    void ready() const {
        settle();
        window->dashboard()->settle();
    }
    const Workload &load() const { return window->document()->scenario().workload; }
    QPoint place(std::int64_t context, std::int64_t sequences) const { return chart->placeOf(Tokens(context), sequences).toPoint(); }
    int steps() const { return window->document()->undoStack()->count(); }

    FitMapChart *chart;
};

} // namespace

// The fit map in the window: what the mouse and the keys do in it, and what leaves it.
class FitMapTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void showsThePlan();
    void clickMovesThePoint();
    void dragIsOneStep();
    void escapePutsBack();
    void axesStandStillWhileDragged();
    void keysStepLikeTheSliders_data();
    void keysStepLikeTheSliders();
    void takesSettings();
    void copiesAndSaves();
    void inASmallWindow();
    void anOldMapNeverStays();
    void aCellIsTakenForItsOwnScenario();
};

void FitMapTest::showsThePlan() {
    MapFixture w;
    QVERIFY(w.chart->isVisible());
    QCOMPARE(w.chart->picture().hereText(), QStringLiteral("10 × 131,072 · 99 %"));
    QCOMPARE(w.chart->picture().fullText, QStringLiteral("full: 435 GB"));
    QVERIFY(w.chart->accessibleDescription().startsWith(QStringLiteral("10 sequences of 131,072 tokens fit.")));
    w.type("sequencesEdit", QStringLiteral("24"));
    w.ready();
    QCOMPARE(w.chart->picture().here.sequences, std::int64_t(24));
    QVERIFY(!w.chart->picture().here.fits);
    w.click("unitGib");
    QCOMPARE(w.chart->picture().fullText, QStringLiteral("full: 405 GiB"));
    const QAbstractItemModel *table = w.chart->table();
    bool found = false;
    for (int row = 0; row < table->rowCount(); ++row)
        if (table->index(row, 0).data().toString() == QLatin1String("32,768")) {
            QCOMPARE(table->index(row, 1).data().toString(), QStringLiteral("40"));
            found = true;
        }
    QVERIFY(found);
}

void FitMapTest::clickMovesThePoint() {
    MapFixture w;
    QTest::mouseClick(w.chart, Qt::LeftButton, {}, w.place(32768, 20));
    w.ready();
    QCOMPARE(w.load().context, Tokens(32768));
    QCOMPARE(w.load().sequences, Count(20));
    QCOMPARE(w.steps(), 1);
    QCOMPARE(w.find<LogSlider>("contextSlider")->value(), 32768);
    w.trigger("undoAction");
    QCOMPARE(w.load().context, Tokens(131072));
    QCOMPARE(w.load().sequences, Count(10));
}

void FitMapTest::dragIsOneStep() {
    MapFixture w;
    w.type("prefixEdit", QStringLiteral("65536"));
    QTest::mousePress(w.chart, Qt::LeftButton, {}, w.place(131072, 10));
    QCOMPARE(w.steps(), 1); // taken by the point nothing moves yet
    for (const std::int64_t context : {65536, 16384, 4096}) {
        QTest::mouseMove(w.chart, w.place(context, 100));
        w.settle();
        QCOMPARE(w.load().context, Tokens(context));
        QCOMPARE(w.load().sharedPrefix, Tokens(std::min<std::int64_t>(65536, context)));
        QCOMPARE(w.chart->picture().here.context, Tokens(context)); // at once, not when the ground is there
    }
    QTest::mouseMove(w.chart, w.place(98304, 5));
    QTest::mouseRelease(w.chart, Qt::LeftButton, {}, w.place(98304, 5));
    w.ready();
    QCOMPARE(w.load().context, Tokens(98304));
    QCOMPARE(w.load().sharedPrefix, Tokens(65536)); // what was clipped on the way is whole again
    QCOMPARE(w.steps(), 2);
    w.trigger("undoAction");
    QCOMPARE(w.load().sequences, Count(10));
    // A drag of its own after it.
    QTest::mousePress(w.chart, Qt::LeftButton, {}, w.place(131072, 10));
    QTest::mouseMove(w.chart, w.place(65536, 10));
    QTest::mouseRelease(w.chart, Qt::LeftButton, {}, w.place(65536, 10));
    w.ready();
    QCOMPARE(w.load().context, Tokens(65536));
    QCOMPARE(w.steps(), 2);
}

void FitMapTest::escapePutsBack() {
    MapFixture w;
    QTest::mousePress(w.chart, Qt::LeftButton, {}, w.place(131072, 10));
    QTest::mouseMove(w.chart, w.place(4096, 300));
    w.settle();
    QCOMPARE(w.load().context, Tokens(4096));
    QTest::keyClick(w.chart, Qt::Key_Escape);
    w.settle();
    QCOMPARE(w.load().context, Tokens(131072));
    QCOMPARE(w.load().sequences, Count(10));
    QCOMPARE(w.steps(), 0);
    QTest::mouseMove(w.chart, w.place(8192, 30)); // no longer dragged
    w.settle();
    QCOMPARE(w.load().context, Tokens(131072));
}

void FitMapTest::axesStandStillWhileDragged() {
    MapFixture w;
    const FitRange before = w.chart->picture().ground.range;
    QCOMPARE(before.to, Tokens(262144));
    QTest::mousePress(w.chart, Qt::LeftButton, {}, w.place(131072, 10));
    QTest::mouseMove(w.chart, w.place(262144, 10));
    w.ready();
    QCOMPARE(w.load().context, Tokens(262144));
    QCOMPARE(w.chart->picture().ground.range, before);
    QTest::mouseRelease(w.chart, Qt::LeftButton, {}, w.place(262144, 10));
    w.ready();
    QCOMPARE(w.chart->picture().ground.range.to, Tokens(524288)); // room to go on
}

void FitMapTest::keysStepLikeTheSliders_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<QString>("slider");
    QTest::newRow("left") << int(Qt::Key_Left) << QStringLiteral("contextSlider");
    QTest::newRow("right") << int(Qt::Key_Right) << QStringLiteral("contextSlider");
    QTest::newRow("up") << int(Qt::Key_Up) << QStringLiteral("sequencesSlider");
    QTest::newRow("down") << int(Qt::Key_Down) << QStringLiteral("sequencesSlider");
    QTest::newRow("page up") << int(Qt::Key_PageUp) << QStringLiteral("sequencesSlider");
    QTest::newRow("page down") << int(Qt::Key_PageDown) << QStringLiteral("sequencesSlider");
}

void FitMapTest::keysStepLikeTheSliders() {
    QFETCH(int, key);
    QFETCH(QString, slider);
    MapFixture w;
    auto *like = w.find<LogSlider>(slider.toLatin1().constData());
    like->setFocus(Qt::TabFocusReason);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(like, static_cast<Qt::Key>(key));
    w.settle();
    const Workload wanted = w.load();
    QVERIFY(wanted != firstScenario().workload);
    w.trigger("undoAction");
    w.chart->setFocus(Qt::TabFocusReason);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(w.chart, static_cast<Qt::Key>(key)); // faster than plans are made
    w.settle();
    QCOMPARE(w.load(), wanted);
    QCOMPARE(w.steps(), 1);
}

void FitMapTest::takesSettings() {
    MapFixture w;
    w.click("fitMapSettings");
    w.ready();
    auto *chart = w.find<SettingsChart>("settingsMapChart");
    QVERIFY(chart->isVisible());
    const SettingsPicture &picture = chart->picture();
    QVERIFY(picture.map->cheapest.has_value());
    const std::size_t cheapest = *picture.map->cheapest;
    const QString text = picture.takeText(cheapest);
    const SettingsCell cell = picture.cell(cheapest);
    QTest::mouseMove(chart, chart->cellRect(cheapest).center().toPoint());
    QVERIFY(chart->accessibleDescription().contains(text));
    QTest::mouseClick(chart, Qt::LeftButton, {}, chart->cellRect(cheapest).center().toPoint());
    w.ready();
    QCOMPARE(w.steps(), 1);
    QCOMPARE(w.window->document()->undoStack()->undoText(), text);
    QCOMPARE(w.window->document()->plan().gpusInAll, cell.gpus);
    QVERIFY(w.window->document()->plan().fit.fits);
    QCOMPARE(w.window->document()->plan().fit.maxSequences, cell.users);
    QCOMPARE(w.load(), firstScenario().workload);
    w.trigger("undoAction");
    QCOMPARE(w.window->document()->scenario(), firstScenario());
    // The same without a mouse.
    w.ready();
    chart->setFocus(Qt::TabFocusReason);
    QTest::keyClick(chart, Qt::Key_Escape); // where the mouse was
    QVERIFY(!chart->current());
    QTest::keyClick(chart, Qt::Key_Down);
    QCOMPARE(chart->current(), chart->picture().present);
    QTest::keyClick(chart, Qt::Key_Down);
    QTest::keyClick(chart, Qt::Key_Return);
    w.ready();
    QCOMPARE(w.window->document()->plan().gpusInAll, std::int64_t(16));
}

void FitMapTest::copiesAndSaves() {
    MapFixture w;
    w.trigger("fitMapCopyCsv");
    const QString csv = QGuiApplication::clipboard()->text();
    QVERIFY(csv.startsWith(QStringLiteral("context,sequences,fits,headroom,max_sequences\n")));
    QVERIFY(csv.contains(QStringLiteral("\n131072,10,1,0.0000,10\n")));
    QTemporaryDir folder;
    const Dialogs before = dialogs();
    QString offered;
    const auto answer = [&](const QString &name) {
        dialogs().saveFile = [&offered, path = folder.filePath(name)](QWidget *, const QString &, const QString &start, const QString &) {
            offered = start;
            return path;
        };
    };
    answer(QStringLiteral("map.csv"));
    w.trigger("fitMapSaveCsv");
    QCOMPARE(offered, QStringLiteral("fit-map.csv"));
    QFile saved(folder.filePath(QStringLiteral("map.csv")));
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(saved.readAll()), csv);
    QVERIFY(w.message().contains(QStringLiteral("map.csv")));
    answer(QStringLiteral("map.svg"));
    w.trigger("fitMapSaveImage");
    QFile picture(folder.filePath(QStringLiteral("map.svg")));
    QVERIFY(picture.open(QIODevice::ReadOnly));
    const QString svg = QString::fromUtf8(picture.readAll());
    for (const char *word : {"does not fit", "full: 435 GB", "10 × 131,072 · 99 %", "Llama 3.1 70B Instruct"})
        QVERIFY2(svg.contains(QString::fromUtf8(word)), word);
    answer(QStringLiteral("no/such/folder/map.csv"));
    w.trigger("fitMapSaveCsv");
    QVERIFY(w.message().contains(QStringLiteral("could not be written")));
    w.click("fitMapSettings");
    w.ready();
    w.trigger("fitMapCopyCsv");
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("gpus,kv,weights,taken,fits,max_sequences,cheapest,split\n")));
    dialogs() = before;
}

void FitMapTest::inASmallWindow() {
    MapFixture w({1024, 700});
    QVERIFY(w.window->dashboard()->isCompact());
    QVERIFY(w.chart->isVisible());
    QVERIFY(w.chart->height() >= w.chart->minimumSizeHint().height());
    QVERIFY(w.find<QWidget>("fitMapSettings")->isVisible());
    QTest::mouseClick(w.chart, Qt::LeftButton, {}, w.place(8192, 64));
    w.ready();
    QCOMPARE(w.load().sequences, Count(64));
}

// Turned to another model while the map of the first is still counted, the map is of the second in the end.
void FitMapTest::anOldMapNeverStays() {
    MapFixture w;
    for (const auto &[cache, most] : {std::pair("kvFp8", 20), std::pair("kvBf16", 10), std::pair("kvFp8", 20)}) {
        QTest::mouseClick(w.find<QWidget>(cache), Qt::LeftButton);
        w.window->document()->flush();
        w.ready();
        QCOMPARE(*w.chart->picture().ground.nearest(Tokens(131072)).most, std::int64_t(most));
    }
}

/// Clicked in the moment after another scenario was turned to, before it is shown.
void FitMapTest::aCellIsTakenForItsOwnScenario() {
    MapFixture w;
    w.trigger("duplicateAction");
    w.window->document()->edit(QStringLiteral("x"), 0, [](Scenario &s) { s.workload.sequences = Count(4); });
    w.click("fitMapSettings");
    w.ready();
    auto *chart = w.find<SettingsChart>("settingsMapChart");
    std::optional<std::size_t> cell;
    for (std::size_t i = 0; i < chart->picture().map->cells.size(); ++i)
        if (chart->picture().cell(i).fits && chart->picture().present != i)
            cell = i;
    QVERIFY(cell);
    const ScenarioDocument before = w.window->document()->value();
    w.window->document()->setCurrent(0);
    QTest::mouseClick(chart, Qt::LeftButton, {}, chart->cellRect(*cell).center().toPoint());
    w.settle();
    QVERIFY(w.window->document()->value().scenarios == before.scenarios);
}

KV_TEST(FitMapTest)
#include "fitmaptest.moc"
