// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How a page leaves the window: a button in its corner, and the same menu under the right mouse button, alike on every page: its numbers as
// Markdown and CSV, copied or saved, its picture copied, saved or printed. What takes its time (numbers that are computed, pictures) is
// asked for of the window, which makes it off the GUI thread (ui/exporter.h).

#include "ui/view.h"

#include <QToolButton>

#include <string>

class QAbstractItemModel;
class QMenu;

namespace kv {

/// Numbers as text. Made on the GUI thread by what shows them, or on any thread from values that it has taken along.
struct PageText {
    std::function<std::string()> make;
    bool anyThread = false;
    explicit operator bool() const { return static_cast<bool>(make); }
};

struct ViewExports {
    QString page;     ///< of paperPages(), for its picture
    QString name;     ///< of object names: "fitMap" makes fitMapCopyCsv
    QString fileStem; ///< what a file is called at first, without its suffix
    PageText csv, markdown, latex; ///< empty: not offered
};

/// A page of core/report/pagenumbers.h.
ViewExports computedExports(const QString &page, const QString &fileStem, const Scenario &scenario, const Plan &plan, SizeUnit unit);
/// A chart's or a table's own model (ui/charts/charttables.h).
ViewExports tableExports(const QString &page, const QString &fileStem, const QAbstractItemModel *model);

class ExportButton : public QToolButton {
    Q_OBJECT

public:
    /// What is offered is asked for when it is wanted; the entries are those of now.
    using Ask = std::function<ViewExports()>;
    ExportButton(QWidget *page, Ask ask);
    /// Of a view: it asks for itself.
    explicit ExportButton(View *view);
    bool eventFilter(QObject *watched, QEvent *event) override;

    /// Beside the tabs, or where there are none in the page's upper right corner, which the page then keeps free; for a page that has no head of its own.
    void standInCorner();
    static int cornerHeight(); ///< of it in a page's corner: no higher than the title beside it asks for

signals:
    void pageAsked(const kv::ViewExports &exports, kv::PageUse use);

private:
    void build(QWidget *page);
    void addEntry(QWidget *page, const char *suffix, const QString &text, const QString &tip, PageUse use);

    Ask m_ask;
    QMenu *m_menu;
};

} // namespace kv
