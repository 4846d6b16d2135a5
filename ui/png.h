// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// PNG (specification 1.2) as pictures of a plan need it, written and read here. Qt's own writer tries five filters a row, which costs four
// times the time and, on flat colours, a fifth more bytes than no filter at all; and its reader decompresses what a hostile file tells it to.

#include <QByteArray>
#include <QImage>

namespace kv {

/// Of a text inside a PNG or a PDF, in base64; a longer one is neither written nor read. Scenarios may embed the metadata of a GGUF file.
inline constexpr qsizetype mostPictureText = 64 * 1024 * 1024;

/// 8 bits a channel, no transparency; `scale` is pixels a point (1/96 inch), said in pHYs. A text of a keyword in Latin 1 goes into a tEXt
/// chunk before the pixels, uncompressed; an empty keyword: none.
QByteArray writePng(const QImage &image, double scale, const QByteArray &keyword, const QByteArray &text);

/// The text of this keyword. Nothing is decompressed, and no byte is looked at twice: a hostile file costs its own length at most. A chunk
/// that is cut, or whose checksum is wrong, is none.
QByteArray textOfPng(const QByteArray &png, const QByteArray &keyword);

} // namespace kv
