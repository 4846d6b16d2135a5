// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "tests/testmain.h"

#include <QTest>

using namespace kv;

namespace {
constexpr qint64 most = std::numeric_limits<qint64>::max();
constexpr qint64 lost = outOfRangeValue;
} // namespace

class UnitsTest : public QObject {
    Q_OBJECT

private slots:
    void arithmetic_data();
    void arithmetic();
    void lostStaysLost();
};

void UnitsTest::arithmetic_data() {
    QTest::addColumn<qint64>("found");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("sum") << qint64(checked::add(2, 3)) << qint64(5);
    QTest::newRow("sum at the edge") << qint64(checked::add(most, 0)) << most;
    QTest::newRow("sum beyond the edge") << qint64(checked::add(most, 1)) << lost;
    QTest::newRow("difference below the edge") << qint64(checked::sub(-most, 2)) << lost;
    QTest::newRow("product of plausible sizes") << qint64(checked::mul(10'000'000'000, 1'000'000'000)) << lost;
    QTest::newRow("floor") << qint64(checked::floorDiv(7, 2)) << qint64(3);
    QTest::newRow("floor of a negative") << qint64(checked::floorDiv(-7, 2)) << qint64(-4);
    QTest::newRow("ceiling") << qint64(checked::ceilDiv(7, 2)) << qint64(4);
    QTest::newRow("ceiling of a negative") << qint64(checked::ceilDiv(-7, 2)) << qint64(-3);
    QTest::newRow("ceiling of a multiple") << qint64(checked::ceilDiv(8, 2)) << qint64(4);
    QTest::newRow("by zero") << qint64(checked::floorDiv(7, 0)) << lost;
    QTest::newRow("round up") << qint64(checked::roundUp(257, 256)) << qint64(512);
    QTest::newRow("round down") << qint64(checked::roundDown(511, 256)) << qint64(256);
    QTest::newRow("a × b ÷ c where a × b leaves 64 bits") << qint64(checked::mulDiv(80'000'000'000, 900'000'000, 1'000'000'000)) << qint64(72'000'000'000);
    QTest::newRow("a × b ÷ c rounds down") << qint64(checked::mulDiv(7, 1, 2)) << qint64(3);
    QTest::newRow("a × b ÷ c rounds down below zero") << qint64(checked::mulDiv(-7, 1, 2)) << qint64(-4);
    QTest::newRow("a × b ÷ c beyond the edge") << qint64(checked::mulDiv(most, 2, 1)) << lost;
}

void UnitsTest::arithmetic() {
    QFETCH(qint64, found);
    QTEST(found, "expected");
}

void UnitsTest::lostStaysLost() {
    const Bytes lostBytes = Bytes(most) + Bytes(1);
    QVERIFY(!lostBytes.inRange());
    QVERIFY(!(lostBytes - Bytes(most)).inRange());
    QVERIFY(!(lostBytes * 0).inRange());
    QVERIFY(!(-lostBytes).inRange());
    QCOMPARE(floorDiv(lostBytes, Bytes(2)), lost);
}

KV_TEST(UnitsTest)
#include "unitstest.moc"
