// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// PNG (specification 1.2) as pictures of a plan need it, written and read here. Qt's own writer wants the whole image at once and tries five
// filters a row, which costs four times the time and, on flat colours, a fifth more bytes than no filter at all; and its reader decompresses
// what a hostile file tells it to.

#include "core/base/units.h"

#include <QByteArray>
#include <QImage>

#include <memory>

namespace kv {

/// Of a text inside a PNG or a PDF, in base64; a longer one is neither written nor read. Scenarios may embed the metadata of a GGUF file.
inline constexpr qsizetype mostPictureText = 64 * mebibyte;

/// Writes one picture band by band, from the top: only the bands lie in memory, never the whole image, which would take longer to be handed
/// out by the system than to be filled.
class PngWriter {
public:
    /// 8 bits a channel, no transparency; `scale` is pixels a point (1/96 inch), said in pHYs. A text of a keyword in Latin 1 goes into a
    /// tEXt chunk before the pixels, uncompressed; an empty keyword: none.
    PngWriter(QSize size, double scale, const QByteArray &keyword, const QByteArray &text);
    ~PngWriter();
    PngWriter(const PngWriter &) = delete;
    PngWriter &operator=(const PngWriter &) = delete;

    /// The next rows, as wide as the picture.
    void add(const QImage &band);
    /// The file, after as many rows as the picture is high.
    QByteArray finish();

private:
    struct Deflate; // zlib's, which no header needs to see
    std::unique_ptr<Deflate> m_deflate;
    QByteArray m_out, m_row;
    qsizetype m_data = 0; // where the chunk of the pixels begins
};

/// One that is there whole.
QByteArray writePng(const QImage &image, double scale, const QByteArray &keyword, const QByteArray &text);

/// The text of this keyword. Nothing is decompressed, and no byte is looked at twice: a hostile file costs its own length at most. A chunk
/// that is cut, or whose checksum is wrong, is none.
QByteArray textOfPng(const QByteArray &png, const QByteArray &keyword);

} // namespace kv
