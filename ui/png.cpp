// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/png.h"

#include <QtEndian>

#include <array>
#include <cmath>

namespace kv {

namespace {

const QByteArray &signature() {
    static const QByteArray bytes("\x89PNG\r\n\x1a\n", 8);
    return bytes;
}

constexpr int compression = 4; // zlib's usual 6 takes a third longer for a fifteenth of the size
constexpr double inchesPerMetre = 1 / 0.0254;

/// Appendix D.
quint32 checksum(QByteArrayView bytes) {
    static const std::array<quint32, 256> table = [] {
        std::array<quint32, 256> made{};
        for (quint32 n = 0; n < 256; ++n) {
            quint32 c = n;
            for (int bit = 0; bit < 8; ++bit)
                c = c & 1 ? 0xedb88320U ^ (c >> 1) : c >> 1;
            made[n] = c;
        }
        return made;
    }();
    quint32 c = 0xffffffffU;
    for (const char byte : bytes)
        c = table[(c ^ static_cast<unsigned char>(byte)) & 0xff] ^ (c >> 8);
    return c ^ 0xffffffffU;
}

void appendNumber(QByteArray &out, quint32 number) {
    const quint32 big = qToBigEndian(number);
    out.append(reinterpret_cast<const char *>(&big), sizeof big);
}

quint32 numberAt(QByteArrayView bytes, qsizetype at) { return qFromBigEndian<quint32>(bytes.data() + at); }

void appendChunk(QByteArray &out, const char *type, QByteArrayView data) {
    appendNumber(out, static_cast<quint32>(data.size()));
    const qsizetype named = out.size();
    out.append(type, 4).append(data.data(), data.size());
    appendNumber(out, checksum(QByteArrayView(out).sliced(named)));
}

/// Rows of red, green and blue, each behind a byte that says that no filter was used.
QByteArray rowsOf(const QImage &image) {
    const QImage flat = image.convertToFormat(QImage::Format_RGB32); // as it is, where it is so already
    QByteArray rows((qsizetype(flat.width()) * 3 + 1) * flat.height(), Qt::Uninitialized);
    char *out = rows.data();
    for (int y = 0; y < flat.height(); ++y) {
        *out++ = 0;
        const auto *pixels = reinterpret_cast<const QRgb *>(flat.constScanLine(y));
        for (int x = 0; x < flat.width(); ++x, out += 3) {
            out[0] = static_cast<char>(qRed(pixels[x]));
            out[1] = static_cast<char>(qGreen(pixels[x]));
            out[2] = static_cast<char>(qBlue(pixels[x]));
        }
    }
    return rows;
}

} // namespace

QByteArray writePng(const QImage &image, double scale, const QByteArray &keyword, const QByteArray &text) {
    QByteArray header, dots, out = signature();
    appendNumber(header, static_cast<quint32>(image.width()));
    appendNumber(header, static_cast<quint32>(image.height()));
    header.append("\x08\x02\x00\x00\x00", 5); // 8 bits, red green blue, deflate, adaptive filters, not interlaced
    appendChunk(out, "IHDR", header);
    const auto perMetre = static_cast<quint32>(std::lround(96 * scale * inchesPerMetre));
    appendNumber(dots, perMetre);
    appendNumber(dots, perMetre);
    appendChunk(out, "pHYs", dots + '\x01');
    if (!keyword.isEmpty() && text.size() <= mostPictureText)
        appendChunk(out, "tEXt", keyword + '\0' + text);
    appendChunk(out, "IDAT", QByteArrayView(qCompress(rowsOf(image), compression)).sliced(4)); // behind the length that Qt puts in front
    appendChunk(out, "IEND", {});
    return out;
}

QByteArray textOfPng(const QByteArray &png, const QByteArray &keyword) {
    if (!png.startsWith(signature()))
        return {};
    const QByteArray wanted = "tEXt" + keyword + '\0';
    const QByteArrayView bytes(png);
    constexpr qsizetype around = 12; // length, type and checksum
    for (qsizetype at = signature().size(); at + around <= bytes.size();) {
        const qsizetype size = numberAt(bytes, at);
        if (size > bytes.size() - at - around)
            return {};
        const QByteArrayView named = bytes.sliced(at + 4, size + 4); // what the checksum is of
        if (named.startsWith(wanted)) {
            const QByteArrayView text = named.sliced(wanted.size());
            return text.size() <= mostPictureText && numberAt(bytes, at + 8 + size) == checksum(named) ? text.toByteArray() : QByteArray();
        }
        at += around + size;
    }
    return {};
}

} // namespace kv
