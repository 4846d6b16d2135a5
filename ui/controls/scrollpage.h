// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace kv {

/// Makes a page scroll up and down where it is higher than its room, without a frame; what lies behind shows through. The area is given, or made.
QScrollArea *scrollPage(QWidget *page, const QString &objectName, QScrollArea *area = nullptr);

} // namespace kv
