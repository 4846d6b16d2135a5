// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A part of the scenario column. It keeps no number: it shows a scenario and its plan under signal blockers, and what the user does it
// sends as an edit. After a refused edit it still shows the scenario as it stands; the plan is then the last good one.

#include "core/base/quantity.h"
#include "ui/document.h"

#include <QWidget>

namespace kv {

class Panel : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    virtual void present(const Scenario &scenario, const Plan &plan, SizeUnit unit) = 0;
    /// Less height: no scales under the sliders.
    virtual void setCompact(bool) {}

signals:
    void edited(const QString &text, int gesture, const kv::Document::Change &change);
    /// Something typed that cannot be read, in a sentence; empty once it is mended.
    void refused(const QString &sentence);
    /// Something the user should know about what an edit did beside what was asked.
    void remarked(const QString &sentence);
};

/// Gives an input everything it has to say about itself.
void describeInput(QWidget *input, const QString &objectName, const QString &name, const QString &tip,
                   const QString &whatsThis);

} // namespace kv
