// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The colours and type sizes of the window, in a light and a dark set, and who decides which of them is in force.
//
// A widget asks colorsOf(palette()) when it paints and keeps nothing, so that a part of the window that is given another palette
// (an export in light) is drawn in that set. Dark is a window colour of lightness below 128: Qt 6.4 has no colour scheme to ask for.
// Series colours are of the Okabe–Ito set, told apart with any colour vision; text colours hold 4.5 : 1 on their ground.

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

namespace kv {

struct Colors {
    bool dark = false;
    QColor ground;  ///< behind the cards
    QColor card;    ///< panels, tiles
    QColor field;   ///< entries, buttons, menus
    QColor hover;   ///< a field under the pointer
    QColor border;  ///< of cards and fields
    QColor rule;    ///< between bars
    QColor text;
    QColor muted;
    QColor accent;  ///< selection, focus, the filled part of a slider
    QColor accentText; ///< text in the accent's hue
    QColor onAccent;
    QColor track;   ///< the empty part of a slider
    QColor weights; ///< blue
    QColor kv;      ///< amber
    QColor kvText;  ///< figures in the amber's hue
    QColor good, tight, bad;             ///< of the verdict's bar
    QColor goodText, tightText, badText; ///< of words and symbols
};

const Colors &lightColors();
const Colors &darkColors();
const Colors &colorsOf(const QPalette &palette);
QPalette paletteOf(const Colors &colors);

/// Type sizes as multiples of the application's font, so that a reader who sets 18 pt gets all of it larger.
namespace type {
inline constexpr double small = 0.80;
inline constexpr double caption = 0.84;
inline constexpr double title = 1.08;
inline constexpr double figure = 1.36;
inline constexpr double headline = 1.62;
} // namespace type

QFont scaledFont(double factor, QFont::Weight weight = QFont::Normal);
QFont monoFont(double factor = 0.9);
/// A length that grows with the type: `em` times the height of the application's font.
int em(double factor);

enum class Scheme { System, Light, Dark };

/// Puts a scheme in force for the whole program; System follows the desktop, also when it changes later.
class ThemeKeeper : public QObject {
    Q_OBJECT

public:
    explicit ThemeKeeper(QObject *parent = nullptr);
    void setScheme(Scheme scheme);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void follow(bool uncoverDesktop);

    Scheme m_scheme = Scheme::System;
    bool m_applying = false;
};

} // namespace kv
