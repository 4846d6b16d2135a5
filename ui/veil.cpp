// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/veil.h"

#include "ui/theme.h"

#include <QEvent>
#include <QPainter>

namespace kv {

Veil::Veil(QWidget *parent, const QList<QWidget *> &views) : QWidget(parent), m_views(views) {
    setObjectName(QStringLiteral("veil"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    parent->installEventFilter(this);
    for (QWidget *view : views)
        view->installEventFilter(this);
    hide();
}

bool Veil::eventFilter(QObject *watched, QEvent *event) {
    switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
        if (isVisible())
            cover();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void Veil::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    cover();
}

void Veil::paintEvent(QPaintEvent *) {
    QColor color = colorsOf(palette()).ground;
    color.setAlphaF(0.6F);
    QPainter(this).fillRect(rect(), color);
}

void Veil::cover() {
    QRect all;
    for (const QWidget *view : m_views)
        if (view->isVisibleTo(parentWidget()))
            all |= view->geometry();
    setGeometry(all);
    raise();
}

} // namespace kv
