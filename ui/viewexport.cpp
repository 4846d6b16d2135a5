// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewexport.h"

#include "core/report/inwords.h"
#include "core/scenario/scenariofile.h"
#include "ui/dialogs.h"
#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/view.h"
#include "ui/words.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>
#include <QSaveFile>

namespace kv {

namespace {

constexpr QSize paperSize(1200, 760);
constexpr double pictureScale = 2;

} // namespace

void PicturePage::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), colorsOf(palette()).card);
    m_paint(painter, QRectF(rect()).adjusted(em(1), em(0.8), -em(1), -em(0.8)), ChartStyle::fromPalette(palette(), font()));
}

PictureNotes notesOf(const Scenario &scenario, const Plan &plan) {
    PictureNotes notes;
    for (const std::string &item : captionOf(scenario, plan, utf8(pictureDate())))
        notes.caption += translated(item);
    notes.document = QByteArray::fromStdString(writeDocument({{scenario}, 0, {}}, {}));
    return notes;
}

ExportButton::ExportButton(View *view, ViewExports exports) : m_view(view), m_exports(std::move(exports)), m_menu(new QMenu(this)) {
    setObjectName(m_exports.name + QStringLiteral("Export"));
    setText(QStringLiteral("⋯"));
    setAccessibleName(tr("Copy or save this view"));
    setToolTip(tr("Copy or save this view"));
    setAutoRaise(true);
    setFocusPolicy(Qt::StrongFocus);
    // Not setMenu(): the dots say already that there is more.
    connect(this, &QToolButton::clicked, this, [this] { m_menu->popup(mapToGlobal(QPoint(width() - m_menu->sizeHint().width(), height()))); });
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    const auto copy = [](const std::string &text) { QGuiApplication::clipboard()->setText(words(text)); };
    if (m_exports.markdown)
        addEntry("CopyMarkdown", tr("Copy as &Markdown"), tr("Copy the numbers as a Markdown table"), [this, copy] { copy(m_exports.markdown()); });
    addEntry("CopyCsv", tr("&Copy as CSV"), tr("Copy the exact numbers, for a spreadsheet"), [this, copy] { copy(m_exports.csv()); });
    if (m_exports.markdown)
        addEntry("SaveMarkdown", tr("Save as M&arkdown…"), tr("Write the numbers as a Markdown table"),
                 [this] { saveText(tr("Save as Markdown"), tr("Markdown (*.md)"), "md", m_exports.markdown()); });
    addEntry("SaveCsv", tr("&Save as CSV…"), tr("Write the exact numbers into a file"), [this] { saveText(tr("Save as CSV"), tr("CSV (*.csv)"), "csv", m_exports.csv()); });
    addEntry("SaveImage", tr("Save &Image…"), tr("Write this view as PNG, SVG or PDF"), [this] { saveImage(); });
}

void ExportButton::addEntry(const char *suffix, const QString &text, const QString &tip, std::function<void()> run) {
    auto *action = new QAction(text, this);
    action->setObjectName(m_exports.name + QLatin1String(suffix));
    action->setStatusTip(tip);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, std::move(run));
    m_menu->addAction(action);
    m_view->addAction(action);
}

void ExportButton::saveText(const QString &title, const QString &filter, const char *suffix, const std::string &text) {
    const QString path = dialogs().saveFile(this, title, m_exports.fileStem() + QLatin1Char('.') + QLatin1String(suffix), filter);
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    const auto size = static_cast<qint64>(text.size());
    const bool written = file.open(QIODevice::WriteOnly) && file.write(text.data(), size) == size && file.commit();
    emit m_view->hinted(written ? tr("The numbers are in %1.").arg(path) : tr("%1 could not be written: %2.").arg(path, file.errorString()));
}

void ExportButton::saveImage() {
    const QString path = dialogs().saveFile(this, tr("Save Image"), m_exports.fileStem() + QStringLiteral(".png"), tr("Images (*.png *.svg *.pdf)"));
    if (path.isEmpty())
        return;
    PicturePage page(m_view->picture());
    page.setPalette(paletteOf(lightColors()));
    page.setAttribute(Qt::WA_DontShowOnScreen);
    page.resize(paperSize);
    page.show();
    const QString fault = writePicture(page, path, pictureScale, m_exports.notes());
    emit m_view->hinted(fault.isEmpty() ? tr("The picture is in %1.").arg(path) : fault);
}

} // namespace kv
