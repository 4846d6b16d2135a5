// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How many of the present deployment a load takes (core/plan/fleet.h). The load stands in the scenario: users at the same time, or requests
// a second with the seconds of one, between which Little's law goes both ways; what may be down; the user's own price of a GPU-hour.

#include "core/base/quantity.h"
#include "core/plan/fleet.h"
#include "ui/document.h"

#include <QWidget>

class QGridLayout;

namespace kv {

class FigureList;
class Label;
class QuantityEdit;
class Segments;

class FleetPanel : public QWidget {
    Q_OBJECT

public:
    explicit FleetPanel(QWidget *parent = nullptr);
    /// `lengths`: what core said of unlike lengths, or nullptr.
    void present(const Scenario &scenario, const Plan &plan, const InFlight *lengths);

signals:
    void edited(const QString &text, int gesture, const kv::Document::Change &change);
    void refused(const QString &sentence);

private:
    struct Field {
        Label *name = nullptr;
        QuantityEdit *edit = nullptr;
    };
    Field addField(const QString &name, const QString &objectName, const QString &tip, bool whole);
    void connectFields();
    void presentFields(const Scenario &scenario);
    void presentAnswer(const Fleet &fleet, const FleetTarget &target);
    void choose(const QString &id);

    Segments *m_by;
    QGridLayout *m_fields;
    Field m_users, m_rate, m_seconds, m_lost, m_price;
    FigureList *m_answer;
    Label *m_reason;                            ///< why there is no answer
    bool m_byRate = false;                      ///< where the scenario says neither
};

} // namespace kv
