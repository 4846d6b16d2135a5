// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The patterns of core's sentences that the spoken language has a translation for, found by the words of a sentence.
//
// A pattern is what core writes, with %1, %L2, … for values: without blanks around it and without its full stop, the first letter in
// either case. A place holds at least one letter, whole brackets and quotes, and never the end of a sentence or a semicolon.

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

namespace kv {

/// "%1", or "%L1" that only a number fills.
struct Place {
    int number = 0; ///< 0: none
    bool numeric = false;
    qsizetype length = 0;
};
Place placeAt(const QString &text, qsizetype at);

/// Digits with marks, and a unit at most.
bool isNumber(const QString &text);

struct PatternMatch {
    QString translation;
    QHash<int, QString> places; ///< what stands at %1, %2, …
};

class Patterns {
public:
    /// Those of the language that is spoken now.
    void read();
    /// Every pattern that the whole text is made by, that with the most words of its own first.
    QList<PatternMatch> matching(const QString &text) const;

private:
    struct Pattern {
        QString translation;
        QStringList pieces; ///< what stands before, between and behind the places
        QList<Place> places;
        qsizetype weight = 0; ///< letters of its own
    };

    void add(const QString &english, const QString &translation);
    void index();

    QList<Pattern> m_patterns;
    QHash<QString, QList<qsizetype>> m_byWord; ///< the rarest word of each
    QList<qsizetype> m_wordless;
};

Patterns &patterns();

} // namespace kv
