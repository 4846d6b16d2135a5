// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/program.h"

#include "ui/accessible.h"
#include "ui/language/language.h"
#include "ui/mainwindow.h"
#include "ui/style.h"

#include <QApplication>
#include <QFontDatabase>

namespace kv {

namespace {

/// The desktop's font; where there is no desktop to name one, a face whose digits read well.
QFont startFont() {
    QFont font = QApplication::font();
    const bool nameless = font.family() == QLatin1String("Sans Serif") || font.family() == QLatin1String("Sans");
    if (nameless && QFontDatabase::hasFamily(QStringLiteral("Inter"))) {
        font.setFamily(QStringLiteral("Inter"));
        font.setPointSizeF(font.pointSizeF() + 1);
    }
    return font;
}

} // namespace

Program::Program(QObject *parent, const QString &language) : QObject(parent), m_desktopFont(startFont()), m_givenLanguage(language) {
    speak(this->language());
    installAccessibility();
    QApplication::setStyle(new Style);
    m_theme.setScheme(m_settings.scheme());
    takeZoom(m_settings.zoom());
    connect(&m_settings, &Settings::schemeChanged, &m_theme, &ThemeKeeper::setScheme);
    connect(&m_settings, &Settings::zoomChanged, this, &Program::takeZoom);
}

Program::~Program() {
    for (const QPointer<MainWindow> &window : m_windows)
        delete window;
}

void Program::start(const QString &file) {
    QString said;
    for (const KeptWindow &kept : m_session.takeOver(!file.isEmpty())) {
        auto *window = add(new MainWindow(this, kept));
        said = kept.crashed && kept.modified ? tr("The program ended unexpectedly. This is what stood here.") : QString();
        if (!said.isEmpty())
            window->hint(said);
    }
    if (!file.isEmpty())
        newWindow()->open(file);
    else if (windows().isEmpty())
        newWindow();
    if (const QStringList &files = m_session.unreadable(); !files.isEmpty()) {
        const QString sentence = files.size() == 1 ? tr("A window of the last run could not be read; it is kept in %1.") : tr("Windows of the last run could not be read; they are kept in %1.");
        windows().constLast()->hint(QStringList{said, sentence.arg(files.join(QStringLiteral(", ")))}.join(QLatin1Char(' ')).trimmed());
    }
}

MainWindow *Program::newWindow() {
    KeptWindow fresh;
    fresh.document.scenarios.push_back(firstScenario());
    if (windows().isEmpty())
        fresh.geometry = m_settings.geometry();
    return add(new MainWindow(this, fresh));
}

QList<MainWindow *> Program::windows() const {
    QList<MainWindow *> alive;
    for (const QPointer<MainWindow> &window : m_windows)
        if (window && !window->isGone())
            alive += window;
    return alive;
}

MainWindow *Program::add(MainWindow *window) {
    m_windows += window;
    window->show();
    return window;
}

bool Program::quit() {
    for (MainWindow *window : windows())
        if (!window->mayLeave(true))
            return false;
    m_quitting = true;
    for (MainWindow *window : windows())
        window->close();
    return true;
}

void Program::replan() {
    for (MainWindow *window : windows())
        window->document()->replan();
}

QString Program::language() const { return m_givenLanguage.isEmpty() ? m_settings.language() : m_givenLanguage; }

void Program::chooseLanguage(const QString &code) {
    m_givenLanguage.clear();
    m_settings.setLanguage(code);
    // Not at once: the menu that it was chosen from goes as well.
    QMetaObject::invokeMethod(this, &Program::rebuildWindows, Qt::QueuedConnection);
}

void Program::rebuildWindows() {
    speak(language());
    for (MainWindow *window : windows()) {
        const bool active = window->isActiveWindow();
        MainWindow *anew = add(new MainWindow(this, window->handOver()));
        anew->showLike(*window);
        delete window;
        if (active)
            anew->activateWindow();
    }
}

void Program::setStageZoom(const QObject *window, int percent) {
    if (percent == 100)
        m_stageZooms.remove(window);
    else
        m_stageZooms[window] = percent;
    takeZoom(m_settings.zoom());
}

void Program::takeZoom(int percent) {
    int stage = 100;
    for (const int zoom : m_stageZooms)
        stage = std::max(stage, zoom);
    percent = percent * stage / 100;
    QFont font = m_desktopFont;
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * percent / 100);
    else
        font.setPixelSize(font.pixelSize() * percent / 100);
    QApplication::setFont(font);
}

} // namespace kv
