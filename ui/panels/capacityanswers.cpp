// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/capacityanswers.h"

#include "core/base/quantity.h"
#include "ui/controls/label.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/panels/panel.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace kv {

namespace {

struct Texts {
    const char *name; ///< of the objects
    QString question, step;
};

Texts textsOf(Question question) {
    switch (question) {
    case Question::Users:
        return {"Users", CapacityAnswers::tr("Most users at this context"), CapacityAnswers::tr("Take Most Users")};
    case Question::Context:
        return {"Context", CapacityAnswers::tr("Longest context for these users"), CapacityAnswers::tr("Take Longest Context")};
    case Question::Gpus:
        return {"Gpus", CapacityAnswers::tr("Fewest GPUs for this load"), CapacityAnswers::tr("Take Fewest GPUs")};
    case Question::Utilization:
        break;
    }
    return {"Utilization", CapacityAnswers::tr("Share of the memory needed"), CapacityAnswers::tr("Take Share of the Memory")};
}

/// Thousandths as the engine writes them, or the reserve that is left of them in percent.
QString shareText(std::int64_t used, bool reserve) {
    const double share = static_cast<double>(reserve ? 1000 - used : used) / 1000;
    return reserve ? CapacityAnswers::tr("%1 %").arg(localNumbers(QString::number(share * 100, 'f', 1))) : localNumbers(QString::number(share, 'f', 3));
}

QString answerText(Question question, const Solution &solution) {
    if (solution.refusal)
        return QStringLiteral("–");
    if (!solution.answer)
        return solution.fits ? CapacityAnswers::tr("no limit") : QStringLiteral("–");
    if (question == Question::Utilization)
        return shareText(*solution.answer, solution.option == "reserve");
    const QString number = translated(writeNumber(*solution.answer));
    return question == Question::Gpus && solution.fits ? number + QStringLiteral(" · ") + words(splitText(solution.scenario)) : number;
}

QString questionText(Question question, const Solution &solution) {
    if (question != Question::Utilization || solution.option.empty())
        return textsOf(question).question;
    return solution.option == "reserve" ? CapacityAnswers::tr("Largest reserve for this load") : CapacityAnswers::tr("%1 needed").arg(words(solution.option));
}

} // namespace

CapacityAnswers::CapacityAnswers(QWidget *parent) : QWidget(parent) {
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.1));
    for (std::size_t i = 0; i < allQuestions.size(); ++i) {
        m_rows[i] = makeRow(allQuestions[i]);
        auto *line = new QHBoxLayout;
        line->setSpacing(em(0.5));
        line->addWidget(m_rows[i].question, 1);
        line->addWidget(m_rows[i].answer);
        line->addWidget(m_rows[i].take);
        column->addLayout(line);
        column->addWidget(m_rows[i].sentence);
        column->addSpacing(i + 1 < allQuestions.size() ? em(0.4) : 0);
    }
}

CapacityAnswers::Row CapacityAnswers::makeRow(Question question) {
    const Texts texts = textsOf(question);
    const auto named = [&texts](const char *kind) { return QStringLiteral("capacity") + QLatin1String(texts.name) + QLatin1String(kind); };
    Row row{new Label(Label::Voice::Body, texts.question), new Label(Label::Voice::Strong, QStringLiteral("–")), new Label(Label::Voice::Small), new QPushButton(tr("Take"))};
    row.question->setObjectName(named("Question"));
    row.question->setEliding(true);
    row.answer->setObjectName(named("Answer"));
    row.sentence->setObjectName(named("Sentence"));
    row.sentence->setWordWrap(true);
    describeInput(row.take, named("Take"), texts.step, tr("Put this answer into the scenario."), tr("One step, which undo takes back."));
    row.take->setEnabled(false);
    row.take->setFixedWidth(row.take->fontMetrics().horizontalAdvance(row.take->text()) + em(1.4));
    connect(row.take, &QPushButton::clicked, this, [this, question, step = texts.step] { emit taken(step, question); });
    return row;
}

void CapacityAnswers::present(const Scenario &asked, const Solutions &solutions, const InFlight *lengths) {
    for (std::size_t i = 0; i < allQuestions.size(); ++i) {
        const Solution &solution = solutions[i];
        Row &row = m_rows[i];
        const QString question = questionText(allQuestions[i], solution), answer = answerText(allQuestions[i], solution);
        QString sentence = solution.refusal ? translated(*solution.refusal) : translated(solution.sentence);
        // Each at the whole context is not what a mix of lengths comes to; the other questions are asked of the whole context.
        if (lengths && !solution.refusal)
            sentence = allQuestions[i] == Question::Users ? tr("%1 With the lengths given: %2").arg(sentence, translated(inFlightWords(*lengths).most))
                                                          : tr("%1 Each is counted at the whole context.").arg(sentence);
        for (const Note &warning : solution.warnings)
            sentence = tr("%1 %2").arg(sentence, translated(warning));
        row.question->setWholeText(question);
        row.answer->setWholeText(answer);
        row.sentence->setWholeText(sentence);
        const bool there = !solution.refusal && solution.answer && solution.fits;
        row.take->setEnabled(there && solution.scenario != asked);
        row.take->setAccessibleName(QStringLiteral("%1: %2, %3").arg(tr("Take"), question, answer));
        row.take->setAccessibleDescription(sentence);
        row.take->setToolTip(there && solution.scenario == asked ? tr("The scenario has it already.") : plainTip(sentence));
    }
}

} // namespace kv
