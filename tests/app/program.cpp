// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"

#include "tests/testpaths.h"

#include <QProcess>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace kv::test {

qsizetype Answer::errorLines() const { return err.trimmed().isEmpty() ? 0 : err.trimmed().split('\n').size(); }

namespace {

Answer run(QProcess &process, const QStringList &arguments, const QByteArray &input, const QStringList &environment) {
    constexpr int longest = 30'000;
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    for (const QString &variable : environment)
        all.insert(variable.section(QLatin1Char('='), 0, 0), variable.section(QLatin1Char('='), 1));
    process.setProcessEnvironment(all);
    process.start(QString::fromUtf8(programPath()), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(longest)) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    const bool ended = process.exitStatus() == QProcess::NormalExit;
    return {ended ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

Answer runProgram(const QStringList &arguments, const QByteArray &input, const QStringList &environment) {
    QProcess process;
    return run(process, arguments, input, environment);
}

Answer runUnprivileged(const QStringList &arguments) {
    QProcess process;
    process.setChildProcessModifier([] {
        if (::geteuid() != 0)
            return;
        // capabilities(7): what is not in the bounding set is not had behind an exec.
        if (::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE) != 0 || ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH) != 0)
            ::_exit(126);
    });
    return run(process, arguments, {}, {});
}

} // namespace kv::test
