// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One figure: what it is, how much, and in small type what it stands for. Painted, so that a figure too wide for its tile is set
// smaller rather than cut. Upright under each other in a row of six; in the small window without the small type, side by side where
// name and figure have room for that, else the figure under its name.

#include "ui/controls/card.h"

#include <QString>

namespace kv {

struct Figure {
    QString name, value, detail;
    QString tip; ///< plain text
    bool bad = false;

    bool operator==(const Figure &) const = default;
};

class Tile : public Card {
    Q_OBJECT
    Q_PROPERTY(QString name READ name)
    Q_PROPERTY(QString value READ value)
    Q_PROPERTY(QString detail READ detail)
    Q_PROPERTY(QString ghost READ ghost)

public:
    explicit Tile(const QString &objectName, QWidget *parent = nullptr);
    /// `ghost`: what the figure would be in another scenario, "→ 214.7 GB" in the place of the small type; empty: none.
    void present(const Figure &figure, const QString &ghost = {});
    enum class Arrangement { Upright, Side, Stacked };
    void setArrangement(Arrangement arrangement);
    /// Whether name and figure fit beside each other, hardly smaller than they should be.
    bool fitsBeside(int width) const;
    QString name() const { return m_figure.name; }
    QString value() const { return m_figure.value; }
    QString detail() const { return m_figure.detail; }
    QString ghost() const { return m_ghost; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void paintUpright(QPainter &painter, const QRectF &inner) const;
    void paintSide(QPainter &painter, const QRectF &inner) const;

    Figure m_figure;
    QString m_ghost;
    Arrangement m_arrangement = Arrangement::Upright;
};

} // namespace kv
