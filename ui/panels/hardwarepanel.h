// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// On what: the accelerator, how many, how the model is split over them, and the share of memory that is not planned with.
//
// The GPUs are always tp × pp × dp. Changing a degree changes the number of GPUs; changing the number of GPUs changes the tensor
// parallel degree where it alone splits the model, else the replicas, and where neither comes out even the scenario is refused
// with both numbers, as they stand.

#include "ui/panels/panel.h"

class QGridLayout;

namespace kv {

class Label;
class QuantityEdit;
class SearchList;

class HardwarePanel : public Panel {
    Q_OBJECT

public:
    explicit HardwarePanel(QWidget *parent = nullptr);
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit) override;
    void setCompact(bool compact) override;

private:
    struct Field {
        Label *label = nullptr;
        QuantityEdit *edit = nullptr;
    };
    Field addCount(const QString &name, const QString &objectName, const QString &accessible, const QString &tip,
                   const QString &whatsThis);
    void addReserve();
    void connectFields();
    void showMemory(const Scenario &scenario);

    SearchList *m_chooser;
    Label *m_facts;
    QGridLayout *m_grid;
    Field m_count, m_tp, m_pp, m_dp, m_reserve;
};

/// The degrees of parallelism as they count, absent ones filled in.
struct Degrees {
    std::int64_t tp = 1, pp = 1, dp = 1;
};
Degrees degreesOf(const Scenario &scenario);
/// Sets the number of GPUs and what follows from it.
void setGpuCount(Scenario &scenario, std::int64_t count);
/// Sets the degrees and the number of GPUs with them.
void setDegrees(Scenario &scenario, const Degrees &degrees);

} // namespace kv
