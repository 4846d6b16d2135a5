// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/asked.h"

#include "core/base/quantity.h"
#include "ui/words.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace kv {

void hideAnswer(std::array<Figure, 6> &figures, const Plan &plan, const Asked &asked) {
    const std::array<std::int64_t, 3> sizes{plan.kv.perToken.value, plan.kv.perSequence.value, plan.kv.total.value};
    const auto hide = [](Figure &figure) {
        figure.value = QStringLiteral("?");
        figure.detail = QCoreApplication::translate("kv::LessonView", "after your guess");
        figure.tip = QCoreApplication::translate("kv::LessonView", "The lesson asks for this. It is shown with the answer.");
    };
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (asked.unit == LessonUnit::Size && sizes[i] == asked.answer)
            hide(figures[i]);
    if (asked.unit == LessonUnit::Length && plan.fit.maxContext == asked.answer)
        hide(figures.back());
}

std::string withoutAnswer(const std::string &text, const Asked &asked) {
    if (asked.unit == LessonUnit::Size)
        return text; // a size is told by the tiles
    const QString number = QRegularExpression::escape(words(writeNumber(asked.answer)));
    const QRegularExpression told(QStringLiteral(R"((?<![\d.,])%1(?!\d|[.,]\d))").arg(number));
    static const QRegularExpression betweenSentences(QStringLiteral(R"((?<=[.?!]) (?=\p{Lu}|\d))"));
    QStringList sentences = words(text).split(betweenSentences);
    sentences.removeIf([&told](const QString &sentence) { return sentence.contains(told); });
    return utf8(sentences.join(QLatin1Char(' ')));
}

} // namespace kv
