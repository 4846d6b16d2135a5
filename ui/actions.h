// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Every action of a window in one place: its words, its keys, its menu. What an action does is the window's.

#include "core/base/quantity.h"
#include "ui/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

class QMainWindow;
class QToolBar;
class QUndoStack;

namespace kv {

class Segments;

struct Actions {
    Actions(QMainWindow *window, QUndoStack *undo);
    void fillMenus(QMainWindow *window) const;
    void fillToolBar(QToolBar *bar) const;
    void showUnit(SizeUnit unit) const;
    void showScheme(Scheme scheme) const;
    void showLanguage(const QString &code) const;
    void showPictures(int scale, bool onDark) const;
    /// Title and keys of every action that has keys, menu by menu.
    QList<std::pair<QString, QString>> shortcuts() const;

    /// What the menu of a scenario's tab offers.
    QList<QAction *> ofScenario() const { return {duplicate, rename, moveLeft, moveRight, remove}; }

    QAction *newWindow, *open, *fromHub, *openLog, *openLesson, *present, *save, *saveAs, *exportImage, *exportReport, *exportData, *print, *darkPictures, *close, *quit;
    QAction *undo, *redo, *copySummary, *copyExplanation, *copyLaunch, *copyLatex, *copyReport, *copyImage, *paste;
    QAction *decimal, *binary, *system, *light, *dark, *gpuTable, *growthTable, *explain, *larger, *smaller, *usual;
    QAction *fillSequences, *longestContext, *fewestGpus, *reset, *pin, *duplicate, *rename, *remove, *next, *previous, *moveLeft, *moveRight;
    QAction *whatsThis, *keys, *accuracy, *about;
    QList<QAction *> views; ///< of ui/views.h, in its order
    QList<QAction *> languages; ///< the first: the desktop's; data: the code
    QActionGroup *pictureSizes; ///< 1, 2 and 3 pixels a point, as their data
    QMenu *pictureMenu;
    QMenu *recent;
    Segments *units;

private:
    QAction *make(QMainWindow *window, const char *objectName, const QString &text, const QString &tip,
                  const QKeySequence &shortcut = {}) const;
    void makeFile(QMainWindow *window);
    void makePictures(QMainWindow *window);
    void makeEdit(QMainWindow *window, QUndoStack *stack);
    void makeView(QMainWindow *window);
    void makeLanguages(QMainWindow *window);
    void makeScenario(QMainWindow *window);
    void makeHelp(QMainWindow *window);
    void makeUnits(QMainWindow *window);
};

} // namespace kv
