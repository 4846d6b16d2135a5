// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/quantityedit.h"

#include "ui/gesture.h"
#include "ui/style.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>

namespace kv {

QuantityEdit::QuantityEdit(Read read, Write write, QWidget *parent)
    : QLineEdit(parent), m_read(std::move(read)), m_write(std::move(write)) {
    setAcceptDrops(false); // what is dropped is the window's
    setText(m_write(m_value));
    connect(this, &QLineEdit::textEdited, this, [this] { m_typing = true; });
    connect(this, &QLineEdit::returnPressed, this, [this] {
        take();
        if (!m_wrong)
            selectAll();
    });
}

void QuantityEdit::setValue(std::int64_t value) {
    const bool other = value != m_value;
    m_value = value;
    if (m_typing && !other)
        return;
    m_typing = false;
    refresh();
    setWrong({});
}

void QuantityEdit::refresh() {
    if (m_typing)
        return;
    const QString shown = m_write(m_value);
    if (shown == text())
        return;
    const bool all = hasSelectedText() && selectedText().size() == text().size();
    setText(shown);
    if (all)
        selectAll();
}

void QuantityEdit::take() {
    if (!m_typing)
        return;
    const Parsed<std::int64_t> parsed = m_read(utf8(text()));
    if (!parsed) {
        const Note *error = firstError(parsed.notes);
        return setWrong(error ? words(error->text) : tr("“%1” is no number that can be read here.").arg(text()));
    }
    m_typing = false;
    setWrong({});
    const bool other = *parsed != m_value;
    m_value = *parsed;
    refresh();
    if (other)
        emit edited(m_value, m_gesture);
}

void QuantityEdit::putBack() {
    m_typing = false;
    refresh();
    setWrong({});
    selectAll();
}

void QuantityEdit::step(int direction, int times) {
    take();
    if (m_wrong || !m_step)
        return;
    std::int64_t value = m_value;
    for (int i = 0; i < times; ++i)
        value = m_step(value, direction);
    if (value == m_value)
        return;
    m_value = value;
    refresh();
    emit edited(m_value, m_gesture);
}

void QuantityEdit::setWrong(const QString &sentence) {
    if (sentence.isEmpty() && !m_wrong)
        return;
    m_wrong = !sentence.isEmpty();
    update();
    emit refused(sentence);
}

void QuantityEdit::focusInEvent(QFocusEvent *event) {
    QLineEdit::focusInEvent(event);
    m_gesture = nextGesture();
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        selectAll();
}

void QuantityEdit::focusOutEvent(QFocusEvent *event) {
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        take();
    deselect();
}

void QuantityEdit::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
    case Qt::Key_Up:
        return step(1, 1);
    case Qt::Key_Down:
        return step(-1, 1);
    case Qt::Key_Escape:
        if (m_typing || m_wrong)
            return putBack();
        break;
    default:
        break;
    }
    QLineEdit::keyPressEvent(event);
}

void QuantityEdit::wheelEvent(QWheelEvent *event) {
    // Without the focus the wheel scrolls the column and must not change a number on its way.
    const int notches = event->angleDelta().y() / 120;
    if (!hasFocus() || notches == 0 || !m_step)
        return event->ignore();
    step(notches > 0 ? 1 : -1, std::abs(notches));
    event->accept();
}

void QuantityEdit::paintEvent(QPaintEvent *event) {
    QLineEdit::paintEvent(event);
    if (!m_wrong)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colorsOf(palette()).bad, 1.5));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), cornerRadius, cornerRadius);
}

} // namespace kv
