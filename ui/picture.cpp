// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/picture.h"

#include "ui/plainglyphs.h"
#include "ui/png.h"
#include "ui/theme.h"
#include "ui/words.h"

#include "core/base/savefile.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr int dotsPerInch = 96; // what widgets are laid out for; the generators' own would shrink or blow up all type
constexpr int bandHeight = 512; // pixels painted between two questions whether to go on
constexpr char keyword[] = "kvplan";
constexpr QByteArrayView opening("<kvplanner:document>"), closing("</kvplanner:document>");

QFont captionFont() { return scaledFont(type::small); }

int captionMargin() { return em(0.7); }

bool runsFromRight(const QString &text) {
    return std::ranges::any_of(text, [](QChar c) { return c.direction() == QChar::DirR || c.direction() == QChar::DirAL; });
}

/// A name that runs from the right turns nothing around it: it is between isolates (Unicode UAX #9, 2.4), which nothing else is.
QString isolated(const QString &name) { return runsFromRight(name) ? QChar(0x2068) + name + QChar(0x2069) : name; }

/// As many letters of a text as a line has room for, at least one.
qsizetype lettersThatFit(const QString &text, const QFontMetricsF &metrics, double room) {
    qsizetype low = 1, high = text.size();
    while (low < high) {
        const qsizetype middle = (low + high + 1) / 2;
        if (metrics.horizontalAdvance(text.first(middle)) <= room)
            low = middle;
        else
            high = middle - 1;
    }
    return low < text.size() && text.at(low - 1).isHighSurrogate() ? low + 1 : low;
}

/// As many items a line as fit; one that is wider than a line alone is broken, never cut.
QStringList captionLines(const QStringList &items, int width) {
    const QFontMetricsF metrics(captionFont());
    const double room = std::max(1, width - 2 * captionMargin());
    QStringList lines;
    for (const QString &item : items) {
        const QString joined = lines.isEmpty() ? isolated(item) : lines.last() + QStringLiteral(" · ") + isolated(item);
        if (!lines.isEmpty() && metrics.horizontalAdvance(joined) <= room) {
            lines.last() = joined;
            continue;
        }
        QString rest = item;
        while (metrics.horizontalAdvance(rest) > room && rest.size() > 1) {
            const qsizetype letters = lettersThatFit(rest, metrics, room);
            const qsizetype space = rest.lastIndexOf(QLatin1Char(' '), letters);
            const qsizetype end = space > 0 && letters < rest.size() ? space : letters;
            lines += isolated(rest.first(end));
            rest = rest.mid(end).trimmed();
        }
        if (!rest.isEmpty())
            lines += isolated(rest);
    }
    return lines;
}

void paintCaption(QPainter &painter, const QWidget &view, const QStringList &caption) {
    painter.setFont(captionFont());
    painter.setPen(colorsOf(view.palette()).muted);
    painter.setLayoutDirection(Qt::LeftToRight); // whatever the first name is written in
    const QFontMetricsF metrics(captionFont());
    double top = view.height();
    for (const QString &line : captionLines(caption, view.width())) {
        painter.drawText(QPointF(captionMargin(), top + metrics.ascent()), line);
        top += metrics.lineSpacing();
    }
}

QString titleOf(const PictureNotes &notes) {
    const QString name = QCoreApplication::translate("kv::Picture", "KV Planner");
    return notes.caption.isEmpty() ? name : name + QStringLiteral(": ") + isolated(notes.caption.first());
}

QString sentenceOf(QStringList caption) {
    for (QString &item : caption)
        item = isolated(item);
    return caption.join(QStringLiteral(" · "));
}

QByteArray svgOf(const Recording &recording) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(QPicture().logicalDpiY()); // another one would have the picture blown up or shrunk
    generator.setSize(recording.size());
    generator.setViewBox(QRect(QPoint(), recording.size()));
    generator.setTitle(titleOf(recording.notes()).toHtmlEscaped());
    generator.setDescription(sentenceOf(recording.notes().caption).toHtmlEscaped());
    QPainter painter(&generator);
    recording.paint(painter);
    painter.end();
    bytes.replace("\xE2\x80\x8B", ""); // where a long key may break: whoever copies it wants the key
    return bytes;
}

/// XMP: ISO 16684-1.
QByteArray metadataOf(const PictureNotes &notes) {
    const QByteArray text = notes.document.toBase64();
    QByteArray out("<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
                   "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
                   "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:kvplanner=\"urn:io.github.kvplanner:1#\">\n"
                   "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">");
    out += titleOf(notes).toHtmlEscaped().toUtf8() + "</rdf:li></rdf:Alt></dc:title>\n";
    if (!text.isEmpty() && text.size() <= mostPictureText)
        out.append(opening).append(text).append(closing).append('\n');
    return out + "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"w\"?>\n";
}

std::optional<QDateTime> givenDate() {
    bool given = false;
    const qint64 epoch = qEnvironmentVariable("SOURCE_DATE_EPOCH").toLongLong(&given);
    return given ? std::optional(QDateTime::fromSecsSinceEpoch(epoch, Qt::UTC)) : std::nullopt;
}

/// Qt takes the clock's time. Another takes its place letter for letter, so that what the file says of its offsets stays true.
void setCreationDate(QByteArray &pdf, const QDateTime &date) {
    constexpr QByteArrayView key("/CreationDate (D:");
    const qsizetype at = pdf.indexOf(key) + key.size();
    if (at < key.size())
        return;
    const QByteArray time = date.toString(QStringLiteral("yyyyMMddhhmmss")).toLatin1();
    pdf.replace(at, time.size(), time);
    const qsizetype zone = at + time.size();
    if (pdf.at(zone) != 'Z')
        pdf.replace(zone, 6, "+00'00"); // PDF 32000-1, 7.9.4
}

QByteArray pdfOf(const Recording &recording) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(titleOf(recording.notes()));
    writer.setCreator(QCoreApplication::translate("kv::Picture", "KV Planner"));
    writer.setResolution(dotsPerInch);
    writer.setDocumentXmpMetadata(metadataOf(recording.notes()));
    const QSizeF points = QSizeF(recording.size()) * 72.0 / dotsPerInch;
    writer.setPageLayout(QPageLayout(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch), QPageLayout::Portrait, QMarginsF()));
    QPainter painter(&writer);
    PlainGlyphs plain(painter, recording.size());
    QPainter through(&plain);
    recording.paint(through);
    through.end();
    painter.end();
    if (const std::optional<QDateTime> given = givenDate())
        setCreationDate(bytes, *given);
    return bytes;
}

QByteArray insidePdf(const QByteArray &pdf) {
    const QByteArrayView bytes(pdf);
    const qsizetype begin = bytes.indexOf(opening);
    if (begin < 0)
        return {};
    const QByteArrayView rest = bytes.sliced(begin + opening.size());
    const qsizetype end = rest.first(std::min(rest.size(), mostPictureText + closing.size())).indexOf(closing);
    return end < 0 ? QByteArray() : rest.first(end).toByteArray();
}

QSize pixelsOf(const Recording &recording, double scale) { return (QSizeF(recording.size()) * scale).toSize(); }

QByteArray keywordOf(const Recording &recording) { return recording.notes().document.isEmpty() ? QByteArray() : QByteArray(keyword); }

/// Paints the rows from `top` on, as many as the band has. What lies outside an image costs next to nothing.
void paintBand(const Recording &recording, QImage &band, int top, double scale) {
    band.setDevicePixelRatio(scale); // and not a scaled painter: pens of one pixel would stay one
    QPainter painter(&band);
    painter.translate(0, -top / scale);
    recording.paint(painter);
}

/// As pngOf(imageOf()), with one band in memory.
QByteArray pngInBands(const Recording &recording, double scale, const GoOn &goOn) {
    const QSize pixels = pixelsOf(recording, scale);
    PngWriter writer(pixels, scale, keywordOf(recording), recording.notes().document.toBase64());
    QImage bands(pixels.width(), std::min(bandHeight, pixels.height()), QImage::Format_RGB32);
    if (bands.isNull())
        return {};
    for (int top = 0; top < pixels.height(); top += bandHeight) {
        if (goOn && !goOn())
            return {};
        QImage band(bands.bits(), bands.width(), std::min(bandHeight, pixels.height() - top), bands.bytesPerLine(), bands.format());
        paintBand(recording, band, top, scale);
        writer.add(band);
    }
    return writer.finish();
}

} // namespace

std::optional<PictureForm> pictureForm(const QString &path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("png"))
        return PictureForm::Png;
    if (suffix == QLatin1String("svg"))
        return PictureForm::Svg;
    if (suffix == QLatin1String("pdf"))
        return PictureForm::Pdf;
    return std::nullopt;
}

QString unknownForm(const QString &path) {
    return QCoreApplication::translate("kv::Picture", "%1: a picture can be written as .png, .svg or .pdf; found “.%2”.").arg(path, QFileInfo(path).suffix().toLower());
}

int captionHeight(const QStringList &caption, int width) {
    if (caption.isEmpty())
        return 0;
    const double lines = QFontMetricsF(captionFont()).lineSpacing() * static_cast<double>(captionLines(caption, width).size());
    return static_cast<int>(std::ceil(lines)) + captionMargin();
}

QString pictureDate() {
    const std::optional<QDateTime> given = givenDate();
    return (given ? given->date() : QDate::currentDate()).toString(Qt::ISODate);
}

Recording::Recording(QWidget &view, PictureNotes notes) : m_notes(std::move(notes)), m_size(view.size() + QSize(0, captionHeight(m_notes.caption, view.width()))) {
    QPicture ink;
    QPainter painter(&ink);
    painter.fillRect(QRect(QPoint(), m_size), view.palette().color(QPalette::Window));
    view.render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
    paintCaption(painter, view, m_notes.caption);
    painter.end();
    m_ink = QByteArray(ink.data(), static_cast<qsizetype>(ink.size()));
}

void Recording::paint(QPainter &painter) const {
    QPicture ink;
    ink.setData(m_ink.constData(), static_cast<uint>(m_ink.size()));
    painter.drawPicture(QPointF(), ink);
}

QImage imageOf(const Recording &recording, double scale, const GoOn &goOn) {
    QImage image(pixelsOf(recording, scale), QImage::Format_RGB32);
    for (int top = 0; top < image.height(); top += bandHeight) {
        if (goOn && !goOn())
            return {};
        QImage band(image.scanLine(top), image.width(), std::min(bandHeight, image.height() - top), image.bytesPerLine(), image.format());
        paintBand(recording, band, top, scale);
    }
    image.setDevicePixelRatio(scale);
    return image;
}

QByteArray pngOf(const Recording &recording, const QImage &image, double scale) {
    return writePng(image, scale, keywordOf(recording), recording.notes().document.toBase64());
}

QByteArray bytesOf(const Recording &recording, PictureForm form, double scale, const GoOn &goOn) {
    switch (form) {
    case PictureForm::Svg:
        return svgOf(recording);
    case PictureForm::Pdf:
        return pdfOf(recording);
    case PictureForm::Png:
        break;
    }
    return pngInBands(recording, scale, goOn);
}

QString writeFile(const QString &path, const QByteArray &bytes) {
    const std::string reason = replaceFile(utf8(path), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    return reason.empty() ? QString() : QCoreApplication::translate("kv::Picture", "%1 could not be written: %2.").arg(path, words(reason));
}

QString writePicture(const QString &path, const Recording &recording, PictureForm form, double scale, const GoOn &goOn) {
    const QByteArray bytes = bytesOf(recording, form, scale, goOn);
    if (goOn && !goOn())
        return {};
    return bytes.isEmpty() ? noRoomForPicture() : writeFile(path, bytes);
}

QString noRoomForPicture() { return QCoreApplication::translate("kv::Picture", "There is not enough memory to paint this picture; a smaller one takes less."); }

QByteArray pictureDocument(const QByteArray &file) {
    const QByteArray text = file.startsWith("%PDF") ? insidePdf(file) : textOfPng(file, keyword);
    const auto read = QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
    return read ? *read : QByteArray();
}

} // namespace kv
