// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language/patterns.h"

#include "resources/translations/core.h"
#include "ui/language/language.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace kv {

namespace {

QString lowered(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toLower();
    return text;
}

/// Runs of letters; of those that touch an end where a value may go on (`open`) none, since "s" of "%1s" is no word.
QStringList wordsOf(const QString &text, bool openBefore, bool openBehind) {
    QStringList found;
    for (qsizetype i = 0; i < text.size();) {
        if (!text[i].isLetter()) {
            ++i;
            continue;
        }
        const qsizetype begin = i;
        while (i < text.size() && text[i].isLetter())
            ++i;
        if (!(begin == 0 && openBefore) && !(i == text.size() && openBehind))
            found += text.mid(begin, i - begin).toLower();
    }
    return found;
}

/// Whether it may stand at a place: brackets and quotes closed, and no part of a sentence ending inside; a colon only behind a colon.
bool mayFill(const QString &text, bool colons) {
    int depth = 0;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        quoted = c == u'"' ? !quoted : quoted;
        depth += c == u'(' || c == u'“' ? 1 : c == u')' || c == u'”' ? -1 : 0;
        if (depth < 0)
            return false;
        const bool blank = !quoted && depth == 0 && i + 2 < text.size() && text[i + 1] == u' ';
        if (blank && (c == u';' || (c == u':' && !colons) || (c == u'.' && (text[i + 2].isUpper() || text[i + 2].isDigit()))))
            return false;
    }
    return depth == 0 && !quoted && !text.trimmed().isEmpty();
}

/// Fills the places from `at` on so that the pieces come in their order and the text ends with the last.
bool fit(const QString &lower, const QString &text, const QStringList &pieces, const QList<Place> &places, qsizetype piece, qsizetype at, QList<QString> &held) {
    const bool last = piece == pieces.size() - 1, numeric = places[piece - 1].numeric, free = last && pieces[piece - 1].endsWith(QLatin1String(": "));
    const QString &wanted = pieces[piece];
    for (qsizetype from = at + 1;; ++from) {
        const qsizetype found = last ? lower.size() - wanted.size() : wanted.isEmpty() ? from : lower.indexOf(wanted, from);
        if (found < from || (last && !lower.endsWith(wanted)))
            return false;
        const QString filling = text.mid(at, found - at);
        if (numeric ? isNumber(filling) : mayFill(filling, free)) {
            held.append(filling);
            if (last || fit(lower, text, pieces, places, piece + 1, found + wanted.size(), held))
                return true;
            held.removeLast();
        }
        if (last)
            return false;
        from = found;
    }
}

} // namespace

Place placeAt(const QString &text, qsizetype at) {
    if (text[at] != u'%')
        return {};
    const bool numeric = at + 1 < text.size() && text[at + 1] == u'L';
    const qsizetype digit = at + (numeric ? 2 : 1);
    const int number = digit < text.size() ? text[digit].digitValue() : -1;
    return number < 1 ? Place() : Place{number, numeric, digit + 1 - at};
}

bool isNumber(const QString &text) {
    static const QRegularExpression number(QStringLiteral("^[+~≈±−-]? ?\\d[\\d,.]*(?: ?(?:B|kB|MB|GB|TB|KiB|MiB|GiB|TiB|%|ms|µs|s|k|M|×|x))?$"));
    return number.match(text).hasMatch();
}

void Patterns::read() {
    m_patterns.clear();
    for (const char *english : corePatterns())
        if (const QString translation = coreTranslation("core", english); !translation.isEmpty())
            add(QString::fromUtf8(english), translation);
    index();
}

void Patterns::add(const QString &english, const QString &translation) {
    Pattern pattern{translation, {}, {}, 0};
    QString piece;
    for (qsizetype i = 0; i < english.size(); ++i) {
        const Place place = placeAt(english, i);
        if (place.number == 0) {
            piece += english[i];
            continue;
        }
        pattern.pieces += piece;
        pattern.places += place;
        piece.clear();
        i += place.length - 1;
    }
    pattern.pieces += piece;
    pattern.pieces.first() = lowered(pattern.pieces.first());
    for (const QString &own : pattern.pieces)
        pattern.weight += own.size();
    m_patterns += pattern;
}

void Patterns::index() {
    m_byWord.clear();
    m_wordless.clear();
    QList<QStringList> words;
    QHash<QString, int> common;
    for (const Pattern &pattern : m_patterns) {
        QStringList own;
        for (qsizetype i = 0; i < pattern.pieces.size(); ++i)
            own += wordsOf(pattern.pieces[i], i > 0, i + 1 < pattern.pieces.size());
        for (const QString &word : own)
            ++common[word];
        words += own;
    }
    for (qsizetype i = 0; i < words.size(); ++i) {
        const auto rarest = std::min_element(words[i].begin(), words[i].end(), [&](const QString &a, const QString &b) { return common.value(a) < common.value(b); });
        (rarest == words[i].end() ? m_wordless : m_byWord[*rarest]).append(i);
    }
}

QList<PatternMatch> Patterns::matching(const QString &text) const {
    QList<qsizetype> candidates = m_wordless;
    QSet<QString> seen;
    for (const QString &word : wordsOf(text, false, false))
        if (!seen.contains(word)) {
            seen.insert(word);
            candidates += m_byWord.value(word);
        }
    std::stable_sort(candidates.begin(), candidates.end(), [this](qsizetype a, qsizetype b) { return m_patterns[a].weight > m_patterns[b].weight; });
    const QString lower = lowered(text);
    QList<PatternMatch> found;
    for (const qsizetype at : candidates) {
        const Pattern &pattern = m_patterns[at];
        if (!lower.startsWith(pattern.pieces.first()))
            continue;
        QList<QString> held;
        const bool fits = pattern.places.isEmpty() ? lower == pattern.pieces.first() : fit(lower, text, pattern.pieces, pattern.places, 1, pattern.pieces.first().size(), held);
        if (!fits)
            continue;
        PatternMatch match{pattern.translation, {}};
        for (qsizetype i = 0; i < held.size(); ++i)
            match.places.insert(pattern.places[i].number, held[i]);
        found += match;
    }
    return found;
}

Patterns &patterns() {
    static Patterns all;
    return all;
}

} // namespace kv
