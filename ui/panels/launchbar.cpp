// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/launchbar.h"

#include "core/launch/launch.h"
#include "ui/language/translate.h"
#include "ui/panels/panel.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

namespace kv {

namespace {

/// What goes to the clipboard: a command that names a file is of use only with it.
QString whole(const LaunchCommand &command) {
    if (command.fileText.empty())
        return words(command.text());
    return words("cat > " + command.fileName + " <<'EOF'\n" + command.fileText + (command.fileText.ends_with('\n') ? "" : "\n") + "EOF\n" + command.text());
}

} // namespace

LaunchBar::LaunchBar(QWidget *parent)
    : QWidget(parent), m_line(new QLineEdit), m_copy(new QPushButton(tr("Cop&y"))), m_paste(new QPushButton(tr("Paste"))) {
    const QString about = tr("The flags of this engine for what is planned; a flag that would only repeat the engine's default is left out.");
    m_line->setReadOnly(true);
    m_line->setAcceptDrops(false);
    describeInput(m_line, QStringLiteral("launchLine"), tr("Launch command"), tr("The command that starts this engine as planned."), about);
    describeInput(m_copy, QStringLiteral("launchCopy"), tr("Copy the launch command"), tr("Copy the launch command."), about);
    describeInput(m_paste, QStringLiteral("launchPaste"), tr("Paste a launch command"),
                  tr("Set the scenario from a launch command on the clipboard."),
                  tr("A line of vllm serve, sglang.launch_server, trtllm-serve or llama-server is read, never run. Undo takes it back."));
    connect(m_copy, &QPushButton::clicked, this, [this] {
        if (!property("command").toString().isEmpty())
            QGuiApplication::clipboard()->setText(property("command").toString());
    });
    connect(m_paste, &QPushButton::clicked, this, &LaunchBar::pasteAsked);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(em(0.4));
    for (QPushButton *button : {m_copy, m_paste})
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    row->addWidget(m_line, 1);
    row->addWidget(m_copy);
    row->addWidget(m_paste);
    takeFont();
}

void LaunchBar::present(const Scenario &scenario) {
    const LaunchCommand command = launchCommand(scenario);
    setVisible(!command.empty());
    if (command.empty())
        return;
    setProperty("command", whole(command));
    const QString line = words(command.text());
    if (m_line->text() != line) {
        m_line->setText(line);
        m_line->setCursorPosition(0);
    }
    QString tip = words(command.text(true));
    for (const Note &note : command.notes)
        tip += QStringLiteral("\n! ") + translated(note);
    m_line->setToolTip(plainTip(tip));
}

void LaunchBar::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange)
        takeFont();
}

void LaunchBar::takeFont() {
    m_line->setFont(monoFont(type::caption));
    // No wider than their words: the command needs the room.
    for (QPushButton *button : {m_copy, m_paste})
        button->setFixedWidth(button->fontMetrics().horizontalAdvance(button->text().remove(QLatin1Char('&'))) + em(1.2));
}

bool copyLaunchCommand(const Scenario &scenario) {
    const LaunchCommand command = launchCommand(scenario);
    if (!command.empty())
        QGuiApplication::clipboard()->setText(whole(command));
    return !command.empty();
}

} // namespace kv
