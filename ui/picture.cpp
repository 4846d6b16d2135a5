// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/picture.h"

#include "ui/theme.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QImageReader>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr int svgDotsPerInch = 96; // what widgets are laid out for; the generator's own 72 would shrink all type

constexpr char textKey[] = "kvplan";

QFont captionFont() { return scaledFont(type::small); }

int captionMargin() { return em(0.7); }

/// As many items a line as fit; one that is wider than a line alone is cut with "…".
QStringList captionLines(const QStringList &items, int width) {
    const QFontMetricsF metrics(captionFont());
    const double room = width - 2 * captionMargin();
    QStringList lines;
    for (const QString &item : items) {
        const QString joined = lines.isEmpty() ? item : lines.last() + QStringLiteral(" · ") + item;
        if (!lines.isEmpty() && metrics.horizontalAdvance(joined) <= room)
            lines.last() = joined;
        else
            lines += metrics.elidedText(item, Qt::ElideMiddle, room);
    }
    return lines;
}

QSize wholeSize(const QWidget &view, const PictureNotes &notes) {
    return view.size() + QSize(0, captionHeight(notes.caption, view.width()));
}

void paint(QWidget &view, QPainter &painter, const PictureNotes &notes) {
    painter.fillRect(QRect(QPoint(), wholeSize(view, notes)), view.palette().color(QPalette::Window));
    view.render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
    painter.setFont(captionFont());
    painter.setPen(colorsOf(view.palette()).muted);
    const QFontMetricsF metrics(captionFont());
    double top = view.height();
    for (const QString &line : captionLines(notes.caption, view.width())) {
        painter.drawText(QPointF(captionMargin(), top + metrics.ascent()), line);
        top += metrics.lineSpacing();
    }
}

QByteArray svgOf(QWidget &view, const PictureNotes &notes) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(svgDotsPerInch);
    generator.setSize(wholeSize(view, notes));
    generator.setViewBox(QRect(QPoint(), wholeSize(view, notes)));
    generator.setTitle(QCoreApplication::translate("kv::Picture", "KV Planner"));
    generator.setDescription(notes.caption.join(QStringLiteral(" · ")).toHtmlEscaped());
    QPainter painter(&generator);
    paint(view, painter, notes);
    painter.end();
    return bytes;
}

QByteArray pdfOf(QWidget &view, const PictureNotes &notes) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(QCoreApplication::translate("kv::Picture", "KV Planner"));
    writer.setResolution(svgDotsPerInch);
    if (!notes.document.isEmpty())
        writer.addFileAttachment(QStringLiteral("scenario.kvplan"), notes.document, QStringLiteral("application/vnd.kvplanner.kvplan+json"));
    const QSizeF points = QSizeF(wholeSize(view, notes)) * 72.0 / svgDotsPerInch;
    writer.setPageLayout(QPageLayout(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch), QPageLayout::Portrait, QMarginsF()));
    QPainter painter(&writer);
    paint(view, painter, notes);
    painter.end();
    return bytes;
}

QByteArray pngOf(QWidget &view, double scale, const PictureNotes &notes) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    pictureOf(view, scale, notes).save(&buffer, "PNG");
    return bytes;
}

/// The first stream that inflates to a plan. A PDF of ours has a handful, each small.
QByteArray attachedTo(const QByteArray &pdf) {
    constexpr quint32 mostBytes = 64 * 1024 * 1024;
    for (qsizetype at = 0; (at = pdf.indexOf("stream\n", at)) >= 0; ++at) {
        const qsizetype from = at + 7, to = pdf.indexOf("\nendstream", from);
        if (to < 0)
            break;
        if (at >= 3 && pdf.mid(at - 3, 3) == "end")
            continue;
        // What deflated text can grow to is bounded by its own size; qUncompress wants the guess in front.
        const quint32 guess = static_cast<quint32>(std::min<qsizetype>((to - from) * 8 + 1024, mostBytes));
        QByteArray stream(4, '\0');
        for (int i = 0; i < 4; ++i)
            stream[i] = static_cast<char>(guess >> (24 - 8 * i));
        stream += pdf.mid(from, to - from);
        const QByteArray text = stream.at(4) == '{' ? stream.mid(4) : static_cast<unsigned char>(stream.at(4)) == 0x78 ? qUncompress(stream) : QByteArray();
        if (text.startsWith('{') && text.contains("\"kvplan\""))
            return text;
    }
    return {};
}

} // namespace

int captionHeight(const QStringList &caption, int width) {
    if (caption.isEmpty())
        return 0;
    const double lines = QFontMetricsF(captionFont()).lineSpacing() * static_cast<double>(captionLines(caption, width).size());
    return static_cast<int>(std::ceil(lines)) + captionMargin();
}

QString pictureDate() {
    bool given = false;
    const qint64 epoch = qEnvironmentVariable("SOURCE_DATE_EPOCH").toLongLong(&given);
    return (given ? QDateTime::fromSecsSinceEpoch(epoch, Qt::UTC).date() : QDate::currentDate()).toString(Qt::ISODate);
}

QImage pictureOf(QWidget &view, double scale, const PictureNotes &notes) {
    QImage image((QSizeF(wholeSize(view, notes)) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paint(view, painter, notes);
    painter.end();
    if (!notes.document.isEmpty()) // in base64, since reading brings runs of spaces down to one
        image.setText(QLatin1String(textKey), QString::fromLatin1(notes.document.toBase64()));
    return image;
}

QByteArray pictureDocument(const QByteArray &file) {
    if (file.startsWith("%PDF"))
        return attachedTo(file);
    QBuffer buffer;
    buffer.setData(file);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer, "png");
    return QByteArray::fromBase64(reader.text(QLatin1String(textKey)).toLatin1());
}

QString writePicture(QWidget &view, const QString &path, double scale, const PictureNotes &notes) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (suffix == QLatin1String("svg"))
        bytes = svgOf(view, notes);
    else if (suffix == QLatin1String("pdf"))
        bytes = pdfOf(view, notes);
    else if (suffix == QLatin1String("png"))
        bytes = pngOf(view, scale, notes);
    else
        return QCoreApplication::translate("kv::Picture", "%1: a picture can be written as .png, .svg or .pdf; found “.%2”.").arg(path, suffix);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return QCoreApplication::translate("kv::Picture", "%1 could not be written: %2.").arg(path, file.errorString());
    return {};
}

} // namespace kv
