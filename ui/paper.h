// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The dashboard, or one page of it, laid out anew on a sheet that nobody sees: of a fixed size, light unless asked otherwise, whatever the
// window is. What a picture, a printed page and `kvplanner render` show. It holds scenarios of its own, so that the window may go on.
// Its words are the window's, its numbers plain, as in all that leaves the window. Making one takes the GUI thread some milliseconds; what
// the page counts off that thread is waited for by record(), or until isSettled().

#include "ui/charts/chartstyle.h"
#include "ui/document.h"
#include "ui/picture.h"
#include "ui/viewexport.h"

#include <QPalette>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kv {

class Dashboard;
class LessonView;
struct Lesson;

/// Keeps a window that is only ever rendered from painting itself besides.
class Unseen : public QObject {
    Q_OBJECT

public:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

/// A sheet that holds one picture, to be rendered and never shown.
class PicturePage : public QWidget {
    Q_OBJECT

public:
    explicit PicturePage(PaintPicture paint, QWidget *parent = nullptr) : QWidget(parent), m_paint(std::move(paint)) {}

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    PaintPicture m_paint;
};

struct PaperOrder {
    QString page = QStringLiteral("all"); ///< of paperPages()
    SizeUnit unit = SizeUnit::Decimal;
    bool dark = false;
    std::optional<QSize> size{};            ///< points, the caption within; none: usualPaperSize, and higher where the page would be cut
    const Dashboard *like = nullptr;        ///< the same pages in front, the same ghost, each view turned as there; looked at only while the sheet is made
    std::shared_ptr<const Lesson> lesson{}; ///< open on the page "lesson"
    std::optional<std::int64_t> guess{};    ///< which reveals its answer
};

/// "all", "gpus", "growth", "table", "explain", "settingsMap" and the views of ui/views.h.
std::vector<std::string> paperPages();
QSize usualPaperSize(const QString &page);

class Paper {
public:
    Paper(const ScenarioDocument &document, const PaperOrder &order);
    ~Paper();
    /// Whether the page has anything to show of this scenario; nothing else may be asked where it has not.
    bool isWorthShowing() const { return m_sheet != nullptr; }
    bool isSettled() const;
    /// Does a part of what record() would do at once, for those who have other things to do in between; false: there is none left.
    bool advance();
    /// The size that was asked for where the page is whole in it, else what it takes.
    QSize wholeSize();
    /// Waits for what is being counted, and takes the sheet down with its caption.
    Recording record();
    /// The page's numbers; empty where it has none.
    std::string csv();
    std::string markdown();

private:
    void make(const PaperOrder &order);
    std::unique_ptr<QWidget> gpus(const PaperOrder &order);
    std::unique_ptr<QWidget> growth(const PaperOrder &order);
    std::unique_ptr<QWidget> table();
    std::unique_ptr<QWidget> explanation();
    std::unique_ptr<QWidget> view(const PaperOrder &order);
    void settle();
    void layOut();
    void widenToContent();
    void growToContent();

    Document m_document;
    QPalette m_palette;
    ChartStyle m_style;
    SizeUnit m_unit;
    QString m_page;
    QSize m_size;
    bool m_grows;
    bool m_laidOut = false, m_grown = false;
    PictureNotes m_notes;
    Unseen m_unseen;
    std::unique_ptr<QWidget> m_sheet;
    std::shared_ptr<View> m_painted;  ///< a view that paints itself onto it
    View *m_view = nullptr;           ///< the page, where it is one
    Dashboard *m_dashboard = nullptr; ///< the sheet, where it is the whole
    ViewExports m_exports;            ///< of a page that is neither
};

} // namespace kv
