// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/evaluate.h"
#include "core/plan/fleet.h"
#include "core/plan/solve.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/label.h"
#include "ui/theme.h"
#include "ui/words.h"

using namespace kv;
using namespace kv::test;

namespace {

struct CapacityFixture : WindowFixture {
    explicit CapacityFixture(const QSize &size = {1440, 900}) : WindowFixture(size) {
        trigger("capacityAction");
        ready();
    }
    void trigger(const char *name) const {
        window->findChild<QAction *>(QLatin1String(name))->trigger();
        settle();
    }
    void ready() const {
        settle();
        window->dashboard()->settle();
    }
    void change(const std::function<void(Scenario &)> &edit) const {
        window->document()->edit(QStringLiteral("x"), 0, edit);
        ready();
    }
    /// The figures of a list by their accessible names: "Deployments: 3".
    QStringList figures(const char *list) const {
        QStringList lines;
        for (const Label *label : find<QWidget>(list)->findChildren<Label *>())
            if (!label->isHidden() && !label->accessibleName().isEmpty())
                lines += label->accessibleName();
        return lines;
    }
    const Scenario &scenario() const { return window->document()->scenario(); }
};

} // namespace

/// The questions turned round, the fleet and the bound of decoding, as people ask them.
class CapacityViewTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void answersAreCoresOwn_data();
    void answersAreCoresOwn();
    void takenInOneStep_data();
    void takenInOneStep();
    void takenOfWhatHoldsNow();
    void noSuchSetting();
    void fleetByUsersAndBack();
    void fleetOfAFile();
    void fleetRefusals_data();
    void fleetRefusals();
    void floorAndWhyNot_data();
    void floorAndWhyNot();
    void columnsByTheRoom_data();
    void columnsByTheRoom();
};

void CapacityViewTest::answersAreCoresOwn_data() {
    QTest::addColumn<QString>("engine");
    QTest::addColumn<int>("sequences");
    for (const char *engine : {"textbook", "vllm", "sglang", "llama-cpp"})
        for (const int sequences : {3, 24})
            QTest::addRow("%s, %d", engine, sequences) << QString::fromLatin1(engine) << sequences;
}

void CapacityViewTest::answersAreCoresOwn() {
    QFETCH(QString, engine);
    QFETCH(int, sequences);
    const CapacityFixture w;
    w.change([&](Scenario &s) {
        s.engine = {engine.toStdString(), Json::object()};
        s.workload.sequences = Count(sequences);
    });
    for (const auto &[question, name] : {std::pair(Question::Users, "capacityUsers"), {Question::Context, "capacityContext"}, {Question::Gpus, "capacityGpus"}, {Question::Utilization, "capacityUtilization"}}) {
        const Solution solution = solve(w.scenario(), question);
        const QByteArray base(name);
        QCOMPARE(w.shown(base + "Sentence"), words(solution.refusal ? solution.refusal->text : solution.sentence));
        const QString answer = w.shown(base + "Answer");
        if (question == Question::Utilization)
            QCOMPARE(answer == QStringLiteral("–"), solution.refusal || !solution.answer);
        else if (solution.answer)
            QVERIFY2(answer.startsWith(words(writeNumber(*solution.answer))), qPrintable(answer));
        if (question == Question::Gpus && solution.fits)
            QVERIFY2(answer.endsWith(words(splitText(solution.scenario))), qPrintable(answer));
        auto *take = w.find<QPushButton>(base + "Take");
        QCOMPARE(take->isEnabled(), !solution.refusal && solution.answer && solution.fits && solution.scenario != w.scenario());
        QVERIFY(take->accessibleName().contains(answer));
    }
}

void CapacityViewTest::takenInOneStep_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("question");
    QTest::addColumn<QString>("step");
    QTest::newRow("users") << QByteArray("capacityUsers") << int(Question::Users) << QStringLiteral("Take Most Users");
    QTest::newRow("context") << QByteArray("capacityContext") << int(Question::Context) << QStringLiteral("Take Longest Context");
    QTest::newRow("GPUs") << QByteArray("capacityGpus") << int(Question::Gpus) << QStringLiteral("Take Fewest GPUs");
    QTest::newRow("share") << QByteArray("capacityUtilization") << int(Question::Utilization) << QStringLiteral("Take Share of the Memory");
}

void CapacityViewTest::takenInOneStep() {
    QFETCH(QByteArray, name);
    QFETCH(int, question);
    const CapacityFixture w;
    w.change([](Scenario &s) {
        s.engine = {"vllm", Json::object()};
        s.workload.sequences = Count(4);
        s.workload.context = Tokens(65536);
    });
    const Scenario before = w.scenario();
    const int steps = w.window->document()->undoStack()->count();
    w.click(name + "Take");
    w.ready();
    QCOMPARE(w.window->document()->undoStack()->count(), steps + 1);
    QTEST(w.window->document()->undoStack()->undoText(), "step");
    QCOMPARE(w.scenario(), solve(before, static_cast<Question>(question)).scenario);
    QVERIFY(w.window->document()->plan().fit.fits);
    QVERIFY(!w.find<QPushButton>(name + "Take")->isEnabled()); // it has it now
    w.trigger("undoAction");
    QCOMPARE(w.scenario(), before);
}

void CapacityViewTest::takenOfWhatHoldsNow() {
    const CapacityFixture w;
    w.change([](Scenario &s) { s.workload.sequences = Count(4); });
    w.window->document()->edit(QStringLiteral("x"), 0, [](Scenario &s) { s.workload.context = Tokens(65536); });
    w.window->document()->flush(); // presented, not yet answered
    QTest::mouseClick(w.find<QWidget>("capacityUsersTake"), Qt::LeftButton);
    w.settle();
    QCOMPARE(w.scenario().workload.context, Tokens(65536));
    QCOMPARE(w.scenario().workload.sequences, Count(20));
}

void CapacityViewTest::noSuchSetting() {
    const CapacityFixture w;
    QCOMPARE(w.shown("capacityUtilizationQuestion"), QStringLiteral("Largest reserve for this load"));
    QCOMPARE(w.shown("capacityUtilizationAnswer"), QStringLiteral("10.8 %"));
    w.change([](Scenario &s) { s.engine.id = "sglang"; });
    QCOMPARE(w.shown("capacityUtilizationQuestion"), QStringLiteral("mem_fraction_static needed"));
    w.change([](Scenario &s) { s.engine.id = "llama-cpp"; });
    QCOMPARE(w.shown("capacityUtilizationAnswer"), QStringLiteral("–"));
    QVERIFY(w.shown("capacityUtilizationSentence").contains(QStringLiteral("no share of the memory")));
    QVERIFY(!w.find<QPushButton>("capacityUtilizationTake")->isEnabled());
}

void CapacityViewTest::fleetByUsersAndBack() {
    const CapacityFixture w;
    QVERIFY(w.shown("fleetReason").contains(QStringLiteral("users at the same time")));
    w.type("fleetUsersEdit", QStringLiteral("240"));
    w.ready();
    QVERIFY2(w.figures("fleetFigure").contains(QStringLiteral("Deployments: 24")), qPrintable(w.figures("fleetFigure").join(QLatin1Char('|'))));
    QCOMPARE(w.window->document()->undoStack()->undoText(), QStringLiteral("Change Fleet's Users"));
    w.type("fleetSecondsEdit", QStringLiteral("20"));
    w.ready();
    QVERIFY(w.figures("fleetFigure").contains(QStringLiteral("Carries on average at most, requests a second: 12")));
    w.click("fleetByRate");
    w.ready();
    QCOMPARE(w.find<QLineEdit>("fleetRateEdit")->text(), QStringLiteral("12"));
    QVERIFY(!w.find<QWidget>("fleetUsersEdit")->isVisible());
    w.type("fleetRateEdit", QStringLiteral("12.5"));
    w.type("fleetLostEdit", QStringLiteral("1"));
    w.type("fleetPriceEdit", QStringLiteral("2.5"));
    w.ready();
    const QStringList wanted{QStringLiteral("Users at the same time, on average: 250"), QStringLiteral("In 99 of 100 moments, arriving at random: 288, on 30 deployments"), QStringLiteral("One deployment holds: 10"),     QStringLiteral("Deployments: 26"),
                             QStringLiteral("GPUs: 208"),                   QStringLiteral("Nodes: 26"),                    QStringLiteral("Headroom: 3.8 %"),
                             QStringLiteral("Headroom with 1 down: 0.0 %"), QStringLiteral("Carries on average at most, requests a second: 13"), QStringLiteral("Price an hour: 520")};
    QCOMPARE(w.figures("fleetFigure"), wanted);
    QCOMPARE(w.scenario().fleet, (FleetTarget{{}, 12.5, 20.0, 1}));
    QCOMPARE(w.scenario().hardware.pricePerGpuHour, std::optional(2.5));
    w.click("fleetByUsers");
    w.ready();
    QCOMPARE(w.scenario().fleet, (FleetTarget{250, {}, 20.0, 1}));
    w.trigger("undoAction");
    QCOMPARE(w.scenario().fleet, (FleetTarget{{}, 12.5, 20.0, 1}));
    // Emptied, an entry says nothing any more.
    auto *price = w.find<QLineEdit>("fleetPriceEdit");
    price->setFocus(Qt::TabFocusReason);
    price->selectAll();
    QTest::keyClick(price, Qt::Key_Delete);
    QTest::keyClick(price, Qt::Key_Return);
    w.ready();
    QVERIFY(!w.scenario().hardware.pricePerGpuHour);
}

void CapacityViewTest::fleetOfAFile() {
    const CapacityFixture w;
    w.change([](Scenario &s) {
        s.fleet = {{}, 0.25, 40.5, 2};
        s.hardware.pricePerGpuHour = 1.75;
    });
    QVERIFY(w.find<QWidget>("fleetRateEdit")->isVisible());
    QCOMPARE(w.find<QLineEdit>("fleetRateEdit")->text(), QStringLiteral("0.25"));
    QCOMPARE(w.find<QLineEdit>("fleetSecondsEdit")->text(), QStringLiteral("40.5"));
    QCOMPARE(w.find<QLineEdit>("fleetLostEdit")->text(), QStringLiteral("2"));
    QCOMPARE(w.find<QLineEdit>("fleetPriceEdit")->text(), QStringLiteral("1.75"));
    const Fleet made = fleet(w.scenario(), w.window->document()->plan(), w.scenario().fleet, nullptr);
    QVERIFY(w.figures("fleetFigure").contains(QStringLiteral("Deployments: %1").arg(made.deployments)));
    // Of the two loads the one that is typed takes the other's place.
    w.click("fleetByUsers");
    w.type("fleetUsersEdit", QStringLiteral("7"));
    QCOMPARE(w.scenario().fleet, (FleetTarget{7, {}, 40.5, 2}));
    w.change([](Scenario &s) { s.fleet = {}; });
    w.click("fleetByRate");
    w.type("fleetRateEdit", QStringLiteral("3"));
    QCOMPARE(w.scenario().fleet, (FleetTarget{{}, 3.0, {}, 0}));
}

void CapacityViewTest::fleetRefusals_data() {
    QTest::addColumn<QByteArray>("entry");
    QTest::addColumn<QString>("text");
    QTest::newRow("a word") << QByteArray("fleetUsersEdit") << QStringLiteral("many");
    QTest::newRow("less than none") << QByteArray("fleetPriceEdit") << QStringLiteral("-1");
    QTest::newRow("no number") << QByteArray("fleetSecondsEdit") << QStringLiteral("nan");
    QTest::newRow("endless") << QByteArray("fleetSecondsEdit") << QStringLiteral("inf");
    QTest::newRow("half a deployment") << QByteArray("fleetLostEdit") << QStringLiteral("0.5");
}

void CapacityViewTest::fleetRefusals() {
    QFETCH(QByteArray, entry);
    QFETCH(QString, text);
    const CapacityFixture w;
    w.type(entry, text);
    QCOMPARE(w.scenario(), firstScenario());
    QVERIFY2(w.message().contains(text), qPrintable(w.message()));
    // A load that no number of GPUs can be counted for is said, and nothing crashes.
    w.change([](Scenario &s) { s.fleet = {std::numeric_limits<std::int64_t>::max(), {}, 1e300, 0}; });
    QVERIFY(!w.shown("fleetReason").isEmpty() || !w.figures("fleetFigure").isEmpty());
}

void CapacityViewTest::floorAndWhyNot_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("shown");
    QTest::addColumn<bool>("floor");
    QTest::newRow("as it is") << QString() << QStringLiteral("For 10 sequences a replica, by memory bandwidth alone") << true;
    QTest::newRow("a card of unknown bandwidth") << QStringLiteral(R"({"hardware": {"gpu": "l20x-141gb"}})") << QStringLiteral("bandwidth of L20X") << false;
    QTest::newRow("cards of two kinds") << QStringLiteral(R"({"engine": {"id": "llama-cpp"}, "parallel": {"tp": null}, "hardware": {"devices": [{"gpu": "rtx-4090-24gb", "count": 4}, {"gpu": "rtx-3090-24gb", "count": 4}]}})")
                                        << QStringLiteral("unlike bandwidth") << false;
    QTest::newRow("in the host's memory") << QStringLiteral(R"({"engine": {"id": "llama-cpp", "options": {"no_kv_offload": true}}})") << QStringLiteral("host's memory") << false;
}

void CapacityViewTest::floorAndWhyNot() {
    QFETCH(QString, change);
    QFETCH(QString, shown);
    QFETCH(bool, floor);
    const CapacityFixture w;
    if (!change.isEmpty()) {
        const Parsed<Scenario> made = readScenario(*parseJson(change.toStdString(), "t").value, {}, firstScenario());
        QVERIFY(made.value.has_value());
        w.change([&](Scenario &s) { s = *made; });
    }
    QVERIFY2(w.shown("floorReason").contains(shown), qPrintable(w.shown("floorReason")));
    QCOMPARE(w.find<QWidget>("floorBar")->isHidden(), !floor);
    QCOMPARE(!w.figures("floorFigure").isEmpty(), floor);
    if (floor) {
        QVERIFY2(w.figures("floorFigure").contains(QStringLiteral("Least time a token: 21.2 ms")), qPrintable(w.figures("floorFigure").join(QLatin1Char('|'))));
        QVERIFY(w.find<QWidget>("floorBar")->accessibleDescription().contains(QStringLiteral("KV 53.7 GB")));
    }
}

// Room is counted in the height of a line, which differs with fonts and their hinting.
void CapacityViewTest::columnsByTheRoom_data() {
    QTest::addColumn<int>("lines");
    QTest::addColumn<bool>("two");
    QTest::newRow("wide") << 60 << true;
    QTest::newRow("just enough") << 34 << true;
    QTest::newRow("narrow") << 33 << false;
}

void CapacityViewTest::columnsByTheRoom() {
    QFETCH(int, lines);
    const CapacityFixture w;
    auto *view = w.find<QWidget>("capacity");
    view->resize(em(lines), view->height());
    view->findChild<QScrollArea *>()->widget()->layout()->activate();
    const QWidget *answers = w.find<QWidget>("capacityUsersTake"), *fleet = w.find<QWidget>("fleetBy");
    const QPoint a = answers->mapTo(view, QPoint()), f = fleet->mapTo(view, QPoint());
    QTEST(f.x() > a.x(), "two");
    QTEST(std::abs(f.y() - a.y()) < 40, "two");
    for (const QWidget *part : {answers, fleet})
        QVERIFY(part->mapTo(view, QPoint(part->width(), 0)).x() <= view->width());
}

KV_TEST(CapacityViewTest)
#include "capacityviewtest.moc"
