// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/searchlist.h"

#include "ui/style.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QKeyEvent>
#include <QPainter>

namespace kv {

SearchList::SearchList(QWidget *parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::clicked, this, [this] { open(); });
}

void SearchList::setCurrent(const QString &id, const QString &shown) {
    m_current = id;
    if (shown == m_shown)
        return;
    m_shown = shown;
    showTip();
    update();
}

void SearchList::setTip(const QString &tip) {
    m_tip = tip;
    showTip();
}

bool SearchList::isOpen() const { return m_popup && m_popup->isVisible(); }

void SearchList::open(const QString &typed) {
    if (m_popup)
        m_popup->deleteLater();
    m_popup = new SearchPopup(&m_model, m_hint, m_current, this);
    m_popup->setObjectName(objectName() + QStringLiteral("Popup"));
    connect(m_popup, &SearchPopup::chosen, this, [this](const QString &id) {
        if (id != m_current)
            emit chosen(id);
    });
    m_popup->openUnder(this, typed);
}

QSize SearchList::sizeHint() const { return {em(12), em(1.72)}; }
QSize SearchList::minimumSizeHint() const { return {em(5), em(1.72)}; }

void SearchList::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    paintField(&painter, rect(), palette(), underMouse() && isEnabled(), hasFocus() || isOpen(), isDown());
    const QRect line = rect().adjusted(em(0.5), 0, -em(1.4), 0);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_shown, Qt::ElideRight, line.width()));
    paintArrow(&painter, QRectF(width() - em(1.3), 0, em(1.1), height()), colorsOf(palette()).muted);
}

void SearchList::keyPressEvent(QKeyEvent *event) {
    const QString typed = event->text();
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up || event->key() == Qt::Key_F4)
        return open();
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (plain && typed.size() == 1 && typed.at(0).isPrint() && !typed.at(0).isSpace())
        return open(typed);
    QAbstractButton::keyPressEvent(event);
}

void SearchList::resizeEvent(QResizeEvent *event) {
    QAbstractButton::resizeEvent(event);
    showTip();
}

void SearchList::showTip() {
    const bool cut = fontMetrics().horizontalAdvance(m_shown) > width() - em(1.9);
    setToolTip(plainTip(cut ? m_shown + QLatin1Char('\n') + m_tip : m_tip));
}

} // namespace kv
