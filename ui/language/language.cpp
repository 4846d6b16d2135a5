// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QMutex>
#include <QTranslator>

#include <algorithm>
#include <atomic>
#include <memory>

namespace kv {

namespace {

constexpr QLatin1String folder(":/translations/"), english("en");

//: The name of the translation's own language, as its speakers write it; the menu shows it.
constexpr const char *ownName = QT_TRANSLATE_NOOP("kv::Language", "English");

/// How many AsInFiles of this thread ask for plain numbers, and how many of them for English words.
thread_local int plainNumbers = 0, englishWords = 0;

/// A language's words, silent where a thread writes English.
class Dictionary : public QTranslator {
public:
    QString translate(const char *context, const char *text, const char *comment = nullptr, int n = -1) const override {
        return englishWords > 0 ? QString() : QTranslator::translate(context, text, comment, n);
    }
};

struct Spoken {
    QString code{english};
    std::unique_ptr<QTranslator> own, qt;
    std::atomic<int> turn = 0;
    NumberMarks marks{QStringLiteral("."), QStringLiteral(",")};
    QMutex mutex; ///< of code, own and marks: pictures are worded on other threads too
};

Spoken &spoken() {
    static Spoken state;
    return state;
}

QString nameOf(const QString &code) {
    QTranslator file;
    if (!file.load(folder + QLatin1String("kvplanner_") + code))
        return code;
    const QString name = file.translate("kv::Language", ownName);
    return name.isEmpty() ? code : name;
}

QList<Language> findLanguages() {
    QList<Language> found;
    for (const QString &file : QDir(folder).entryList({QStringLiteral("kvplanner_*.qm")}, QDir::Files, QDir::Name)) {
        const QString code = file.section(QLatin1Char('_'), 1).section(QLatin1Char('.'), 0, 0);
        found.append({code, nameOf(code)});
    }
    found.prepend({english, QStringLiteral("English")});
    return found;
}

/// Qt's own words (the buttons of dialogs): as built in, else as installed with Qt.
std::unique_ptr<QTranslator> qtWords(const QString &code) {
    auto words = std::make_unique<Dictionary>();
    const QString name = QStringLiteral("qtbase_") + code;
    if (words->load(folder + name) || words->load(QLibraryInfo::path(QLibraryInfo::TranslationsPath) + QLatin1Char('/') + name))
        return words;
    return nullptr;
}

} // namespace

const QList<Language> &languages() {
    static const QList<Language> list = findLanguages();
    return list;
}

QString languageFor(const QString &asked) {
    const QString code = asked.section(QLatin1Char('.'), 0, 0).section(QLatin1Char('@'), 0, 0).replace(QLatin1Char('-'), QLatin1Char('_'));
    if (code.isEmpty())
        return {};
    for (const Language &language : languages())
        if (language.code.compare(code, Qt::CaseInsensitive) == 0)
            return language.code;
    // "zh" is the first of its kind, "zh_Hans_CN" is zh_CN, "en_GB" is en; but zh_TW is not zh_CN: the script is another.
    const QLocale wanted(code);
    const bool known = wanted.language() != QLocale::C;
    for (const Language &language : languages()) {
        const QLocale here(language.code);
        if (known && here.language() == wanted.language() && here.script() == wanted.script())
            return language.code;
    }
    return {};
}

QString systemLanguage() {
    for (const QString &name : QLocale::system().uiLanguages())
        if (QString code = languageFor(name); !code.isEmpty())
            return code;
    return english;
}

QString languageCodes() {
    QStringList codes;
    for (const Language &language : languages())
        codes += language.code;
    return codes.join(QStringLiteral(", "));
}

void speak(const QString &asked) {
    Spoken &state = spoken();
    const QString chosen = languageFor(asked), code = chosen.isEmpty() ? systemLanguage() : chosen;
    std::unique_ptr<QTranslator> own, qt;
    if (code != english) {
        own = std::make_unique<Dictionary>();
        if (!own->load(folder + QLatin1String("kvplanner_") + code))
            own.reset();
        qt = qtWords(code);
    }
    {
        const QMutexLocker lock(&state.mutex);
        state.code = code;
        state.own.swap(own);
        state.qt.swap(qt);
    }
    for (const std::unique_ptr<QTranslator> *old : {&own, &qt})
        if (*old)
            QCoreApplication::removeTranslator(old->get());
    for (const std::unique_ptr<QTranslator> *now : {&state.qt, &state.own})
        if (*now)
            QCoreApplication::installTranslator(now->get());
    // English without a country writes numbers like C, which is what files and the command line have.
    writeNumbersLike(chosen.isEmpty() ? QLocale::system() : chosen == english ? QLocale::c() : QLocale(chosen));
    ++state.turn;
}

void writeNumbersLike(const QLocale &locale) {
    QLocale::setDefault(locale); // for what Qt itself shows
    const bool plain = locale.language() == QLocale::C;
    const NumberMarks marks = plain ? NumberMarks{QStringLiteral("."), QStringLiteral(",")} : NumberMarks{locale.decimalPoint(), locale.groupSeparator()};
    const QMutexLocker lock(&spoken().mutex);
    spoken().marks = marks;
}

AsInFiles::AsInFiles(Words words) : m_english(words == Words::English ? 1 : 0) {
    ++plainNumbers;
    englishWords += m_english;
}

AsInFiles::~AsInFiles() {
    --plainNumbers;
    englishWords -= m_english;
}

bool AsInFiles::isNow() { return plainNumbers > 0; }

NumberMarks numberMarks() {
    if (plainNumbers > 0)
        return {QStringLiteral("."), QStringLiteral(",")};
    const QMutexLocker lock(&spoken().mutex);
    return spoken().marks;
}

QString spokenLanguage() {
    if (englishWords > 0)
        return english;
    const QMutexLocker lock(&spoken().mutex);
    return spoken().code;
}

int languageTurn() { return 2 * spoken().turn + (englishWords > 0 ? 1 : 0); }

QString coreTranslation(const char *context, const char *text) {
    Spoken &state = spoken();
    const QMutexLocker lock(&state.mutex);
    return state.own ? state.own->translate(context, text) : QString();
}

} // namespace kv
