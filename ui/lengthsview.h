// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lengths of requests and what follows from them: their distribution, what the sequences in flight take together against the room,
// how many stay within it in 99 of 100 cases, and how wrong planning with the mean would be.

#include "ui/charts/chartstyle.h"
#include "ui/charts/distributionpicture.h"
#include "ui/view.h"
#include "ui/viewexport.h"

class QBoxLayout;

namespace kv {

class DistributionChart;
class FlightFinder;
class Label;

class LengthsView : public View {
    Q_OBJECT

public:
    explicit LengthsView(QWidget *parent = nullptr);
    void present(const Shown &shown) override;
    bool isWorthShowing(const Scenario &scenario, const Plan &plan) const override;
    void settle() override;
    bool isSettled() const override;
    ViewExports exports() override;
    PaintPicture picture() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    std::string csv() const;
    std::string markdown() const;
    void showFlight();
    void showWords(const InFlight &flight, bool old);

    FlightFinder *m_finder, *m_ghostFinder;
    SharedLengths m_lengths;
    Scenario m_scenario;
    Plan m_plan;
    SizeUnit m_unit = SizeUnit::Decimal;
    ChartStyle m_style;
    bool m_hasGhost = false;
    SteadyRange m_range;
    QBoxLayout *m_charts;
    DistributionChart *m_lengthsChart, *m_totalChart;
    Label *m_fit, *m_mean, *m_method;
};

} // namespace kv
