// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "ui/charts/hatch.h"
#include "ui/charts/labels.h"

#include <QTest>
#include <QtWidgets/QtWidgets>

#include <functional>

using namespace kv;

namespace {

QImage painted(double scale, const std::function<void(QPainter &)> &paint) {
    QImage image(QSizeF(240 * scale, 60 * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QPainter painter(&image);
    paint(painter);
    return image;
}

/// Where something is drawn, in pixels.
QRect inkOf(const QImage &image) {
    QRect ink;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (qGray(image.pixel(x, y)) < 200)
                ink |= QRect(x, y, 1, 1);
    return ink;
}

/// How much is drawn, in pixels that are wholly black.
double inkIn(const QImage &image, const QRect &place) {
    double sum = 0;
    for (int y = place.top(); y <= place.bottom(); ++y)
        for (int x = place.left(); x <= place.right(); ++x)
            sum += (255 - qGray(image.pixel(x, y))) / 255.0;
    return sum;
}

} // namespace

class LabelsTest : public QObject {
    Q_OBJECT

private slots:
    void liesLikeAText_data();
    void liesLikeAText();
    void oneLineAndNoMarkup();
    void leftToRightInAMirroredWindow();
    void hatchOfPixelsIsThatOfLines_data();
    void hatchOfPixelsIsThatOfLines();
    void neighboursJoin_data();
    void neighboursJoin();
};

void LabelsTest::liesLikeAText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("flags");
    QTest::addColumn<double>("scale");
    const std::pair<const char *, int> ways[]{{"left above", Qt::AlignLeft | Qt::AlignTop},        {"middle", Qt::AlignCenter},
                                              {"right middle", Qt::AlignRight | Qt::AlignVCenter}, {"middle below", Qt::AlignHCenter | Qt::AlignBottom}};
    for (const auto &[name, flags] : ways)
        for (const double scale : {1.0, 1.5, 2.0})
            QTest::addRow("%s, %.1fx", name, scale) << QStringLiteral("80.0 GB") << flags << scale;
    QTest::addRow("wider than its place") << QStringLiteral("a name that is much wider than its place") << int(Qt::AlignCenter) << 1.0;
}

// The oracle is what QPainter draws without anything kept. A second label of the same text lies right as well.
void LabelsTest::liesLikeAText() {
    QFETCH(QString, text);
    QFETCH(int, flags);
    QFETCH(double, scale);
    const QFont font = QApplication::font();
    const QRectF place(70, 10, 100, 30);
    const QRect oracle = inkOf(painted(scale, [&](QPainter &painter) {
        painter.setFont(font);
        painter.drawText(place, flags | Qt::TextSingleLine | Qt::TextDontClip, text);
    }));
    QVERIFY(!oracle.isEmpty());
    for (int time = 0; time < 2; ++time) {
        const QRect label = inkOf(painted(scale, [&](QPainter &painter) { paintLabel(painter, place, flags, text, font, Qt::black); }));
        for (const int off : {label.left() - oracle.left(), label.right() - oracle.right(), label.top() - oracle.top(), label.bottom() - oracle.bottom()})
            QVERIFY2(std::abs(off) <= 1, qPrintable(QStringLiteral("%1 pixels off").arg(off)));
        painted(scale, [&](QPainter &painter) { paintLabel(painter, {3, 3, 20, 20}, Qt::AlignLeft, text, font, Qt::black); });
    }
    QVERIFY(std::abs(labelWidth(font, text) - QFontMetricsF(font).horizontalAdvance(text)) < 0.5);
}

void LabelsTest::oneLineAndNoMarkup() {
    const QFont font = QApplication::font();
    QCOMPARE(labelWidth(font, QStringLiteral("<b>x</b>")), QFontMetricsF(font).horizontalAdvance(QStringLiteral("<b>x</b>")));
    QCOMPARE(labelWidth(font, QStringLiteral("one\ntwo")), QFontMetricsF(font).horizontalAdvance(QStringLiteral("one two")));
}

void LabelsTest::leftToRightInAMirroredWindow() {
    const QString text = QStringLiteral("80 GB \u05d0");
    const QRectF place(10, 10, 200, 30);
    const QImage oracle = painted(1, [&](QPainter &painter) {
        painter.setLayoutDirection(Qt::LeftToRight);
        painter.setFont(QApplication::font());
        painter.drawText(place, Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine, text);
    });
    const QImage label = painted(1, [&](QPainter &painter) {
        painter.setLayoutDirection(Qt::RightToLeft);
        paintLabel(painter, place, Qt::AlignLeft | Qt::AlignTop, text, QApplication::font(), Qt::black);
    });
    QCOMPARE(label, oracle);
}

void LabelsTest::hatchOfPixelsIsThatOfLines_data() {
    QTest::addColumn<double>("scale");
    QTest::addColumn<bool>("crossed");
    QTest::addColumn<double>("width");
    QTest::newRow("a line") << 1.0 << false << 1.0;
    QTest::newRow("twice as fine") << 2.0 << false << 1.0;
    QTest::newRow("one and a half") << 1.5 << false << 1.0;
    QTest::newRow("crossed") << 1.0 << true << 1.2;
    QTest::newRow("crossed, three times") << 3.0 << true << 1.2;
}

// A picture records the lines; what they put on the pixels well inside is what the tile puts there.
void LabelsTest::hatchOfPixelsIsThatOfLines() {
    QFETCH(double, scale);
    QFETCH(bool, crossed);
    QFETCH(double, width);
    const QRectF rect(10, 7, 200, 40);
    QPicture lines;
    {
        QPainter painter(&lines);
        paintHatch(painter, rect, QPen(Qt::black, width), crossed);
    }
    const QImage oracle = painted(scale, [&](QPainter &painter) { painter.drawPicture(0, 0, lines); });
    const QImage tiles = painted(scale, [&](QPainter &painter) { paintHatch(painter, rect, QPen(Qt::black, width), crossed); });
    const QRect inside = QRectF(rect.adjusted(3, 3, -3, -3).topLeft() * scale, rect.adjusted(3, 3, -3, -3).size() * scale).toRect();
    const double expected = inkIn(oracle, inside), got = inkIn(tiles, inside);
    QVERIFY(expected > 1000);
    QVERIFY2(std::abs(got - expected) < expected * 0.02, qPrintable(QStringLiteral("%1 instead of %2").arg(got).arg(expected)));
    int unlike = 0;
    for (int y = inside.top(); y <= inside.bottom(); ++y)
        for (int x = inside.left(); x <= inside.right(); ++x)
            unlike += std::abs(qGray(tiles.pixel(x, y)) - qGray(oracle.pixel(x, y))) > 40 ? 1 : 0;
    QVERIFY2(unlike < inside.width() * inside.height() / 100, qPrintable(QString::number(unlike)));
}

void LabelsTest::neighboursJoin_data() {
    QTest::addColumn<double>("scale");
    QTest::addColumn<double>("fraction");
    for (const double scale : {1.0, 1.5, 2.0, 3.0})
        for (const double fraction : {0.0, 0.25, 0.5, 0.4})
            QTest::addRow("%.1fx, %.2f", scale, fraction) << scale << fraction;
}

void LabelsTest::neighboursJoin() {
    QFETCH(double, scale);
    QFETCH(double, fraction);
    const QPen pen(Qt::black, 1);
    const double left = 10 + fraction, top = 7 + fraction;
    const QImage whole = painted(scale, [&](QPainter &painter) { paintHatch(painter, {left, top, 200, 40}, pen, false); });
    const QImage halves = painted(scale, [&](QPainter &painter) {
        paintHatch(painter, {left, top, 77, 40}, pen, false);
        paintHatch(painter, {left + 77, top, 123, 40}, pen, false);
    });
    QCOMPARE(halves, whole);
}

KV_TEST(LabelsTest)
#include "labelstest.moc"
