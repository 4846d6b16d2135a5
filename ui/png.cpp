// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/png.h"

#include <QtEndian>

#include <cmath>
#include <zlib.h>

namespace kv {

namespace {

const QByteArray &signature() {
    static const QByteArray bytes("\x89PNG\r\n\x1a\n", 8);
    return bytes;
}

constexpr int compression = 3; // zlib's usual 6 takes twice the time for a seventh of the size
constexpr double inchesPerMetre = 1 / 0.0254;
constexpr qsizetype outStep = 256 * kibibyte;

quint32 checksum(QByteArrayView bytes) { return static_cast<quint32>(crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()), static_cast<z_size_t>(bytes.size()))); }

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

} // namespace

struct PngWriter::Deflate {
    z_stream stream{};
    Deflate() { deflateInit(&stream, compression); }
    ~Deflate() { deflateEnd(&stream); }
    Deflate(const Deflate &) = delete;
    Deflate &operator=(const Deflate &) = delete;

    /// Takes all of the bytes in, and puts what comes out behind `out`.
    void take(QByteArrayView bytes, int flush, QByteArray &out) {
        stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
        stream.avail_in = static_cast<uInt>(bytes.size());
        do {
            const qsizetype filled = out.size();
            if (out.capacity() - filled < outStep)
                out.reserve(2 * filled + outStep);
            out.resize(filled + outStep);
            stream.next_out = reinterpret_cast<Bytef *>(out.data() + filled);
            stream.avail_out = static_cast<uInt>(outStep);
            deflate(&stream, flush);
            out.truncate(filled + outStep - static_cast<qsizetype>(stream.avail_out));
        } while (stream.avail_out == 0);
    }
};

PngWriter::PngWriter(QSize size, double scale, const QByteArray &keyword, const QByteArray &text) : m_deflate(std::make_unique<Deflate>()), m_out(signature()) {
    QByteArray header, dots;
    appendNumber(header, static_cast<quint32>(size.width()));
    appendNumber(header, static_cast<quint32>(size.height()));
    header.append("\x08\x02\x00\x00\x00", 5); // 8 bits, red green blue, deflate, adaptive filters, not interlaced
    appendChunk(m_out, "IHDR", header);
    const auto perMetre = static_cast<quint32>(std::lround(96 * scale * inchesPerMetre));
    appendNumber(dots, perMetre);
    appendNumber(dots, perMetre);
    appendChunk(m_out, "pHYs", dots + '\x01');
    if (!keyword.isEmpty() && text.size() <= mostPictureText)
        appendChunk(m_out, "tEXt", keyword + '\0' + text);
    m_data = m_out.size();
    m_out.append("\0\0\0\0IDAT", 8); // its length is known at the end
}

PngWriter::~PngWriter() = default;

void PngWriter::add(const QImage &band) {
    const QImage flat = band.convertToFormat(QImage::Format_RGB32); // as it is, where it is so already
    m_row.resize(qsizetype(flat.width()) * 3 + 1);
    for (int y = 0; y < flat.height(); ++y) {
        char *out = m_row.data();
        *out++ = 0; // no filter
        const auto *pixels = reinterpret_cast<const QRgb *>(flat.constScanLine(y));
        for (int x = 0; x < flat.width(); ++x, out += 3) {
            out[0] = static_cast<char>(qRed(pixels[x]));
            out[1] = static_cast<char>(qGreen(pixels[x]));
            out[2] = static_cast<char>(qBlue(pixels[x]));
        }
        m_deflate->take(m_row, Z_NO_FLUSH, m_out);
    }
}

QByteArray PngWriter::finish() {
    m_deflate->take({}, Z_FINISH, m_out);
    constexpr qsizetype named = 4; // length
    qToBigEndian(static_cast<quint32>(m_out.size() - m_data - 2 * named), m_out.data() + m_data);
    appendNumber(m_out, checksum(QByteArrayView(m_out).sliced(m_data + named)));
    appendChunk(m_out, "IEND", {});
    return std::move(m_out);
}

QByteArray writePng(const QImage &image, double scale, const QByteArray &keyword, const QByteArray &text) {
    PngWriter writer(image.size(), scale, keyword, text);
    writer.add(image);
    return writer.finish();
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
