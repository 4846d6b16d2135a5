// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language/translate.h"

#include "core/hardware/gpu.h"
#include "ui/language/language.h"
#include "ui/language/numbers.h"
#include "ui/language/patterns.h"
#include "ui/words.h"

#include <QHash>
#include <QMutex>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr int deepest = 8;
constexpr qsizetype mostRemembered = 4096;

/// Where a text that matches nothing is taken apart, the strongest first.
constexpr std::array separators{QT_TRANSLATE_NOOP("core.joints", ". "), QT_TRANSLATE_NOOP("core.joints", "; "), QT_TRANSLATE_NOOP("core.joints", ": "),
                                QT_TRANSLATE_NOOP("core.joints", ", "), " · ", " + ", " × ", " ÷ ", QT_TRANSLATE_NOOP("core.joints", " and "), " → ", " / "};
constexpr const char *stop = QT_TRANSLATE_NOOP("core.joints", "."), *opening = QT_TRANSLATE_NOOP("core.joints", " ("), *closing = QT_TRANSLATE_NOOP("core.joints", ")");

/// Three small words in a row, or one of those that make a sentence: no name has them.
bool looksEnglish(const QString &text) {
    static const QRegularExpression run(QStringLiteral("(?<![\\w./-])[a-z]+(?:[’']s)? [a-z]+(?:[’']s)? [a-z]+(?![\\w./=_-])|"
                                                       "(?<![\\w./=-])(?:a|an|and|are|at|do|does|each|for|from|in|is|it|its|more|no|not|of|on|or|the|than|that|to|with|without)(?![\\w./=_-])"));
    static const QRegularExpression quoted(QStringLiteral("\"[^\"]*\"|“[^”]*”|`[^`]*`"));
    return run.match(QString(text).remove(quoted)).hasMatch();
}

} // namespace

QString joint(const char *english) {
    const QString found = coreTranslation("core.joints", english);
    return found.isEmpty() ? QString::fromUtf8(english) : found;
}

QString listed(const QStringList &parts) { return parts.join(joint(", ")); }

namespace {

class Translation {
public:
    Rendering of(const QString &text, int depth = 0) {
        const QString bare = text.trimmed();
        if (bare.isEmpty() || depth > deepest)
            return {text, !looksEnglish(text)};
        if (isNumber(bare))
            return {localNumbers(text), true};
        if (isCards(bare))
            return {text, true};
        if (const auto kept = m_kept.constFind(bare); kept != m_kept.constEnd())
            return withSpaces(text, bare, *kept);
        const Rendering made = make(bare, depth);
        if (m_kept.size() >= mostRemembered)
            m_kept.clear();
        m_kept.insert(bare, made);
        return withSpaces(text, bare, made);
    }
    void forget() { m_kept.clear(); }

private:
    /// "8 × H100 SXM 80 GB": whoever named the card, its name stays.
    static bool isCards(const QString &text) {
        const qsizetype times = text.indexOf(QStringLiteral(" × "));
        return times > 0 && isNumber(text.left(times)) && std::ranges::find(gpus(), utf8(text.mid(times + 3)), &Gpu::name) != gpus().end();
    }

    static Rendering withSpaces(const QString &text, const QString &bare, const Rendering &made) {
        if (bare.size() == text.size())
            return made;
        const qsizetype at = text.indexOf(bare);
        return {text.left(at) + made.text + text.mid(at + bare.size()), made.whole};
    }

    Rendering make(const QString &text, int depth) {
        if (text.endsWith(QLatin1Char(',')))
            return sentence(text.chopped(1), depth); // it closes what stands between two commas
        const bool stops = text.endsWith(QLatin1Char('.')) && !text.endsWith(QLatin1String(".."));
        Rendering found = sentence(stops ? text.chopped(1) : text, depth);
        if (stops)
            found.text += joint(stop);
        return found;
    }

    Rendering sentence(const QString &text, int depth) {
        // Of the patterns that fit, the one with the most of its own words, unless a place of it holds what nobody can translate.
        std::optional<Rendering> second;
        for (const PatternMatch &match : patterns().matching(text)) {
            Rendering filled = fill(match, depth);
            if (filled.whole)
                return filled;
            if (!second)
                second = std::move(filled);
        }
        if (std::optional<Rendering> counted = numberAndWord(text, depth))
            return *counted;
        if (std::optional<Rendering> parts = apart(text, depth); parts && (parts->whole || !second))
            return *parts;
        if (second)
            return *second;
        return {localNumbers(text), !looksEnglish(text)};
    }

    Rendering fill(const PatternMatch &match, int depth) {
        QString out;
        bool whole = true;
        for (qsizetype i = 0; i < match.translation.size(); ++i) {
            const Place place = placeAt(match.translation, i);
            if (!match.places.contains(place.number)) {
                out += match.translation[i];
                continue;
            }
            const Rendering inner = of(match.places.value(place.number), depth + 1);
            out += inner.text;
            whole = whole && inner.whole;
            i += place.length - 1;
        }
        return {out, whole};
    }

    /// "12 sequences", where only "sequences" has a word of its own.
    std::optional<Rendering> numberAndWord(const QString &text, int depth) {
        const qsizetype space = text.indexOf(QLatin1Char(' '));
        const QString rest = text.mid(space + 1);
        if (space <= 0 || !isNumber(text.left(space)))
            return std::nullopt;
        const QList<PatternMatch> words = patterns().matching(rest);
        if (words.isEmpty())
            return std::nullopt;
        const Rendering word = fill(words.first(), depth);
        return Rendering{localNumbers(text.left(space)) + QLatin1Char(' ') + word.text, word.whole};
    }

    std::optional<Rendering> apart(const QString &text, int depth) {
        if (text.endsWith(QLatin1Char(')')))
            if (const qsizetype open = openingOf(text); open > 2 && text[open - 1] == QLatin1Char(' ') && text[open - 2].isLetterOrNumber()) {
                const Rendering head = of(text.left(open - 1), depth + 1), note = of(text.mid(open + 1).chopped(1), depth + 1);
                return Rendering{head.text + joint(opening) + note.text + joint(closing), head.whole && note.whole};
            }
        if (text.startsWith(QLatin1String("= "))) {
            const Rendering rest = of(text.mid(2), depth + 1);
            return Rendering{QLatin1String("= ") + rest.text, rest.whole};
        }
        if (text.startsWith(QLatin1Char('(')) && text.endsWith(QLatin1Char(')')) && openingOf(text) == 0) {
            const Rendering inner = of(text.mid(1).chopped(1), depth + 1);
            return Rendering{QLatin1Char('(') + inner.text + QLatin1Char(')'), inner.whole};
        }
        for (const char *separator : separators)
            if (std::optional<Rendering> halves = inHalves(split(text, QString::fromUtf8(separator)), separator, depth))
                return halves;
        for (const char *separator : separators) {
            const QStringList parts = split(text, QString::fromUtf8(separator));
            if (parts.size() < 2)
                continue;
            QString out;
            bool whole = true, changed = false;
            for (const QString &part : parts) {
                const Rendering inner = of(part, depth + 1);
                out += (out.isEmpty() ? QString() : joint(separator)) + inner.text;
                whole = whole && inner.whole;
                changed = changed || inner.text != part;
            }
            if (changed)
                return Rendering{out, whole};
        }
        return std::nullopt;
    }

    /// Two parts that are whole each, where a pattern goes over what would separate them.
    std::optional<Rendering> inHalves(const QStringList &parts, const char *separator, int depth) {
        const QString between = QString::fromUtf8(separator);
        for (qsizetype first = 1; parts.size() < 7 && first < parts.size(); ++first) {
            const QString left = parts.mid(0, first).join(between), right = parts.mid(first).join(between);
            const Rendering head = of(left, depth + 1);
            if (!head.whole)
                continue;
            const Rendering rest = of(right, depth + 1);
            if (rest.whole && (head.text != left || rest.text != right))
                return Rendering{head.text + joint(separator) + rest.text, true};
        }
        return std::nullopt;
    }

    static qsizetype openingOf(const QString &text) {
        int depth = 0;
        for (qsizetype i = text.size() - 1; i >= 0; --i) {
            depth += text[i] == u')' ? 1 : text[i] == u'(' ? -1 : 0;
            if (depth == 0)
                return i;
        }
        return -1;
    }

    /// Outside of quotes and brackets; a full stop only where a sentence begins behind it.
    static QStringList split(const QString &text, const QString &separator) {
        QStringList parts;
        qsizetype begin = 0;
        int depth = 0;
        bool quoted = false;
        for (qsizetype i = 0; i + separator.size() < text.size(); ++i) {
            const QChar c = text[i];
            quoted = c == u'"' ? !quoted : quoted;
            depth += c == u'(' || c == u'“' ? 1 : c == u')' || c == u'”' ? -1 : 0;
            if (quoted || depth > 0 || i == begin || QStringView(text).mid(i, separator.size()) != separator)
                continue;
            const QChar next = text[i + separator.size()];
            if (separator == QLatin1String(". ") && !next.isUpper() && !next.isDigit())
                continue;
            parts += text.mid(begin, i - begin);
            begin = i + separator.size();
            i = begin - 1;
        }
        parts += text.mid(begin);
        return parts;
    }

    QHash<QString, Rendering> m_kept;
};

} // namespace

Rendering rendered(const QString &english) {
    if (spokenLanguage() == QLatin1String("en"))
        return {localNumbers(english), true};
    static QMutex mutex; // pictures are worded on other threads too
    static Translation translation;
    static int turn = -1;
    const QMutexLocker lock(&mutex);
    if (turn != languageTurn()) {
        turn = languageTurn();
        translation.forget();
        patterns().read();
    }
    // Lines are sentences of their own.
    if (!english.contains(QLatin1Char('\n')))
        return translation.of(english);
    QStringList lines = english.split(QLatin1Char('\n'));
    bool whole = true;
    for (QString &line : lines) {
        const Rendering one = translation.of(line);
        line = one.text;
        whole = whole && one.whole;
    }
    return {lines.join(QLatin1Char('\n')), whole};
}

QString translated(std::string_view english) { return rendered(words(english)).text; }

QString translated(const Note &note) {
    const Rendering made = rendered(words(note.text));
    if (made.whole)
        return made.text;
    const auto codes = noteCodes();
    const auto code = std::ranges::find(codes, std::string_view(note.code), &NoteCode::code);
    if (code == codes.end())
        return made.text;
    const Rendering meaning = rendered(words(code->meaning));
    return meaning.whole ? QStringLiteral("%1 (%2)").arg(meaning.text, words(note.text)) : made.text;
}

} // namespace kv
