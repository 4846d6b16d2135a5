// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A dashboard or a chart as a picture: PNG at any number of pixels a point, SVG, PDF. The vectors are the widgets' own painting, so that
// a picture shows what the window shows. Below it stands a caption that says what it is of; the scenarios ride inside a PNG (as the text
// "kvplan", in base64) and a PDF (as an attached file), from where pictureDocument reads them. A PNG and an SVG of the same are the same
// bytes twice; a PDF but for its time of making, which Qt writes.

#include <QByteArray>
#include <QImage>
#include <QString>
#include <QStringList>

class QWidget;

namespace kv {

struct PictureNotes {
    QStringList caption; ///< items, wrapped between them; none: no caption
    QByteArray document; ///< the text of a .kvplan; empty: none
};

/// Height of the caption below a view of this width, 0 without one.
int captionHeight(const QStringList &caption, int width);
/// The day that a caption names, "2026-11-29": that of SOURCE_DATE_EPOCH where it is set (UTC), else today.
QString pictureDate();

QImage pictureOf(QWidget &view, double scale, const PictureNotes &notes = {});
/// By the suffix of the path; returns a sentence where it could not be written. `scale` is for PNG.
QString writePicture(QWidget &view, const QString &path, double scale, const PictureNotes &notes);

/// The text of the .kvplan inside the bytes of a PNG or a PDF that writePicture made; empty where there is none.
QByteArray pictureDocument(const QByteArray &file);

} // namespace kv
