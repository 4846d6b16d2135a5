// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lessonview.h"

#include "core/plan/evaluate.h"
#include "ui/controls/label.h"
#include "ui/language/translate.h"
#include "ui/learn/lessonlist.h"
#include "ui/learn/lessonpage.h"
#include "ui/learn/lessontab.h"
#include "ui/panels/panel.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QPushButton>
#include <QStackedLayout>

namespace kv {

LessonView::LessonView(QWidget *parent)
    : View(parent), m_stack(new QStackedLayout(this)), m_list(new LessonList), m_summary(new Label(Label::Voice::Muted)), m_start(new QPushButton(tr("Start"))),
      m_open(new QPushButton(tr("Open Lesson…"))), m_restart(new QPushButton(tr("Forget Progress"))), m_page(new LessonPage) {
    m_stack->addWidget(makeList());
    m_stack->addWidget(makePage());
    setFocusProxy(m_list);
}

QWidget *LessonView::makeList() {
    m_list->setObjectName(QStringLiteral("lessons"));
    m_list->setAccessibleName(tr("Lessons"));
    m_summary->setObjectName(QStringLiteral("lessonSummary"));
    m_summary->setWordWrap(true);
    describeInput(m_start, QStringLiteral("lessonStart"), tr("Start the lesson"), tr("Start the chosen lesson; its scenario gets a tab of its own."),
                  tr("Your own scenario stays in its tab; undo takes the lesson's away."));
    describeInput(m_open, QStringLiteral("lessonOpen"), tr("Open a lesson"), tr("Open a lesson from a file."), tr("A lesson is a small JSON file; its format stands in resources/lessons/README.md."));
    describeInput(m_restart, QStringLiteral("lessonRestart"), tr("Forget progress"), tr("Begin all lessons anew: your guesses are forgotten."), tr("The lessons themselves stay."));
    connect(m_list, &QListWidget::itemActivated, this, [this] { begin(m_list->currentRow()); });
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) { m_start->setEnabled(m_list->isLesson(row)); });
    connect(m_start, &QPushButton::clicked, this, [this] { begin(m_list->currentRow()); });
    connect(m_open, &QPushButton::clicked, this, &LessonView::fileAsked);
    connect(m_restart, &QPushButton::clicked, this, [this] {
        m_progress.forgetAll();
        fillList();
    });
    auto *page = new QWidget;
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_open);
    buttons->addWidget(m_restart);
    buttons->addStretch(1);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.5));
    column->addWidget(m_summary);
    column->addWidget(m_list, 1);
    column->addWidget(m_start, 0, Qt::AlignRight);
    column->addLayout(buttons);
    page->setFocusProxy(m_list);
    return page;
}

QWidget *LessonView::makePage() {
    connect(m_page, &LessonPage::revealed, this, &LessonView::reveal);
    connect(m_page, &LessonPage::barPointed, this, &LessonView::pointAt);
    connect(m_page, &LessonPage::againAsked, this, [this] {
        emit ghostAsked(nullptr);
        keepAnswer();
    });
    connect(m_page, &LessonPage::refused, this, [this](const QString &sentence) {
        if (!sentence.isEmpty())
            emit hinted(sentence);
    });
    connect(m_page, &LessonPage::listAsked, this, &LessonView::end);
    connect(m_page, &LessonPage::viewAsked, this, [this] { emit wanted(words(m_lessons[static_cast<std::size_t>(m_current)]->show)); });
    connect(m_page, &LessonPage::stepAsked, this, [this](int by) { begin(m_current + by); });
    return m_page;
}

void LessonView::present(const Shown &shown) {
    m_page->setUnit(shown.unit);
    if (!m_asked)
        load();
    follow(shown.document);
}

/// A step that is taken back brings another lesson's scenario into the tab, or takes the tab away: the page goes along.
void LessonView::follow(const ScenarioDocument &document) {
    if (m_current < 0)
        return;
    const std::string tab = lessonTabOf(document);
    if (tab.empty())
        return close();
    const auto other = std::ranges::find(m_lessons, tab, [](const auto &lesson) { return scenarioOf(*lesson).name; });
    if (const auto index = static_cast<int>(other - m_lessons.begin()); other != m_lessons.end() && index != m_current)
        turnTo(index);
}

// The lesson and the guess stay open where the window is laid out anew.
void LessonView::showLike(const View &other) {
    const auto *like = qobject_cast<const LessonView *>(&other);
    if (!like || like->m_lessons.empty())
        return;
    m_asked = true;
    m_lessons = like->m_lessons;
    m_faults = like->m_faults;
    fillList();
    m_list->setCurrentRow(like->m_list->currentRow());
    if (like->m_current < 0)
        return;
    m_current = like->m_current;
    m_page->setUnit(like->m_page->unit());
    m_page->start(m_lessons[static_cast<std::size_t>(m_current)], place(m_current), std::nullopt);
    m_page->setNeighbours(m_current > 0, m_current + 1 < static_cast<int>(m_lessons.size()));
    m_page->showLike(*like->m_page);
    m_stack->setCurrentIndex(1);
    setFocusProxy(m_page);
}

void LessonView::showLesson(std::shared_ptr<const Lesson> lesson, std::optional<std::int64_t> guess) {
    m_asked = true; // the list is not looked at
    m_lessons = {std::move(lesson)};
    m_current = 0;
    m_page->start(m_lessons.front(), {}, guess);
    m_page->setNeighbours(false, false);
    m_stack->setCurrentIndex(1);
}

// Their answers are computed, which takes its time, so they are read off this thread and once.
void LessonView::load() {
    m_asked = true;
    m_summary->setWholeText(tr("Reading the lessons…"));
    m_loading.ask([this](const Latest::GoOn &) -> Latest::Answer {
        std::vector<std::shared_ptr<const Lesson>> read;
        for (const Lesson &lesson : lessons())
            read.push_back(std::make_shared<Lesson>(lesson));
        return [this, read = std::move(read), faults = lessonFaults()] { // run only while this lives
            m_faults = faults;
            m_lessons.insert(m_lessons.begin(), read.begin(), read.end());
            if (m_current >= 0)
                m_current += static_cast<int>(read.size());
            fillList();
        };
    });
}

void LessonView::fillList() {
    const int row = m_list->currentRow();
    m_list->clear();
    int done = 0;
    int next = -1;
    for (std::size_t i = 0; i < m_lessons.size(); ++i) {
        const bool finished = m_progress.guess(words(m_lessons[i]->id)).has_value();
        done += finished;
        if (!finished && next < 0)
            next = static_cast<int>(i);
        m_list->addLesson(static_cast<int>(i) + 1, finished, translated(m_lessons[i]->title), translated(m_lessons[i]->question));
    }
    for (const Note &fault : m_faults)
        m_list->addFault(translated(fault));
    m_list->setCurrentRow(row >= 0 && row < m_list->count() ? row : std::max(0, next));
    m_summary->setWholeText(tr("A question, a guess, the answer on the charts. %1 of %2 done.").arg(done).arg(m_lessons.size()));
    m_start->setEnabled(m_list->isLesson(m_list->currentRow()));
    m_restart->setEnabled(done > 0);
}

QString LessonView::place(int index) const { return tr("%1 of %2").arg(index + 1).arg(m_lessons.size()); }

void LessonView::begin(int index) {
    if (index < 0 || index >= static_cast<int>(m_lessons.size()))
        return;
    emit editedAll(tr("Start Lesson"), 0, [lesson = m_lessons[static_cast<std::size_t>(index)]](ScenarioDocument &document) { putLesson(document, *lesson); });
    turnTo(index);
    m_page->setFocus(Qt::OtherFocusReason);
}

void LessonView::turnTo(int index) {
    m_current = index;
    const auto lesson = m_lessons[static_cast<std::size_t>(index)];
    m_list->setCurrentRow(index);
    m_page->start(lesson, place(index), m_progress.guess(words(lesson->id)));
    m_page->setNeighbours(index > 0, index + 1 < static_cast<int>(m_lessons.size()));
    m_stack->setCurrentIndex(1);
    setFocusProxy(m_page);
    emit ghostAsked(nullptr);
    keepAnswer();
    pointAt(-1);
}

/// What is asked is told nowhere before the answer.
void LessonView::keepAnswer() {
    const Lesson *lesson = m_current >= 0 && !m_page->isRevealed() ? m_page->lesson() : nullptr;
    emit answerKept(lesson ? std::make_shared<const Asked>(Asked{lesson->unit, lesson->right()}) : nullptr);
}

void LessonView::reveal() {
    const Lesson &lesson = *m_lessons[static_cast<std::size_t>(m_current)];
    m_progress.setGuess(words(lesson.id), m_page->guess());
    fillList();
    keepAnswer();
    pointAt(-1);
    emit offered(words(lesson.show));
}

// With nothing pointed at, the first answer that is not of the scenario shown.
void LessonView::pointAt(int bar) {
    if (m_current < 0 || !m_page->isRevealed())
        return;
    const Lesson &lesson = *m_lessons[static_cast<std::size_t>(m_current)];
    const auto found = bar >= 0 ? lesson.bars.begin() + bar : std::ranges::find_if(lesson.bars, [](const LessonBar &b) { return b.other != nullptr; });
    if (found == lesson.bars.end() || !found->other)
        return emit ghostAsked(nullptr);
    Plan plan = evaluate(*found->other);
    if (plan.ok())
        emit ghostAsked(std::make_shared<Ghost>(Ghost{translated(found->label), *found->other, std::move(plan), scenarioOf(lesson)}));
}

void LessonView::end() {
    close();
    emit editedAll(tr("End Lesson"), 0, takeLessonOut);
    m_list->setFocus(Qt::OtherFocusReason);
}

void LessonView::close() {
    m_current = -1;
    m_stack->setCurrentIndex(0);
    setFocusProxy(m_list);
    fillList();
    emit ghostAsked(nullptr);
    keepAnswer();
}

void LessonView::open(Lesson lesson) {
    const auto shared = std::make_shared<Lesson>(std::move(lesson));
    const auto same = std::ranges::find_if(m_lessons, [&](const auto &other) { return other->id == shared->id; });
    const auto index = static_cast<int>(same - m_lessons.begin());
    if (same == m_lessons.end())
        m_lessons.push_back(shared);
    else
        *same = shared; // the file may have been mended since
    fillList();
    begin(index);
}

void LessonView::goOn() {
    if (m_current < 0)
        begin(m_list->currentRow());
    else if (!m_page->isRevealed())
        m_page->reveal();
    else
        begin(m_current + 1);
}

} // namespace kv
