// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How the standard widgets are drawn: Fusion, with flat fields, a one-pixel frame, a blue ring on what has the focus and tabs that
// are underlined. Everything takes its colours from the widget's palette (theme.h) and its sizes from the font.

#include <QProxyStyle>

namespace kv {

/// Property of a tab bar whose tabs stand closer together, which all of them need to be seen.
inline constexpr const char *tightTabs = "tightTabs";

class Style : public QProxyStyle {
    Q_OBJECT

public:
    Style();

    void polish(QWidget *widget) override;
    void polish(QApplication *application) override;
    using QProxyStyle::polish;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *data) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                         const QWidget *widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override;

protected:
    /// Access keys are underlined while Alt is held, as they are of use only then.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool m_altHeld = false;
};

/// Qt::TextShowMnemonic or Qt::TextHideMnemonic, as the style has it now.
int mnemonicFlag(const QWidget *widget);

inline constexpr double cornerRadius = 4;

/// A field's ground and frame: what entries, buttons and choosers share.
void paintField(QPainter *painter, const QRectF &rect, const QPalette &palette, bool hover, bool focus, bool down = false);
/// The small triangle of choosers.
void paintArrow(QPainter *painter, const QRectF &rect, const QColor &color);

} // namespace kv
