// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/ggmltypes.h"
#include "tests/testmain.h"

#include <QTest>

using namespace kv;

class GgmlTypesTest : public QObject {
    Q_OBJECT

private slots:
    void sizes_data();
    void sizes();
    void noneIsForgotten();
    void withdrawnOnesAreNamed();
    void fileTypes();
};

// The members of each block struct added up (ggml-common.h), so that no table is checked against itself.
void GgmlTypesTest::sizes_data() {
    QTest::addColumn<quint32>("id");
    QTest::addColumn<qint64>("elements");
    QTest::addColumn<qint64>("bytes");
    const auto row = [](const char *name, quint32 id, qint64 elements, qint64 bytes) {
        QTest::newRow(name) << id << elements << bytes;
    };
    constexpr qint64 half = 2, k = 256;
    row("f32", 0, 1, 4);
    row("f16", 1, 1, half);
    row("q4_0", 2, 32, half + 16);
    row("q4_1", 3, 32, 2 * half + 16);
    row("q5_0", 6, 32, half + 4 + 16);
    row("q5_1", 7, 32, 2 * half + 4 + 16);
    row("q8_0", 8, 32, half + 32);
    row("q8_1", 9, 32, 2 * half + 32);
    row("q2_K", 10, k, k / 16 + k / 4 + 2 * half);
    row("q3_K", 11, k, k / 8 + k / 4 + 12 + half);
    row("q4_K", 12, k, 2 * half + 12 + k / 2);
    row("q5_K", 13, k, 2 * half + 12 + k / 8 + k / 2);
    row("q6_K", 14, k, k / 2 + k / 4 + k / 16 + half);
    row("q8_K", 15, k, 4 + k + k / 16 * 2);
    row("iq2_xxs", 16, k, half + k / 8 * 2);
    row("iq2_xs", 17, k, half + k / 8 * 2 + k / 32);
    row("iq3_xxs", 18, k, half + 3 * k / 8);
    row("iq1_s", 19, k, half + k / 8 + k / 32 * 2);
    row("iq4_nl", 20, 32, half + 16);
    row("iq3_s", 21, k, half + k / 4 + k / 32 + k / 8 + k / 64);
    row("iq2_s", 22, k, half + k / 4 + k / 32 + k / 32);
    row("iq4_xs", 23, k, half + 2 + k / 64 + k / 2);
    row("i8", 24, 1, 1);
    row("i16", 25, 1, 2);
    row("i32", 26, 1, 4);
    row("i64", 27, 1, 8);
    row("f64", 28, 1, 8);
    row("iq1_m", 29, k, k / 8 + k / 16 + k / 32);
    row("bf16", 30, 1, half);
    row("tq1_0", 34, k, (k - 4 * k / 64) / 5 + k / 64 + half);
    row("tq2_0", 35, k, k / 4 + half);
    row("mxfp4", 39, 32, 1 + 16);
    row("nvfp4", 40, 64, 4 + 32);
    row("q1_0", 41, 128, half + 16);
    row("q2_0", 42, 64, half + 16);
}

void GgmlTypesTest::sizes() {
    QFETCH(quint32, id);
    QFETCH(qint64, elements);
    QFETCH(qint64, bytes);
    const GgmlType *type = ggmlType(id);
    QVERIFY(type);
    QCOMPARE(QString::fromUtf8(type->name.data(), qsizetype(type->name.size())),
             QString::fromUtf8(QTest::currentDataTag()));
    QCOMPARE(type->blockElements, elements);
    QCOMPARE(type->blockBytes, bytes);
}

void GgmlTypesTest::noneIsForgotten() {
    QCOMPARE(ggmlTypes().size(), std::size_t{35});
    for (quint32 id = 0; id <= 42; ++id)
        QVERIFY2((ggmlType(id) != nullptr) != !withdrawnGgmlType(id).empty(), qPrintable(QString::number(id)));
    QVERIFY(!ggmlType(43));
    QVERIFY(!ggmlType(4294967295U));
}

void GgmlTypesTest::withdrawnOnesAreNamed() {
    QVERIFY(withdrawnGgmlType(31) == "q4_0_4_4");
    QVERIFY(withdrawnGgmlType(12).empty());
}

void GgmlTypesTest::fileTypes() {
    QVERIFY(ggufFileTypeName(15) == "Q4_K_M");
    QVERIFY(ggufFileTypeName(0) == "F32");
    QVERIFY(ggufFileTypeName(4).empty());
    QVERIFY(ggufFileTypeName(-1).empty());
}

KV_TEST(GgmlTypesTest)
#include "ggmltypestest.moc"
