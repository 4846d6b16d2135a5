// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <map>

#ifdef QT_WIDGETS_LIB
#include "ui/application.h"
using TestApplication = kv::Application;
#else
using TestApplication = QCoreApplication;
#endif

namespace kv::test {

namespace {

std::map<QByteArray, MakeTest> &tests() {
    static std::map<QByteArray, MakeTest> map;
    return map;
}

// Settings, caches and sockets of the person who runs the tests must neither be read nor written.
void isolate(const QTemporaryDir &home) {
    const QDir root(home.path());
    const auto give = [&root](const char *variable, const char *folder) {
        root.mkpath(QLatin1String(folder));
        const QString path = root.filePath(QLatin1String(folder));
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv(variable, path.toUtf8());
    };
    give("HOME", "home");
    give("XDG_CACHE_HOME", "cache");
    give("XDG_CONFIG_HOME", "config");
    give("XDG_DATA_HOME", "data");
    give("XDG_RUNTIME_DIR", "runtime");
    qputenv("LC_ALL", "C.UTF-8");
    qputenv("QTEST_DISABLE_STACK_DUMP", "1"); // a crash is to fail, not to wait for a debugger
    for (const char *variable : {"LANGUAGE", "QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI",
                                 "QT_QPA_PLATFORMTHEME", "QT_STYLE_OVERRIDE"})
        qunsetenv(variable);
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
}

int checkClasses(QList<QByteArray> wanted) {
    std::sort(wanted.begin(), wanted.end());
    QList<QByteArray> held;
    for (const auto &entry : tests())
        held.append(entry.first);
    if (held == wanted)
        return 0;
    std::fprintf(stderr, "classes held:  %s\nclasses named: %s\n", held.join(' ').constData(),
                 wanted.join(' ').constData());
    return 1;
}

int runAll(int argc, char **argv) {
    int failures = 0;
    for (const auto &[name, make] : tests())
        failures += QTest::qExec(make().get(), argc, argv);
    return failures;
}

} // namespace

bool registerTest(const char *className, MakeTest make) {
    return tests().emplace(QByteArray(className).toLower(), make).second;
}

int run(int argc, char **argv) {
    const QByteArray first = argc > 1 ? QByteArray(argv[1]).toLower() : QByteArray();
    if (first == "--classes")
        return checkClasses(QList<QByteArray>(argv + 2, argv + argc));
    const QTemporaryDir home;
    isolate(home);
    const TestApplication application(argc, argv);
    if (first.isEmpty() || first.startsWith('-'))
        return runAll(argc, argv);
    const auto found = tests().find(first);
    if (found == tests().end()) {
        std::fprintf(stderr, "no test class %s here\n", first.constData());
        return 2;
    }
    argv[1] = argv[0];
    return QTest::qExec(found->second().get(), argc - 1, argv + 1);
}

} // namespace kv::test

int main(int argc, char **argv) { return kv::test::run(argc, argv); }
