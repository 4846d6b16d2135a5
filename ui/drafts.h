// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What stands in entries and cannot be read belongs to the scenario that it was typed for. All scenarios of a document share the same
// entries: where another is shown, such text is put aside with its scenario and comes back with it, its refusal too. It is no part of the
// document and is not saved.

#include "core/scenario/scenariofile.h"

#include <QList>
#include <QObject>
#include <QString>

#include <vector>

class QWidget;

namespace kv {

class Drafts : public QObject {
    Q_OBJECT

public:
    /// For all entries inside this widget.
    explicit Drafts(QWidget *inside);

    /// Takes everything typed that can be read.
    void take();
    /// Before a document is shown: where it is at another scenario, puts aside what is typed. Returns whether it is.
    bool leave(const ScenarioDocument &document);
    /// After it was shown: what was typed for this scenario before.
    void enter(const ScenarioDocument &document);

private:
    struct Typed {
        QString entry, text;
    };
    struct Draft {
        std::size_t index = 0;
        Scenario scenario;
        QList<Typed> typed;
    };

    QList<Typed> putAside();

    QWidget *m_inside;
    std::vector<Draft> m_drafts;
    std::size_t m_index = 0, m_count = 0; ///< what is shown; no scenarios: nothing yet
    Scenario m_scenario;
};

} // namespace kv
