// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/labels.h"

#include <QColor>
#include <QCoreApplication>
#include <QFont>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHash>
#include <QPainter>
#include <QScreen>
#include <QStaticText>

#include <cmath>

namespace kv {

namespace {

struct Key {
    QFont font;
    QString text;
    double dpi = 0; ///< of the desktop: a font of so many points is larger on another
    bool operator==(const Key &) const = default;
};

size_t qHash(const Key &key, size_t seed = 0) { return qHashMulti(seed, key.text, key.font, key.dpi); }

struct Label {
    QStaticText text;
    double width = 0, height = 0;
};

Label shaped(const Key &key) {
    Label label;
    QString line = key.text;
    label.text.setText(line.replace(QLatin1Char('\n'), QLatin1Char(' ')));
    label.text.setTextFormat(Qt::PlainText);
    // Charts are not mirrored, and a figure keeps its unit behind it, whatever direction the desktop reads in.
    QTextOption option;
    option.setTextDirection(Qt::LeftToRight);
    label.text.setTextOption(option);
    label.text.prepare({}, key.font);
    const QSizeF size = label.text.size(); // its height in whole points
    const double usual = QFontMetricsF(key.font).height();
    label.width = size.width();
    label.height = std::ceil(usual) == size.height() ? usual : size.height(); // another font's signs stand higher
    return label;
}

using Labels = QHash<Key, Label>;

Labels &labels() {
    thread_local Labels kept;
    return kept;
}

Label &labelOf(const QFont &font, const QString &text) {
    constexpr qsizetype most = 1024; ///< a picture has fewer than a hundred
    Labels &kept = labels();
    const QScreen *screen = QGuiApplication::primaryScreen();
    const Key key{font, text, screen ? screen->logicalDotsPerInch() : 0};
    const auto found = kept.find(key);
    if (found != kept.end())
        return *found;
    if (kept.isEmpty()) {
        qAddPostRoutine([] { labels().clear(); }); // fonts end with the application
        QObject::connect(qGuiApp, &QGuiApplication::fontDatabaseChanged, qGuiApp, [] { labels().clear(); });
    }
    if (kept.size() >= most)
        kept.clear();
    return *kept.insert(key, shaped(key));
}

} // namespace

double labelWidth(const QFont &font, const QString &text) { return labelOf(font, text).width; }

void paintLabel(QPainter &painter, const QRectF &rect, int flags, const QString &text, const QFont &font, const QColor &colour) {
    Label &label = labelOf(font, text);
    const double spareWidth = rect.width() - label.width, spareHeight = rect.height() - label.height;
    const double right = flags & Qt::AlignRight ? spareWidth : flags & Qt::AlignHCenter ? spareWidth / 2 : 0;
    const double down = flags & Qt::AlignBottom ? spareHeight : flags & Qt::AlignVCenter ? spareHeight / 2 : 0;
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawStaticText(rect.topLeft() + QPointF(right, down), label.text);
}

} // namespace kv
