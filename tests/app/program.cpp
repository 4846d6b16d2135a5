// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"

#include "tests/testpaths.h"

#include <QProcess>

namespace kv::test {

qsizetype Answer::errorLines() const { return err.trimmed().isEmpty() ? 0 : err.trimmed().split('\n').size(); }

Answer runProgram(const QStringList &arguments, const QByteArray &input, const QStringList &environment) {
    constexpr int longest = 30'000;
    QProcess process;
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

} // namespace kv::test
