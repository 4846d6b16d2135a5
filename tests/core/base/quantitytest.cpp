// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "tests/testmain.h"

#include <QTest>

using namespace kv;

Q_DECLARE_METATYPE(kv::SizeUnit)

namespace {
constexpr qint64 refused = -1;

template <typename T>
qint64 valueOf(const Parsed<T> &parsed) {
    return parsed ? parsed->value : refused;
}
} // namespace

class QuantityTest : public QObject {
    Q_OBJECT

private slots:
    void tokens_data();
    void tokens();
    void counts();
    void sizes_data();
    void sizes();
    void fractions_data();
    void fractions();
    void written_data();
    void written();
    void refusalNamesPlaceAndText();
};

void QuantityTest::tokens_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("plain") << QByteArray("131072") << qint64(131072);
    QTest::newRow("128k is what people mean by it") << QByteArray("128k") << qint64(131072);
    QTest::newRow("128K") << QByteArray("128K") << qint64(131072);
    QTest::newRow("128Ki") << QByteArray("128Ki") << qint64(131072);
    QTest::newRow("half a million") << QByteArray("0.5M") << qint64(524288);
    QTest::newRow("1.5k") << QByteArray("1.5k") << qint64(1536);
    QTest::newRow("space before the suffix") << QByteArray("128 k") << qint64(131072);
    QTest::newRow("thousands") << QByteArray("131,072") << qint64(131072);
    QTest::newRow("zero") << QByteArray("0") << qint64(0);
    QTest::newRow("half a token") << QByteArray("0.5") << refused;
    QTest::newRow("a third of 1k") << QByteArray("0.3333k") << refused;
    QTest::newRow("negative") << QByteArray("-5") << refused;
    QTest::newRow("a comma that parts no thousands") << QByteArray("12,5") << refused;
    QTest::newRow("a word") << QByteArray("many") << refused;
    QTest::newRow("empty") << QByteArray("") << refused;
    QTest::newRow("another unit") << QByteArray("128GB") << refused;
    QTest::newRow("beyond 64 bits") << QByteArray("99999999999999999999") << refused;
    QTest::newRow("beyond 64 bits by its suffix") << QByteArray("9223372036854775807k") << refused;
}

void QuantityTest::tokens() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, expected);
    QCOMPARE(valueOf(readTokens(text.toStdString(), "context")), expected);
}

// k is 1,000 in a count of sequences: "2k users" are two thousand.
void QuantityTest::counts() {
    QCOMPARE(valueOf(readCount("2k", "sequences")), qint64(2000));
    QCOMPARE(valueOf(readCount("2Ki", "sequences")), qint64(2048));
    QCOMPARE(valueOf(readCount("1.5", "sequences")), refused);
}

void QuantityTest::sizes_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("GB is 10^9") << QByteArray("80GB") << qint64(80'000'000'000);
    QTest::newRow("GiB is 2^30") << QByteArray("80GiB") << qint64(85'899'345'920);
    QTest::newRow("as the driver reports it") << QByteArray("81559MiB") << qint64(81559) * 1048576;
    QTest::newRow("decimals") << QByteArray("42.9 GB") << qint64(42'900'000'000);
    QTest::newRow("bytes") << QByteArray("141107412992") << qint64(141107412992);
    QTest::newRow("bytes named") << QByteArray("512 B") << qint64(512);
    QTest::newRow("a bare G says neither") << QByteArray("80G") << refused;
    QTest::newRow("as logs print it, down") << QByteArray("58.11GiB") << qint64(62'395'137'393);
    QTest::newRow("and up") << QByteArray("23.99 GiB") << qint64(25'759'066'358);
    QTest::newRow("half a byte is one more") << QByteArray("0.0005kB") << qint64(1);
    QTest::newRow("less is none") << QByteArray("0.0004kB") << qint64(0);
    QTest::newRow("a fraction of bytes") << QByteArray("1.5") << refused;
    QTest::newRow("a fraction of a byte") << QByteArray("0.5 B") << refused;
}

void QuantityTest::sizes() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, expected);
    QCOMPARE(valueOf(readBytes(text.toStdString(), "memory")), expected);
}

void QuantityTest::fractions_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("a tenth") << QByteArray("0.1") << qint64(100'000'000);
    QTest::newRow("per cent") << QByteArray("10 %") << qint64(100'000'000);
    QTest::newRow("half a per cent") << QByteArray("0.5%") << qint64(5'000'000);
    QTest::newRow("none") << QByteArray("0") << qint64(0);
    QTest::newRow("a word") << QByteArray("tenth") << refused;
}

void QuantityTest::fractions() {
    QFETCH(QByteArray, text);
    const Parsed<std::int64_t> parsed = readFraction(text.toStdString(), "reserve");
    const qint64 found = parsed ? *parsed : refused;
    QTEST(found, "expected");
}

void QuantityTest::written_data() {
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<SizeUnit>("unit");
    QTest::addColumn<QString>("expected");
    using enum SizeUnit;
    QTest::newRow("a token") << qint64(327680) << Decimal << "327.7 kB";
    QTest::newRow("a token, binary") << qint64(327680) << Binary << "320 KiB";
    QTest::newRow("a sequence") << qint64(42949672960) << Decimal << "42.9 GB";
    QTest::newRow("a sequence, binary") << qint64(42949672960) << Binary << "40 GiB";
    QTest::newRow("a card") << qint64(80'000'000'000) << Decimal << "80 GB";
    QTest::newRow("just over a terabyte reads better in GB") << qint64(1'030'792'151'040) << Decimal << "1,030.8 GB";
    QTest::newRow("many terabytes") << qint64(10'307'921'510'400) << Decimal << "10.3 TB";
    QTest::newRow("nine tenths and a half round up to the next whole") << qint64(1'999'960) << Decimal << "2.0 MB";
    QTest::newRow("bytes") << qint64(999) << Decimal << "999 B";
    QTest::newRow("zero") << qint64(0) << Decimal << "0 B";
    QTest::newRow("short") << qint64(-5'400'000'000) << Decimal << "−5.4 GB";
    QTest::newRow("out of range says so") << qint64(outOfRangeValue) << Decimal << "out of range";
}

void QuantityTest::written() {
    QFETCH(qint64, bytes);
    QFETCH(SizeUnit, unit);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(writeBytes(Bytes(bytes), unit)), expected);
}

void QuantityTest::refusalNamesPlaceAndText() {
    const Parsed<Tokens> parsed = readTokens("eight", "workload.context");
    QVERIFY(!parsed);
    const QString text = QString::fromStdString(parsed.notes.front().text);
    QVERIFY2(text.startsWith(QStringLiteral("workload.context: expected ")) && text.endsWith(QStringLiteral("found \"eight\"")), qPrintable(text));
}

KV_TEST(QuantityTest)
#include "quantitytest.moc"
