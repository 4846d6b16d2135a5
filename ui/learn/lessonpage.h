// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One lesson: the question, a guess by slider or number, then the reveal: bars for the right answer and the others beside the guess, the
// reason, and what to try next. It knows nothing of where the lesson came from or which follows.

#include "core/base/quantity.h"
#include "core/lesson/lesson.h"

#include <QWidget>

#include <memory>

class QPushButton;

namespace kv {

class AnswerBars;
class Label;
class LogSlider;
class QuantityEdit;

class LessonPage : public QWidget {
    Q_OBJECT

public:
    explicit LessonPage(QWidget *parent = nullptr);
    /// `place`: "3 of 14"; a `guess` from before shows the answer at once.
    void start(std::shared_ptr<const Lesson> lesson, const QString &place, std::optional<std::int64_t> guess);
    void setUnit(SizeUnit unit);
    SizeUnit unit() const { return m_unit; }
    /// The guess of another page with the same lesson, revealed or not.
    void showLike(const LessonPage &other);
    void setNeighbours(bool before, bool after);
    std::int64_t guess() const { return m_guess; }
    bool isRevealed() const { return m_revealed; }
    const Lesson *lesson() const { return m_lesson.get(); }
    void reveal();

signals:
    void revealed(qint64 guess);
    /// A bar of the lesson pointed at, −1: none.
    void barPointed(int bar);
    void stepAsked(int by); ///< −1 the lesson before, 1 the next
    void listAsked();
    void viewAsked();       ///< what the lesson names as its picture
    void againAsked();      ///< a new guess
    void refused(const QString &sentence);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void describe();
    void wire();
    QWidget *makeBody();
    void arrange();
    void present();
    void presentReveal();
    void setGuess(std::int64_t guess);
    QString text(std::int64_t value) const;

    std::shared_ptr<const Lesson> m_lesson;
    SizeUnit m_unit = SizeUnit::Decimal;
    std::int64_t m_guess = 1;
    bool m_revealed = false;
    Label *m_place, *m_question, *m_hint, *m_guessLabel, *m_verdict, *m_reason, *m_next;
    LogSlider *m_slider;
    QuantityEdit *m_edit;
    AnswerBars *m_bars;
    QWidget *m_answer, *m_asking;
    QPushButton *m_list, *m_reveal, *m_again, *m_show, *m_back, *m_forward;
};

} // namespace kv
