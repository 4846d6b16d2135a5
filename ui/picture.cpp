// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/picture.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QWidget>

namespace kv {

namespace {

constexpr int svgDotsPerInch = 96; // what widgets are laid out for; the generator's own 72 would shrink all type

void paint(QWidget &view, QPainter &painter) {
    painter.fillRect(view.rect(), view.palette().color(QPalette::Window));
    view.render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
}

QByteArray svgOf(QWidget &view) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(svgDotsPerInch);
    generator.setSize(view.size());
    generator.setViewBox(view.rect());
    generator.setTitle(QCoreApplication::translate("kv::Picture", "KV Planner"));
    QPainter painter(&generator);
    paint(view, painter);
    painter.end();
    return bytes;
}

QByteArray pdfOf(QWidget &view) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(QCoreApplication::translate("kv::Picture", "KV Planner"));
    writer.setResolution(svgDotsPerInch);
    const QSizeF points = QSizeF(view.size()) * 72.0 / svgDotsPerInch;
    writer.setPageLayout(QPageLayout(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch), QPageLayout::Portrait, QMarginsF()));
    QPainter painter(&writer);
    paint(view, painter);
    painter.end();
    return bytes;
}

QByteArray pngOf(QWidget &view, double scale) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    pictureOf(view, scale).save(&buffer, "PNG");
    return bytes;
}

} // namespace

QImage pictureOf(QWidget &view, double scale) {
    QImage image((QSizeF(view.size()) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paint(view, painter);
    painter.end();
    return image;
}

QString writePicture(QWidget &view, const QString &path, double scale) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (suffix == QLatin1String("svg"))
        bytes = svgOf(view);
    else if (suffix == QLatin1String("pdf"))
        bytes = pdfOf(view);
    else if (suffix == QLatin1String("png"))
        bytes = pngOf(view, scale);
    else
        return QCoreApplication::translate("kv::Picture", "%1: a picture can be written as .png, .svg or .pdf; found “.%2”.").arg(path, suffix);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return QCoreApplication::translate("kv::Picture", "%1 could not be written: %2.").arg(path, file.errorString());
    return {};
}

} // namespace kv
