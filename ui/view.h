// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A page of the window that shows what follows from the scenario: the fit map, the levers, the comparison, … It keeps no number of its own.
// The table of all of them is ui/views.cpp; the Dashboard gives each its place and asks it to present only while it is in front.

#include "core/base/quantity.h"
#include "core/lesson/lesson.h"
#include "ui/document.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

namespace kv {

struct ChartStyle;
struct ViewExports;

/// Paints one picture: all of a view, with title and legend, in a rectangle of any size.
using PaintPicture = std::function<void(QPainter &, const QRectF &, const ChartStyle &)>;

/// A scenario beside the present one, which the charts draw as a ghost: what a lever would give, or the baseline of a comparison.
struct Ghost {
    QString name;
    Scenario scenario;
    Plan plan;
    std::optional<Scenario> beside{}; ///< what it is the other of, and is drawn beside alone; none: every scenario
};

/// What a lesson asks for and nothing in the window may tell before its answer is shown, while the lesson's scenario is looked at.
struct Asked {
    LessonUnit unit;
    std::int64_t answer;
};

/// What a view shows: the last scenario that could be planned, and how.
struct Shown {
    const ScenarioDocument &document;
    const Scenario &scenario;
    const Plan &plan;
    SizeUnit unit;
    const ChartStyle &style;
    const Ghost *ghost; ///< null: none
};

/// What a page is wanted for outside of the window.
enum class PageUse : std::uint8_t { CopyMarkdown, CopyCsv, CopyLatex, CopyImage, SaveMarkdown, SaveCsv, SaveImage, Print };

class View : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    virtual void present(const Shown &shown) = 0;
    /// Whether it has a tab. Asked at every change, so it looks at the scenario and computes nothing.
    virtual bool isWorthShowing(const Scenario &, const Plan &) const { return true; }
    /// Waits for what is being counted off this thread: a picture must not show what was there before.
    virtual void settle() {}
    /// Whether nothing is being counted off this thread: settle() returns at once.
    virtual bool isSettled() const { return true; }
    /// What it leaves the window as (ui/viewexport.h); without a name: nothing.
    virtual ViewExports exports();
    /// Itself without its controls, as it was presented last; empty: a picture of it is the widget as it stands.
    virtual PaintPicture picture() const { return {}; }
    /// Turned as another of its kind is: the same page of it, the same rows.
    virtual void showLike(const View &) {}

signals:
    void edited(const QString &text, int gesture, const kv::Document::Change &change);
    void editedAll(const QString &text, int gesture, const kv::Document::DocumentChange &change);
    /// Shown on all charts until another is asked for, or none.
    void ghostAsked(std::shared_ptr<const kv::Ghost> ghost);
    /// What is asked until another is, or none.
    void answerKept(std::shared_ptr<const kv::Asked> asked);
    /// A passing word on what was done.
    void hinted(const QString &sentence);
    void pageAsked(const kv::ViewExports &exports, kv::PageUse use);
    /// Another page of the window in front, by its id: a view's, or gpus, growth, table, explain.
    void wanted(const QString &id);
    /// The same, unless that would cover this one.
    void offered(const QString &id);
    /// Another scenario of the document is to be looked at: no step to take back.
    void turned(std::size_t index);
};

} // namespace kv
