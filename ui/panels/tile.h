// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One figure: what it is, how much, and in small type what it stands for. Painted, so that a figure too wide for its tile is set
// smaller rather than cut. Upright under each other in a row of six; side by side, without the small type, in the small window.

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

public:
    explicit Tile(const QString &objectName, QWidget *parent = nullptr);
    void present(const Figure &figure);
    void setCompact(bool compact);
    QString name() const { return m_figure.name; }
    QString value() const { return m_figure.value; }
    QString detail() const { return m_figure.detail; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void paintUpright(QPainter &painter, const QRectF &inner) const;
    void paintSide(QPainter &painter, const QRectF &inner) const;

    Figure m_figure;
    bool m_compact = false;
};

} // namespace kv
