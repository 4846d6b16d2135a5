// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lessonpage.h"

#include "ui/controls/label.h"
#include "ui/controls/logslider.h"
#include "ui/controls/quantityedit.h"
#include "ui/language/translate.h"
#include "ui/learn/answerbars.h"
#include "ui/learn/timesoff.h"
#include "ui/mnemonic.h"
#include "ui/panels/panel.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <cmath>

namespace kv {

namespace {

/// About three significant digits: what a person guesses.
std::int64_t rounded(double exact) {
    if (exact < 1)
        return 1;
    const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(exact)) - 2));
    return static_cast<std::int64_t>(std::llround(exact / unit) * std::llround(unit));
}

SliderScale guessScale(const Lesson &lesson, const std::function<QString(std::int64_t)> &text) {
    SliderScale scale;
    scale.low = lesson.from;
    scale.high = lesson.to;
    const double ratio = static_cast<double>(lesson.to) / static_cast<double>(lesson.from);
    constexpr int parts = 3;
    for (int i = 0; i <= parts; ++i) {
        const std::int64_t value = i == 0 ? lesson.from : i == parts ? lesson.to : rounded(static_cast<double>(lesson.from) * std::pow(ratio, i / double(parts)));
        scale.ticks.push_back({value, text(value)});
    }
    scale.grid = rounded;
    scale.step = [from = lesson.from, to = lesson.to](std::int64_t value, int direction) {
        const double next = static_cast<double>(value) * (direction > 0 ? 1.05 : 1 / 1.05);
        const std::int64_t stepped = rounded(next);
        return std::clamp(stepped == value ? value + direction : stepped, from, to);
    };
    return scale;
}

/// Of the pages that a lesson may name, what the button says that opens one: the title of its tab.
QString showText(const std::string &page) {
    if (page == "gpus")
        return LessonPage::tr("Show GPUs");
    if (page == "growth")
        return LessonPage::tr("Show Growth");
    if (page == "table")
        return LessonPage::tr("Show Table");
    if (page == "fitMap")
        return LessonPage::tr("Show Fit Map");
    if (page == "lengths")
        return LessonPage::tr("Show Lengths");
    if (page == "mistakes")
        return LessonPage::tr("Show Mistakes");
    return LessonPage::tr("Show Explain");
}

QPushButton *button(const QString &objectName, const QString &text, const QString &tip) {
    auto *made = new QPushButton(text);
    describeInput(made, objectName, withoutMnemonic(text), tip, tip);
    return made;
}

} // namespace

LessonPage::LessonPage(QWidget *parent)
    : QWidget(parent), m_place(new Label(Label::Voice::Small)), m_question(new Label(Label::Voice::Title)), m_hint(new Label(Label::Voice::Muted)),
      m_guessLabel(new Label(Label::Voice::Body, tr("Your guess"))), m_verdict(new Label(Label::Voice::Strong)), m_reason(new Label(Label::Voice::Body)),
      m_next(new Label(Label::Voice::Muted)), m_slider(new LogSlider),
      m_edit(new QuantityEdit(
          [this](std::string_view typed) -> Parsed<std::int64_t> {
              if (m_lesson && m_lesson->unit == LessonUnit::Size) {
                  const auto read = readBytes(typed, "guess");
                  return {read ? std::optional(read->value) : std::nullopt, read.notes};
              }
              if (m_lesson && m_lesson->unit == LessonUnit::Length) {
                  const auto read = readTokens(typed, "guess");
                  return {read ? std::optional(read->value) : std::nullopt, read.notes};
              }
              const auto read = readCount(typed, "guess");
              return {read ? std::optional(read->value) : std::nullopt, read.notes};
          },
          [this](std::int64_t value) { return text(value); })),
      m_bars(new AnswerBars), m_answer(new QWidget), m_asking(new QWidget),
      m_list(button(QStringLiteral("lessonList"), tr("All Lessons"), tr("Back to the list of lessons."))),
      m_reveal(button(QStringLiteral("lessonReveal"), tr("Reveal"), tr("Show the right answer beside your guess."))),
      m_again(button(QStringLiteral("lessonAgain"), tr("Guess Again"), tr("Hide the answer and guess once more."))),
      m_show(button(QStringLiteral("lessonShow"), tr("Show Explain"), tr("Bring the page to the front that shows the answer; the lesson stays under its own tab."))),
      m_back(button(QStringLiteral("lessonBack"), tr("Back"), tr("The lesson before."))),
      m_forward(button(QStringLiteral("lessonNext"), tr("Next"), tr("The next lesson."))) {
    describe();
    wire();
    arrange();
}

void LessonPage::describe() {
    setObjectName(QStringLiteral("lessonPage"));
    m_place->setObjectName(QStringLiteral("lessonPlace"));
    m_question->setObjectName(QStringLiteral("lessonQuestion"));
    m_verdict->setObjectName(QStringLiteral("lessonVerdict"));
    m_reason->setObjectName(QStringLiteral("lessonReason"));
    m_next->setObjectName(QStringLiteral("lessonNextStep"));
    m_bars->setObjectName(QStringLiteral("lessonBars"));
    m_bars->setAccessibleName(tr("The answers"));
    for (Label *label : {m_place, m_question, m_hint, m_verdict, m_reason, m_next})
        label->setWordWrap(true);
    for (Label *label : {m_question, m_reason, m_next})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_hint->setWholeText(tr("Move the bar to your guess or type it, then reveal."));
    describeInput(m_slider, QStringLiteral("lessonSlider"), tr("Your guess"), tr("Your guess, on a logarithmic scale."), tr("What you think before you look."));
    describeInput(m_edit, QStringLiteral("lessonGuess"), tr("Your guess"), tr("Your guess as a number, such as 650 kB or 20."), tr("What you think before you look."));
    m_edit->setAlignment(Qt::AlignRight);
    m_guessLabel->setBuddy(m_edit);
}

void LessonPage::wire() {
    m_slider->setSpeaker([this](std::int64_t value) { return text(value); });
    m_edit->setStep([this](std::int64_t value, int direction) { return m_slider->scale().step(value, direction); });
    connect(m_edit, &QuantityEdit::edited, this, [this](qint64 value) { setGuess(value); });
    connect(m_edit, &QuantityEdit::refused, this, &LessonPage::refused);
    connect(m_slider, &LogSlider::moved, this, [this](qint64 value) { setGuess(value); });
    connect(m_reveal, &QPushButton::clicked, this, &LessonPage::reveal);
    connect(m_again, &QPushButton::clicked, this, [this] {
        m_revealed = false;
        present();
        m_slider->setFocus(Qt::OtherFocusReason);
        emit againAsked();
    });
    connect(m_list, &QPushButton::clicked, this, &LessonPage::listAsked);
    connect(m_show, &QPushButton::clicked, this, &LessonPage::viewAsked);
    connect(m_back, &QPushButton::clicked, this, [this] { emit stepAsked(-1); });
    connect(m_forward, &QPushButton::clicked, this, [this] { emit stepAsked(1); });
    connect(m_bars, &AnswerBars::pointedAt, this, [this](int bar) { // the guess stands last and is nobody's plan
        emit barPointed(m_lesson && bar < static_cast<int>(m_lesson->bars.size()) ? bar : -1);
    });
}

/// The question, the guess and the answer below each other, scrolling where there is too little room.
QWidget *LessonPage::makeBody() {
    auto *guessRow = new QHBoxLayout;
    guessRow->addWidget(m_guessLabel, 1);
    guessRow->addWidget(m_edit);
    auto *asking = new QVBoxLayout(m_asking);
    asking->setContentsMargins(0, 0, 0, 0);
    asking->setSpacing(em(0.35));
    asking->addWidget(m_hint);
    asking->addLayout(guessRow);
    asking->addWidget(m_slider);
    asking->addWidget(m_reveal, 0, Qt::AlignRight);
    auto *answer = new QVBoxLayout(m_answer);
    answer->setContentsMargins(0, 0, 0, 0);
    answer->setSpacing(em(0.6));
    for (QWidget *part : {static_cast<QWidget *>(m_verdict), static_cast<QWidget *>(m_bars), static_cast<QWidget *>(m_reason), static_cast<QWidget *>(m_next)})
        answer->addWidget(part);
    auto *more = new QHBoxLayout;
    more->addWidget(m_again);
    more->addWidget(m_show);
    more->addStretch(1);
    answer->addLayout(more);
    auto *body = new QWidget;
    auto *bodyColumn = new QVBoxLayout(body);
    bodyColumn->setContentsMargins(0, 0, em(0.5), 0);
    bodyColumn->setSpacing(em(0.6));
    for (QWidget *part : {static_cast<QWidget *>(m_question), m_asking, m_answer})
        bodyColumn->addWidget(part);
    bodyColumn->addStretch(1);
    auto *area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(body);
    body->setAutoFillBackground(false);
    area->viewport()->setAutoFillBackground(false);
    return area;
}

void LessonPage::arrange() {
    auto *head = new QHBoxLayout;
    head->addWidget(m_place, 1);
    head->addWidget(m_list, 0, Qt::AlignTop);
    auto *steps = new QHBoxLayout;
    steps->addStretch(1);
    steps->addWidget(m_back);
    steps->addWidget(m_forward);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.6));
    column->addLayout(head);
    column->addWidget(makeBody(), 1);
    column->addLayout(steps);
    setFocusProxy(m_slider);
}

QString LessonPage::text(std::int64_t value) const {
    return m_lesson && m_lesson->unit == LessonUnit::Size ? translated(writeBytes(Bytes(value), m_lesson->sizes.value_or(m_unit))) : translated(writeNumber(value));
}

void LessonPage::start(std::shared_ptr<const Lesson> lesson, const QString &place, std::optional<std::int64_t> guess) {
    m_lesson = std::move(lesson);
    m_revealed = guess.has_value();
    m_place->setWholeText(place.isEmpty() ? translated(m_lesson->title) : place + QStringLiteral(" · ") + translated(m_lesson->title));
    m_question->setWholeText(translated(m_lesson->question));
    m_reason->setWholeText(translated(m_lesson->reason));
    m_next->setWholeText(translated(m_lesson->next));
    m_next->setVisible(!m_lesson->next.empty());
    m_show->setText(showText(m_lesson->show));
    m_show->setAccessibleName(m_show->text());
    m_guess = guess.value_or(m_lesson->from); // the middle would be a good guess that nobody made
    present();
}

void LessonPage::showLike(const LessonPage &other) {
    m_guess = other.m_guess;
    m_revealed = other.m_revealed;
    present();
}

void LessonPage::setUnit(SizeUnit unit) {
    if (unit == m_unit)
        return;
    m_unit = unit;
    if (m_lesson)
        present();
}

void LessonPage::setNeighbours(bool before, bool after) {
    m_back->setEnabled(before);
    m_forward->setEnabled(after);
}

void LessonPage::setGuess(std::int64_t guess) {
    m_guess = std::max<std::int64_t>(1, guess);
    present();
}

void LessonPage::present() {
    const QSignalBlocker quietSlider(m_slider), quietEdit(m_edit);
    if (!m_slider->isDragging())
        m_slider->setScale(guessScale(*m_lesson, [this](std::int64_t value) { return text(value); }));
    m_slider->setValue(m_guess);
    m_edit->setValue(m_guess);
    m_edit->refresh();
    m_edit->setFixedWidth(em(7));
    m_asking->setVisible(!m_revealed);
    m_answer->setVisible(m_revealed);
    m_forward->setDefault(m_revealed);
    presentReveal();
}

void LessonPage::presentReveal() {
    if (!m_revealed)
        return m_bars->show(std::vector<AnswerBar>{});
    const std::int64_t right = m_lesson->right();
    std::vector<AnswerBar> bars;
    for (const LessonBar &bar : m_lesson->bars) {
        const bool first = &bar == &m_lesson->bars.front();
        bars.push_back({translated(bar.label), text(bar.value), bar.mistake && !first ? timesOff(bar.value, right) : QString(), static_cast<double>(bar.value),
                        first ? AnswerBar::Kind::Right : bar.mistake ? AnswerBar::Kind::Mistake : AnswerBar::Kind::Other, {}});
    }
    bars.push_back({tr("your guess"), text(m_guess), {}, static_cast<double>(m_guess), AnswerBar::Kind::Guess, {}});
    m_bars->show(std::move(bars));
    const QString off = timesOff(m_guess, right);
    m_verdict->setWholeText(tr("It is %1. Your guess: %2.").arg(text(right), off));
}

void LessonPage::keyPressEvent(QKeyEvent *event) {
    // Return gives the answer, on the slider and in the entry, unless what is typed there is none.
    if (!m_revealed && !m_edit->isWrong() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        return reveal();
    QWidget::keyPressEvent(event);
}

void LessonPage::reveal() {
    if (!m_lesson || m_revealed)
        return;
    m_revealed = true;
    present();
    m_forward->setFocus(Qt::OtherFocusReason);
    emit revealed(m_guess);
}

} // namespace kv
