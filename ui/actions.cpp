// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions.h"

#include "ui/controls/segments.h"
#include "ui/language/language.h"
#include "ui/mnemonic.h"
#include "ui/views.h"
#include "ui/words.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QToolBar>
#include <QUndoStack>

namespace kv {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(kv::Actions)
};

/// The platform's key, or ours where it has none.
QKeySequence standard(QKeySequence::StandardKey key, const char *otherwise) {
    const QList<QKeySequence> bound = QKeySequence::keyBindings(key);
    return bound.isEmpty() ? QKeySequence(QLatin1String(otherwise)) : bound.first();
}

QKeySequence keysOf(const char *text) { return QKeySequence(QLatin1String(text)); }

/// "Undo Open model.gguf (Ctrl+Z)"
QString stepTip(const QAction *step) {
    return QStringLiteral("%1 (%2)").arg(withoutMnemonic(step->text()), step->shortcut().toString(QKeySequence::NativeText));
}

/// A step may be called by a name out of a file. Without a tip of its own its text would be the tip, and taken for markup.
void keepTipPlain(QAction *step) {
    const auto tell = [step] { step->setToolTip(plainTip(stepTip(step))); };
    QObject::connect(step, &QAction::changed, step, tell);
    tell();
}

/// What is read aloud of a button is its tip, unless it is told otherwise.
void keepSpokenPlain(QWidget *button, const QAction *step) {
    const auto tell = [button, step] { button->setAccessibleDescription(stepTip(step)); };
    QObject::connect(step, &QAction::changed, button, tell);
    tell();
}

} // namespace

Actions::Actions(QMainWindow *window, QUndoStack *stack) : recent(new QMenu(Words::tr("Open &Recent"), window)) {
    recent->setObjectName(QStringLiteral("recentMenu"));
    makeFile(window);
    makePictures(window);
    makeEdit(window, stack);
    makeView(window);
    makeLanguages(window);
    makeScenario(window);
    makeHelp(window);
    makeUnits(window);
}

QAction *Actions::make(QMainWindow *window, const char *objectName, const QString &text, const QString &tip, const QKeySequence &shortcut) const {
    auto *action = new QAction(text, window);
    action->setObjectName(QLatin1String(objectName));
    action->setStatusTip(tip);
    action->setToolTip(shortcut.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, shortcut.toString(QKeySequence::NativeText)));
    action->setWhatsThis(tip);
    action->setShortcut(shortcut);
    window->addAction(action);
    return action;
}

void Actions::makeFile(QMainWindow *window) {
    newWindow = make(window, "newWindowAction", Words::tr("&New Window"), Words::tr("Open another window with the first scenario"), standard(QKeySequence::New, "Ctrl+N"));
    open = make(window, "openAction", Words::tr("&Open…"), Words::tr("Open a plan, a config.json or a model file"), standard(QKeySequence::Open, "Ctrl+O"));
    fromHub = make(window, "fromHubAction", Words::tr("From the &Hub…"), Words::tr("Fetch a model’s config and the headers of its weights from the Hub"), keysOf("Ctrl+Shift+O"));
    openLog = make(window, "openLogAction", Words::tr("Open &Log…"), Words::tr("Set an engine’s start-up log beside the plan"), keysOf("Ctrl+L"));
    save = make(window, "saveAction", Words::tr("&Save"), Words::tr("Save the plan"), standard(QKeySequence::Save, "Ctrl+S"));
    saveAs = make(window, "saveAsAction", Words::tr("Save &As…"), Words::tr("Save the plan under another name"), standard(QKeySequence::SaveAs, "Ctrl+Shift+S"));
    exportImage = make(window, "exportAction", Words::tr("&Export Image…"), Words::tr("Write what is seen as PNG, SVG or PDF"), keysOf("Ctrl+E"));
    exportImage->setIconText(Words::tr("Export…"));
    close = make(window, "closeAction", Words::tr("&Close"), Words::tr("Close this window"), standard(QKeySequence::Close, "Ctrl+W"));
    quit = make(window, "quitAction", Words::tr("&Quit"), Words::tr("End the program; it starts again as it is now"), standard(QKeySequence::Quit, "Ctrl+Q"));
}

void Actions::makePictures(QMainWindow *window) {
    exportReport = make(window, "exportReportAction", Words::tr("Export Repor&t…"), Words::tr("Write the plan with its derivation and charts as HTML, or as Markdown or LaTeX"), keysOf("Ctrl+Shift+H"));
    exportData = make(window, "exportDataAction", Words::tr("Export &Data…"), Words::tr("Write the plan’s exact numbers as CSV or JSON"));
    print = make(window, "printAction", Words::tr("&Print…"), Words::tr("Print what is seen on one page"), standard(QKeySequence::Print, "Ctrl+P"));
    pictureSizes = new QActionGroup(window);
    const auto addSize = [&](const char *name, int scale, const QString &text, const QString &tip) {
        QAction *size = make(window, name, text, tip);
        size->setData(scale);
        size->setCheckable(true);
        pictureSizes->addAction(size);
    };
    addSize("pictureSize1Action", 1, Words::tr("&1×: 1,440 × 900 pixels"), Words::tr("PNG and copied pictures with one pixel a point"));
    addSize("pictureSize2Action", 2, Words::tr("&2×: 2,880 × 1,800 pixels"), Words::tr("PNG and copied pictures with two pixels a point"));
    addSize("pictureSize3Action", 3, Words::tr("&3×: 4,320 × 2,700 pixels"), Words::tr("PNG and copied pictures with three pixels a point"));
    darkPictures = make(window, "darkPicturesAction", Words::tr("On &Dark Ground"), Words::tr("Pictures and printed pages in light type on dark ground"));
    darkPictures->setCheckable(true);
    pictureMenu = new QMenu(Words::tr("Pict&ures"), window);
    pictureMenu->setObjectName(QStringLiteral("pictureMenu"));
    pictureMenu->addActions(pictureSizes->actions());
    pictureMenu->addSeparator();
    pictureMenu->addAction(darkPictures);
}

void Actions::makeEdit(QMainWindow *window, QUndoStack *stack) {
    undo = stack->createUndoAction(window, Words::tr("&Undo"));
    undo->setObjectName(QStringLiteral("undoAction"));
    undo->setShortcut(standard(QKeySequence::Undo, "Ctrl+Z"));
    undo->setIconText(Words::tr("Undo"));
    redo = stack->createRedoAction(window, Words::tr("&Redo"));
    redo->setObjectName(QStringLiteral("redoAction"));
    redo->setShortcut(standard(QKeySequence::Redo, "Ctrl+Shift+Z"));
    redo->setIconText(Words::tr("Redo"));
    keepTipPlain(undo);
    keepTipPlain(redo);
    window->addActions({undo, redo});
    copySummary = make(window, "copySummaryAction", Words::tr("&Copy Summary"), Words::tr("Copy the verdict and the figures as text"), keysOf("Ctrl+Shift+C"));
    copyExplanation = make(window, "copyExplanationAction", Words::tr("Copy E&xplanation"), Words::tr("Copy the derivation as text"));
    copyLaunch = make(window, "copyLaunchAction", Words::tr("Copy &Launch Command"), Words::tr("Copy the command that starts the engine as planned"), keysOf("Ctrl+Shift+K"));
    copyLatex = make(window, "copyLatexAction", Words::tr("Copy &Formula as LaTeX"), Words::tr("Copy the derivation for a paper; it needs amsmath and array"));
    copyReport = make(window, "copyReportAction", Words::tr("Copy Report as &Markdown"), Words::tr("Copy the plan with its derivation as Markdown"));
    copyImage = make(window, "copyImageAction", Words::tr("Copy &Image"), Words::tr("Copy a picture of the figures and charts"), keysOf("Ctrl+Alt+C"));
    copyImage->setIconText(Words::tr("Copy image"));
    paste = make(window, "pasteAction", Words::tr("&Paste Plan, Config, Command or Log"), Words::tr("Take a plan, a config.json, a launch command or a start-up log from the clipboard"), standard(QKeySequence::Paste, "Ctrl+V"));
}

void Actions::makeView(QMainWindow *window) {
    const auto pick = [&](QAction *action, QActionGroup *group) {
        action->setCheckable(true);
        group->addAction(action);
    };
    auto *unitGroup = new QActionGroup(window);
    decimal = make(window, "unitDecimalAction", Words::tr("&GB (10⁹ bytes)"), Words::tr("All figures in kB, MB, GB and TB, powers of 1,000"));
    binary = make(window, "unitBinaryAction", Words::tr("G&iB (2³⁰ bytes)"), Words::tr("All figures in KiB, MiB, GiB and TiB, powers of 1,024"));
    pick(decimal, unitGroup);
    pick(binary, unitGroup);
    auto *schemeGroup = new QActionGroup(window);
    system = make(window, "themeSystemAction", Words::tr("Like the &Desktop"), Words::tr("Light or dark as the desktop is"));
    light = make(window, "themeLightAction", Words::tr("&Light"), Words::tr("Dark type on light ground"));
    dark = make(window, "themeDarkAction", Words::tr("&Dark"), Words::tr("Light type on dark ground"));
    for (QAction *action : {system, light, dark})
        pick(action, schemeGroup);
    gpuTable = make(window, "gpuTableAction", Words::tr("GPU &Memory as a Table"), Words::tr("The memory of each GPU as numbers instead of bars"), keysOf("Ctrl+Shift+M"));
    gpuTable->setCheckable(true);
    growthTable = make(window, "growthTableAction", Words::tr("&Growth as a Table"), Words::tr("Memory, sequences and fit at the usual contexts"), keysOf("Ctrl+Shift+G"));
    growthTable->setCheckable(true);
    explain = make(window, "explainAction", Words::tr("E&xplanation"), Words::tr("Go to the derivation of the figures"), keysOf("Ctrl+Shift+X"));
    for (const ViewEntry &entry : viewEntries()) {
        views += make(window, (QByteArray(entry.id) + "Action").constData(), entry.menuText, entry.tip, keysOf(entry.keys));
        views.last()->setData(QLatin1String(entry.id));
    }
    openLesson = make(window, "openLessonAction", Words::tr("&Open Lesson…"), Words::tr("Open a lesson of your own from its file"));
    present = make(window, "presentAction", Words::tr("&Present"), Words::tr("The charts alone in large type over the whole screen, moved by keys"), keysOf("F11"));
    present->setIconText(Words::tr("Present"));
    present->setCheckable(true);
    larger = make(window, "largerAction", Words::tr("&Larger Type"), Words::tr("Set everything in larger type"), standard(QKeySequence::ZoomIn, "Ctrl++"));
    smaller = make(window, "smallerAction", Words::tr("&Smaller Type"), Words::tr("Set everything in smaller type"), standard(QKeySequence::ZoomOut, "Ctrl+-"));
    usual = make(window, "usualAction", Words::tr("&Usual Type"), Words::tr("Set everything in the desktop’s type size"), keysOf("Ctrl+0"));
}

void Actions::makeLanguages(QMainWindow *window) {
    auto *group = new QActionGroup(window);
    const auto add = [&](const QString &code, const QString &text, const QString &tip) {
        QAction *action = make(window, (QByteArray("language_") + (code.isEmpty() ? QByteArray("system") : code.toUtf8())).constData(), text, tip);
        action->setData(code);
        action->setCheckable(true);
        group->addAction(action);
        languages += action;
    };
    const QString tip = Words::tr("The windows are built anew in it; what can be undone starts afresh");
    add({}, Words::tr("Like the &Desktop"), tip);
    for (const Language &language : kv::languages())
        add(language.code, language.name, tip);
}

void Actions::makeScenario(QMainWindow *window) {
    fillSequences = make(window, "fillSequencesAction", Words::tr("As Many &Sequences as Fit"), Words::tr("Set the number of sequences to the most that fit"), keysOf("Ctrl+Shift+F"));
    longestContext = make(window, "longestContextAction", Words::tr("Longest &Context That Fits"), Words::tr("Set the context to the longest at which the sequences fit"), keysOf("Ctrl+Shift+L"));
    fewestGpus = make(window, "fewestGpusAction", Words::tr("Fewest &GPUs That Fit"), Words::tr("Set the number of GPUs to the fewest on which everything fits"), keysOf("Ctrl+Shift+U"));
    pin = make(window, "pinAction", Words::tr("P&in to Compare"), Words::tr("Put a named copy of this scenario beside it, to compare what comes next with it"), keysOf("Ctrl+Shift+P"));
    pin->setIconText(Words::tr("Pin to compare"));
    duplicate = make(window, "duplicateAction", Words::tr("&Duplicate"), Words::tr("Put a copy of this scenario beside it, to try something else"), keysOf("Ctrl+D"));
    rename = make(window, "renameAction", Words::tr("Re&name…"), Words::tr("Give this scenario a name"), keysOf("F2"));
    remove = make(window, "removeAction", Words::tr("Re&move"), Words::tr("Take this scenario off the table; undo returns it"));
    next = make(window, "nextAction", Words::tr("Ne&xt"), Words::tr("Look at the next scenario"), keysOf("Ctrl+PgDown"));
    previous = make(window, "previousAction", Words::tr("&Previous"), Words::tr("Look at the scenario before"), keysOf("Ctrl+PgUp"));
    moveLeft = make(window, "moveLeftAction", Words::tr("Move &Left"), Words::tr("Put this scenario before the one at its left"), keysOf("Ctrl+Shift+PgUp"));
    moveRight = make(window, "moveRightAction", Words::tr("Move R&ight"), Words::tr("Put this scenario behind the one at its right"), keysOf("Ctrl+Shift+PgDown"));
    reset = make(window, "resetAction", Words::tr("&Reset to the First Scenario"), Words::tr("Back to Llama 3.1 70B on eight H100; undo returns"));
}

void Actions::makeHelp(QMainWindow *window) {
    whatsThis = make(window, "whatsThisAction", Words::tr("What’s &This?"), Words::tr("Click on anything to learn what it is and where its number comes from"), standard(QKeySequence::WhatsThis, "Shift+F1"));
    keys = make(window, "keysAction", Words::tr("&Keyboard Shortcuts"), Words::tr("All keys at a glance"), standard(QKeySequence::HelpContents, "F1"));
    accuracy = make(window, "accuracyAction", Words::tr("Acc&uracy and Limits"), Words::tr("Which figure is exact, which is an estimate, what is not modelled, and how it was checked"));
    about = make(window, "aboutAction", Words::tr("&About KV Planner"), Words::tr("Version and licence"));
}

void Actions::makeUnits(QMainWindow *window) {
    units = new Segments(2, window);
    units->setObjectName(QStringLiteral("units"));
    units->setAccessibleName(Words::tr("Units"));
    units->setChoices({{QStringLiteral("GB"), Words::tr("GB (10⁹)"), Words::tr("All figures in powers of 1,000: what vendors print on the box"), QStringLiteral("unitGb")},
                       {QStringLiteral("GiB"), Words::tr("GiB (2³⁰)"), Words::tr("All figures in powers of 1,024: what nvidia-smi and the engines print"), QStringLiteral("unitGib")}});
}

void Actions::fillMenus(QMainWindow *window) const {
    QMenuBar *bar = window->menuBar();
    QMenu *file = bar->addMenu(Words::tr("&File"));
    file->addActions({newWindow, open, fromHub, openLog});
    file->addMenu(recent);
    file->addSeparator();
    file->addActions({save, saveAs});
    file->addSeparator();
    file->addActions({exportImage, exportReport, exportData});
    file->addMenu(pictureMenu);
    file->addAction(print);
    file->addSeparator();
    file->addActions({close, quit});
    QMenu *edit = bar->addMenu(Words::tr("&Edit"));
    edit->addActions({undo, redo});
    edit->addSeparator();
    edit->addActions({copySummary, copyExplanation, copyLatex, copyReport, copyLaunch, copyImage, paste});
    QMenu *view = bar->addMenu(Words::tr("&View"));
    view->addActions({decimal, binary});
    view->addSeparator();
    view->addActions({gpuTable, growthTable, explain});
    view->addActions(views);
    view->addAction(present);
    view->addSeparator();
    QMenu *colors = view->addMenu(Words::tr("&Colours"));
    colors->addActions({system, light, dark});
    //: The English word stays beside it in other languages, so that whoever chose a wrong one finds back.
    view->addMenu(Words::tr("Lan&guage"))->addActions(languages);
    view->addActions({larger, smaller, usual});
    QMenu *scenario = bar->addMenu(Words::tr("&Scenario"));
    scenario->addActions({fillSequences, longestContext, fewestGpus});
    scenario->addSeparator();
    scenario->addActions({pin, duplicate, rename, remove, next, previous, moveLeft, moveRight});
    scenario->addSeparator();
    scenario->addAction(reset);
    QMenu *learn = bar->addMenu(Words::tr("Lear&n"));
    for (QAction *shown : views)
        if (shown->data() == QLatin1String("lesson") || shown->data() == QLatin1String("mistakes"))
            learn->addAction(shown);
    learn->addAction(openLesson);
    learn->addSeparator();
    learn->addAction(present);
    QMenu *help = bar->addMenu(Words::tr("&Help"));
    help->addActions({whatsThis, keys, accuracy});
    help->addSeparator();
    help->addAction(about);
}

void Actions::fillToolBar(QToolBar *bar) const {
    for (QAction *action : {open, save}) { // what Qt itself makes of "打开(&O)…" keeps the key's letter
        action->setIconText(withoutMnemonic(action->text()).remove(QChar(0x2026)));
        bar->addAction(action);
    }
    bar->addSeparator();
    bar->addActions({undo, redo});
    for (QAction *step : {undo, redo})
        keepSpokenPlain(bar->widgetForAction(step), step);
    bar->addSeparator();
    bar->addAction(pin);
    bar->addSeparator();
    bar->addActions({copyImage, exportImage});
    bar->addSeparator();
    bar->addAction(present);
    auto *spring = new QWidget;
    spring->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(spring);
    auto *label = new QLabel(Words::tr("Units"));
    label->setForegroundRole(QPalette::PlaceholderText);
    auto *group = new QWidget;
    auto *row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, em(0.5), 0);
    row->setSpacing(em(0.6));
    row->addWidget(label);
    row->addWidget(units);
    group->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    bar->addWidget(group);
}

void Actions::showUnit(SizeUnit unit) const {
    (unit == SizeUnit::Decimal ? decimal : binary)->setChecked(true);
    units->setCurrent(unit == SizeUnit::Decimal ? QStringLiteral("GB") : QStringLiteral("GiB"));
}

void Actions::showScheme(Scheme scheme) const {
    (scheme == Scheme::Light ? light : scheme == Scheme::Dark ? dark : system)->setChecked(true);
}

void Actions::showLanguage(const QString &code) const {
    for (QAction *action : languages)
        action->setChecked(action->data().toString() == code);
}

void Actions::showPictures(int scale, bool onDark) const {
    for (QAction *size : pictureSizes->actions())
        size->setChecked(size->data().toInt() == scale);
    darkPictures->setChecked(onDark);
}

QList<std::pair<QString, QString>> Actions::shortcuts() const {
    QList<std::pair<QString, QString>> list;
    QList<QAction *> all{newWindow, open, fromHub, openLog, save, saveAs, exportImage, exportReport, print, close, quit, undo, redo, copySummary, copyLaunch, copyImage, paste, gpuTable, growthTable,
                                  explain, present, larger, smaller, usual, fillSequences, longestContext, fewestGpus, pin, duplicate, rename, next, previous, moveLeft, moveRight, whatsThis, keys};
    for (QAction *shown : views)
        all.insert(all.indexOf(present), shown);
    for (const QAction *action : all)
        list += {withoutMnemonic(action == undo || action == redo ? action->iconText() : action->text()),
                 action->shortcut().toString(QKeySequence::NativeText)};
    return list;
}

} // namespace kv
