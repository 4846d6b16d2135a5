// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "ui/charts/niceaxis.h"

#include <QTest>

using namespace kv;

class NiceAxisTest : public QObject {
    Q_OBJECT

private slots:
    void ranges_data();
    void ranges();
    void everySizeIsHeld();
    void unitOfWhatIsWritten();
    void staysWhileDataIsInside();
    void shortSizes_data();
    void shortSizes();
    void tokens_data();
    void tokens();
};

void NiceAxisTest::ranges_data() {
    QTest::addColumn<qint64>("largest");
    QTest::addColumn<bool>("binary");
    QTest::addColumn<int>("most");
    QTest::addColumn<QString>("labels");
    QTest::newRow("80 GB in tens") << 80'000'000'000LL << false << 8 << "0 10 20 30 40 50 60 70 80|GB";
    QTest::newRow("as the first picture") << 696'000'000'000LL << false << 5 << "0 200 400 600 800|GB";
    QTest::newRow("just above a round number") << 80'000'000'001LL << false << 8 << "0 20 40 60 80 100|GB";
    QTest::newRow("parts of a unit") << 1'300'000'000LL << false << 5 << "0 0.5 1.0 1.5|GB";
    QTest::newRow("thousands") << 1'649'000'000'000LL << false << 5 << "0 500 1,000 1,500 2,000|GB";
    QTest::newRow("terabytes") << 52'900'000'000'000LL << false << 6 << "0 10 20 30 40 50 60|TB";
    QTest::newRow("bytes step by whole ones") << 3LL << false << 8 << "0 1 2 3|B";
    QTest::newRow("nothing") << 0LL << false << 8 << "0 1|B";
    QTest::newRow("less than nothing") << -5'000'000'000LL << false << 8 << "0 1|B";
    QTest::newRow("79.2 GiB by powers of two") << 85'040'000'000LL << true << 8 << "0 16 32 48 64 80|GiB";
    QTest::newRow("a quarter GiB") << 1'181'116'006LL << true << 5 << "0 0.25 0.50 0.75 1.00 1.25|GiB";
    QTest::newRow("KiB") << 327'680LL << true << 5 << "0 64 128 192 256 320|KiB";
    QTest::newRow("two steps at most") << 85'040'000'000LL << true << 2 << "0 64 128|GiB";
}

void NiceAxisTest::ranges() {
    QFETCH(qint64, largest);
    QFETCH(bool, binary);
    QFETCH(int, most);
    const SizeAxis axis = sizeAxis(Bytes(largest), binary ? SizeUnit::Binary : SizeUnit::Decimal, most);
    QStringList labels;
    for (int tick = 0; tick <= axis.intervals; ++tick)
        labels.append(QString::fromStdString(axis.label(tick)));
    QTEST(labels.join(QLatin1Char(' ')) + QLatin1Char('|') + QString::fromUtf8(axis.unit.name.data(), qsizetype(axis.unit.name.size())), "labels");
}

void NiceAxisTest::everySizeIsHeld() {
    for (const SizeUnit unit : {SizeUnit::Decimal, SizeUnit::Binary})
        for (std::int64_t size = 1; size < std::int64_t{1} << 60; size += 1 + size / 7)
            for (const int most : {2, 5, 8}) {
                const SizeAxis axis = sizeAxis(Bytes(size), unit, most);
                QVERIFY2(axis.holds(Bytes(size)) && axis.intervals <= most, qPrintable(QString::number(size)));
            }
}

void NiceAxisTest::unitOfWhatIsWritten() {
    const Bytes largest(11'800'000'000'000), named(7'368'600'000'000);
    QCOMPARE(sizeAxis(largest, SizeUnit::Decimal, 5).labelWithUnit(3), std::string("15 TB"));
    QCOMPARE(sizeAxis(largest, SizeUnit::Decimal, 5, named).labelWithUnit(3), std::string("15,000 GB"));
    // A size beyond the picture does not name its axis, nor does none.
    QCOMPARE(sizeAxis(Bytes(44'000'000), SizeUnit::Decimal, 5, largest).labelWithUnit(1), std::string("10 MB"));
    QCOMPARE(sizeAxis(Bytes(44'000'000), SizeUnit::Decimal, 5, Bytes(-5)).labelWithUnit(1), std::string("10 MB"));
}

void NiceAxisTest::staysWhileDataIsInside() {
    SteadyAxis steady;
    const auto max = [&](double gigabytes, SizeUnit unit = SizeUnit::Decimal) {
        return steady.update(Bytes(static_cast<std::int64_t>(gigabytes * 1e9)), unit, 5).max();
    };
    QCOMPARE(max(700), 800.0);
    QCOMPARE(max(799), 800.0);
    QCOMPARE(max(330), 800.0);  // sizeAxis() alone would say 400
    QCOMPARE(max(310), 400.0);  // less than two fifths
    QCOMPARE(max(401), 500.0);
    QCOMPARE(max(400), 500.0);
    QCOMPARE(steady.axis().unit.name, std::string_view("GB"));
    QCOMPARE(max(400, SizeUnit::Binary), 384.0); // another unit is another axis
    steady.forget();
    QCOMPARE(max(400), 400.0);
}

void NiceAxisTest::shortSizes_data() {
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("three digits") << 434'923'220'992LL << "435 GB";
    QTest::newRow("with a tenth") << 74'450'000'000LL << "74.5 GB";
    QTest::newRow("whole") << 80'000'000'000LL << "80 GB";
    QTest::newRow("99.95 is 100") << 99'960'000'000LL << "100 GB";
    QTest::newRow("thousands") << 1'030'792'151'040LL << "1,031 GB";
    QTest::newRow("negative") << -561'000'000'000LL << "−561 GB";
    QTest::newRow("bytes") << 512LL << "512 B";
}

void NiceAxisTest::shortSizes() {
    QFETCH(qint64, bytes);
    QTEST(QString::fromStdString(writeBytesShort(Bytes(bytes), SizeUnit::Decimal)), "text");
}

void NiceAxisTest::tokens_data() {
    QTest::addColumn<qint64>("from");
    QTest::addColumn<qint64>("to");
    QTest::addColumn<int>("most");
    QTest::addColumn<QString>("labels");
    QTest::newRow("the first picture") << 1024LL << 262'144LL << 12 << "1k 2k 4k 8k 16k 32k 64k 128k 256k";
    QTest::newRow("thinned out from 1k on") << 1024LL << 4'194'304LL << 8 << "1k 4k 16k 64k 256k 1M 4M";
    QTest::newRow("from 1") << 1LL << 4'194'304LL << 8 << "2 16 128 1k 8k 64k 512k 4M";
    QTest::newRow("ends that are no powers") << 1000LL << 5000LL << 8 << "1k 2k 4k";
    QTest::newRow("nothing between") << 1025LL << 2000LL << 8 << "";
    QTest::newRow("turned round") << 4096LL << 1024LL << 8 << "";
}

void NiceAxisTest::tokens() {
    QFETCH(qint64, from);
    QFETCH(qint64, to);
    QFETCH(int, most);
    QStringList labels;
    for (const Tokens tick : tokenTicks(Tokens(from), Tokens(to), most))
        labels.append(QString::fromStdString(writeTokensShort(tick)));
    QVERIFY(labels.size() <= most);
    QTEST(labels.join(QLatin1Char(' ')), "labels");
}

KV_TEST(NiceAxisTest)
#include "niceaxistest.moc"
