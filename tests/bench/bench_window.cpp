// SPDX-License-Identifier: GPL-3.0-or-later
//
// bench_window [CHANGES | --drag MINUTES]: the whole window. From main() to the first painted window, resident memory, and for each slider
// and with each page open the time from a change until everything is painted, 1,000 changes each. With CHANGES it makes just so many and
// prints nothing, for tests/bench/instructions to count; with --drag it drags without end and prints the memory each minute. Asserts nothing,
// since times depend on the machine. Runs offscreen unless QT_QPA_PLATFORM is set, with settings of its own.

#include "core/base/bigpages.h"
#include "core/scenario/readahead.h"
#include "tests/bench/measured.h"
#include "ui/application.h"
#include "ui/document.h"
#include "ui/mainwindow.h"
#include "ui/program.h"
#include "ui/views.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtGui/QAction>

#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace kv;

/// Resident memory in 10^6 bytes.
double residentMb() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toDouble() * 4096 / 1e6;
}

struct Dragged {
    const char *name;
    void (*set)(Scenario &scenario, double share); ///< from 0 to 1, as the slider stands
};

const Dragged sliders[]{
    {"context", [](Scenario &s, double share) { s.workload.context = Tokens(std::llround(1024 * std::exp2(8 * share))); }},
    {"sequences", [](Scenario &s, double share) { s.workload.sequences = Count(std::llround(std::exp2(8 * share))); }},
    {"shared prefix", [](Scenario &s, double share) { s.workload.sharedPrefix = Tokens(std::llround(65536 * share)); }},
};

/// Sees that a window has painted: what is asked for by update() is painted later, by a timer of the window system's.
class Painting : public QObject {
public:
    explicit Painting(QWidget *window) : m_window(window) { window->installEventFilter(this); }
    bool done = false;

protected:
    bool eventFilter(QObject *object, QEvent *event) override {
        if (object != m_window || event->type() != QEvent::UpdateRequest)
            return false;
        m_window->removeEventFilter(this);
        QCoreApplication::sendEvent(m_window, event); // paints
        m_window->installEventFilter(this);
        done = true;
        return true;
    }

private:
    QWidget *m_window;
};

/// One step of a drag, until everything is painted. False: it lands on the value that there was, and nothing is to be painted.
bool change(MainWindow *window, const Dragged &slider, int step) {
    static Painting painting(window);
    const double share = static_cast<double>(step % 500) / 500;
    painting.done = false;
    Scenario wanted = window->document()->scenario();
    slider.set(wanted, share);
    if (wanted == window->document()->scenario())
        return false;
    window->document()->edit(QStringLiteral("Change"), 1, [&](Scenario &s) { slider.set(s, share); });
    window->document()->flush();
    QElapsedTimer patience;
    patience.start();
    while (!painting.done && patience.elapsed() < 500)
        QCoreApplication::processEvents();
    return true;
}

constexpr std::size_t changes = 1000;

void measure(MainWindow *window, const Dragged &slider, const QString &where, double aim) {
    std::vector<double> times;
    QElapsedTimer clock;
    for (int i = 0; times.size() < changes; ++i) {
        clock.restart();
        if (change(window, slider, i * 7) && i >= 20) // the first steps fill caches
            times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    bench::Measured m = bench::summary(QStringLiteral("%1 changed until all is painted, %2, %3x").arg(QLatin1String(slider.name), where).arg(window->devicePixelRatioF()).toStdString(), "ms", std::move(times), aim);
    m.aimsAtP99 = true;
    bench::say(m);
}

void measureAll(MainWindow *window) {
    constexpr double frame = 1000.0 / 60;
    const double aim = window->devicePixelRatioF() > 1 ? NAN : frame;
    const auto measureEach = [&](const QString &where) {
        for (const Dragged &slider : sliders) {
            measure(window, slider, where, aim);
            window->document()->edit(QStringLiteral("Back"), 2, [](Scenario &s) { s = firstScenario(); });
        }
    };
    measureEach(QStringLiteral("charts"));
    for (const ViewEntry &entry : viewEntries()) {
        auto *action = window->findChild<QAction *>(QLatin1String(entry.id) + QStringLiteral("Action"));
        if (!action)
            continue;
        action->trigger();
        QCoreApplication::processEvents();
        measureEach(entry.title);
    }
}

int drag(MainWindow *window, double minutes) {
    QElapsedTimer clock;
    clock.start();
    double said = 0;
    for (int i = 0; static_cast<double>(clock.elapsed()) < minutes * 60'000; ++i) {
        change(window, sliders[i / 500 % 3], i * 7);
        if (static_cast<double>(clock.elapsed()) < said)
            continue;
        std::printf("%5.0f s %9d changes %8.1f MB\n", static_cast<double>(clock.elapsed()) / 1e3, i, residentMb());
        std::fflush(stdout);
        said += 60'000;
    }
    const double memory = residentMb();
    bench::say({"resident memory after " + std::to_string(std::lround(minutes)) + " minutes of dragging", "MB", memory, memory, memory, 80});
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    QElapsedTimer clock;
    clock.start();
    const QTemporaryDir home;
    for (const char *variable : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
        qputenv(variable, home.path().toUtf8());
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_QPA_UPDATE_IDLE_TIME", "0"); // else 5 ms of waiting are measured besides
    takeMemoryInBigPages(); // as runWindow() does
    const ReadAhead ahead;
    Application application(argc, argv);
    if (argc > 1) // what is counted must not follow from the machine's taste in type
        QApplication::setFont(QFont(QStringLiteral("DejaVu Sans"), 9));
    Program program;
    program.start({});
    MainWindow *window = program.windows().constFirst();
    window->resize(1440, 900);
    window->show();
    QCoreApplication::processEvents();
    const double first = static_cast<double>(clock.nsecsElapsed()) / 1e6, memory = residentMb();
    if (argc > 2 && std::string_view(argv[1]) == "--drag")
        return drag(window, std::atof(argv[2]));
    if (argc > 1) {
        if (const char *started = std::getenv("KV_STARTED"); started && std::string_view(argv[1]) == "0") { // by the clock of who started it
            timespec now{};
            clock_gettime(CLOCK_MONOTONIC, &now);
            std::printf("%.3f\n", static_cast<double>(now.tv_sec * 1'000'000'000LL + now.tv_nsec - std::atoll(started)) / 1e6);
        }
        for (int i = 0; i < std::atoi(argv[1]); ++i)
            change(window, sliders[0], i * 7);
        return 0;
    }
    const std::string at = ", " + std::to_string(std::lround(window->devicePixelRatioF())) + "x";
    bench::say({"main() to the first painted window" + at, "ms", first, first, first});
    bench::say({"resident memory then" + at, "MB", memory, memory, memory, 80});
    measureAll(window);
    const double after = residentMb();
    bench::say({"resident memory after all these changes" + at, "MB", after, after, after, 80});
    return 0;
}
