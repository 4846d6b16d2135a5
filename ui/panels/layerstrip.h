// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Every layer of a model as a cell, coloured and lettered by what it keeps, so that a hybrid's pattern is seen at a glance. Pointing at
// a layer (mouse, or arrow keys while focused) says what it keeps at this context, and lights its kind: the formula's section and the
// kind's share of the bars. The other way round, light() lights the cells of a kind.
// Worth showing where layers differ, or do not all keep every token.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "ui/controls/card.h"

#include <optional>
#include <vector>

namespace kv {

struct Scenario;

class LayerStrip : public Card {
    Q_OBJECT

public:
    explicit LayerStrip(QWidget *parent = nullptr);
    static bool isWorthShowing(const ModelSpec &model);
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit);
    void light(std::optional<CacheKind> kind);
    int current() const { return m_current; } ///< the layer pointed at, −1: none
    QString sentence() const;                 ///< what it keeps, in words; of the whole strip when none is pointed at
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {em200(), sizeHint().height()}; }

signals:
    void kindPointed(std::optional<kv::CacheKind> kind);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    struct Legend {
        QString text;
        QColor color;
        QChar letter;
    };

    static int em200();
    int rows() const;
    int perRow() const;
    QRectF strip() const;
    QRectF cell(int layer) const;
    int layerAt(const QPointF &position) const;
    void point(int layer);
    void paintHead(QPainter &painter) const;
    void paintCell(QPainter &painter, int layer) const;
    void paintNumbers(QPainter &painter) const;
    QList<Legend> legend() const;
    void describe();

    std::shared_ptr<const ModelSpec> m_model;
    CacheTypes m_types;
    Tokens m_context;
    SizeUnit m_unit = SizeUnit::Decimal;
    int m_current = -1;
    std::optional<CacheKind> m_lit;
};

} // namespace kv
