// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/quantityedit.h"

#include "ui/gesture.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
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
    if (m_wrong && signalsBlocked()) // whoever shows a value wants no edit of it, but the sentence about the text that was there has to go
        QMetaObject::invokeMethod(this, [this] {
                if (!m_wrong)
                    emit refused({});
            }, Qt::QueuedConnection);
    setWrong({});
}

void QuantityEdit::refresh() {
    if (m_typing)
        return;
    const QString shown = m_write(m_value);
    if (shown == text())
        return fit(); // typed as it is written: the type may still be that of a longer one
    const bool all = hasSelectedText() && selectedText().size() == text().size();
    setText(shown);
    fit();
    if (all)
        selectAll();
}

void QuantityEdit::setWeight(QFont::Weight weight) {
    m_weight = weight;
    fit();
}

void QuantityEdit::setTip(const QString &tip) {
    m_tip = tip;
    fit();
}

void QuantityEdit::fit() {
    constexpr double smallest = 0.66;
    const int room = width() - em(0.76) - 6;
    double factor = 1;
    while (factor > smallest && QFontMetrics(scaledFont(factor, m_weight)).horizontalAdvance(text()) > room)
        factor -= 0.04;
    const QFont font = scaledFont(factor, m_weight);
    if (font != this->font())
        setFont(font);
    const bool cut = QFontMetrics(font).horizontalAdvance(text()) > room;
    if (cut && !hasFocus())
        setCursorPosition(0); // the front of a number says more than its end
    setToolTip(plainTip(cut ? text() + QLatin1Char('\n') + m_tip : m_tip));
}

bool QuantityEdit::event(QEvent *event) {
    // While nothing is being typed, undo takes back what the entry did to the scenario, not letters.
    if (event->type() == QEvent::ShortcutOverride && !m_typing) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QLineEdit::event(event);
}

void QuantityEdit::changeEvent(QEvent *event) {
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange)
        fit();
}

void QuantityEdit::resizeEvent(QResizeEvent *event) {
    QLineEdit::resizeEvent(event);
    fit();
}

void QuantityEdit::take() {
    if (!m_typing)
        return;
    const Parsed<std::int64_t> parsed = m_read(utf8(plainNumber(text())));
    if (!parsed) {
        const Note *error = firstError(parsed.notes);
        return setWrong(error ? translated(*error) : tr("“%1” is no number that can be read here.").arg(text()));
    }
    m_typing = false;
    setWrong({});
    const bool other = *parsed != m_value;
    m_value = *parsed;
    refresh();
    if (other)
        emit edited(m_value, m_gesture);
}

void QuantityEdit::drop() {
    m_typing = false;
    refresh();
    setWrong({});
}

void QuantityEdit::typeAgain(const QString &text) {
    setText(text);
    fit();
    m_typing = true;
    take();
}

void QuantityEdit::putBack() {
    drop();
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
    if (!hasFocus() || !m_step)
        return event->ignore();
    m_wheel += event->angleDelta().y();
    const int notches = m_wheel / 120;
    m_wheel -= notches * 120;
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
