// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What else the plan answers: the questions turned round, how many deployments serve a load, and what memory bandwidth bounds. Two columns
// where there is room, one where there is not, and it scrolls. The answers are looked for off the GUI thread; those before stand until then.

#include "core/plan/inflight.h"
#include "ui/panels/capacityanswers.h"
#include "ui/view.h"

class QGridLayout;

namespace kv {

class FleetPanel;
class FloorPanel;
class Latest;

class CapacityView : public View {
    Q_OBJECT

public:
    explicit CapacityView(QWidget *parent = nullptr);
    void present(const Shown &shown) override;
    void settle() override;
    bool isSettled() const override;
    ViewExports exports() override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Found {
        Scenario scenario;
        Plan plan;
        Solutions solutions;
        std::optional<InFlight> lengths;
    };
    QWidget *section(const QString &title, QWidget *content);
    void arrange(bool two);
    void put(const QString &text, Question question);
    void take(std::shared_ptr<const Found> found);

    Latest *m_latest;
    std::optional<Scenario> m_asked;
    std::shared_ptr<const Found> m_found;
    SizeUnit m_unit = SizeUnit::Decimal;
    CapacityAnswers *m_answers;
    FleetPanel *m_fleet;
    FloorPanel *m_floor;
    QGridLayout *m_grid;
    QWidget *m_sections[3]{}; ///< answers, fleet, floor
    int m_columns = 0;
};

} // namespace kv
