// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The dashboard, or one page of it, laid out anew on a sheet that nobody sees: of a fixed size, light unless asked otherwise, whatever the
// window is. What a picture, a printed page and `kvplanner render` show. What its page counts off the GUI thread is waited for, or asked
// about (isSettled) until it is there.

#include "core/base/note.h"
#include "core/base/quantity.h"
#include "core/scenario/scenario.h"
#include "ui/charts/chartstyle.h"
#include "ui/picture.h"
#include "ui/view.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kv {

class Dashboard;
class Document;
struct Lesson;

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
    std::optional<QSize> size{};          ///< points, the caption within; none: the usual one, and higher where the page would be cut
    const Dashboard *like = nullptr;      ///< the same pages in front, the same ghost, the same turns of each view; only while it is made
    std::shared_ptr<const Lesson> lesson{}; ///< open on the page "lesson"
    std::optional<std::int64_t> guess{};  ///< which reveals its answer
};

/// "all", "gpus", "growth", "table", "explain", "settingsMap" and the views of ui/views.h.
std::vector<std::string> paperPages();
QSize usualPaperSize(const QString &page);

class Paper {
public:
    Paper(Document *document, const PaperOrder &order);
    ~Paper();
    /// Whether the page has anything to show of this scenario.
    bool isWorthShowing() const { return m_worth; }
    bool isSettled() const;
    /// Waits for what is being counted, and takes the page down with its caption.
    Recording record();
    /// The numbers of the page as text: csv, markdown; empty functions where it has none.
    ViewExports exports() const;

private:
    void make(const PaperOrder &order);
    void makeView(const PaperOrder &order, View *view);
    void layOut();
    void growToContent();

    Document *m_document;
    QPalette m_palette;
    QString m_page;
    QSize m_size;
    bool m_grows;
    bool m_worth = true;
    PictureNotes m_notes;
    std::unique_ptr<QWidget> m_sheet;
    View *m_view = nullptr;           ///< the page, where it is a view
    Dashboard *m_dashboard = nullptr; ///< where it is the whole
};

} // namespace kv
