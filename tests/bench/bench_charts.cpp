// SPDX-License-Identifier: GPL-3.0-or-later
//
// bench_charts [CHANGES]: how long a slider takes until both charts are painted.
//
// A window of 1440 × 900 holds the two charts at the sizes that they have in the program, a slider runs through the contexts,
// and each change is timed from the slider's signal to the last painted viewport, the planning included. Beside the charts the
// same picture is painted by hand, with the fastest calls that QPainter has (QLineF lists, aligned fillRect): the yardstick.
// Prints a line for each at 1x, 2x and 3x; asserts nothing, since times depend on the machine. Runs offscreen unless QT_QPA_PLATFORM is set.

#include "core/plan/evaluate.h"
#include "core/plan/sweep.h"
#include "tests/bench/handpainted.h"
#include "tests/bench/measured.h"
#include "ui/charts/gpuchart.h"
#include "ui/charts/growthchart.h"

#include <QtWidgets/QtWidgets>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

using namespace kv;

namespace {

struct Data {
    Plan plan;
    Sweep sweep;
};

Data dataFor(int percent) {
    static Scenario scenario = firstScenario();
    scenario.workload.context = Tokens(std::llround(1024 * std::exp2(8.0 * percent / 1000.0)));
    constexpr std::array types{ElementType::Bf16, ElementType::Fp8, ElementType::Int4};
    Data data;
    data.plan = evaluate(scenario);
    data.sweep = sweepContext(scenario, data.plan, Tokens(1024), Tokens(262144), types);
    return data;
}

/// Counts the paint events of what it watches.
class PaintCounter : public QObject {
public:
    int painted = 0;
    bool eventFilter(QObject *watched, QEvent *event) override {
        painted += event->type() == QEvent::Paint ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }
};

using Times = std::vector<double>;

using Show = std::function<void(const Data &)>;

/// `painted`: the widgets whose painting is waited for. A change that leaves a view as it is paints nothing there: it is done when nothing
/// more is painted.
Times run(QWidget &window, const QList<QWidget *> &painted, const Show &show, int changes) {
    QSlider slider(Qt::Horizontal);
    slider.setRange(0, 1000);
    QObject::connect(&slider, &QSlider::valueChanged, [&](int value) { show(dataFor(value)); });
    slider.setValue(500);
    window.show();
    PaintCounter counter;
    for (QWidget *widget : painted)
        widget->installEventFilter(&counter);
    for (int i = 0; i < 20; ++i)
        QCoreApplication::processEvents();
    std::vector<double> times;
    for (int i = 0; i < changes; ++i) {
        counter.painted = 0;
        QElapsedTimer timer;
        timer.start();
        slider.setValue(500 + static_cast<int>(std::lround(480 * std::sin(i * 0.05))) + i % 2);
        int before = -1;
        while (counter.painted != before) {
            before = counter.painted;
            QCoreApplication::processEvents();
        }
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    return times;
}

QWidget *placed(QWidget *chart, QWidget &window, const QRect &place) {
    chart->setParent(&window);
    chart->setGeometry(place);
    return chart;
}

QWidget *viewport(QWidget *chart) { return chart->findChild<QAbstractScrollArea *>()->viewport(); }

void measure(int changes) {
    const ChartStyle style = ChartStyle::fromPalette(QApplication::palette(), QApplication::font());
    const QRect above(356, 272, 704, 260), below(356, 566, 704, 290);
    const double scale = qApp->devicePixelRatio();
    const auto row = [&](const char *what, const Times &charts, const Times &hand) {
        const bench::Measured least = bench::summary({}, "ms", hand);
        bench::Measured m = bench::summary(std::string(what) + ", slider to painted, " + std::to_string(std::lround(scale)) + "x", "ms", charts, least.median * (scale > 1 ? 1.1 : 2));
        m.yardstick = least.median;
        m.limit = "the same picture painted by hand";
        bench::say(m);
    };
    const auto both = [&](bool withGpus, bool withGrowth) {
        QWidget window;
        window.resize(1440, 900);
        QList<QWidget *> painted;
        QList<Show> shows;
        if (withGpus) {
            auto *chart = new GpuChart;
            painted.append(viewport(placed(chart, window, above)));
            shows.append([=](const Data &d) { chart->show(d.plan, SizeUnit::Decimal, style); });
        }
        if (withGrowth) {
            auto *chart = new GrowthChart;
            painted.append(viewport(placed(chart, window, below)));
            shows.append([=](const Data &d) { chart->show(d.sweep, d.plan, SizeUnit::Decimal, style); });
        }
        const Times charts = run(window, painted, [&](const Data &d) { for (const Show &show : shows) show(d); }, changes);
        QWidget other;
        other.resize(1440, 900);
        painted.clear();
        shows.clear();
        if (withGpus) {
            auto *hand = new bench::HandGpus(style);
            painted.append(placed(hand, other, above));
            shows.append([=](const Data &d) { hand->show(gpuBars(d.plan, SizeUnit::Decimal)); });
        }
        if (withGrowth) {
            auto *hand = new bench::HandGrowth(style);
            painted.append(placed(hand, other, below));
            shows.append([=](const Data &d) { hand->show(growthPicture(d.sweep, d.plan, SizeUnit::Decimal)); });
        }
        const Times hand = run(other, painted, [&](const Data &d) { for (const Show &show : shows) show(d); }, changes);
        row(withGpus && withGrowth ? "both" : withGpus ? "memory of each GPU" : "growth with context", charts, hand);
    };
    both(true, false);
    both(false, true);
    both(true, true);
}

} // namespace

int main(int argc, char **argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QByteArray mark = "KV_BENCH_SCALE";
    const int changes = argc > 1 ? std::max(1, std::atoi(argv[1])) : 500;
    if (qEnvironmentVariableIsSet(mark.constData())) {
        const QApplication application(argc, argv);
        measure(changes);
        return 0;
    }
    // The scale is fixed when the application starts: one process for each.
    for (const char *scale : {"1", "2", "3"}) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromLatin1(mark), QString::fromLatin1(scale));
        environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QString::fromLatin1(scale));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::ForwardedChannels);
        process.start(QString::fromLocal8Bit(argv[0]), {QString::number(changes)});
        process.waitForFinished(-1);
    }
    return 0;
}
