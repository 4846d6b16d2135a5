// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// On what: the accelerator, how many, how the model is split over them, and the share of memory that is not planned with.
//
// The GPUs are always tp × pp × dp. Changing a degree changes the number of GPUs; changing the number of GPUs changes the tensor
// parallel degree where it alone splits the model, else the replicas, and where neither comes out even the scenario is refused
// with both numbers, as they stand.
//
// Where the engine takes unlike cards, further kinds stand under the first (devicerows.h); the number beside the first is its own then.

#include "ui/panels/panel.h"

class QGridLayout;

namespace kv {

struct Machine;
class DeviceRows;
class Label;
class QuantityEdit;
class SearchList;

class HardwarePanel : public Panel {
    Q_OBJECT

public:
    explicit HardwarePanel(QWidget *parent = nullptr);
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit) override;
    void setCompact(bool compact) override;

signals:
    /// A card that scenarios may use has other figures now.
    void cardChanged();

private:
    struct Field {
        Label *label = nullptr;
        QuantityEdit *edit = nullptr;
    };
    Field addCount(const QString &name, const QString &objectName, const QString &accessible, const QString &tip,
                   const QString &whatsThis);
    void addReserve();
    void connectFields();
    void connectDevices();
    void choose(const QString &id);
    void takeCard(const std::string &id);
    void askForOwnGpu();
    void askThisMachine();
    void takeThisMachine(const Machine &machine, const std::vector<std::pair<Gpu, std::optional<Note>>> &added);
    void showMemory(const Scenario &scenario);

    SearchList *m_chooser;
    Label *m_facts;
    QGridLayout *m_grid;
    Field m_count, m_tp, m_pp, m_dp, m_reserve;
    DeviceRows *m_devices;
    const Gpu *m_listed = nullptr; ///< the list that the chooser shows
    std::string m_shownGpu; ///< of the scenario as it was shown last
};

/// The degrees of parallelism as they count, absent ones filled in.
struct Degrees {
    std::int64_t tp = 1, pp = 1, dp = 1;
};
Degrees degreesOf(const Scenario &scenario);
/// Sets the number of GPUs and what follows from it.
void setGpuCount(Scenario &scenario, std::int64_t count);
/// Sets the cards of a machine: one kind as alike cards, several as devices.
void setDevices(Scenario &scenario, std::vector<Device> devices);
/// The kinds of cards: the devices, or the one kind there is.
std::vector<Device> devicesOf(const Scenario &scenario);
/// Sets the degrees and the number of GPUs with them.
void setDegrees(Scenario &scenario, const Degrees &degrees);

} // namespace kv
