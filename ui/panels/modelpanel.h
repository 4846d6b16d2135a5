// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which model: the list of presets, the facts of the one chosen, and the way to a config.json or a folder of one's own.

#include "ui/panels/panel.h"

class QPushButton;

namespace kv {

class Label;
class SearchList;

class ModelPanel : public Panel {
    Q_OBJECT

public:
    explicit ModelPanel(QWidget *parent = nullptr);
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit) override;

signals:
    void openAsked();
    void hubAsked();
    /// A model on this machine was chosen: its file or folder.
    void pathAsked(const QString &path);

private:
    void choose(const QString &id);
    void findStored();

    SearchList *m_chooser;
    Label *m_facts;
    QPushButton *m_open, *m_hub;
    std::string m_path; ///< of the model shown; empty: a preset
};

/// How a scenario's model is called: by the user, by itself, or by the file it came from.
QString modelTitle(const Scenario &scenario);

} // namespace kv
