// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A panel on the grey ground: white (or lighter dark), a one-pixel frame, slightly rounded. A card may carry a coloured stripe at its
// left edge.

#include <QColor>
#include <QWidget>

namespace kv {

class Card : public QWidget {
    Q_OBJECT

public:
    explicit Card(QWidget *parent = nullptr);
    void setStripe(const QColor &color);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QColor m_stripe;
};

} // namespace kv
