// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// "Count like": which engine's rules the plan follows, that engine's own options, made from its table, what others take of the GPU
// before the engine starts, and the command that starts it.

#include "core/engine/engine.h"
#include "ui/panels/panel.h"

class QComboBox;
class QGridLayout;
class QLineEdit;
class QPushButton;

namespace kv {

class Label;
class LaunchBar;
class QuantityEdit;

class EnginePanel : public Panel {
    Q_OBJECT

public:
    explicit EnginePanel(QWidget *parent = nullptr);
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit) override;

signals:
    void pasteAsked();

private:
    struct Row {
        const EngineOption *option = nullptr;
        QComboBox *choice = nullptr; ///< for words, booleans and versions
        QLineEdit *line = nullptr;   ///< for all others
    };

    void buildRows(const Engine *engine);
    void addRow(const Engine &engine, const EngineOption &option, int row);
    void addDisplay(int row);
    void tellDisplay();
    void setOption(const std::string &name, const Json &value, int gesture);
    void chooseEngine(int row);

    QComboBox *m_chooser;
    QPushButton *m_fold;
    QWidget *m_options = nullptr;
    Label *m_changed;
    LaunchBar *m_launch;
    const Engine *m_engine = nullptr;
    QList<Row> m_rows;
    std::optional<Bytes> m_toldDisplay; ///< what its tip says was measured
    QuantityEdit *m_display = nullptr; ///< of the hardware: stands among the options, being as rare as they
};

/// Puts a scenario under another engine: its options go, and a KV type that the engine does not take becomes the nearest it takes
/// (as many bits, else the next wider). Returns a sentence where the type changed.
QString switchEngine(Scenario &scenario, const Engine &engine);

} // namespace kv
