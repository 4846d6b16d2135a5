// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/presentation.h"

#include "ui/controls/logslider.h"
#include "ui/dashboard.h"
#include "ui/gesture.h"
#include "ui/learn/lessonview.h"
#include "ui/mainwindow.h"
#include "ui/panels/messagestrip.h"
#include "ui/theme.h"

#include <QAbstractScrollArea>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QPainter>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>

#include <chrono>

namespace kv {

namespace {

/// A ring that can be seen from the back of a room; its middle is the point.
QCursor pointer(const QPalette &palette, double ratio) {
    const int size = em(2.6);
    QPixmap pixmap(QSize(size, size) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colors &c = colorsOf(palette);
    const QRectF ring = QRectF(0, 0, size, size).adjusted(4, 4, -4, -4);
    QColor inside = c.bad;
    inside.setAlphaF(0.16F);
    painter.setBrush(inside);
    painter.setPen(QPen(c.card, 6));
    painter.drawEllipse(ring);
    painter.setPen(QPen(c.bad, 3));
    painter.drawEllipse(ring);
    painter.setBrush(c.bad);
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(ring.center(), 2.5, 2.5);
    painter.end();
    return QCursor(pixmap);
}

} // namespace

Presentation::Presentation(MainWindow *window) : QObject(window), m_window(window), m_hintEnds(new QTimer(this)) {
    m_hintEnds->setSingleShot(true);
    m_hintEnds->setInterval(std::chrono::seconds(6));
    connect(m_hintEnds, &QTimer::timeout, this, &Presentation::dropHint);
}

/// Not what was said of something else meanwhile.
void Presentation::dropHint() {
    m_hintEnds->stop();
    if (!m_hint.isEmpty() && m_window->dashboard()->messages()->passing().text == m_hint)
        m_window->dashboard()->messages()->clearPassing();
    m_hint.clear();
}

void Presentation::set(bool on) {
    if (on == m_on)
        return;
    m_on = on;
    for (QWidget *bar : {static_cast<QWidget *>(m_window->menuBar()), static_cast<QWidget *>(m_window->statusBar()), static_cast<QWidget *>(m_window->findChild<QToolBar *>())})
        bar->setVisible(!on);
    if (on) {
        m_before = m_window->windowState();
        qApp->installEventFilter(this);
        m_window->setWindowState(m_before | Qt::WindowFullScreen);
        m_hint = tr("← → context · ↑ ↓ sequences · with Shift doubled · 1–9, 0 views · Space next step · Esc ends");
        m_window->hint(m_hint);
        m_hintEnds->start();
    } else {
        qApp->removeEventFilter(this);
        m_window->setWindowState(m_before & ~Qt::WindowFullScreen);
        m_window->unsetCursor();
        dropHint(); // the keys are no longer these
    }
    prepareDashboard();
    emit changed(on);
}

void Presentation::prepareDashboard() {
    m_window->dashboard()->setPresenting(m_on);
    if (!m_on)
        return;
    // An open lesson is what is presented: it would lie behind the charts that take its place.
    const QString lesson = QStringLiteral("lesson");
    if (const auto *view = qobject_cast<LessonView *>(m_window->dashboard()->view(lesson)); view && view->isLessonOpen())
        m_window->dashboard()->showPage(lesson);
    m_window->setCursor(pointer(m_window->palette(), m_window->devicePixelRatioF()));
}

bool Presentation::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::KeyPress)
        return QObject::eventFilter(watched, event);
    const auto *widget = qobject_cast<QWidget *>(watched);
    // Where something is typed (a guess), its keys are its own; only the way out is the presenter's.
    const auto &key = static_cast<const QKeyEvent &>(*event);
    if (!widget || widget->window() != m_window)
        return QObject::eventFilter(watched, event);
    if (qobject_cast<const QLineEdit *>(widget) && key.key() != Qt::Key_F11 && key.key() != Qt::Key_PageDown && key.key() != Qt::Key_PageUp)
        return QObject::eventFilter(watched, event);
    return take(key) || QObject::eventFilter(watched, event);
}

bool Presentation::take(const QKeyEvent &event) {
    dropHint();
    const bool doubling = event.modifiers() == Qt::ShiftModifier;
    if (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
        return false;
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        moveContext(event.key() == Qt::Key_Right ? 1 : -1, doubling);
        return true;
    case Qt::Key_Down:
    case Qt::Key_Up:
        moveSequences(event.key() == Qt::Key_Up ? 1 : -1, doubling);
        return true;
    case Qt::Key_Space:
    case Qt::Key_PageDown:
        step(1);
        return true;
    case Qt::Key_PageUp:
        step(-1);
        return true;
    case Qt::Key_Escape:
        set(false);
        return true;
    default:
        break;
    }
    if (event.key() < Qt::Key_0 || event.key() > Qt::Key_9)
        return false;
    m_window->dashboard()->showTab((event.key() - Qt::Key_0 + 9) % 10); // 0 is the tenth, as on the keyboard
    return true;
}

void Presentation::moveContext(int direction, bool doubling) {
    const Scenario &s = m_window->document()->scenario();
    const std::optional<std::int64_t> limit = s.model.spec && s.model.spec->maxContext ? std::optional(s.model.spec->maxContext->value) : std::nullopt;
    const SliderScale scale = contextScale(s.workload.context.value, limit);
    const std::int64_t now = s.workload.context.value, next = !doubling ? scale.step(now, direction) : direction > 0 ? scale.doubled(now) : scale.halved(now);
    m_window->document()->edit(tr("Change Context"), nextGesture(), [next](Scenario &changed) {
        changed.workload.context = Tokens(next);
        changed.workload.sharedPrefix = std::min(changed.workload.sharedPrefix, changed.workload.context);
    });
}

void Presentation::moveSequences(int direction, bool doubling) {
    const std::int64_t now = m_window->document()->scenario().workload.sequences.value;
    const SliderScale scale = sequencesScale(now);
    const std::int64_t next = !doubling ? scale.step(now, direction) : direction > 0 ? scale.doubled(now) : scale.halved(now);
    m_window->document()->edit(tr("Change Sequences"), nextGesture(), [next](Scenario &s) { s.workload.sequences = Count(next); });
}

void Presentation::step(int by) {
    auto *lesson = qobject_cast<LessonView *>(m_window->dashboard()->view(QStringLiteral("lesson")));
    if (by > 0 && lesson && lesson->isLessonOpen()) {
        m_window->dashboard()->showPage(lesson->objectName()); // what is revealed behind a chart is not seen
        return lesson->goOn();
    }
    Document *document = m_window->document();
    const std::size_t all = document->value().scenarios.size();
    document->setCurrent((document->value().current + all + static_cast<std::size_t>(by > 0 ? 1 : all - 1)) % all);
}

} // namespace kv
