// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// On stage many bars stand beside the charts, where each of both has the whole height: one over the other they would not be read from the
// back of a room.

#include "ui/theme.h"

#include <QBoxLayout>
#include <QWidget>

namespace kv {

/// Lays the box that holds both out by the shape of the stage, and says whether they stand side by side. `rows`: bars there are; 0: no stage.
inline bool placeBars(QBoxLayout &box, const QWidget &charts, int rows) {
    constexpr int fewRows = 4;
    const QWidget *stage = charts.window();
    const int room = stage->width() - charts.minimumSizeHint().width() - em(3);
    const bool beside = rows > fewRows && stage->width() > stage->height() && room >= em(20);
    box.setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    return beside;
}

} // namespace kv
