// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "ui/document.h"
#include "ui/gesture.h"

#include <QTest>
#include <QtWidgets/QtWidgets>

using namespace kv;

namespace {

ScenarioDocument first() { return {{firstScenario()}, 0, {}}; }

Document::Change context(std::int64_t tokens) {
    return [tokens](Scenario &s) {
        s.workload.context = Tokens(tokens);
        s.workload.sharedPrefix = std::min(s.workload.sharedPrefix, s.workload.context);
    };
}

} // namespace

class DocumentTest : public QObject {
    Q_OBJECT

private slots:
    void oneStepADrag();
    void backToTheStartLeavesNoStep();
    void nothingStaysClipped();
    void editsOfOneTurnAreOnePlan();
    void refusedKeepsTheLastGood();
    void savedAndEdited();
    void anEditThatChangesNothing();
};

void DocumentTest::oneStepADrag() {
    Document document(first());
    for (int drag = 0; drag < 2; ++drag) {
        const int gesture = nextGesture();
        for (int i = 1; i <= 40; ++i)
            document.edit(QStringLiteral("Change Context"), gesture, context(1000 * (drag + 1) + i));
    }
    QCOMPARE(document.undoStack()->count(), 2);
    QCOMPARE(document.scenario().workload.context, Tokens(2040));
    document.undoStack()->undo();
    QCOMPARE(document.scenario().workload.context, Tokens(1040));
    document.undoStack()->undo();
    QCOMPARE(document.scenario(), firstScenario());
    document.undoStack()->redo();
    QCOMPARE(document.scenario().workload.context, Tokens(1040));
}

void DocumentTest::backToTheStartLeavesNoStep() {
    Document document(first());
    const int gesture = nextGesture();
    document.edit(QStringLiteral("Change Context"), gesture, context(5000));
    document.edit(QStringLiteral("Change Context"), gesture, context(131072));
    QCOMPARE(document.undoStack()->count(), 0);
    QVERIFY(!document.isModified());
    document.edit(QStringLiteral("Change Context"), gesture, context(9000));
    QCOMPARE(document.undoStack()->count(), 1);
    document.undoStack()->undo();
    QCOMPARE(document.scenario(), firstScenario());
}

void DocumentTest::nothingStaysClipped() {
    Document document(first());
    document.edit(QStringLiteral("Change Shared Prefix"), 0, [](Scenario &s) { s.workload.sharedPrefix = Tokens(100000); });
    const int gesture = nextGesture();
    document.edit(QStringLiteral("Change Context"), gesture, context(50000));
    QCOMPARE(document.scenario().workload.sharedPrefix, Tokens(50000));
    document.edit(QStringLiteral("Change Context"), gesture, context(120000));
    QCOMPARE(document.scenario().workload.sharedPrefix, Tokens(100000));
}

void DocumentTest::editsOfOneTurnAreOnePlan() {
    Document document(first());
    document.flush();
    int plans = 0;
    connect(&document, &Document::changed, this, [&plans] { ++plans; });
    for (int i = 1; i <= 10; ++i)
        document.edit(QStringLiteral("Change Context"), 0, context(1000 * i));
    QCOMPARE(plans, 0);
    QCoreApplication::processEvents();
    QCOMPARE(plans, 1);
    QCOMPARE(document.plan().kv.perSequence, Bytes(327680) * 10000);
}

void DocumentTest::refusedKeepsTheLastGood() {
    Document document(first());
    document.edit(QStringLiteral("Change Context"), 0, context(4096));
    document.flush();
    document.edit(QStringLiteral("Change TP"), 0, [](Scenario &s) { s.parallel.tp = Count(3); });
    QVERIFY(document.isRefused());
    QCOMPARE(document.scenario().parallel.tp, std::optional(Count(3)));
    QVERIFY(document.goodPlan().ok());
    QCOMPARE(document.goodScenario().workload.context, Tokens(4096));
    QCOMPARE(document.goodPlan().kv.perSequence, Bytes(327680) * 4096);
    document.undoStack()->undo();
    QVERIFY(!document.isRefused());
}

void DocumentTest::savedAndEdited() {
    Document document(first());
    QVERIFY(document.isPristine());
    const int gesture = nextGesture();
    document.edit(QStringLiteral("Change Context"), gesture, context(4096));
    QVERIFY(document.isModified());
    document.setFile(QStringLiteral("/tmp/x.kvplan"), {});
    document.setSaved();
    QVERIFY(!document.isModified());
    // The same gesture goes on after the save: the saved state stays a step of its own.
    document.edit(QStringLiteral("Change Context"), gesture, context(8192));
    QVERIFY(document.isModified());
    document.undoStack()->undo();
    QVERIFY(!document.isModified());
    QCOMPARE(document.scenario().workload.context, Tokens(4096));
}

void DocumentTest::anEditThatChangesNothing() {
    Document document(first());
    document.edit(QStringLiteral("Change Context"), 0, context(131072));
    QCOMPARE(document.undoStack()->count(), 0);
}

KV_TEST(DocumentTest)
#include "documenttest.moc"
