#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every colour, font and pen of the charts in one value, made from the desktop's palette and font and made anew when these
// change. Areas and lines use colours that people with any colour vision can tell apart (Okabe and Ito, "Color Universal
// Design", 2008; the blue is darkened so that white text stays readable on it). Texts reach a contrast of 4.5 : 1 on what lies
// under them, lines and areas 3 : 1 except where a neighbour's edge or a pattern says the same (WCAG 2.1, 1.4.3 and 1.4.11).

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QPen>

#include <cstdint>

namespace kv {

enum class ElementType : std::uint8_t;

/// What a piece of a GPU's bar stands for, in the order in which the pieces are stacked.
/// Beside the weights stand those of a separate draft model and the LoRA slots; the overhead is the engine's, the display's share is not.
enum class MemoryKind { Weights, Extra, Overhead, Display, Kv, KvIdle, Free, Reserve, Short };
inline constexpr int memoryKinds = 9;

struct ChartStyle {
    QColor surface; ///< what the chart stands on; the charts themselves paint it only when they are exported
    QColor text, mutedText, frame;
    QColor weights, extra, overhead, display, kv, kvIdle, free, reserve, hatch, limit, limitText;
    QColor focus;
    QFont font, smallFont, boldFont, titleFont;
    QPen gridPen;
    bool dark = false;

    static ChartStyle fromPalette(const QPalette &palette, const QFont &font);
    /// For pictures that leave the program: light whatever the desktop looks like, with a font family that other programs find.
    static ChartStyle forExport();

    QColor fill(MemoryKind kind) const;
    QPen shortPen() const; ///< of the pattern on what is short
    /// The line of a KV type: each width has its colour; the present type has that of the KV cache, as in the GPUs' bars.
    QColor line(ElementType type, bool current) const;
    /// `colour`, made darker or lighter until text in it can be read on the surface.
    QColor asText(const QColor &colour) const;

    bool operator==(const ChartStyle &) const = default;
};

/// Contrast of two colours, 1 to 21 (WCAG 2.1, "contrast ratio").
double contrast(const QColor &a, const QColor &b);
/// Near-black or white, whichever can be read better on `background`.
QColor textOn(const QColor &background);
/// `colour` moved towards black or white until its contrast on `background` reaches `least`.
QColor readable(const QColor &colour, const QColor &background, double least = 4.5);

} // namespace kv
