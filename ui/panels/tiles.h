// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The six figures under the verdict: KV of a token, of a sequence and in all, weights, what is left free (or short), and the longest
// context at this concurrency; in one row, or three by two in the small window. There all six are arranged alike: one figure that has no
// room beside its name puts all under their names, until the width changes.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"
#include "ui/panels/tile.h"

#include <array>

class QGridLayout;

namespace kv {

/// The figures in order, worded for one unit.
std::array<Figure, 6> figuresOf(const Scenario &scenario, const Plan &plan, SizeUnit unit);

class Tiles : public QWidget {
    Q_OBJECT

public:
    explicit Tiles(QWidget *parent = nullptr);
    /// `ghost`: the figures of another scenario (figuresOf), told where they differ.
    void present(const std::array<Figure, 6> &figures, const std::array<Figure, 6> *ghost = nullptr);
    /// Names without figures: there is no plan.
    void presentNothing();
    void setCompact(bool compact);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrange();
    void fit();

    std::array<Tile *, 6> m_tiles{};
    QGridLayout *m_grid;
    bool m_compact = false;
    bool m_stacked = false;
};

} // namespace kv
