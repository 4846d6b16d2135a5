// SPDX-License-Identifier: GPL-3.0-or-later
//
// kv_iconpng DRAWING.svg SIZE OUT.png: a drawing as pixels, while building; what a desktop without an SVG reader shows.
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <cstdio>

int main(int argc, char **argv) {
    if (argc != 4) {
        std::fputs("usage: kv_iconpng DRAWING.svg SIZE OUT.png\n", stderr);
        return 2;
    }
    QSvgRenderer drawing(QFile::decodeName(argv[1]));
    const int size = QByteArray(argv[2]).toInt();
    const QString out = QFile::decodeName(argv[3]);
    if (!drawing.isValid() || size <= 0) {
        std::fprintf(stderr, "kv_iconpng: %s cannot be drawn at size %s\n", argv[1], argv[2]);
        return 1;
    }
    QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    drawing.render(&painter);
    painter.end();
    QDir().mkpath(QFileInfo(out).absolutePath());
    if (!image.save(out)) {
        std::fprintf(stderr, "kv_iconpng: %s cannot be written\n", argv[3]);
        return 1;
    }
    return 0;
}
