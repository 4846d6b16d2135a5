// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/charts/samples.h"
#include "tests/ui/charts/textrecorder.h"
#include "ui/charts/gpuchart.h"
#include "ui/charts/growthchart.h"

#include <QTest>
#include <QtWidgets/QtWidgets>

using namespace kv;
using namespace kv::test;

namespace {

ChartStyle style() { return ChartStyle::forExport(); }

template <typename Chart>
DrawnTexts painted(const Chart &chart, const QSize &size) {
    TextRecorder recorder(size);
    QPainter painter(&recorder);
    chart.paintTo(painter, QRectF({}, size));
    return recorder.texts();
}

/// What of `before` stands elsewhere or not at all in `after`.
QStringList moved(const DrawnTexts &before, const DrawnTexts &after) {
    QStringList texts;
    for (const DrawnText &text : before.drawn()) {
        const auto same = [&text](const DrawnText &other) { return other.text == text.text && other.rect == text.rect; };
        if (std::none_of(after.drawn().begin(), after.drawn().end(), same))
            texts += text.text;
    }
    return texts;
}

} // namespace

/// Another scenario beside the present one: named, within the picture, and moving nothing.
class GhostTest : public QObject {
    Q_OBJECT

private slots:
    void gpus_data();
    void gpus();
    void growth_data();
    void growth();
    void nothingToDrawOf();
};

void GhostTest::gpus_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("others");
    QTest::addColumn<double>("kv");
    QTest::addColumn<double>("memory");
    QTest::addColumn<QString>("text");
    QTest::newRow("less") << 8 << 8 << 26.9 << 80.0 << QStringLiteral("FP8 cache: 44.5 GB of 80 GB");
    QTest::newRow("other cards") << 8 << 8 << 53.7 << 141.0 << QStringLiteral("FP8 cache: 71.3 GB of 141 GB");
    QTest::newRow("more of them") << 8 << 16 << 26.9 << 80.0 << QStringLiteral("FP8 cache: 44.5 GB of 80 GB");
    QTest::newRow("fewer of them") << 8 << 2 << 53.7 << 80.0 << QStringLiteral("FP8 cache: 71.3 GB of 80 GB");
    QTest::newRow("beyond the axis") << 8 << 8 << 500.0 << 80.0 << QStringLiteral("FP8 cache: 518 GB of 80 GB →");
    QTest::newRow("many") << 64 << 64 << 26.9 << 80.0 << QStringLiteral("FP8 cache: 44.5 GB of 80 GB");
    QTest::newRow("nothing kept") << 1 << 1 << 0.0 << 80.0 << QStringLiteral("FP8 cache: 17.6 GB of 80 GB");
}

void GhostTest::gpus() {
    QFETCH(int, count);
    QFETCH(int, others);
    QFETCH(double, kv);
    QFETCH(double, memory);
    QFETCH(QString, text);
    GpuChart chart;
    chart.resize(880, 300);
    for (const QSize &size : {QSize(880, 300), QSize(520, 200)}) {
        chart.show(planOf(count), SizeUnit::Decimal, style());
        const DrawnTexts before = painted(chart, size);
        const int tallest = chart.tallest();
        const Plan other = planOf(others, {.memory = memory, .kv = kv, .kvReserved = kv});
        chart.show(planOf(count), SizeUnit::Decimal, style(), &other, QStringLiteral("FP8 cache"));
        const DrawnTexts after = painted(chart, size);
        QVERIFY2(after.has(text), qPrintable(after.texts().join(QLatin1Char('|'))));
        QCOMPARE(after.drawn().size(), before.drawn().size() + 1);
        QCOMPARE(moved(before, after).join(QLatin1Char('|')), QString());
        QVERIFY(QRectF({}, size).contains(after.rectOf(text)));
        QCOMPARE(chart.tallest(), tallest);
        QVERIFY(chart.description().contains(QStringLiteral("FP8 cache: ")));
    }
    chart.show(planOf(count), SizeUnit::Decimal, style());
    QVERIFY(!chart.description().contains(QStringLiteral("FP8 cache")));
}

void GhostTest::growth_data() {
    QTest::addColumn<double>("perToken");
    QTest::addColumn<double>("budget");
    QTest::addColumn<qint64>("context");
    QTest::newRow("half of it") << 1638400.0 << 434.9 << qint64(131072);
    QTest::newRow("more room") << 3276800.0 << 500.0 << qint64(131072);
    QTest::newRow("less context") << 3276800.0 << 434.9 << qint64(65536);
    QTest::newRow("far above the picture") << 3.2e9 << 434.9 << qint64(131072);
    QTest::newRow("room far above") << 1638400.0 << 5e5 << qint64(131072);
    QTest::newRow("nothing grows") << 0.0 << 434.9 << qint64(131072);
    QTest::newRow("no room at all") << 1638400.0 << -10.0 << qint64(131072);
}

void GhostTest::growth() {
    QFETCH(double, perToken);
    QFETCH(double, budget);
    QFETCH(qint64, context);
    GrowthChart chart;
    const GhostSweep ghost{QStringLiteral("A lever"), sweepOf({.perToken = perToken, .context = Tokens(context), .budget = gb(budget)})};
    for (const QSize &size : {QSize(880, 300), QSize(520, 200)}) {
        chart.show(sweepOf(), planOf(8), SizeUnit::Decimal, style());
        const DrawnTexts before = painted(chart, size);
        chart.show(sweepOf(), planOf(8), SizeUnit::Decimal, style(), &ghost);
        const DrawnTexts after = painted(chart, size);
        const QString text = QStringLiteral("A lever · ") + QString::fromStdString(writeBytes(ghost.sweep.here, SizeUnit::Decimal));
        QVERIFY2(after.has(text), qPrintable(after.texts().join(QLatin1Char('|'))));
        QCOMPARE(moved(before, after).join(QLatin1Char('|')), QString());
        QVERIFY(QRectF({}, size).contains(after.rectOf(text)));
        QVERIFY(chart.description().contains(QStringLiteral("With A lever it would take")));
    }
    // Pixels as well: without it the picture is the one before.
    chart.resize(880, 300);
    chart.show(sweepOf(), planOf(8), SizeUnit::Decimal, style());
    const QImage plain = chart.grab().toImage();
    chart.show(sweepOf(), planOf(8), SizeUnit::Decimal, style(), &ghost);
    QVERIFY(chart.grab().toImage() != plain);
    chart.show(sweepOf(), planOf(8), SizeUnit::Decimal, style());
    QCOMPARE(chart.grab().toImage(), plain);
}

void GhostTest::nothingToDrawOf() {
    GrowthChart curves;
    GhostSweep empty{QStringLiteral("A lever"), {}};
    curves.show(sweepOf(), planOf(8), SizeUnit::Decimal, style(), &empty);
    QVERIFY(!curves.description().contains(QStringLiteral("A lever")));
    GpuChart bars;
    Plan refused;
    refused.refusal = errorNote("x", "y", "z");
    bars.show(planOf(8), SizeUnit::Decimal, style(), &refused, QStringLiteral("A lever"));
    QVERIFY(!bars.description().contains(QStringLiteral("A lever")));
    const Plan none; // no GPUs: nothing beside any bar
    bars.show(planOf(8), SizeUnit::Decimal, style(), &none, QStringLiteral("A lever"));
    QVERIFY(!bars.description().contains(QStringLiteral("A lever")));
}

KV_TEST(GhostTest)
#include "ghosttest.moc"
