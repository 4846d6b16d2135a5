// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/compare/compared.h"
#include "ui/compare/pin.h"
#include "ui/compare/pinnedlist.h"
#include "ui/dialogs.h"
#include "ui/exporter.h"
#include "ui/view.h"

using namespace kv;
using namespace kv::test;

namespace {

/// "as today" with BF16, "FP8" with an FP8 cache, and the present one on 16 GPUs.
struct CompareFixture : WindowFixture {
    explicit CompareFixture(const QSize &size = {1440, 900}) : WindowFixture(size) {
        pin(QStringLiteral("as today"));
        click("kvFp8");
        pin(QStringLiteral("FP8"));
        window->document()->edit(QStringLiteral("Take 16 GPUs"), 0, [](Scenario &s) {
            s.hardware.count = Count(16);
            s.parallel.tp = Count(8);
            s.parallel.dp = Count(2);
        });
        trigger("compareAction");
        ready();
    }
    void pin(const QString &name) const {
        trigger("pinAction");
        const std::size_t last = window->document()->value().scenarios.size() - 1;
        window->document()->editAll(QStringLiteral("Rename"), 0, [&](ScenarioDocument &document) { nameScenario(document, last, name); });
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
    QStringList names() const {
        QStringList all;
        for (std::size_t i = 0; i < window->document()->value().scenarios.size(); ++i)
            all += QString::fromStdString(window->document()->value().scenarios[i].name);
        return all;
    }
    QString row(int index) const { return find<PinnedList>("compareList")->model()->index(index, 0).data(Qt::AccessibleTextRole).toString(); }
    QAbstractItemModel *table() const { return find<QTableView>("compareTable")->model(); }
    QStringList tableRows() const {
        QStringList all;
        for (int r = 0; r < table()->rowCount(); ++r)
            all += table()->index(r, 0).data().toString();
        return all;
    }
    int steps() const { return window->document()->undoStack()->index(); }
    QPoint middleOf(int index) const {
        const auto *list = find<PinnedList>("compareList");
        return list->visualRect(list->model()->index(index, 0)).center();
    }
};

} // namespace

// Scenarios side by side, in the window.
class CompareTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void pinStaysOnThePresent();
    void namesOfPins();
    void usersAndDifferences();
    void baselineIsChosen();
    void onlyWhatDiffers();
    void narrowAndWide();
    void orderedByDragAndKeys();
    void openedNamedRemoved();
    void baselineOnTheCharts();
    void copied();
    void plansAreKept();
    void refusedIsSaid();
    void saysWhatIsMissing();
};

void CompareTest::pinStaysOnThePresent() {
    WindowFixture w;
    w.window->findChild<QAction *>(QStringLiteral("pinAction"))->trigger();
    w.settle();
    const ScenarioDocument &document = w.window->document()->value();
    QCOMPARE(document.scenarios.size(), std::size_t(2));
    QCOMPARE(document.current, std::size_t(0));
    QCOMPARE(QString::fromStdString(document.scenarios[1].name), QStringLiteral("BF16 cache, 8 GPUs"));
    QVERIFY(document.scenarios[0].name.empty());
    QVERIFY(w.message().contains(QStringLiteral("BF16 cache, 8 GPUs")));
    QCOMPARE(w.window->document()->undoStack()->count(), 1);
    w.window->document()->undoStack()->undo();
    w.settle();
    QCOMPARE(document.scenarios.size(), std::size_t(1));
}

void CompareTest::namesOfPins() {
    ScenarioDocument document{{firstScenario()}, 0, {}};
    Plan plan;
    plan.gpusInAll = 1;
    plan.kv.types = {ElementType::Fp8, ElementType::Fp8};
    const QString first = pinName(document, document.scenarios[0], plan);
    pinPresent(document, first);
    QCOMPARE(pinName(document, document.scenarios[0], plan), first + QStringLiteral(" (2)"));
    document.scenarios[0].name = "mine";
    QCOMPARE(pinName(document, document.scenarios[0], plan), QStringLiteral("mine (2)"));
    // What is moved or removed leaves the present one the present one.
    document = {{firstScenario(), firstScenario(), firstScenario()}, 1, {}};
    for (std::size_t i = 0; i < 3; ++i)
        nameScenario(document, i, QString::number(i));
    moveScenario(document, 0, 2);
    QCOMPARE(document.scenarios[document.current].name, std::string("1"));
    moveScenario(document, 0, 1);
    QCOMPARE(document.scenarios[document.current].name, std::string("1"));
    removeScenario(document, 0);
    QCOMPARE(document.scenarios[document.current].name, std::string("1"));
    removeScenario(document, 0);
    removeScenario(document, 0);
    QCOMPARE(document.scenarios.size(), std::size_t(1));
}

void CompareTest::usersAndDifferences() {
    CompareFixture w;
    QCOMPARE(w.row(0), QStringLiteral("Scenario 1, 40 users · 16 GPUs, the baseline, the present one"));
    QCOMPARE(w.row(1), QStringLiteral("as today, 10 users · 8 GPUs, −30 against the baseline"));
    QCOMPARE(w.row(2), QStringLiteral("FP8, 20 users · 8 GPUs, −20 against the baseline"));
    // The present one follows a slider, the others stand.
    w.click("kvBf16");
    w.ready();
    QVERIFY(w.row(0).startsWith(QStringLiteral("Scenario 1, 20 users")));
    QVERIFY(w.row(2).contains(QStringLiteral("20 users · 8 GPUs, ±0")));
}

void CompareTest::baselineIsChosen() {
    CompareFixture w;
    w.find<PinnedList>("compareList")->setCurrentIndex(w.find<PinnedList>("compareList")->model()->index(1, 0));
    const int steps = w.steps();
    w.click("compareBaseline");
    QCOMPARE(w.steps(), steps); // a way to look
    QVERIFY(w.row(1).contains(QStringLiteral("the baseline")));
    QVERIFY(w.row(0).contains(QStringLiteral("+30 against")));
    QVERIFY(w.row(2).contains(QStringLiteral("+10 against")));
    // It stays the baseline where it is moved, and where it is changed.
    w.click("compareUp");
    w.ready();
    QVERIFY(w.row(0).startsWith(QStringLiteral("as today")) && w.row(0).contains(QStringLiteral("the baseline")));
    QVERIFY(w.row(2).contains(QStringLiteral("+10 against")));
    w.window->document()->editAll(QStringLiteral("Rename"), 0, [](ScenarioDocument &document) { nameScenario(document, 0, QStringLiteral("yesterday")); });
    w.ready();
    QVERIFY(w.row(0).startsWith(QStringLiteral("yesterday")) && w.row(0).contains(QStringLiteral("the baseline")));
}

void CompareTest::onlyWhatDiffers() {
    CompareFixture w;
    w.find<PinnedList>("compareList")->setCurrentIndex(w.find<PinnedList>("compareList")->model()->index(2, 0));
    w.settle();
    QVERIFY(w.tableRows().contains(QStringLiteral("GPUs")));
    QVERIFY(!w.tableRows().contains(QStringLiteral("Cache"))); // FP8 both
    QVERIFY(!w.tableRows().contains(QStringLiteral("Model")));
    const int row = static_cast<int>(w.tableRows().indexOf(QStringLiteral("Most sequences")));
    QCOMPARE(w.table()->index(row, 1).data().toString(), QStringLiteral("40"));
    QCOMPARE(w.table()->index(row, 2).data().toString(), QStringLiteral("20\n−20"));
    QCOMPARE(w.table()->index(row, 2).data(Qt::AccessibleTextRole).toString(), QStringLiteral("20 (−20)"));
    w.click("compareAllRows");
    QVERIFY(w.tableRows().contains(QStringLiteral("Model")));
    QVERIFY(w.tableRows().contains(QStringLiteral("Cache")));
}

void CompareTest::narrowAndWide() {
    CompareFixture w;
    QCOMPARE(w.table()->columnCount(), 3);
    QCOMPARE(w.table()->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Scenario 1"));
    w.window->resize(1024, 700);
    w.ready();
    w.trigger("compareAction");
    w.ready();
    QVERIFY(w.window->dashboard()->isCompact());
    QVERIFY(w.find<QWidget>("compareTable")->isVisible());
    QCOMPARE(w.table()->columnCount(), 4);
}

void CompareTest::orderedByDragAndKeys() {
    CompareFixture w;
    auto *list = w.find<PinnedList>("compareList");
    const int steps = w.steps();
    const auto drag = [&](int from, int to) {
        QTest::mousePress(list->viewport(), Qt::LeftButton, {}, w.middleOf(from));
        for (int i = 1; i <= 8; ++i)
            QTest::mouseMove(list->viewport(), w.middleOf(from) + (w.middleOf(to) - w.middleOf(from)) * i / 8);
    };
    drag(2, 1);
    QCOMPARE(w.names(), QStringList({QString(), QStringLiteral("as today"), QStringLiteral("FP8")})); // a step comes with the release
    QTest::keyClick(list, Qt::Key_Escape);
    QTest::mouseRelease(list->viewport(), Qt::LeftButton, {}, w.middleOf(1));
    w.ready();
    QCOMPARE(w.steps(), steps);
    drag(2, 1);
    QTest::mouseRelease(list->viewport(), Qt::LeftButton, {}, w.middleOf(1));
    w.ready();
    QCOMPARE(w.names(), QStringList({QString(), QStringLiteral("FP8"), QStringLiteral("as today")}));
    QCOMPARE(w.steps(), steps + 1);
    list->setFocus(Qt::TabFocusReason);
    QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
    w.ready();
    QCOMPARE(w.names(), QStringList({QStringLiteral("FP8"), QString(), QStringLiteral("as today")}));
    QCOMPARE(w.window->document()->value().current, std::size_t(1)); // still the same scenario
    QCOMPARE(w.window->document()->scenario().hardware.count, Count(16));
    QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier); // nowhere to go
    w.ready();
    QCOMPARE(w.steps(), steps + 2);
}

void CompareTest::openedNamedRemoved() {
    CompareFixture w;
    auto *list = w.find<PinnedList>("compareList");
    const int steps = w.steps();
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, w.middleOf(2));
    w.ready();
    QCOMPARE(w.window->document()->value().current, std::size_t(2));
    QCOMPARE(w.steps(), steps); // looking is no step
    list->setCurrentIndex(list->model()->index(1, 0));
    const Dialogs before = dialogs();
    dialogs().askText = [](QWidget *, const QString &, const QString &, const QString &text) { return std::optional(text + QStringLiteral(" <b>&")); };
    QTest::keyClick(list, Qt::Key_F2);
    dialogs() = before;
    w.ready();
    QCOMPARE(w.names().at(1), QStringLiteral("as today <b>&"));
    QCOMPARE(w.steps(), steps + 1);
    QTest::keyClick(list, Qt::Key_Delete);
    w.ready();
    QCOMPARE(w.names(), QStringList({QString(), QStringLiteral("FP8")}));
    QCOMPARE(w.window->document()->value().current, std::size_t(1));
    QCOMPARE(w.steps(), steps + 2);
    w.trigger("undoAction");
    QCOMPARE(w.names().size(), 3);
}

void CompareTest::baselineOnTheCharts() {
    CompareFixture w;
    QVERIFY(!w.window->dashboard()->ghost());
    w.find<PinnedList>("compareList")->setCurrentIndex(w.find<PinnedList>("compareList")->model()->index(1, 0));
    w.click("compareBaseline");
    w.click("compareOnCharts");
    w.ready();
    const Ghost *ghost = w.window->dashboard()->ghost();
    QVERIFY(ghost);
    QCOMPARE(ghost->name, QStringLiteral("baseline “as today”"));
    QCOMPARE(*ghost->plan.fit.maxSequences, std::int64_t(10));
    w.click("kvBf16"); // the present one changes, the ghost stands
    w.ready();
    QCOMPARE(w.window->dashboard()->ghost(), ghost);
    w.click("compareOnCharts");
    w.ready();
    QVERIFY(!w.window->dashboard()->ghost());
}

void CompareTest::copied() {
    CompareFixture w;
    w.trigger("compareCopyMarkdown");
    const QString markdown = QGuiApplication::clipboard()->text();
    QVERIFY(markdown.contains(QStringLiteral("Scenario 1 (baseline)")));
    QVERIFY(markdown.contains(QStringLiteral("| 20 (−20) |")));
    QVERIFY(!markdown.contains(QStringLiteral("Llama")));
    w.trigger("compareCopyCsv");
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("row,differs,Scenario 1,as today,FP8\n")));
    QTemporaryDir folder;
    const Dialogs before = dialogs();
    dialogs().saveFile = [path = folder.filePath(QStringLiteral("c.svg"))](QWidget *, const QString &, const QString &, const QString &) { return path; };
    w.trigger("compareSaveImage");
    dialogs() = before;
    QFile file(folder.filePath(QStringLiteral("c.svg")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString svg = QString::fromUtf8(file.readAll());
    for (const char *word : {"as today", "20 users · 8 GPUs", "Most sequences", "−20"})
        QVERIFY2(svg.contains(QString::fromUtf8(word)), word);
}

// A plan is found by the value of its scenario, and forgotten with it.
void CompareTest::plansAreKept() {
    PlanCache cache;
    Scenario a = firstScenario(), b = a;
    b.workload.sequences = Count(3);
    Plan plan;
    plan.gpusInAll = 7;
    cache.put(a, plan);
    const Scenario copy = a;
    QCOMPARE(cache.find(copy)->gpusInAll, std::int64_t(7));
    QVERIFY(!cache.find(b));
    cache.keepOnly({b});
    QVERIFY(!cache.find(a));
}

void CompareTest::refusedIsSaid() {
    CompareFixture w;
    w.window->document()->editAll(QStringLiteral("Break"), 0, [](ScenarioDocument &document) { document.scenarios[1].engine.id = "nothing"; });
    w.ready();
    QVERIFY2(w.row(1).contains(QStringLiteral("nothing")), qPrintable(w.row(1)));
    w.click("compareAllRows");
    QVERIFY(w.tableRows().contains(QStringLiteral("Refused")));
}

/// An empty table says why it is empty.
void CompareTest::saysWhatIsMissing() {
    WindowFixture w;
    const auto trigger = [&w](const char *name) {
        w.window->findChild<QAction *>(QLatin1String(name))->trigger();
        w.settle();
        w.window->dashboard()->settle();
    };
    trigger("compareAction");
    w.window->resize(1300, 880); // whatever its width
    w.settle();
    auto *hint = w.find<QLabel>("compareHint");
    QVERIFY(hint->isVisible() && hint->text().startsWith(QStringLiteral("Pin the present")));
    trigger("duplicateAction");
    QVERIFY(hint->isVisible());
    QCOMPARE(hint->text(), QStringLiteral("Nothing differs between these."));
    w.click("compareAllRows");
    QVERIFY(!hint->isVisible());
    w.click("compareAllRows");
    w.click("kvFp8");
    w.window->dashboard()->settle();
    QVERIFY(!hint->isVisible());
}

KV_TEST(CompareTest)
#include "comparetest.moc"
