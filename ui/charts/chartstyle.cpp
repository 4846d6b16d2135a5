// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chartstyle.h"

#include "core/base/elementtype.h"

#include <QFontDatabase>
#include <QFontInfo>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

double luminance(const QColor &colour) {
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

QColor mixed(const QColor &a, const QColor &b, double share) {
    const auto mix = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

QFont scaled(QFont font, double factor, QFont::Weight weight = QFont::Normal) {
    if (font.pixelSize() > 0)
        font.setPixelSize(std::max(6, static_cast<int>(std::lround(font.pixelSize() * factor))));
    else
        font.setPointSizeF(std::max(5.0, font.pointSizeF() * factor));
    font.setWeight(weight);
    return font;
}

/// A type's width decides its home colour: lines of one width lie on one another or nearly so.
QColor homeColour(ElementType type) {
    const ElementTypeInfo &known = info(type);
    const double bits = 8.0 * static_cast<double>(known.blockBytes) / static_cast<double>(std::max<std::int64_t>(1, known.blockElements));
    if (bits > 12)
        return {0xcc, 0x79, 0xa7};
    if (bits > 7)
        return {0x56, 0xb4, 0xe9};
    return bits > 4.75 ? QColor(0x00, 0x72, 0xb2) : QColor(0x00, 0x9e, 0x73);
}

} // namespace

double contrast(const QColor &a, const QColor &b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)}); // values: a pair of references would dangle
    return (high + 0.05) / (low + 0.05);
}

QColor textOn(const QColor &background) {
    const QColor ink(0x14, 0x16, 0x1a), paper(Qt::white);
    if (contrast(paper, background) >= 4.5)
        return paper;
    return contrast(ink, background) >= 4.5 ? ink : QColor(Qt::black);
}

QColor readable(const QColor &colour, const QColor &background, double least) {
    const QColor goal = luminance(background) < 0.18 ? QColor(Qt::white) : QColor(Qt::black);
    for (int step = 0; step < 20; ++step) {
        const QColor tried = mixed(colour, goal, step / 20.0);
        if (contrast(tried, background) >= least)
            return tried;
    }
    return goal;
}

ChartStyle ChartStyle::fromPalette(const QPalette &palette, const QFont &font) {
    ChartStyle s;
    s.surface = palette.color(QPalette::Base);
    s.dark = luminance(s.surface) < 0.18;
    s.text = readable(palette.color(QPalette::Text), s.surface, 7);
    s.mutedText = readable(mixed(s.text, s.surface, 0.45), s.surface);
    s.frame = mixed(s.surface, s.text, s.dark ? 0.22 : 0.16);
    s.weights = QColor(0x32, 0x79, 0xbc);
    s.overhead = QColor(0x8a, 0x8f, 0x98);
    s.extra = QColor(0x8f, 0xb8, 0xde);
    s.display = QColor(0x5b, 0x60, 0x69);
    s.kv = QColor(0xe6, 0x9f, 0x00);
    s.kvIdle = QColor(0xf6, 0xd9, 0x8c);
    s.free = mixed(s.surface, s.text, s.dark ? 0.10 : 0.08);
    s.reserve = mixed(s.surface, s.text, s.dark ? 0.06 : 0.05);
    s.hatch = mixed(s.surface, s.text, 0.45);
    s.limit = readable(QColor(0xd5, 0x5e, 0x00), s.surface, 3.0);
    s.limitText = readable(QColor(0xd5, 0x5e, 0x00), s.surface);
    s.focus = palette.color(QPalette::Highlight);
    s.font = scaled(font, 1.0);
    s.smallFont = scaled(font, 0.88);
    s.boldFont = scaled(font, 0.88, QFont::DemiBold);
    s.titleFont = scaled(font, 1.04, QFont::DemiBold);
    s.gridPen = QPen(mixed(s.surface, s.text, s.dark ? 0.20 : 0.16), 1, Qt::CustomDashLine, Qt::FlatCap);
    s.gridPen.setDashPattern({2, 3});
    s.gridPen.setCosmetic(true);
    return s;
}

ChartStyle ChartStyle::forExport() {
    QPalette palette;
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::Text, QColor(0x1c, 0x1f, 0x24));
    palette.setColor(QPalette::Highlight, QColor(0x32, 0x79, 0xbc));
    QFont font(QFontInfo(QFontDatabase::systemFont(QFontDatabase::GeneralFont)).family());
    font.setPixelSize(13);
    return fromPalette(palette, font);
}

QColor ChartStyle::fill(MemoryKind kind) const {
    switch (kind) {
    case MemoryKind::Weights: return weights;
    case MemoryKind::Extra: return extra;
    case MemoryKind::Overhead: return overhead;
    case MemoryKind::Display: return display;
    case MemoryKind::Kv: return kv;
    case MemoryKind::KvIdle: return kvIdle;
    case MemoryKind::Free: return free;
    case MemoryKind::Reserve: return reserve;
    case MemoryKind::Short: return limit;
    }
    return free;
}

QPen ChartStyle::shortPen() const { return {limit.darker(150), 1.2}; }

QColor ChartStyle::line(ElementType type, bool current) const {
    return current ? kv : readable(homeColour(type), surface, dark ? 3.0 : 2.2);
}

QColor ChartStyle::asText(const QColor &colour) const { return readable(colour, surface); }

} // namespace kv
