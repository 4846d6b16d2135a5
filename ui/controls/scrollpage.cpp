// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/scrollpage.h"

namespace kv {

QScrollArea *scrollPage(QWidget *page, const QString &objectName, QScrollArea *area) {
    if (!area)
        area = new QScrollArea;
    area->setObjectName(objectName);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(page);
    page->setAutoFillBackground(false); // setWidget() sets it
    area->viewport()->setAutoFillBackground(false);
    return area;
}

} // namespace kv
