// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/messagestrip.h"

#include "ui/controls/label.h"
#include "ui/style.h"
#include "ui/theme.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace kv {

MessageStrip::MessageStrip(QWidget *parent)
    : QWidget(parent), m_symbol(new Label(Label::Voice::Strong)), m_text(new Label(Label::Voice::Body)), m_buttons(new QHBoxLayout),
      m_close(new QToolButton) {
    setObjectName(QStringLiteral("messageStrip"));
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setObjectName(QStringLiteral("messageClose"));
    m_close->setText(QStringLiteral("✕"));
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Close the message"));
    m_close->setToolTip(tr("Close the message (Escape)"));
    connect(m_close, &QToolButton::clicked, this, &MessageStrip::clearPassing);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(em(1), em(0.35), em(0.4), em(0.35));
    row->setSpacing(em(0.6));
    row->addWidget(m_symbol);
    row->addWidget(m_text, 1);
    row->addLayout(m_buttons);
    row->addWidget(m_close);
    hide();
}

void MessageStrip::pass(Message message) {
    m_passing = std::move(message);
    refresh();
}

void MessageStrip::stand(Message message) {
    if (message.text == m_standing.text && message.kind == m_standing.kind)
        return;
    m_standing = std::move(message);
    refresh();
}

void MessageStrip::clearPassing() {
    m_passing = {};
    refresh();
}

QString MessageStrip::text() const { return isHidden() ? QString() : shown().text; }
MessageStrip::Kind MessageStrip::kind() const { return shown().kind; }

void MessageStrip::refresh() {
    const Message &message = shown();
    const QString spoken = message.kind == Kind::Refusal ? tr("Refused") : message.kind == Kind::Warning ? tr("Mind") : tr("Note");
    m_symbol->setWholeText(message.kind == Kind::Refusal ? QStringLiteral("✕")
                           : message.kind == Kind::Warning ? QStringLiteral("!")
                                                           : QStringLiteral("i"));
    m_text->setWholeText(message.text);
    setAccessibleName(spoken + QStringLiteral(": ") + message.text);
    while (QLayoutItem *item = m_buttons->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const Action &action : message.actions) {
        auto *button = new QPushButton(action.text);
        button->setObjectName(action.objectName);
        // The message goes first: what runs may put another in its place.
        connect(button, &QPushButton::clicked, this, [this, run = action.run] {
            clearPassing();
            run();
        });
        m_buttons->addWidget(button);
    }
    m_close->setVisible(!m_passing.text.isEmpty());
    setVisible(!message.text.isEmpty());
    if (!message.text.isEmpty()) {
        QAccessibleEvent event(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&event);
    }
    update();
}

void MessageStrip::paintEvent(QPaintEvent *) {
    const Colors &c = colorsOf(palette());
    const QColor color = shown().kind == Kind::Refusal ? c.bad : shown().kind == Kind::Warning ? c.tight : c.accent;
    QColor ground = color;
    ground.setAlphaF(c.dark ? 0.22F : 0.12F);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1));
    painter.setBrush(ground);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), cornerRadius, cornerRadius);
}

void MessageStrip::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Escape && !m_passing.text.isEmpty())
        return clearPassing();
    QWidget::keyPressEvent(event);
}

} // namespace kv
