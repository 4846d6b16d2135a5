// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/segments.h"

#include "ui/mnemonic.h"
#include "ui/style.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>

namespace kv {

namespace {

void paintSegment(QPainter &painter, const QWidget &widget, const QString &text, bool chosen, bool arrow) {
    const Colors &c = colorsOf(widget.palette());
    const QRectF all = widget.rect();
    painter.setRenderHint(QPainter::Antialiasing);
    if (chosen || widget.underMouse()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(chosen ? c.accent : c.hover);
        painter.drawRoundedRect(all, cornerRadius - 0.5, cornerRadius - 0.5);
    }
    if (widget.hasFocus()) {
        painter.setPen(QPen(chosen ? c.onAccent : c.accent, 1.25));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(all.adjusted(2, 2, -2, -2), 2.5, 2.5);
    }
    QFont font = widget.font();
    font.setWeight(chosen ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(!widget.isEnabled() ? c.muted : chosen ? c.onAccent : c.text);
    QRectF words = all;
    if (arrow && chosen)
        words.adjust(0, 0, -em(0.5), 0);
    const QString shown = QFontMetricsF(font).elidedText(text, Qt::ElideRight, words.width() - 4, Qt::TextShowMnemonic);
    painter.drawText(words, Qt::AlignCenter | mnemonicFlag(&widget), shown);
    if (arrow && chosen)
        paintArrow(&painter, QRectF(all.right() - em(0.85), all.top(), em(0.5), all.height()), c.onAccent);
}

QSize segmentSize(const QWidget &widget, const QString &text) {
    QFont heavy = widget.font();
    heavy.setWeight(QFont::DemiBold);
    const int w = QFontMetrics(heavy).size(Qt::TextShowMnemonic, text).width();
    return {w + em(0.7), em(1.72) - 2};
}

} // namespace

class MoreSegment : public QPushButton {
public:
    using QPushButton::QPushButton;
    bool active = false;

    QSize sizeHint() const override { return segmentSize(*this, text()); }
    QSize minimumSizeHint() const override { return {em(2.4), sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        paintSegment(painter, *this, text(), active, true);
    }
};

Segment::Segment(const QString &text, QWidget *parent) : QRadioButton(text, parent) {
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize Segment::sizeHint() const { return segmentSize(*this, text()); }

void Segment::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    paintSegment(painter, *this, text(), isChecked(), false);
}

Segments::Segments(int places, QWidget *parent) : QWidget(parent) {
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    for (int i = 0; i < places; ++i)
        addPlace();
}

void Segments::addPlace() {
    auto *button = new Segment({}, this);
    const qsizetype at = m_buttons.size();
    connect(button, &QRadioButton::clicked, this, [this, at] {
        // A place without a choice is hidden, yet a program may still press it.
        if (at < m_choices.size() && m_choices.at(at).id != m_current)
            emit chosen(m_choices.at(at).id);
    });
    static_cast<QHBoxLayout *>(layout())->insertWidget(static_cast<int>(at), button);
    m_buttons.append(button);
    button->hide();
}

void Segments::setChoices(const QList<Choice> &choices) {
    if (choices == m_choices)
        return;
    m_choices = choices;
    while (m_buttons.size() < choices.size())
        addPlace();
    for (qsizetype i = 0; i < m_buttons.size(); ++i) {
        Segment *button = m_buttons.at(i);
        button->setVisible(i < choices.size());
        const Choice choice = choices.value(i);
        button->setText(choice.text);
        button->setObjectName(choice.objectName);
        button->setToolTip(plainTip(choice.tip));
        button->setWhatsThis(choice.tip);
        button->setAccessibleName(withoutMnemonic(choice.text));
        button->setAccessibleDescription(choice.tip);
    }
    setCurrent(m_current);
}

void Segments::setMore(const QString &text, const QString &objectName, QMenu *menu) {
    m_more = new MoreSegment(text, this);
    m_more->setObjectName(objectName);
    m_more->setProperty("standingText", text);
    m_more->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_more->setAttribute(Qt::WA_Hover);
    menu->setParent(m_more, menu->windowFlags());
    m_more->setMenu(menu);
    static_cast<QHBoxLayout *>(layout())->addWidget(m_more);
}

void Segments::setCurrent(const QString &id, const QString &otherText) {
    m_current = id;
    bool found = false;
    for (qsizetype i = 0; i < m_buttons.size(); ++i) {
        const bool mine = i < m_choices.size() && m_choices.at(i).id == id;
        found |= mine;
        // An exclusive button cannot be unchecked by hand.
        m_buttons.at(i)->setAutoExclusive(false);
        m_buttons.at(i)->setChecked(mine);
        m_buttons.at(i)->setAutoExclusive(true);
        if (mine || i == 0)
            setFocusProxy(m_buttons.at(i));
    }
    if (!m_more)
        return;
    if (!found)
        setFocusProxy(m_more);
    m_more->active = !found && !otherText.isEmpty();
    m_more->setText(m_more->active ? otherText : m_more->property("standingText").toString());
    m_more->updateGeometry();
    m_more->update();
}

void Segments::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    paintField(&painter, rect(), palette(), false, false);
}

} // namespace kv
