// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language/numbers.h"

#include "ui/language/language.h"

#include <QRegularExpression>

namespace kv {

namespace {

bool isPlain(const NumberMarks &m) { return m.decimal == QLatin1String(".") && m.group == QLatin1String(","); }

/// "1.234.567": one to three digits without a nought before them, then groups of three.
bool isGrouped(const QStringList &parts) {
    if (parts.size() < 2 || parts.first().isEmpty() || parts.first().size() > 3 || parts.first().startsWith(QLatin1Char('0')))
        return false;
    return std::all_of(parts.begin() + 1, parts.end(), [](const QString &part) { return part.size() == 3; });
}

} // namespace

QString localNumbers(const QString &plain) {
    const NumberMarks m = numberMarks();
    if (isPlain(m))
        return plain;
    // Grouped digits are a number wherever they stand; a decimal is one alone, before a unit, or in a formula behind an operator.
    static const QRegularExpression number(QStringLiteral(
        "(?<![\\w.,])(?:(\\d{1,3}(?:,\\d{3})+)(\\.\\d+)?(?![\\d,]*\\d)|(\\d+)\\.(\\d+)(?= ?(?:[kMGT]i?B\\b|KiB\\b|%|µs\\b|ms\\b|s\\b|×|of 1))(?!\\.?\\d)|^(\\d+)\\.(\\d+)$"
        "|(?<=[×÷−+≈] |≈)(\\d+)\\.(\\d+)(?![.\\d]))"));
    QString text;
    qsizetype done = 0;
    for (auto matches = number.globalMatch(plain); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        text += plain.mid(done, match.capturedStart() - done);
        if (match.hasCaptured(1) && !match.captured(1).isEmpty()) {
            text += match.captured(1).replace(QLatin1Char(','), m.group);
            if (const QString rest = match.captured(2); !rest.isEmpty())
                text += m.decimal + rest.mid(1);
        } else {
            text += match.captured(3) + match.captured(5) + match.captured(7) + m.decimal + match.captured(4) + match.captured(6) + match.captured(8);
        }
        done = match.capturedEnd();
    }
    return text + plain.mid(done);
}

QString plainNumber(const QString &typed) {
    const NumberMarks m = numberMarks();
    QString text;
    for (const QChar c : typed) {
        const int digit = c.digitValue(); // of any script
        text += digit >= 0 && c.isDigit() ? QChar(u'0' + digit) : c;
    }
    if (isPlain(m))
        return text;
    qsizetype end = 0;
    const auto isMark = [](QChar c) { return c == u'.' || c == u',' || c == u'\'' || c == u'’' || c == u'_' || c.isSpace(); };
    while (end < text.size() && (text[end].isDigit() || isMark(text[end]) || (end == 0 && (text[end] == u'-' || text[end] == u'+'))))
        ++end;
    while (end > 0 && text[end - 1].isSpace())
        --end;
    QString number = text.left(end).trimmed();
    const QString rest = text.mid(end);
    const QString group = m.group.trimmed();
    for (const QChar c : {u'’', u'\'', u'_', u' ', u'\u00a0', u'\u202f'})
        number.remove(c);
    if (m.decimal != QLatin1String(","))
        return (group.isEmpty() || group == QLatin1String(",") ? number : number.remove(group)) + rest;
    const qsizetype commas = number.count(QLatin1Char(','));
    if (commas > 1)
        return typed; // neither one nor the other: core's reader says so
    if (commas == 1) {
        const QString whole = number.section(QLatin1Char(','), 0, 0), fraction = number.section(QLatin1Char(','), 1);
        const QStringList parts = whole.split(QLatin1Char('.'));
        if (parts.size() > 1 && !isGrouped(parts))
            return typed;
        return parts.join(QString()) + QLatin1Char('.') + fraction + rest;
    }
    const QStringList parts = number.split(QLatin1Char('.'));
    return (isGrouped(parts) ? parts.join(QString()) : number) + rest;
}

} // namespace kv
