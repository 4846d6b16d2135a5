// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/elementtype.h"
#include "tests/testmain.h"

#include <QTest>

#include <set>

using namespace kv;

class ElementTypeTest : public QObject {
    Q_OBJECT

private slots:
    void sizes_data();
    void sizes();
    void everyNameFindsItsType();
    void unknownName() { QVERIFY(!elementTypeFromName("fp9")); }
};

// Bytes of a vector of 128 elements, from the engines' own block layouts.
void ElementTypeTest::sizes_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<qint64>("bytes");
    const std::pair<const char *, qint64> rows[]{
        {"fp32", 512}, {"bf16", 256}, {"float16", 256}, {"HALF", 256}, {"fp8", 128}, {"fp8_e4m3", 128}, {"fp8_e5m2", 128},
        {"int8", 128}, {"int4", 64},  {"nvfp4", 72},    {"mxfp8", 132}, {"q8_0", 136}, {"q5_1", 96},     {"q5_0", 88},
        {"q4_1", 80},  {"q4_0", 72},  {"iq4_nl", 72},   {"Q4_0", 72},
    };
    for (const auto &[name, bytes] : rows)
        QTest::newRow(name) << QByteArray(name) << bytes;
}

void ElementTypeTest::sizes() {
    QFETCH(QByteArray, name);
    const std::optional<ElementType> type = elementTypeFromName(name.toStdString());
    QVERIFY(type);
    QTEST(qint64(bytesFor(128, *type).value), "bytes");
}

void ElementTypeTest::everyNameFindsItsType() {
    std::set<std::string> seen;
    for (const ElementTypeInfo &entry : elementTypes()) {
        QCOMPARE(elementTypeFromName(entry.name), std::optional(entry.type));
        QVERIFY2(seen.insert(std::string(entry.name)).second, entry.name.data());
        for (const QString &alias : QString::fromUtf8(entry.aliases.data(), qsizetype(entry.aliases.size())).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            QCOMPARE(elementTypeFromName(alias.toStdString()), std::optional(entry.type));
            QVERIFY2(seen.insert(alias.toStdString()).second, qPrintable(alias));
        }
    }
}

KV_TEST(ElementTypeTest)
#include "elementtypetest.moc"
