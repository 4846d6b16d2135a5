// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "ui/charts/chartstyle.h"

#include "core/base/elementtype.h"

#include <QTest>
#include <QtWidgets/QtWidgets>

using namespace kv;

class ChartStyleTest : public QObject {
    Q_OBJECT

private slots:
    void contrasts_data();
    void contrasts();
    void typesOfOneWidthShareAColour();
    void followsPaletteAndFont();
};

void ChartStyleTest::contrasts_data() {
    QTest::addColumn<QColor>("base");
    QTest::addColumn<QColor>("text");
    QTest::newRow("light") << QColor(Qt::white) << QColor(0x1c, 0x1f, 0x24);
    QTest::newRow("dark") << QColor(0x2b, 0x2e, 0x35) << QColor(0xec, 0xee, 0xf1);
    QTest::newRow("black") << QColor(Qt::black) << QColor(Qt::white);
    QTest::newRow("beige") << QColor(0xfd, 0xf6, 0xe3) << QColor(0x65, 0x7b, 0x83);
    QTest::newRow("a palette that cannot be read") << QColor(0x80, 0x80, 0x80) << QColor(0x88, 0x88, 0x88);
}

void ChartStyleTest::contrasts() {
    QFETCH(QColor, base);
    QFETCH(QColor, text);
    QPalette palette;
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::Text, text);
    const ChartStyle style = ChartStyle::fromPalette(palette, QFont());
    for (const QColor &ink : {style.text, style.mutedText, style.limitText})
        QVERIFY2(contrast(ink, style.surface) >= 4.5, qPrintable(ink.name()));
    QVERIFY(contrast(style.limit, style.surface) >= 3);
    for (int i = 0; i < memoryKinds; ++i) {
        const QColor fill = style.fill(static_cast<MemoryKind>(i));
        QVERIFY2(contrast(textOn(fill), fill) >= 4.5, qPrintable(fill.name()));
    }
    for (const QColor &plain : {style.free, style.reserve})
        QVERIFY(contrast(style.text, plain) >= 4.5);
    for (const ElementType type : {ElementType::Bf16, ElementType::Fp8, ElementType::Int4, ElementType::Q5_0})
        for (const bool current : {false, true})
            QVERIFY(contrast(style.asText(style.line(type, current)), style.surface) >= 4.5);
}

void ChartStyleTest::typesOfOneWidthShareAColour() {
    const ChartStyle style = ChartStyle::forExport();
    QCOMPARE(style.line(ElementType::Bf16, false), style.line(ElementType::Fp16, false));
    QCOMPARE(style.line(ElementType::Fp8, false), style.line(ElementType::Q8_0, false));
    QCOMPARE(style.line(ElementType::Int4, false), style.line(ElementType::Q4_0, false));
    QCOMPARE(style.line(ElementType::Fp8, true), style.kv);
    QSet<QRgb> lines;
    for (const ElementType type : {ElementType::Bf16, ElementType::Fp8, ElementType::Q5_0, ElementType::Int4})
        lines.insert(style.line(type, false).rgb());
    QCOMPARE(lines.size(), 4);
}

void ChartStyleTest::followsPaletteAndFont() {
    QPalette palette;
    palette.setColor(QPalette::Base, Qt::black);
    palette.setColor(QPalette::Text, Qt::white);
    QFont font;
    font.setPointSizeF(20);
    const ChartStyle style = ChartStyle::fromPalette(palette, font);
    QVERIFY(style.dark);
    QCOMPARE(style.font.pointSizeF(), 20.0);
    QCOMPARE(style.smallFont.pointSizeF(), 17.6);
    QVERIFY(!ChartStyle::forExport().dark);
    QVERIFY(style != ChartStyle::forExport());
}

KV_TEST(ChartStyleTest)
#include "chartstyletest.moc"
