// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewexport.h"

#include "core/report/latex.h"
#include "core/report/pagenumbers.h"
#include "ui/charts/charttables.h"
#include "ui/controls/tabcard.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QAbstractScrollArea>
#include <QAction>
#include <QEvent>
#include <QMenu>
#include <QTextEdit>

namespace kv {

ViewExports View::exports() { return {}; }

ViewExports computedExports(const QString &page, const QString &fileStem, const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    ViewExports out{page, page, fileStem, {}, {}, {}};
    const auto kept = std::make_shared<const std::pair<Scenario, Plan>>(scenario, plan);
    const auto numbers = [id = utf8(page), kept, unit] { return pageNumbers(id, kept->first, kept->second, unit).value_or(PageNumbers{}); };
    out.csv = {[numbers] { return numbers().csv; }, true};
    out.markdown = {[numbers] { return numbers().markdown; }, true};
    if (page == QLatin1String("explain"))
        out.latex = {[kept, unit] { return planLatex(kept->first, kept->second, unit); }, true};
    return out;
}

ViewExports tableExports(const QString &page, const QString &fileStem, const QAbstractItemModel *model) {
    return {page, page, fileStem, {[model] { return utf8(tableAsCsv(*model)); }, false}, {[model] { return utf8(tableAsMarkdown(*model)); }, false}, {}};
}

ExportButton::ExportButton(QWidget *page, Ask ask) : QToolButton(page), m_ask(std::move(ask)), m_menu(new QMenu(this)) { build(page); }

ExportButton::ExportButton(View *view) : ExportButton(view, [view] { return view->exports(); }) { connect(this, &ExportButton::pageAsked, view, &View::pageAsked); }

void ExportButton::build(QWidget *page) {
    const ViewExports now = m_ask();
    setObjectName(now.name + QStringLiteral("Export"));
    setText(QStringLiteral("⋯"));
    setAccessibleName(tr("Copy, save or print this view"));
    setToolTip(tr("Copy, save or print this view"));
    setAutoRaise(true);
    setFocusPolicy(Qt::StrongFocus);
    // Not setMenu(): the dots say already that there is more.
    connect(this, &QToolButton::clicked, this, [this] { m_menu->popup(mapToGlobal(QPoint(width() - m_menu->sizeHint().width(), height()))); });
    if (!qobject_cast<QTextEdit *>(page)) // it has a menu for its text
        page->setContextMenuPolicy(Qt::ActionsContextMenu);
    if (now.markdown)
        addEntry(page, "CopyMarkdown", tr("Copy as &Markdown"), tr("Copy the numbers as a Markdown table"), PageUse::CopyMarkdown);
    if (now.csv)
        addEntry(page, "CopyCsv", tr("&Copy as CSV"), tr("Copy the exact numbers, for a spreadsheet"), PageUse::CopyCsv);
    if (now.latex)
        addEntry(page, "CopyLatex", tr("Copy as La&TeX"), tr("Copy the formulas for a paper; they need amsmath and array"), PageUse::CopyLatex);
    addEntry(page, "CopyImage", tr("Copy &Image"), tr("Copy a picture of this view"), PageUse::CopyImage);
    if (now.markdown)
        addEntry(page, "SaveMarkdown", tr("Save as M&arkdown…"), tr("Write the numbers as a Markdown table"), PageUse::SaveMarkdown);
    if (now.csv)
        addEntry(page, "SaveCsv", tr("&Save as CSV…"), tr("Write the exact numbers into a file"), PageUse::SaveCsv);
    addEntry(page, "SaveImage", tr("Sa&ve Image…"), tr("Write this view as PNG, SVG or PDF"), PageUse::SaveImage);
    addEntry(page, "Print", tr("&Print…"), tr("Print this view on a page of its own"), PageUse::Print);
}

void ExportButton::standInCorner() {
    TabCard::setCorner(parentWidget(), this);
    parentWidget()->installEventFilter(this);
    raise();
}

int ExportButton::cornerHeight() { return em(1.3); }

bool ExportButton::eventFilter(QObject *watched, QEvent *event) {
    if (watched == parentWidget() && (event->type() == QEvent::Resize || event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest)) {
        const auto *scrolls = qobject_cast<const QAbstractScrollArea *>(parentWidget());
        const int right = scrolls ? scrolls->viewport()->geometry().right() + 1 : parentWidget()->width();
        resize(sizeHint().width(), cornerHeight());
        move(right - width(), 0);
    }
    return QToolButton::eventFilter(watched, event);
}

void ExportButton::addEntry(QWidget *page, const char *suffix, const QString &text, const QString &tip, PageUse use) {
    auto *action = new QAction(text, this);
    action->setObjectName(m_ask().name + QLatin1String(suffix));
    action->setStatusTip(tip);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, [this, use] { emit pageAsked(m_ask(), use); });
    m_menu->addAction(action);
    page->addAction(action);
}

} // namespace kv
