// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/gpu.h"
#include "core/plan/evaluate.h"
#include "tests/testmain.h"
#include "tests/ui/charts/samples.h"
#include "tests/ui/charts/textrecorder.h"
#include "ui/charts/gpuchart.h"
#include "ui/charts/growthchart.h"
#include "ui/charts/growthview.h"
#include "ui/growthsweep.h"

#include <QTest>
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtWidgets/QtWidgets>

#include <cmath>

using namespace kv;
using namespace kv::test;

/// What is written in the charts, on screen and on paper.
class ChartsTest : public QObject {
    Q_OBJECT

private slots:
    void curvesOfTheCard_data();
    void curvesOfTheCard();
    void gpuTexts_data();
    void gpuTexts();
    void growthTexts();
    void namesAreNotMarkup();
    void limitOutOfSight();
    void closeCurvesKeepTheirNames();
    void nothingOverlaps_data();
    void nothingOverlaps();
    void gpuAxisIsSteadyWhileShort();
    void growthAxisIsSteady();
    void keysMoveThePoint();
    void mouseFindsTheBar();
    void wheelIsLeftToOthers();
    void restyledAtOnce();
    void unitSwitch();
    void describesItself();
    void shownWidgetKeepsItsPicture();
    void eachChangeIsLikeTheFirst();
    void curvesHaveNoGaps();

private:
    static ChartStyle style() { return ChartStyle::forExport(); }
    template <typename Chart>
    static DrawnTexts painted(const Chart &chart, const QSize &size) {
        TextRecorder recorder(size);
        QPainter painter(&recorder);
        chart.paintTo(painter, QRectF({}, size));
        return recorder.texts();
    }
    static DrawnTexts onScreen(QWidget &widget) {
        TextRecorder recorder(widget.size());
        QPainter painter(&recorder);
        widget.render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
        return recorder.texts();
    }
    static QWidget *view(QWidget &chart) { return chart.focusProxy(); }
};

// Types that the engine has no kernels for on the card are no curves to wish for.
void ChartsTest::curvesOfTheCard_data() {
    QTest::addColumn<QString>("engine");
    QTest::addColumn<QString>("gpu");
    QTest::addColumn<bool>("drawn");
    QTest::newRow("Hopper") << QStringLiteral("tensorrt-llm") << QStringLiteral("h100-sxm-80gb") << false;
    QTest::newRow("Blackwell") << QStringLiteral("tensorrt-llm") << QStringLiteral("b200-sxm-180gb") << true;
}

void ChartsTest::curvesOfTheCard() {
    QFETCH(QString, engine);
    QFETCH(QString, gpu);
    QFETCH(bool, drawn);
    Scenario s = firstScenario();
    s.engine.id = engine.toStdString();
    s.hardware.gpu = gpu.toStdString();
    QVERIFY(findGpu(s.hardware.gpu));
    const Sweep sweep = growthSweep(s, evaluate(s));
    QCOMPARE(std::ranges::find(sweep.curves, ElementType::Nvfp4, &SweepCurve::type) != sweep.curves.end(), drawn);
}

void ChartsTest::gpuTexts_data() {
    QTest::addColumn<double>("kv");
    QTest::addColumn<double>("reserved");
    QTest::addColumn<QStringList>("shown");
    QTest::addColumn<QStringList>("absent");
    const auto list = [](const char *words) { return QString::fromUtf8(words).split(QLatin1Char('|')); };
    QTest::newRow("fits") << 53.7 << 53.7 << list("GPU 0|GPU 7|Weights|KV cache|Free|Reserve|17.6|53.7|8.0|0|10|70|80 GB")
                          << list("Overhead|KV idle|Short|0.7");
    QTest::newRow("idle") << 20.0 << 53.7 << list("KV in use|KV idle|20.0|33.7|80 GB") << list("KV cache|Short");
    QTest::newRow("short") << 128.9 << 53.7 << list("Short|short 74.5 GB|54.4 of 128.9|80 GB|160 GB") << list("Free|53.7|128.9");
}

void ChartsTest::gpuTexts() {
    QFETCH(double, kv);
    QFETCH(double, reserved);
    QFETCH(QStringList, shown);
    QFETCH(QStringList, absent);
    GpuChart chart;
    chart.setTitle(QStringLiteral("Memory of each GPU · vLLM 0.24"));
    chart.show(planOf(8, {.kv = kv, .kvReserved = reserved}), SizeUnit::Decimal, style());
    const DrawnTexts picture = painted(chart, {880, 300});
    for (const QString &text : shown)
        QVERIFY2(picture.has(text), qPrintable(text + QStringLiteral(" not in ") + picture.texts().join(QLatin1Char('|'))));
    for (const QString &text : absent)
        QVERIFY2(!picture.has(text), qPrintable(text));
    QVERIFY(picture.has(QStringLiteral("Memory of each GPU · vLLM 0.24")));
}

void ChartsTest::growthTexts() {
    GrowthChart chart;
    chart.show(sweepOf(), planOf(8), SizeUnit::Decimal, style());
    const DrawnTexts picture = painted(chart, {880, 300});
    const QString expected = QStringLiteral("Growth with context|BF16|FP8|INT4|435 GB left for KV on 8 GPUs|you are here · 429.5 GB|model’s limit|"
                                            "0 GB|200 GB|400 GB|600 GB|800 GB|1k|2k|4k|8k|16k|32k|64k|128k|256k");
    for (const QString &text : expected.split(QLatin1Char('|')))
        QCOMPARE(picture.count(text), qsizetype(1));
    // The present curve leaves at the top, the others end at the right, each named there.
    QVERIFY(picture.rectOf(QStringLiteral("BF16")).bottom() < picture.rectOf(QStringLiteral("800 GB")).bottom());
    QVERIFY(picture.rectOf(QStringLiteral("FP8")).left() > picture.rectOf(QStringLiteral("256k")).center().x());
    QVERIFY(picture.rectOf(QStringLiteral("FP8")).top() < picture.rectOf(QStringLiteral("INT4")).top());
}

void ChartsTest::namesAreNotMarkup() {
    const QString title = QStringLiteral("Memory · <b>Llama</b> & <img src=x>");
    GpuChart chart;
    chart.setTitle(title);
    Plan plan = planOf(2);
    plan.gpus[1].gpu = "<i>A&B</i>";
    chart.show(plan, SizeUnit::Decimal, style());
    QVERIFY(painted(chart, {880, 300}).has(title));
    QVERIFY(painted(chart, {880, 300}).has(QStringLiteral("GPU 1 · <i>A&B</i>")));
    chart.resize(880, 300);
    chart.show(plan, SizeUnit::Decimal, style());
    const DrawnTexts screen = onScreen(chart);
    QVERIFY2(screen.has(title), qPrintable(screen.texts().join(QLatin1Char('|'))));
    QVERIFY(screen.has(QStringLiteral("GPU 1 · <i>A&B</i>")));
}

void ChartsTest::limitOutOfSight() {
    GrowthChart chart;
    chart.show(sweepOf({.perToken = 1000, .budget = gb(5000)}), planOf(64), SizeUnit::Decimal, style());
    QVERIFY(painted(chart, {880, 300}).has(QStringLiteral("↑ 5,000 GB left for KV on 64 GPUs, above this picture")));
    chart.show(sweepOf({.budget = gb(-58.3)}), planOf(1), SizeUnit::Decimal, style());
    QVERIFY(painted(chart, {880, 300}).has(QStringLiteral("no room for KV on 1 GPU: 58.3 GB short without any")));
}

void ChartsTest::closeCurvesKeepTheirNames() {
    Sweep sweep = sweepOf({.perToken = 1000000});
    for (std::size_t i = 0; i < sweep.curves.size(); ++i)
        for (SweepPoint &point : sweep.curves[i].points)
            point.total = Bytes(1000000 * point.context.value + static_cast<std::int64_t>(i)); // a byte apart
    GrowthChart chart;
    for (const Bytes budget : {gb(50), gb(434.9)}) { // the curves leave at the top, or end at the right
        sweep.budget = budget;
        chart.show(sweep, planOf(8), SizeUnit::Decimal, style());
        const DrawnTexts picture = painted(chart, {700, 240});
        QCOMPARE(picture.faults(QRectF(0, 0, 700, 240)).join(QStringLiteral("; ")), QString());
        for (const char *name : {"BF16", "FP8", "INT4"})
            QCOMPARE(picture.count(QString::fromLatin1(name)), qsizetype(1));
    }
}

void ChartsTest::nothingOverlaps_data() {
    QTest::addColumn<int>("gpus");
    QTest::addColumn<double>("kv");
    QTest::addColumn<qint64>("context");
    QTest::addColumn<QSize>("size");
    for (const QSize &size : {QSize(520, 200), QSize(700, 240), QSize(1400, 500)})
        for (const int gpus : {1, 8, 16, 1024})
            for (const double kv : {0.0, 53.7, 60.0, 5e5})
                for (const qint64 context : {1024, 4096, 131072, 262144})
                    QTest::addRow("%dx%d, %d GPUs, %g GB, %lld tokens", size.width(), size.height(), gpus, kv, static_cast<long long>(context))
                        << gpus << kv << context << size;
}

void ChartsTest::nothingOverlaps() {
    QFETCH(int, gpus);
    QFETCH(double, kv);
    QFETCH(qint64, context);
    QFETCH(QSize, size);
    const Plan plan = planOf(gpus, {.kv = kv, .kvReserved = kv});
    GpuChart bars;
    bars.show(plan, SizeUnit::Binary, style());
    QCOMPARE(painted(bars, size).faults(QRectF({}, size)).join(QStringLiteral("; ")), QString());
    GrowthChart curves;
    curves.show(sweepOf({.perToken = kv * 1e4, .context = Tokens(context), .budget = gb(54.4 * gpus)}), plan, SizeUnit::Decimal, style());
    QCOMPARE(painted(curves, size).faults(QRectF({}, size)).join(QStringLiteral("; ")), QString());
}

void ChartsTest::gpuAxisIsSteadyWhileShort() {
    GpuChart chart;
    chart.resize(900, 300);
    const auto end = [&](double kv) { // the axis' last label
        chart.show(planOf(8, {.kv = kv, .kvReserved = kv}), SizeUnit::Decimal, style());
        const DrawnTexts screen = onScreen(chart);
        const double axis = screen.rectOf(QStringLiteral("0")).bottom();
        DrawnText last;
        for (const DrawnText &text : screen.drawn())
            if (std::abs(text.rect.bottom() - axis) < 2 && text.rect.right() > last.rect.right())
                last = text;
        return last.text;
    };
    QCOMPARE(end(53.7), QStringLiteral("80 GB"));
    QCOMPARE(end(128), QStringLiteral("160 GB"));
    QCOMPARE(end(110), QStringLiteral("160 GB"));
    QCOMPARE(end(90), QStringLiteral("160 GB")); // alone it would end at 120
    QCOMPARE(end(150), QStringLiteral("200 GB"));
    QCOMPARE(end(128), QStringLiteral("200 GB"));
    QCOMPARE(end(53.7), QStringLiteral("80 GB")); // it fits again: the card is the axis
}

void ChartsTest::growthAxisIsSteady() {
    GrowthChart chart;
    chart.resize(900, 300);
    chart.QWidget::show();
    const auto marks = [&](std::int64_t context) {
        chart.show(sweepOf({.context = Tokens(context), .to = Tokens(1 << 20)}), planOf(8), SizeUnit::Decimal, style());
        QStringList all;
        for (const QString &text : onScreen(chart).texts())
            if (text.endsWith(QStringLiteral(" GB")) && !text.contains(QStringLiteral("here")))
                all.append(text);
        return all.join(QLatin1Char(' '));
    };
    const QString first = marks(131072);
    QVERIFY(first.contains(QStringLiteral("800 GB")));
    for (const std::int64_t context : {1024, 5000, 64000, 131072, 140000})
        QCOMPARE(marks(context), first);
    QVERIFY(marks(262144).contains(QStringLiteral("1,500 GB")));
    QVERIFY(marks(180000).contains(QStringLiteral("1,500 GB"))); // alone it would end at 1,000
}

void ChartsTest::keysMoveThePoint() {
    GrowthChart chart;
    chart.resize(900, 300);
    chart.show(sweepOf(), planOf(8), SizeUnit::Decimal, style());
    QWidget *target = view(chart);
    QVERIFY(target->focusPolicy() & Qt::TabFocus);
    const QString summary = target->accessibleDescription();
    QCOMPARE(summary, chart.description());
    QTest::keyClick(target, Qt::Key_Home);
    QVERIFY2(target->accessibleDescription().startsWith(QStringLiteral("1,024 tokens, BF16 3.4 GB")), qPrintable(target->accessibleDescription()));
    QTest::keyClick(target, Qt::Key_Right);
    QCOMPARE(target->accessibleDescription(), QStringLiteral("2,048 tokens, BF16 6.7 GB, FP8 3.4 GB, INT4 1.7 GB, Left for KV 434.9 GB"));
    QVERIFY(onScreen(chart).has(QStringLiteral("2,048 tokens")));
    QTest::keyClick(target, Qt::Key_End);
    QTest::keyClick(target, Qt::Key_Right);
    QVERIFY(target->accessibleDescription().startsWith(QStringLiteral("262,144 tokens")));
    QTest::keyClick(target, Qt::Key_Escape);
    QCOMPARE(target->accessibleDescription(), summary);
    QVERIFY(!onScreen(chart).has(QStringLiteral("262,144 tokens")));
    QTest::keyClick(target, Qt::Key_Left); // enters at the present end
    QVERIFY(target->accessibleDescription().startsWith(QStringLiteral("262,144 tokens")));
}

void ChartsTest::mouseFindsTheBar() {
    GpuChart chart;
    chart.resize(900, 300);
    Plan plan = planOf(4);
    plan.gpus[3].kv = gb(50);
    plan.gpus[3].kvReserved = gb(50);
    plan.gpus[3].free += gb(3.7);
    chart.show(plan, SizeUnit::Decimal, style());
    chart.QWidget::show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    const QRectF label = onScreen(chart).rectOf(QStringLiteral("GPU 3"));
    auto *area = qobject_cast<QAbstractScrollArea *>(view(chart));
    QTest::mouseMove(area->viewport(), area->viewport()->mapFrom(&chart, QPoint(450, static_cast<int>(label.center().y()))));
    QVERIFY2(view(chart)->accessibleDescription().contains(QStringLiteral("KV cache 50 GB, Free 4.4 GB")),
             qPrintable(view(chart)->accessibleDescription()));
    QTest::mouseMove(area->viewport(), QPoint(450, area->viewport()->height() - 1));
    QCOMPARE(view(chart)->accessibleDescription(), chart.description());
}

void ChartsTest::wheelIsLeftToOthers() {
    GpuChart chart;
    chart.resize(900, 300);
    chart.show(planOf(4), SizeUnit::Decimal, style());
    auto *area = qobject_cast<QAbstractScrollArea *>(view(chart));
    QWheelEvent wheel({100, 50}, {100, 50}, {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(area->viewport(), &wheel);
    QVERIFY(!wheel.isAccepted());
}

void ChartsTest::restyledAtOnce() {
    GpuChart chart;
    chart.resize(400, 200);
    const auto pixel = [&](const ChartStyle &s) {
        chart.show(planOf(1, {.weights = 60, .kv = 0, .kvReserved = 0}), SizeUnit::Decimal, s);
        const QImage image = chart.grab().toImage();
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                colours.insert(image.pixel(x, y));
        return colours;
    };
    ChartStyle other = style();
    other.weights = QColor(1, 200, 3);
    QVERIFY(pixel(style()).contains(style().weights.rgb()));
    const QSet<QRgb> after = pixel(other);
    QVERIFY(after.contains(other.weights.rgb()));
    QVERIFY(!after.contains(style().weights.rgb()));
}

void ChartsTest::unitSwitch() {
    GpuChart chart;
    chart.show(planOf(8, {.memory = 85.04}), SizeUnit::Binary, style());
    const DrawnTexts picture = painted(chart, {880, 300});
    QVERIFY(picture.has(QStringLiteral("79.2 GiB")) && picture.has(QStringLiteral("16.4")));
    chart.show(planOf(8, {.memory = 85.04}), SizeUnit::Decimal, style());
    QVERIFY(painted(chart, {880, 300}).has(QStringLiteral("85.0 GB")));
}

void ChartsTest::describesItself() {
    GpuChart bars;
    bars.setTitle(QStringLiteral("Memory of each GPU · vLLM 0.24"));
    bars.show(planOf(8), SizeUnit::Decimal, style());
    QCOMPARE(view(bars)->accessibleName(), QStringLiteral("Memory of each GPU · vLLM 0.24"));
    QVERIFY(view(bars)->accessibleDescription().contains(QStringLiteral("KV cache 53.7 GB")));
    QCOMPARE(bars.table()->rowCount(), 8);
    GrowthChart curves;
    curves.show(sweepOf(), planOf(8), SizeUnit::Decimal, style());
    QCOMPARE(view(curves)->accessibleName(), QStringLiteral("Growth with context"));
    QVERIFY(view(curves)->accessibleDescription().contains(QStringLiteral("429.5 GB as BF16")));
    QCOMPARE(curves.table()->columnCount(), 5);
}

void ChartsTest::shownWidgetKeepsItsPicture() {
    // Exporting at another size must not disturb what is on screen.
    GrowthChart chart;
    chart.resize(900, 300);
    chart.show(sweepOf(), planOf(8), SizeUnit::Decimal, style());
    const QImage before = chart.grab().toImage();
    painted(chart, {300, 200});
    QCOMPARE(chart.grab().toImage(), before);
}

// What stands after many changes, of values, of rows and over the limit, is what a new chart paints.
void ChartsTest::eachChangeIsLikeTheFirst() {
    const auto grabbed = [](GpuChart &chart) {
        QApplication::processEvents();
        return chart.grab().toImage();
    };
    GpuChart chart;
    chart.resize(900, 300);
    chart.setAttribute(Qt::WA_DontShowOnScreen);
    QWidget &widget = chart;
    widget.show();
    for (const auto &[gpus, kv] : {std::pair(8, 20.0), {8, 53.7}, {8, 70.0}, {4, 30.0}, {4, 54.4}, {24, 54.4}, {24, 12.0}, {1, 12.0}}) {
        GpuChart fresh;
        fresh.resize(900, 300);
        for (GpuChart *each : {&chart, &fresh})
            each->show(planOf(gpus, {.kv = kv}), SizeUnit::Decimal, style());
        QCOMPARE(grabbed(chart), grabbed(fresh));
    }
}

// Qt Charts draws a curve from point to point: the ends must close the gaps, and round ones must where it bends sharply. A line that leaves out
// points nobody could see has few, and is as fine as the screen.
void ChartsTest::curvesHaveNoGaps() {
    qsizetype coarse = 0;
    const Scenario scenario = firstScenario();
    const Plan plan = evaluate(scenario);
    for (const auto &[window, scale, ends] : {std::tuple(std::int64_t{0}, 1.0, Qt::SquareCap), {0, 3.0, Qt::SquareCap}, {16384, 1.0, Qt::RoundCap}}) {
        GrowthView view;
        view.resize(900, 300);
        view.show(growthPicture(window > 0 ? sweepOf({.window = window}) : growthSweep(scenario, plan), plan, SizeUnit::Decimal), style());
        QImage image(QSizeF(900 * scale, 300 * scale).toSize(), QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        QPainter painter(&image);
        view.paintTo(painter, QRectF(0, 0, 900, 300));
        const auto *line = qobject_cast<QLineSeries *>(view.chart()->series().first());
        QVERIFY(line);
        QCOMPARE(line->pen().capStyle(), ends);
        if (window > 0)
            continue;
        const qsizetype points = line->points().size();
        QVERIFY2(points > coarse && points < 60, qPrintable(QString::number(points)));
        coarse = points;
    }
}

KV_TEST(ChartsTest)
#include "chartstest.moc"
