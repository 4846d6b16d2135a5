// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is asked of the deployment: tokens a sequence, sequences at once, and how much of each sequence is a prefix that all share.

#include "ui/panels/panel.h"

namespace kv {

class Amount;

class WorkloadPanel : public Panel {
    Q_OBJECT

public:
    explicit WorkloadPanel(QWidget *parent = nullptr);
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit) override;
    void setCompact(bool compact) override;

private:
    void connectAmounts();

    Amount *m_context;
    Amount *m_sequences;
    Amount *m_prefix;
    std::int64_t m_contextShown = 1; ///< what a percentage typed for the prefix is of
};

} // namespace kv
