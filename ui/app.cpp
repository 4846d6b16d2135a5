// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/app.h"

#include "core/base/bigpages.h"
#include "core/base/plaintext.h"
#include "core/scenario/readahead.h"
#include "ui/application.h"
#include "ui/language/language.h"
#include "ui/program.h"
#include "ui/words.h"

#include <cstdio>

namespace kv {

namespace {

#if defined(Q_OS_UNIX) && !defined(Q_OS_MACOS)
/// Qt ends a program that finds no display with an abort; a sentence is better.
bool hasDisplay() {
    const bool chosen = qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
    return chosen || !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}
#else
bool hasDisplay() { return true; }
#endif

/// The base directory specification: a relative folder is to be ignored. Qt would keep a person's work below whatever folder the program was
/// started in, and not find it again.
void ignoreRelativeFolders() {
    for (const char *variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        if (!qEnvironmentVariable(variable).startsWith(QLatin1Char('/')))
            qunsetenv(variable);
}

} // namespace

std::optional<Note> languageFault(const std::string &language) {
    if (language.empty() || !languageFor(words(language)).isEmpty())
        return std::nullopt;
    return errorNote("usage", "--lang", "--lang: there is no language \"" + oneLine(language, 40) + "\" here; there are " + utf8(languageCodes()));
}

std::vector<std::string> languageCodeList() {
    std::vector<std::string> codes;
    for (const Language &language : languages())
        codes.push_back(utf8(language.code));
    return codes;
}

int runWindow(int argc, char **argv, const std::string &language) {
    bool platformGiven = false;
    for (int i = 1; i < argc; ++i)
        platformGiven |= qstrcmp(argv[i], "-platform") == 0 || qstrcmp(argv[i], "--platform") == 0;
    if (!platformGiven && !hasDisplay()) {
        std::fputs("kvplanner: there is no display to open a window on; `kvplanner plan` and `kvplanner render` need none\n", stderr);
        return 2;
    }
    takeMemoryInBigPages();
    ignoreRelativeFolders();
    const ReadAhead ahead;
    Application application(argc, argv);
    Program program(nullptr, languageFor(words(language)));
    QObject::connect(&application, &QGuiApplication::lastWindowClosed, program.session(), &Session::close);
    const QStringList arguments = QCoreApplication::arguments();
    program.start(arguments.value(1));
    return QApplication::exec();
}

} // namespace kv
