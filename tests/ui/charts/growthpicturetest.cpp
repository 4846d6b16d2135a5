// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/growthpicture.h"
#include "ui/charts/labelplacer.h"

#include <QTest>

using namespace kv;
using namespace kv::test;

class GrowthPictureTest : public QObject {
    Q_OBJECT

private slots:
    void presentCurveLiesOnTop();
    void equalCurvesAreOne();
    void valuesBetweenPoints();
    void wanted_data();
    void wanted();
    void budgetText_data();
    void budgetText();
    void hereText();
    void description();
    void nothingToDraw();
    void touching_data();
    void touching();
    void labelsAvoidEachOther();
    void spreading_data();
    void spreading();
};

void GrowthPictureTest::presentCurveLiesOnTop() {
    const GrowthPicture picture = growthPicture(sweepOf(), planOf(8), SizeUnit::Decimal);
    QCOMPARE(picture.curves.size(), std::size_t(3));
    QCOMPARE(picture.curves.back().label, QStringLiteral("BF16"));
    QCOMPARE(picture.present(), &picture.curves.back());
    QCOMPARE(picture.highest().value, 3276800LL * 262144);
}

void GrowthPictureTest::equalCurvesAreOne() {
    Sweep sweep = sweepOf();
    sweep.curves.push_back(sweep.curves[1]);
    sweep.curves.back().type = ElementType::Int8;
    sweep.curves[1].current = false;
    sweep.curves[0].current = false;
    sweep.curves.back().current = true;
    const GrowthPicture picture = growthPicture(sweep, planOf(8), SizeUnit::Decimal);
    QCOMPARE(picture.curves.size(), std::size_t(3));
    QCOMPARE(picture.present()->label, QStringLiteral("FP8 · INT8"));
    QVERIFY(picture.present()->current);
    QCOMPARE(picture.present()->type, ElementType::Int8);
}

void GrowthPictureTest::valuesBetweenPoints() {
    const GrowthPicture picture = growthPicture(sweepOf({.window = 4096}), planOf(8), SizeUnit::Decimal);
    const GrowthCurve &curve = *picture.present();
    QCOMPARE(curve.at(Tokens(1024))->value, 3276800LL * 1024);
    QCOMPARE(curve.at(Tokens(1500))->value, 3276800LL * 1500);
    QCOMPARE(curve.at(Tokens(4096))->value, 3276800LL * 4096);
    QCOMPARE(curve.at(Tokens(5000))->value, 3276800LL * 4096); // past the kink nothing grows
    QVERIFY(!curve.at(Tokens(1023)));
    QVERIFY(!curve.at(Tokens(262145)));
}

void GrowthPictureTest::wanted_data() {
    QTest::addColumn<double>("budget");
    QTest::addColumn<double>("here");
    QTest::addColumn<double>("highest");
    QTest::addColumn<double>("wanted");
    QTest::newRow("the first picture: curves may leave") << 434.9 << 429.5 << 859.0 << 695.84;
    QTest::newRow("the highest curve ends in sight") << 434.9 << 200.0 << 500.0 << 500.0;
    QTest::newRow("room for the limit's own line") << 434.9 << 100.0 << 400.0 << 478.39;
    QTest::newRow("does not fit") << 434.9 << 1030.8 << 2061.6 << 1649.28;
    QTest::newRow("far below the limit, which is out of the picture") << 5000.0 << 1.0 << 40.0 << 44.0;
    QTest::newRow("no room") << -58.0 << 10.0 << 80.0 << 16.0;
    QTest::newRow("nothing grows") << -1.0 << 0.0 << 0.0 << 0.0;
}

void GrowthPictureTest::wanted() {
    QFETCH(double, budget);
    QFETCH(double, here);
    QFETCH(double, highest);
    GrowthPicture picture;
    picture.budget = gb(budget);
    picture.here = gb(here);
    picture.from = Tokens(1);
    picture.to = Tokens(1000);
    picture.curves.push_back({QStringLiteral("BF16"), ElementType::Bf16, true, {{Tokens(1), Bytes(0)}, {Tokens(1000), gb(highest)}}});
    QFETCH(double, wanted);
    QCOMPARE(picture.wanted().value, gb(wanted).value);
}

void GrowthPictureTest::budgetText_data() {
    QTest::addColumn<double>("budget");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<bool>("above");
    QTest::addColumn<QString>("text");
    QTest::newRow("the first picture") << 434.923 << 8 << false << "435 GB left for KV on 8 GPUs";
    QTest::newRow("one") << 55.2 << 1 << false << "55.2 GB left for KV on 1 GPU";
    QTest::newRow("above") << 5000.0 << 1024 << true << "↑ 5,000 GB left for KV on 1,024 GPUs, above this picture";
    QTest::newRow("none") << 0.0 << 2 << false << "no room for KV on 2 GPUs";
    QTest::newRow("negative") << -58.3 << 1 << false << "no room for KV on 1 GPU: 58.3 GB short without any";
}

void GrowthPictureTest::budgetText() {
    QFETCH(double, budget);
    QFETCH(int, gpus);
    QFETCH(bool, above);
    GrowthPicture picture;
    picture.budget = gb(budget);
    picture.gpus = gpus;
    QTEST(picture.budgetText(above), "text");
}

void GrowthPictureTest::hereText() {
    GrowthPicture picture = growthPicture(sweepOf(), planOf(8), SizeUnit::Decimal);
    QCOMPARE(picture.hereText(), QStringLiteral("you are here · 429.5 GB"));
    picture.context = Tokens(512);
    QCOMPARE(picture.hereText(), QStringLiteral("← you are here · 429.5 GB"));
    picture.context = Tokens(1 << 20);
    QCOMPARE(picture.hereText(), QStringLiteral("you are here · 429.5 GB →"));
}

void GrowthPictureTest::description() {
    QCOMPARE(growthPicture(sweepOf(), planOf(8), SizeUnit::Decimal).description(),
             QStringLiteral("At 131,072 tokens the KV cache takes 429.5 GB as BF16. It would take 214.7 GB as FP8, 107.4 GB as INT4. "
                            "435 GB left for KV on 8 GPUs. The model’s limit is 131,072 tokens."));
}

void GrowthPictureTest::nothingToDraw() {
    QVERIFY(!growthPicture(Sweep{}, planOf(8), SizeUnit::Decimal).message.isEmpty());
    Plan refused;
    refused.refusal = errorNote("x", "y", "Not known.");
    QCOMPARE(growthPicture(sweepOf(), refused, SizeUnit::Decimal).description(), QStringLiteral("Nothing to draw: Not known."));
    Sweep broken = sweepOf();
    broken.curves[0].points[3].total = Bytes::outOfRange();
    QCOMPARE(growthPicture(broken, planOf(8), SizeUnit::Decimal).present()->points.size(), broken.curves[0].points.size() - 1);
}

void GrowthPictureTest::touching_data() {
    QTest::addColumn<QLineF>("line");
    QTest::addColumn<bool>("expected");
    QTest::newRow("through") << QLineF(0, 0, 30, 30) << true;
    QTest::newRow("inside") << QLineF(12, 12, 14, 13) << true;
    QTest::newRow("ends inside") << QLineF(0, 15, 15, 15) << true;
    QTest::newRow("ends before") << QLineF(0, 15, 9, 15) << false;
    QTest::newRow("past a corner") << QLineF(0, 12, 12, 0) << false;
    QTest::newRow("upright beside") << QLineF(25, 0, 25, 30) << false;
    QTest::newRow("upright through") << QLineF(15, 0, 15, 30) << true;
}

void GrowthPictureTest::touching() {
    QFETCH(QLineF, line);
    QTEST(touches(line, QRectF(10, 10, 10, 10)), "expected");
}

void GrowthPictureTest::labelsAvoidEachOther() {
    LabelPlacer placer(QRectF(0, 0, 100, 100));
    placer.avoid(QPolygonF({{0, 50}, {50, 50}, {100, 50}}));
    const QRectF onCurve(40, 45, 20, 10), free(40, 60, 20, 10), outside(95, 60, 20, 10);
    QCOMPARE(placer.place({onCurve, free}), free);
    QCOMPARE(placer.place({free, onCurve}), onCurve); // a curve is better than a text
    QVERIFY(placer.crossed(onCurve) && !placer.crossed(free));
    QCOMPARE(placer.place({outside}), QRectF(80, 60, 20, 10));
}

void GrowthPictureTest::spreading_data() {
    QTest::addColumn<QList<double>>("wanted");
    QTest::addColumn<QList<double>>("expected");
    QTest::newRow("far enough apart") << QList<double>{10, 50} << QList<double>{10, 50};
    QTest::newRow("pushed") << QList<double>{50, 51} << QList<double>{50, 62};
    QTest::newRow("any order") << QList<double>{51, 50} << QList<double>{62, 50};
    QTest::newRow("up from the end") << QList<double>{94, 95} << QList<double>{83, 95};
    QTest::newRow("down from the start") << QList<double>{0, 1} << QList<double>{5, 17};
}

void GrowthPictureTest::spreading() {
    QFETCH(QList<double>, wanted);
    QTEST(spread(wanted, {10, 10}, 2, 0, 100), "expected");
}

KV_TEST(GrowthPictureTest)
#include "growthpicturetest.moc"
