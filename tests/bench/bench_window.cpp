// SPDX-License-Identifier: GPL-3.0-or-later
//
// bench_window [CHANGES]: the whole window. Prints a table: from main() to the first painted window, resident memory, and from a changed
// context until every view is painted. With CHANGES it makes just so many and prints nothing, for tests/bench/instructions to count.
// Asserts nothing, since times depend on the machine. Runs offscreen unless QT_QPA_PLATFORM is set, with settings of its own.

#include "ui/application.h"
#include "ui/document.h"
#include "ui/mainwindow.h"
#include "ui/program.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstdio>
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

/// One step of a drag over the contexts from 1k to 256k, until everything is painted.
void change(MainWindow *window, int step) {
    const std::int64_t context = std::llround(1024 * std::exp2(8.0 * (step % 500) / 500));
    window->document()->edit(QStringLiteral("Change Context"), 1, [context](Scenario &s) { s.workload.context = Tokens(context); });
    window->document()->flush();
    QCoreApplication::processEvents();
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
    if (argc > 1) {
        for (int i = 0; i < std::atoi(argv[1]); ++i)
            change(window, i * 7);
        return 0;
    }
    std::vector<double> times;
    for (int i = 0; i < 520; ++i) {
        clock.restart();
        change(window, i * 7);
        if (i >= 20) // the first steps fill caches
            times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    std::ranges::sort(times);
    std::printf("%-58s %10.1f\n", "main() to the first painted window, ms", first);
    std::printf("%-58s %10.1f\n", "resident memory then, MB", memory);
    std::printf("%-58s %10.2f\n", "a change until all views are painted, median of 500, ms", times[times.size() / 2]);
    std::printf("%-58s %10.2f\n", "the same, p99, ms", times[times.size() * 99 / 100]);
    std::printf("%-58s %10.1f\n", "resident memory after 520 changes, MB", residentMb());
    return 0;
}
