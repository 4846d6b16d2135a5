// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How the numbers are kept: the type and size of the weights, and the type of the KV cache.

#include "core/engine/engine.h"
#include "core/weights/weighttypes.h"
#include "ui/panels/panel.h"

class QComboBox;
class QMenu;

namespace kv {

class Label;
class QuantityEdit;
class Segments;

class PrecisionPanel : public Panel {
    Q_OBJECT

public:
    explicit PrecisionPanel(QWidget *parent = nullptr);
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit) override;

private:
    void presentWeights(const Scenario &scenario, const Plan &plan, SizeUnit unit);
    void presentCache(const Scenario &scenario, const Plan &plan);
    void fillMenu();
    void addTypes(QMenu *menu, bool keys, bool values);
    void chooseWeights(int row);
    void showChosenWeights();
    void chooseCache(ElementType type, bool keys, bool values);

    SizeUnit m_unit = SizeUnit::Decimal; // before the entries: they write with it
    QComboBox *m_weights;
    Label *m_bytesLabel;
    QuantityEdit *m_bytes;
    Segments *m_cache;
    QMenu *m_menu;
    const Engine *m_engine = nullptr;
    KvChoice m_choice;   ///< as presented last: what the menu ticks
    CacheTypes m_actual; ///< what `auto` is
    // What the list of weight types was made for; a drag of a slider does not make it anew.
    std::shared_ptr<const ModelSpec> m_listedModel;
    WeightsChoice m_listedChoice;
    SizeUnit m_listedUnit = SizeUnit::Decimal;
    WeightFile m_listedFile = WeightFile::Checkpoint;
};

} // namespace kv
