// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The questions turned round (core/plan/solve.h): each with its answer, the sentence that says what it means, and a button that takes the
// answer into the scenario in one step. Where an engine has no such setting the sentence says that, and nothing can be taken.

#include "core/plan/inflight.h"
#include "core/plan/solve.h"

#include <QWidget>

#include <array>

class QPushButton;

namespace kv {

class Label;

inline constexpr std::array allQuestions{Question::Users, Question::Context, Question::Gpus, Question::Utilization};
using Solutions = std::array<Solution, allQuestions.size()>; ///< in that order

class CapacityAnswers : public QWidget {
    Q_OBJECT

public:
    explicit CapacityAnswers(QWidget *parent = nullptr);
    /// `asked`: the scenario that the answers are of; `lengths`: what requests of unlike lengths make of the users, or nullptr.
    void present(const Scenario &asked, const Solutions &solutions, const InFlight *lengths);

signals:
    void taken(const QString &text, kv::Question question);

private:
    struct Row {
        Label *question, *answer, *sentence;
        QPushButton *take;
    };
    Row makeRow(Question question);

    std::array<Row, allQuestions.size()> m_rows{};
};

} // namespace kv
