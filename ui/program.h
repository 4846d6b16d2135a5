// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What all windows of a running program share: how the person likes it, the colours, the session on disk, and the list of windows.

#include "ui/session.h"
#include "ui/settings.h"
#include "ui/theme.h"

#include <QFont>
#include <QMap>
#include <QObject>
#include <QPointer>

namespace kv {

class MainWindow;

class Program : public QObject {
    Q_OBJECT

public:
    /// `language`: of the command line; goes before the one that is kept until another is chosen.
    explicit Program(QObject *parent = nullptr, const QString &language = {});
    ~Program() override;

    Settings *settings() { return &m_settings; }
    Session *session() { return &m_session; }

    /// What stood at the last end, or the first scenario; and the file, when one is named.
    void start(const QString &file);
    MainWindow *newWindow();
    QList<MainWindow *> windows() const;
    /// Every window plans anew: the list of cards has changed.
    void replan();
    /// What was chosen: a code of ui/language/language.h, empty for the desktop's.
    QString language() const;
    /// Kept for the next start; all windows are built anew in it.
    void chooseLanguage(const QString &code);
    /// On stage the type is larger, for as long as any window is there; what the person set stays as it is. 100: it is off the stage.
    void setStageZoom(const QObject *window, int percent);
    bool isQuitting() const { return m_quitting; }
    /// Asks where something could be lost; false when the person stays.
    bool quit();

private:
    MainWindow *add(MainWindow *window);
    void takeZoom(int percent);
    void rebuildWindows();

    Settings m_settings;
    ThemeKeeper m_theme;
    Session m_session;
    QFont m_desktopFont;
    QString m_givenLanguage;
    QMap<const QObject *, int> m_stageZooms; ///< of the windows that are on stage
    QList<QPointer<MainWindow>> m_windows;
    bool m_quitting = false;
};

} // namespace kv
