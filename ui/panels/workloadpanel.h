// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is asked of the deployment: tokens a sequence, sequences at once, how much of each sequence is a prefix that all share, and
// whether the sequences are as long as the context or of unlike lengths.

#include "ui/panels/panel.h"

namespace kv {

class Amount;
class LengthsLine;

class WorkloadPanel : public Panel {
    Q_OBJECT

public:
    explicit WorkloadPanel(QWidget *parent = nullptr);
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit) override;
    void setCompact(bool compact) override;

signals:
    void traceAsked();
    void columnsAsked();

private:
    void connectAmounts();
    void buildRate();
    void connectLengths();

    Amount *m_context;
    Amount *m_sequences;
    Amount *m_prefix;
    LengthsLine *m_lengths;
    std::int64_t m_sequencesShown = 1;
    std::int64_t m_contextShown = 1; ///< what a percentage typed for the prefix is of
};

} // namespace kv
