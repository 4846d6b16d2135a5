// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A dashboard or a chart as a picture: PNG at any number of pixels a point, SVG, PDF, the clipboard's image, a sheet of paper. All are the
// widgets' own painting, recorded once on the GUI thread in some milliseconds and painted from the recording on any thread, so that an
// export never holds the window up. Below the view stands a caption that says what it is of.
//
// The scenarios ride inside a PNG (a tEXt chunk "kvplan", ui/png.h) and a PDF (the XMP metadata, the one stream that QPdfWriter leaves as
// it is), in base64, at most mostPictureText of it; pictureDocument finds them in one pass and decompresses nothing. A PNG and an SVG of
// the same are the same bytes twice; a PDF but for its time of making, which Qt writes.

#include <QByteArray>
#include <QImage>
#include <QPicture>
#include <QSize>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

class QWidget;

namespace kv {

struct PictureNotes {
    QStringList caption; ///< items, wrapped between them; none: no caption
    QByteArray document; ///< the text of a .kvplan; empty: none
};

enum class PictureForm { Png, Svg, Pdf };

/// By the suffix of a file's name.
std::optional<PictureForm> pictureForm(const QString &path);
/// What to say of a name without such a suffix.
QString unknownForm(const QString &path);

/// Height of the caption below a view of this width, 0 without one.
int captionHeight(const QStringList &caption, int width);
/// The day that a caption names, "2026-11-29": that of SOURCE_DATE_EPOCH where it is set (UTC), else today.
QString pictureDate();

/// A view and its caption as they were at one moment. A value: it needs neither the view nor its thread.
class Recording {
public:
    Recording() = default;
    Recording(QWidget &view, PictureNotes notes);

    QSize size() const { return m_size; } ///< points, with the caption
    const PictureNotes &notes() const { return m_notes; }
    void paint(QPainter &painter) const;

private:
    PictureNotes m_notes;
    QSize m_size;
    QByteArray m_ink; ///< of a QPicture, which cannot be played on two threads
};

/// Asked now and then while painting; false: stop.
using GoOn = std::function<bool()>;

/// `scale` is pixels a point; a null image where it was told to stop.
QImage imageOf(const Recording &recording, double scale, const GoOn &goOn = {});
/// `scale` is for PNG alone; empty where it was told to stop.
QByteArray bytesOf(const Recording &recording, PictureForm form, double scale, const GoOn &goOn = {});
QByteArray pngOf(const Recording &recording, const QImage &image, double scale);
/// All or nothing; returns a sentence where it could not be written.
QString writeFile(const QString &path, const QByteArray &bytes);
/// Paints and writes; what stands there stays where the picture came to nothing, or it was told to stop.
QString writePicture(const QString &path, const Recording &recording, PictureForm form, double scale, const GoOn &goOn = {});
/// Why a picture came to nothing.
QString noRoomForPicture();

/// The text of the .kvplan inside the bytes of such a PNG or PDF; empty where there is none.
QByteArray pictureDocument(const QByteArray &file);

} // namespace kv
