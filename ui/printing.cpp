// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/printing.h"

#include "ui/dialogs.h"
#include "ui/plainglyphs.h"

#include <QApplication>
#include <QPainter>
#include <QPrinter>

#include <algorithm>

namespace kv {

std::shared_ptr<QPrinter> askForPrinter(QWidget *parent) {
    auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setPageOrientation(QPageLayout::Landscape);
    printer->setDocName(QCoreApplication::translate("kv::Printing", "KV Planner"));
    printer->setCreator(printer->docName());
    return dialogs().print(parent, *printer) ? printer : nullptr;
}

bool printOn(QPrinter &printer, const Recording &recording) {
    QPainter painter;
    if (!painter.begin(&printer))
        return false;
    const QSizeF page = printer.pageLayout().paintRectPixels(printer.resolution()).size();
    const QSizeF size = recording.size();
    constexpr double pointsAnInch = 96;
    const double scale = std::min({page.width() / size.width(), page.height() / size.height(), printer.resolution() / pointsAnInch});
    painter.translate((page.width() - size.width() * scale) / 2, 0);
    painter.scale(scale, scale);
    PlainGlyphs plain(painter, recording.size()); // a printer may be a PDF
    QPainter through(&plain);
    recording.paint(through);
    through.end();
    return painter.end();
}

} // namespace kv
