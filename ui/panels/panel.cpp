// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/panel.h"

#include "ui/words.h"

namespace kv {

void describeInput(QWidget *input, const QString &objectName, const QString &name, const QString &tip,
                   const QString &whatsThis) {
    input->setObjectName(objectName);
    input->setAccessibleName(name);
    input->setAccessibleDescription(tip);
    input->setToolTip(plainTip(tip));
    input->setWhatsThis(whatsThis);
}

} // namespace kv
