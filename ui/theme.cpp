// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QFontMetrics>

namespace kv {

namespace {

QColor rgb(QRgb value) { return QColor::fromRgb(value); }

} // namespace

const Colors &lightColors() {
    static const Colors colors{
        .dark = false,
        .ground = rgb(0xf3f4f6),
        .card = rgb(0xffffff),
        .field = rgb(0xffffff),
        .hover = rgb(0xf3f5f8),
        .border = rgb(0xd9dde3),
        .rule = rgb(0xe2e5ea),
        .text = rgb(0x1c2128),
        .muted = rgb(0x5c6672),
        .accent = rgb(0x3479bb),
        .accentText = rgb(0x2468a8),
        .onAccent = rgb(0xffffff),
        .track = rgb(0xd5d9df),
        .weights = rgb(0x3479bb),
        .kv = rgb(0xe69f00),
        .kvText = rgb(0x956300),
        .good = rgb(0x2a9d6f),
        .tight = rgb(0xe69f00),
        .bad = rgb(0xd55e00),
        .goodText = rgb(0x1b7a54),
        .tightText = rgb(0x8f6000),
        .badText = rgb(0xb84e00),
    };
    return colors;
}

const Colors &darkColors() {
    static const Colors colors{
        .dark = true,
        .ground = rgb(0x26292e),
        .card = rgb(0x2d3137),
        .field = rgb(0x1f2226),
        .hover = rgb(0x373c44),
        .border = rgb(0x40464e),
        .rule = rgb(0x373c43),
        .text = rgb(0xeceff3),
        .muted = rgb(0xa3abb6),
        .accent = rgb(0x3479bb),
        .accentText = rgb(0x7db4e6),
        .onAccent = rgb(0xffffff),
        .track = rgb(0x434951),
        .weights = rgb(0x3479bb),
        .kv = rgb(0xe69f00),
        .kvText = rgb(0xe69f00),
        .good = rgb(0x2a9d6f),
        .tight = rgb(0xe69f00),
        .bad = rgb(0xd55e00),
        .goodText = rgb(0x4cc795),
        .tightText = rgb(0xf0b429),
        .badText = rgb(0xff8a3d),
    };
    return colors;
}

const Colors &colorsOf(const QPalette &palette) {
    return palette.color(QPalette::Window).lightness() < 128 ? darkColors() : lightColors();
}

QPalette paletteOf(const Colors &c) {
    QPalette p;
    const auto all = [&p](QPalette::ColorRole role, const QColor &color) { p.setColor(role, color); };
    all(QPalette::Window, c.ground);
    all(QPalette::WindowText, c.text);
    all(QPalette::Base, c.field);
    all(QPalette::AlternateBase, c.dark ? c.card : c.ground);
    all(QPalette::Text, c.text);
    all(QPalette::PlaceholderText, c.muted);
    all(QPalette::Button, c.dark ? c.card : c.ground);
    all(QPalette::ButtonText, c.text);
    all(QPalette::BrightText, c.onAccent);
    all(QPalette::Highlight, c.accent);
    all(QPalette::HighlightedText, c.onAccent);
    all(QPalette::Link, c.accentText);
    all(QPalette::LinkVisited, c.accentText);
    all(QPalette::ToolTipBase, c.dark ? c.hover : c.card);
    all(QPalette::ToolTipText, c.text);
    all(QPalette::Light, c.dark ? c.hover : c.card);
    all(QPalette::Midlight, c.rule);
    all(QPalette::Mid, c.border);
    all(QPalette::Dark, c.dark ? c.field : c.border.darker(130));
    all(QPalette::Shadow, c.dark ? QColor(Qt::black) : c.muted);
    QColor off = c.muted;
    off.setAlphaF(0.6F);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, off);
    p.setColor(QPalette::Disabled, QPalette::Highlight, c.track);
    return p;
}

QFont scaledFont(double factor, QFont::Weight weight) {
    QFont font = QApplication::font();
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(qRound(font.pixelSize() * factor));
    font.setWeight(weight);
    return font;
}

QFont monoFont(double factor) {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    const QFont base = scaledFont(factor);
    if (base.pointSizeF() > 0)
        font.setPointSizeF(base.pointSizeF());
    else
        font.setPixelSize(base.pixelSize());
    return font;
}

int em(double factor) { return qRound(QFontMetricsF(QApplication::font()).height() * factor); }

ThemeKeeper::ThemeKeeper(QObject *parent) : QObject(parent) {
    qApp->installEventFilter(this);
    follow(true);
}

void ThemeKeeper::setScheme(Scheme scheme) {
    m_scheme = scheme;
    follow(true);
}

bool ThemeKeeper::eventFilter(QObject *watched, QEvent *event) {
    // ThemeChange comes from the desktop, whose palette then lies under ours; ApplicationPaletteChange from whoever set one
    // in its place. While one of ours is being set, both are our own echo.
    if (!m_applying && m_scheme == Scheme::System) {
        if (event->type() == QEvent::ThemeChange)
            QMetaObject::invokeMethod(this, [this] { follow(true); }, Qt::QueuedConnection);
        else if (event->type() == QEvent::ApplicationPaletteChange && watched == qApp)
            QMetaObject::invokeMethod(this, [this] { follow(false); }, Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

void ThemeKeeper::follow(bool uncoverDesktop) {
    if (m_applying)
        return;
    m_applying = true;
    if (m_scheme == Scheme::System && uncoverDesktop)
        QApplication::setPalette(QPalette());
    const Colors &colors = m_scheme == Scheme::Light  ? lightColors()
                           : m_scheme == Scheme::Dark ? darkColors()
                                                      : colorsOf(QApplication::palette());
    QApplication::setPalette(paletteOf(colors));
    m_applying = false;
}

} // namespace kv
