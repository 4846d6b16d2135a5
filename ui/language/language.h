// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The languages of the window. English is in the program; every other is a file kvplanner_CODE.ts in resources/translations, built into
// the program, found here by its name and called by what it says of itself ("简体中文"). The command line and every file stay English.
//
// Of what the desktop asks for (QLocale::uiLanguages) the first that there is; none: English, whole, never a mixture. Numbers follow
// the desktop's locale as long as the language does, else the language that was chosen.

#include <QList>
#include <QString>

class QLocale;

namespace kv {

struct Language {
    QString code; ///< "en", "zh_CN"
    QString name; ///< in itself
};

/// English first, then by code.
const QList<Language> &languages();
/// The code among languages() that "zh", "zh-CN" or "zh_CN.UTF-8" means; empty: there is none.
QString languageFor(const QString &asked);
/// The first of the desktop's languages that there is.
QString systemLanguage();
/// "en, zh_CN", for a refusal.
QString languageCodes();

/// Everything that is worded from now on is in this language; empty: the desktop's. What stands in widgets stays as it was.
void speak(const QString &code = {});
QString spokenLanguage();
/// What stands before decimals and between groups of three digits.
struct NumberMarks {
    QString decimal, group;
};
/// Those of the language, or of the desktop's locale; on any thread, where Qt's own default locale must not be asked for: it may be changing.
NumberMarks numberMarks();
/// From now on as this locale has them; speak() does so.
void writeNumbersLike(const QLocale &locale);

/// While one lives, its thread writes as files are written: numbers plain, and with Words::English the words in English, whatever the
/// window speaks. No window is told.
class AsInFiles {
public:
    enum class Words { Spoken, English };
    explicit AsInFiles(Words words = Words::Spoken);
    ~AsInFiles();
    AsInFiles(const AsInFiles &) = delete;
    AsInFiles &operator=(const AsInFiles &) = delete;
    /// Whether the numbers of this thread are plain by one of these: work that is handed to another takes it along.
    static bool isNow();

private:
    int m_english; ///< what this one adds
};

/// Counts up with each speak(): what is kept in one language is stale once it has changed.
int languageTurn();

/// The sentence of the language's file for one of core's, empty when it has none; see ui/language/translate.h.
QString coreTranslation(const char *context, const char *english);

} // namespace kv
