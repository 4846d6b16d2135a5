// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lessons over the live window: the list of them with what is done, and the one that is open. A lesson's scenario gets a tab of its own
// among the scenarios of the document, so that nothing of the person's is pushed aside; one undo takes it away.

#include "ui/latest.h"
#include "ui/learn/lessonprogress.h"
#include "ui/view.h"

#include "core/lesson/lesson.h"

class QPushButton;
class QStackedLayout;

namespace kv {

class Label;
class LessonList;
class LessonPage;

class LessonView : public View {
    Q_OBJECT

public:
    explicit LessonView(QWidget *parent = nullptr);
    void present(const Shown &shown) override;
    void showLike(const View &other) override;
    void settle() override { m_loading.finish(); }
    bool isSettled() const override { return !m_loading.isBusy(); }
    /// This lesson on the page, for a picture: nothing is edited, and no progress is kept.
    void showLesson(std::shared_ptr<const Lesson> lesson, std::optional<std::int64_t> guess);
    /// A teacher's own lesson; it joins the list until the program ends.
    void open(Lesson lesson);
    /// Reveals the answer, or goes to the next lesson where it stands already; for presenting.
    void goOn();
    bool isLessonOpen() const { return m_current >= 0; }

signals:
    void fileAsked();

private:
    QWidget *makeList();
    QWidget *makePage();
    void load();
    void fillList();
    void begin(int index);
    void turnTo(int index);
    void follow(const ScenarioDocument &document);
    void keepAnswer();
    void close();
    void reveal();
    void pointAt(int bar);
    void end();
    QString place(int index) const;

    Latest m_loading{this};
    LessonProgress m_progress;
    std::vector<std::shared_ptr<const Lesson>> m_lessons;
    Notes m_faults; ///< of the person's own files that are none
    int m_current = -1; ///< the lesson on the page; −1: the list
    bool m_asked = false;
    QStackedLayout *m_stack;
    LessonList *m_list;
    Label *m_summary;
    QPushButton *m_start, *m_open, *m_restart;
    LessonPage *m_page;
};

} // namespace kv
