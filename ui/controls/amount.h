// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One number of the workload: its name, an exact entry and a slider, which are one control.

#include "ui/controls/logslider.h"
#include "ui/controls/quantityedit.h"

namespace kv {

class Label;

class Amount : public QWidget {
    Q_OBJECT

public:
    struct Texts {
        QString name;      ///< with its mnemonic: "&Context per sequence"
        QString unit;      ///< spoken after the number: "tokens"
        QString tip;       ///< what it is, its unit, its effect
        QString whatsThis; ///< where the number enters
        QString objectName; ///< "context": contextEdit and contextSlider
    };

    Amount(const Texts &texts, QuantityEdit::Read read, QWidget *parent = nullptr);
    void show(std::int64_t value, SliderScale scale);
    void setTicksVisible(bool visible) { m_slider->setTicksVisible(visible); }
    LogSlider *slider() const { return m_slider; }
    QuantityEdit *edit() const { return m_edit; }

signals:
    void edited(qint64 value, int gesture);
    void refused(const QString &sentence);

protected:
    void changeEvent(QEvent *event) override;

private:
    void takeFont();

    Label *m_name;
    QuantityEdit *m_edit;
    LogSlider *m_slider;
};

} // namespace kv
