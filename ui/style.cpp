// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style.h"

#include "ui/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QToolButton>

namespace kv {

namespace {

/// A text that is too long is cut before its last " · ", so that a size after it stays whole.
QString elidedBeforeEnd(const QFontMetrics &metrics, const QString &text, int room) {
    const qsizetype dot = text.lastIndexOf(QStringLiteral(" · "));
    if (dot <= 0 || metrics.horizontalAdvance(text) <= room)
        return metrics.elidedText(text, Qt::ElideRight, room);
    const QString end = text.mid(dot);
    return metrics.elidedText(text.left(dot), Qt::ElideRight, room - metrics.horizontalAdvance(end)) + end;
}

bool has(const QStyleOption *option, QStyle::State state) { return option->state & state; }

int tabGap(const QWidget *bar) { return em(bar && bar->property(tightTabs).toBool() ? 0.55 : 0.9); }

/// What the face of the selected tab takes more, so that choosing one cuts and moves nothing.
int heavier(const QStyleOptionTab &tab, const QWidget *widget) {
    const QFont font = widget ? widget->font() : QApplication::font();
    const auto width = [&](QFont::Weight weight) {
        QFont weighed = font;
        weighed.setWeight(weight);
        return QFontMetrics(weighed).size(Qt::TextShowMnemonic, tab.text).width();
    };
    return std::max(0, width(QFont::DemiBold) - width(QFont::Normal));
}

void paintTab(const QStyleOptionTab &tab, QPainter *painter, const QWidget *widget) {
    const Colors &c = colorsOf(tab.palette);
    const bool selected = tab.state & QStyle::State_Selected;
    painter->save();
    painter->setPen(selected || (tab.state & QStyle::State_MouseOver) ? c.text : c.muted);
    QFont font = painter->font();
    font.setWeight(selected ? QFont::DemiBold : QFont::Normal);
    painter->setFont(font);
    const QRect words = tab.rect.adjusted(0, 0, -tabGap(widget), -3);
    painter->drawText(words, static_cast<int>(Qt::AlignLeft) | static_cast<int>(Qt::AlignVCenter) | mnemonicFlag(widget), tab.text);
    if (selected)
        painter->fillRect(QRectF(tab.rect.left(), tab.rect.bottom() - 1, words.width(), 2), c.accent);
    if (tab.state & QStyle::State_HasFocus) {
        painter->setPen(QPen(c.accent, 1, Qt::DotLine));
        painter->drawRect(QRectF(words).adjusted(-2.5, 1.5, 1.5, -0.5));
    }
    painter->restore();
}

void paintScrollBar(const QStyleOptionSlider &bar, const QRect &handle, QPainter *painter) {
    const Colors &c = colorsOf(bar.palette);
    if (bar.maximum == bar.minimum)
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    QColor color = c.muted;
    color.setAlphaF(bar.state & QStyle::State_MouseOver || bar.state & QStyle::State_Sunken ? 0.75F : 0.42F);
    painter->setBrush(color);
    const QRectF inner = QRectF(handle).adjusted(3, 3, -3, -3);
    const double radius = std::min(inner.width(), inner.height()) / 2;
    painter->drawRoundedRect(inner, radius, radius);
    painter->restore();
}

} // namespace

void paintField(QPainter *painter, const QRectF &rect, const QPalette &palette, bool hover, bool focus, bool down) {
    const Colors &c = colorsOf(palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const double inset = focus ? 0.75 : 0.5;
    painter->setPen(QPen(focus ? c.accent : c.border, focus ? 1.5 : 1.0));
    painter->setBrush(down ? c.rule : hover ? c.hover : c.field);
    painter->drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), cornerRadius, cornerRadius);
    painter->restore();
}

void paintArrow(QPainter *painter, const QRectF &rect, const QColor &color) {
    const double w = em(0.42), h = w * 0.72;
    const QPointF at = rect.center() - QPointF(w / 2, h / 2);
    QPainterPath path(at);
    path.lineTo(at + QPointF(w, 0));
    path.lineTo(at + QPointF(w / 2, h));
    path.closeSubpath();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillPath(path, color);
    painter->restore();
}

int mnemonicFlag(const QWidget *widget) {
    const QStyle *style = widget ? widget->style() : QApplication::style();
    return style->styleHint(QStyle::SH_UnderlineShortcut, nullptr, widget) ? Qt::TextShowMnemonic : Qt::TextHideMnemonic;
}

Style::Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void Style::polish(QWidget *widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget) ||
        qobject_cast<QLineEdit *>(widget) || qobject_cast<QScrollBar *>(widget) || qobject_cast<QTabBar *>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

void Style::polish(QApplication *application) {
    QProxyStyle::polish(application);
    application->installEventFilter(this);
}

bool Style::eventFilter(QObject *watched, QEvent *event) {
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::KeyRelease;
    const bool alt = key && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Alt;
    const bool left = event->type() == QEvent::ApplicationDeactivate || event->type() == QEvent::WindowDeactivate;
    const bool held = alt && event->type() == QEvent::KeyPress;
    if ((alt || (left && m_altHeld)) && held != m_altHeld) {
        m_altHeld = held;
        for (QWidget *window : QApplication::topLevelWidgets())
            for (QWidget *widget : window->findChildren<QWidget *>())
                widget->update();
    }
    return QProxyStyle::eventFilter(watched, event);
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const {
    switch (metric) {
    case PM_TabBarTabHSpace:
        return tabGap(widget);
    case PM_TabBarTabVSpace:
        return em(0.62);
    case PM_TabBarBaseOverlap:
    case PM_TabBarBaseHeight:
    case PM_TabBarTabOverlap:
    case PM_ToolBarFrameWidth:
        return 0;
    case PM_ToolBarItemMargin:
        return 4;
    case PM_ToolBarItemSpacing:
        return 2;
    case PM_ScrollBarExtent:
        return 12;
    case PM_ScrollBarSliderMin:
        return em(2);
    case PM_FocusFrameHMargin: // the side of a table's cells
        return em(0.38);
    case PM_MenuBarPanelWidth:
        return 0;
    case PM_MenuBarItemSpacing:
        return em(0.2);
    case PM_DefaultFrameWidth:
        return qobject_cast<const QLineEdit *>(widget) ? 2 : QProxyStyle::pixelMetric(metric, option, widget);
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const {
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_ItemView_PaintAlternatingRowColorsForEmptyArea:
    case SH_TabBar_PreferNoArrows:
    case SH_ComboBox_Popup:
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    case SH_UnderlineShortcut:
        return m_altHeld ? 1 : 0;
    case SH_TabBar_Alignment:
        return Qt::AlignLeft;
    case SH_ToolTip_WakeUpDelay:
        return 500;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                              const QWidget *widget) const {
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_ComboBox:
    case CT_LineEdit:
        result.setHeight(em(1.72));
        break;
    case CT_PushButton:
        result.setHeight(em(1.72));
        result.setWidth(std::max(result.width(), size.width() + em(1.4)));
        break;
    case CT_ToolButton:
        result = QSize(result.width() + em(0.4), std::max(result.height(), em(1.72)));
        break;
    case CT_MenuBarItem:
        result = QSize(size.width() + em(1.1), em(1.75));
        break;
    case CT_TabBarTab:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option))
            result.setWidth(result.width() + heavier(*tab, widget));
        break;
    default:
        break;
    }
    return result;
}

QRect Style::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const {
    if (element == SE_LineEditContents)
        return option->rect.adjusted(em(0.38), 1, -em(0.38), -1); // and two pixels that the entry itself adds
    return QProxyStyle::subElementRect(element, option, widget);
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                            const QWidget *widget) const {
    if (control == CC_ScrollBar) {
        const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        if (part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine)
            return {};
        if (bar && part == SC_ScrollBarGroove)
            return bar->rect;
        if (bar) {
            const bool across = bar->orientation == Qt::Horizontal;
            const int length = across ? bar->rect.width() : bar->rect.height();
            const auto range = static_cast<qint64>(bar->maximum) - bar->minimum;
            const int size = range == 0 ? length
                                        : std::clamp(static_cast<int>(qint64{bar->pageStep} * length / (range + bar->pageStep)),
                                                     std::min(em(2), length), length);
            const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - size,
                                                      bar->upsideDown);
            QRect rect = part == SC_ScrollBarSubPage ? QRect(0, 0, start, 12)
                         : part == SC_ScrollBarAddPage
                             ? QRect(start + size, 0, length - start - size, 12)
                             : QRect(start, 0, size, 12);
            if (!across)
                rect = QRect(rect.y(), rect.x(), rect.height(), rect.width());
            return visualRect(bar->direction, bar->rect, rect.translated(bar->rect.topLeft()));
        }
    }
    if (control == CC_ComboBox && part == SC_ComboBoxEditField)
        return option->rect.adjusted(em(0.45), 1, -em(1.3), -1);
    if (control == CC_ComboBox && part == SC_ComboBoxArrow)
        return QRect(option->rect.right() - em(1.3), option->rect.top(), em(1.1), option->rect.height());
    return QProxyStyle::subControlRect(control, option, part, widget);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                          const QWidget *widget) const {
    const Colors &c = colorsOf(option->palette);
    const bool hover = has(option, State_MouseOver) && has(option, State_Enabled);
    switch (element) {
    case PE_PanelLineEdit:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option); frame && frame->lineWidth > 0)
            paintField(painter, option->rect, option->palette, false, has(option, State_HasFocus));
        return;
    case PE_FrameLineEdit:
        return;
    case PE_PanelButtonCommand:
        paintField(painter, option->rect, option->palette, hover, has(option, State_HasFocus), has(option, State_Sunken));
        return;
    case PE_FrameFocusRect:
        if (qobject_cast<const QTabBar *>(widget) || qobject_cast<const QAbstractButton *>(widget))
            return;
        painter->save();
        painter->setPen(QPen(c.accent, 1));
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
        return;
    case PE_PanelButtonTool:
        if (has(option, State_Sunken) || has(option, State_On) || hover || has(option, State_HasFocus)) {
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(has(option, State_HasFocus) ? QPen(c.accent, 1) : QPen(Qt::NoPen));
            painter->setBrush(has(option, State_Sunken) ? c.border : hover ? c.rule : QColor(Qt::transparent));
            painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), cornerRadius, cornerRadius);
            painter->restore();
        }
        return;
    case PE_IndicatorToolBarSeparator:
        painter->fillRect(QRect(option->rect.center().x(), option->rect.top() + 5, 1, option->rect.height() - 10), c.border);
        return;
    case PE_PanelStatusBar:
        painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1), c.rule);
        return;
    case PE_FrameTabBarBase:
    case PE_FrameStatusBarItem:
    case PE_PanelScrollAreaCorner:
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void Style::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                        const QWidget *widget) const {
    const Colors &c = colorsOf(option->palette);
    switch (element) {
    case CE_TabBarTab:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option))
            paintTab(*tab, painter, widget);
        return;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, c.ground);
        return;
    case CE_MenuBarItem: {
        const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
        painter->fillRect(option->rect, c.ground);
        if (has(option, State_Selected))
            painter->fillRect(option->rect, has(option, State_Sunken) ? c.border : c.rule);
        if (item)
            drawItemText(painter, item->rect, Qt::AlignCenter | mnemonicFlag(widget), item->palette,
                         has(option, State_Enabled), item->text, QPalette::WindowText);
        return;
    }
    case CE_ToolBar:
        painter->fillRect(option->rect, c.ground);
        painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1), c.rule);
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), c.rule);
        return;
    case CE_HeaderSection:
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), c.border);
        return;
    case CE_HeaderEmptyArea:
        return;
    case CE_HeaderLabel:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            painter->setFont(scaledFont(type::caption));
            drawItemText(painter, header->rect.adjusted(em(0.1), 0, -em(0.1), 0), static_cast<int>(header->textAlignment), header->palette, true,
                         header->fontMetrics.elidedText(header->text, Qt::ElideRight, header->rect.width() - em(0.2)), QPalette::PlaceholderText);
        }
        return;
    case CE_ComboBoxLabel:
        if (const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option); combo && !combo->editable) { // else its line edit has the text
            const QRect field = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
            const QString text = elidedBeforeEnd(combo->fontMetrics, combo->currentText, field.width());
            drawItemText(painter, field, Qt::AlignLeft | Qt::AlignVCenter, combo->palette, has(option, State_Enabled),
                         text, QPalette::Text);
        }
        return;
    default:
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                               const QWidget *widget) const {
    if (control == CC_ComboBox) {
        paintField(painter, option->rect, option->palette, has(option, State_MouseOver), has(option, State_HasFocus));
        paintArrow(painter, subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget),
                   colorsOf(option->palette).muted);
        return;
    }
    if (control == CC_ScrollBar) {
        if (const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option))
            paintScrollBar(*bar, subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget), painter);
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace kv
