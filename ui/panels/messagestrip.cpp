// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/messagestrip.h"

#include "ui/controls/flowlayout.h"
#include "ui/controls/label.h"
#include "ui/language/translate.h"
#include "ui/style.h"
#include "ui/theme.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace kv {

MessageStrip::MessageStrip(QWidget *parent)
    : QWidget(parent), m_symbol(new Label(Label::Voice::Strong)), m_text(new Label(Label::Voice::Body)), m_buttons(new FlowLayout(em(0.5))),
      m_close(new QToolButton) {
    setObjectName(QStringLiteral("messageStrip"));
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop); // beside its sign, whatever height it is given
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
    row->addWidget(m_symbol, 0, Qt::AlignTop);
    auto *column = new QVBoxLayout;
    column->setSpacing(em(0.3));
    column->addWidget(m_text);
    column->addLayout(m_buttons);
    row->addLayout(column, 1);
    row->addWidget(m_close, 0, Qt::AlignTop);
    hide();
}

bool MessageStrip::Message::looksLike(const Message &other) const {
    return text == other.text && kind == other.kind &&
           std::ranges::equal(actions, other.actions, [](const Action &a, const Action &b) { return a.text == b.text && a.objectName == b.objectName; });
}

void MessageStrip::pass(Message message) {
    m_passing = std::move(message);
    refresh();
}

void MessageStrip::stand(Message message) {
    // Nobody can go on without the reason: what was only to be known makes room for it.
    if (message.kind == Kind::Refusal && !message.text.isEmpty() && m_passing.kind != Kind::Refusal)
        clearPassing();
    put(m_standing, std::move(message));
}

void MessageStrip::last(Message message) { put(m_lasting, std::move(message)); }

void MessageStrip::put(Message &place, Message message) {
    const bool alike = message.looksLike(place);
    place = std::move(message); // what its buttons do may have changed all the same
    if (!alike)
        refresh();
}

void MessageStrip::clearPassing() {
    if (m_passing.text.isEmpty())
        return;
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
    setAccessibleName(spoken + joint(": ") + message.text);
    while (QLayoutItem *item = m_buttons->takeAt(0)) {
        item->widget()->hide();
        item->widget()->setObjectName({}); // it is gone for whoever looks for it
        item->widget()->disconnect();
        item->widget()->deleteLater();
        delete item;
    }
    for (qsizetype i = 0; i < message.actions.size(); ++i) {
        auto *button = new QPushButton(QString(message.actions[i].text).replace(QLatin1Char('&'), QLatin1String("&&")));
        button->setObjectName(message.actions[i].objectName);
        // The message goes first: what runs may put another in its place.
        connect(button, &QPushButton::clicked, this, [this, i] {
            const auto run = shown().actions[i].run;
            clearPassing();
            run();
        });
        m_buttons->addWidget(button);
    }
    m_close->setVisible(!m_passing.text.isEmpty());
    // A line of words is lower than the button beside it, and both have one middle.
    const int beside = m_passing.text.isEmpty() ? 0 : std::max(0, (m_close->sizeHint().height() - m_text->fontMetrics().height()) / 2);
    m_symbol->setContentsMargins(0, beside, 0, 0);
    m_text->setContentsMargins(0, beside, 0, beside);
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
