// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What each common mistake would have answered for this very scenario, beside the right value. The one pointed at is drawn as a ghost on the
// charts: the plan of somebody who makes it.

#include "core/plan/mistakes.h"
#include "ui/view.h"

#include <optional>

namespace kv {

class AnswerBars;
class Label;
class Segments;

class MistakesView : public View {
    Q_OBJECT

public:
    explicit MistakesView(QWidget *parent = nullptr);
    void present(const Shown &shown) override;
    ViewExports exports() override;
    void showLike(const View &other) override;

private:
    void write();
    void point(int bar);

    std::optional<Scenario> m_scenario;
    Plan m_plan;
    MistakeSheet m_sheet;
    SizeUnit m_unit = SizeUnit::Decimal;
    Segments *m_of;
    Label *m_none;
    AnswerBars *m_bars;
};

} // namespace kv
