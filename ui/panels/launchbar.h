// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The command that starts the engine with the settings planned, in one line to select from, with a button that copies it and one that
// takes a command from the clipboard in return. The tool tip has one flag a line and what the command cannot say.

#include "core/scenario/scenario.h"

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace kv {

class LaunchBar : public QWidget {
    Q_OBJECT

public:
    explicit LaunchBar(QWidget *parent = nullptr);
    /// An engine without a server has no command: the bar is then not shown.
    void present(const Scenario &scenario);

signals:
    void pasteAsked();

protected:
    void changeEvent(QEvent *event) override;

private:
    void takeFont();

    QLineEdit *m_line;
    QPushButton *m_copy, *m_paste;
};

/// Puts the command, and the file of settings that it names, on the clipboard; false where there is none.
bool copyLaunchCommand(const Scenario &scenario);

} // namespace kv
