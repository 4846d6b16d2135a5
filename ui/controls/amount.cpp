// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/amount.h"

#include "core/base/quantity.h"
#include "ui/controls/label.h"
#include "ui/language/translate.h"
#include "ui/mnemonic.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace kv {

Amount::Amount(const Texts &texts, QuantityEdit::Read read, QWidget *parent)
    : QWidget(parent), m_name(new Label(Label::Voice::Body, texts.name)),
      m_edit(new QuantityEdit(std::move(read), [](std::int64_t value) { return translated(writeNumber(value)); })),
      m_slider(new LogSlider) {
    const QString name = withoutMnemonic(texts.name);
    m_name->setBuddy(m_edit);
    m_edit->setObjectName(texts.objectName + QStringLiteral("Edit"));
    m_edit->setAlignment(Qt::AlignRight);
    m_slider->setObjectName(texts.objectName + QStringLiteral("Slider"));
    for (QWidget *input : {static_cast<QWidget *>(m_edit), static_cast<QWidget *>(m_slider)}) {
        input->setToolTip(plainTip(texts.tip));
        input->setWhatsThis(texts.whatsThis);
        input->setAccessibleName(name);
        input->setAccessibleDescription(texts.tip);
    }
    m_edit->setTip(texts.tip);
    m_slider->setSpeaker([unit = texts.unit](std::int64_t value) {
        return translated(writeNumber(value)) + QLatin1Char(' ') + unit;
    });
    m_edit->setStep([this](std::int64_t value, int direction) {
        return m_slider->scale().step ? m_slider->scale().step(value, direction) : value + direction;
    });
    connect(m_edit, &QuantityEdit::edited, this, &Amount::edited);
    connect(m_edit, &QuantityEdit::refused, this, &Amount::refused);
    connect(m_slider, &LogSlider::moved, this, [this](qint64 value, int gesture) {
        m_edit->setValue(value);
        emit edited(value, gesture);
    });

    auto *row = new QHBoxLayout;
    row->addWidget(m_name, 1);
    row->addWidget(m_edit);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.15));
    column->addLayout(row);
    column->addWidget(m_slider);
    takeFont();
}

void Amount::show(std::int64_t value, SliderScale scale) {
    const QSignalBlocker quietEdit(m_edit), quietSlider(m_slider);
    // While a thumb is held its scale stays, or it would slide away under the pointer.
    if (!m_slider->isDragging())
        m_slider->setScale(std::move(scale));
    m_slider->setValue(value);
    m_edit->setValue(value);
}

void Amount::changeEvent(QEvent *event) {
    if (event->type() == QEvent::ApplicationFontChange)
        takeFont();
    QWidget::changeEvent(event);
}

void Amount::takeFont() {
    m_edit->setWeight(QFont::DemiBold);
    m_edit->setFixedWidth(em(5.6));
}

} // namespace kv
