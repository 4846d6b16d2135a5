// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What memory bandwidth alone lets decoding do (core/plan/decodefloor.h): a bound, and called one. A painted bar of the bytes that a step
// reads, weights and KV, and the figures that follow; where a bandwidth or size is not known, why not and what to do.

#include "core/base/quantity.h"
#include "core/plan/decodefloor.h"

#include <QWidget>

namespace kv {

class FigureList;
class Label;

class FloorPanel : public QWidget {
    Q_OBJECT

public:
    explicit FloorPanel(QWidget *parent = nullptr);
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit);

private:
    class Bar;
    void presentFigures(const DecodeFloor &floor, SizeUnit unit);

    Bar *m_bar;
    Label *m_reason;
    FigureList *m_figures;
};

} // namespace kv
