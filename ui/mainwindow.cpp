// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow.h"

#include "core/engine/engines.h"
#include "ui/actions.h"
#include "ui/controls/label.h"
#include "ui/controls/segments.h"
#include "ui/dashboard.h"
#include "ui/dialogs.h"
#include "ui/exporter.h"
#include "ui/helpdialogs.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/learn/lessonview.h"
#include "ui/panels/explainpanel.h"
#include "ui/panels/launchbar.h"
#include "ui/panels/messagestrip.h"
#include "ui/presentation.h"
#include "ui/program.h"
#include "ui/scenariotabs.h"
#include "ui/words.h"

#include <QClipboard>
#include <QCloseEvent>
#include <QGuiApplication>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QWhatsThis>

namespace kv {

namespace {

constexpr QSize usualSize(1440, 900), leastSize(1024, 700);
constexpr int zoomStep = 10;

/// "0.83 µs", "12.4 µs", "1.2 ms"
QString timeText(double microseconds) {
    if (microseconds >= 1000)
        return localNumbers(QStringLiteral("%1 ms").arg(microseconds / 1000, 0, 'f', 1));
    return localNumbers(QStringLiteral("%1 µs").arg(microseconds, 0, 'f', microseconds < 1 ? 2 : microseconds < 100 ? 1 : 0));
}

} // namespace

MainWindow::MainWindow(Program *program, const KeptWindow &kept)
    : m_program(program), m_document(kept.document), m_actions(std::make_unique<Actions>(this, m_document.undoStack())),
      m_counted(new Label(Label::Voice::Small)), m_file(new Label(Label::Voice::Small)),
      m_mind(new QToolButton), m_presentation(new Presentation(this)), m_exporter(new Exporter(this, program->settings())) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("mainWindow"));
    m_loader.setParent(this); // a member all the same: found by whoever looks for it
    setAcceptDrops(true);
    if (!kept.fileName.isEmpty())
        m_document.setFile(kept.fileName, kept.fileHash);
    if (kept.modified)
        m_document.setUnsaved();
    build(kept);
    connectActions();
    connectScenario();
    connectFiles();
    connectOutside();
    connectExports();
    m_dashboard->refresh();
    showState();
    showTitle();
    m_dashboard->setFocus(); // Tab then leads to the model, and no control shows a ring unasked
    m_autosave = new Autosave(program->session(), &m_document, this, kept.slot);
    connect(m_autosave, &Autosave::faultChanged, this, &MainWindow::showKeeping);
    m_autosave->write();
}

MainWindow::~MainWindow() {
    // The document is torn down after what listens to it: its steps say once more that they are gone.
    m_document.disconnect(this);
    m_document.undoStack()->disconnect(this);
    m_dashboard->showGhost(nullptr); // what is pointed at is left when the window goes: there is nothing to draw anew by then
}

void MainWindow::build(const KeptWindow &kept) {
    m_actions->fillMenus(this);
    auto *bar = new QToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    m_actions->fillToolBar(bar);
    addToolBar(bar);
    setContextMenuPolicy(Qt::NoContextMenu);
    makeDashboard();

    m_counted->setObjectName(QStringLiteral("statusCount"));
    m_file->setObjectName(QStringLiteral("statusFile"));
    m_file->setEliding(true);
    m_file->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_mind->setObjectName(QStringLiteral("statusMind"));
    m_mind->setAutoRaise(true);
    m_mind->setFont(scaledFont(type::caption));
    m_mind->setToolTip(tr("What was assumed: shown under “Mind” in the explanation"));
    statusBar()->addWidget(m_counted);
    statusBar()->addWidget(m_mind);
    statusBar()->addPermanentWidget(m_file);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(em(0.5), 0, em(0.5), 0);

    setMinimumSize(800, 560);
    if (kept.geometry.isEmpty() || !restoreGeometry(kept.geometry))
        resize(usualSize.boundedTo(screen()->availableSize() - QSize(0, 40)).expandedTo(leastSize.boundedTo(screen()->availableSize())));
}

void MainWindow::makeDashboard() {
    // It keeps no scenario of its own: where the type changes its size, a new one is laid out for it, with the same pages open.
    const std::unique_ptr<Dashboard> before(m_dashboard);
    takeCentralWidget();
    m_dashboard = new Dashboard(&m_document);
    m_dashboard->setUnit(m_program->settings()->unit());
    m_dashboard->showLog(m_log);
    connect(m_dashboard, &Dashboard::calibrateAsked, this, &MainWindow::calibrateByLog);
    connect(m_dashboard, &Dashboard::closeLogAsked, this, &MainWindow::closeLog);
    connect(m_dashboard, &Dashboard::viewChanged, this, [this] { m_actions->growthTable->setChecked(m_dashboard->isGrowthTable()); });
    connect(m_dashboard, &Dashboard::pageAsked, this, &MainWindow::leave);
    connect(m_dashboard, &Dashboard::cardChanged, m_program, &Program::replan);
    connect(m_dashboard, &Dashboard::openAsked, this, &MainWindow::askForFile);
    connect(m_dashboard, &Dashboard::hubAsked, m_actions->fromHub, &QAction::trigger);
    connect(m_dashboard, &Dashboard::pathAsked, this, &MainWindow::open);
    connect(m_dashboard, &Dashboard::traceAsked, this, &MainWindow::askForTrace);
    connect(m_dashboard, &Dashboard::columnsAsked, this, &MainWindow::askForColumns);
    connect(m_dashboard, &Dashboard::pasteAsked, m_actions->paste, &QAction::trigger);
    connect(m_dashboard->scenarioTabs(), &ScenarioTabs::renameAsked, this, &MainWindow::renameScenario);
    m_dashboard->scenarioTabs()->addActions(m_actions->ofScenario());
    if (auto *lesson = qobject_cast<LessonView *>(m_dashboard->view(QStringLiteral("lesson"))))
        connect(lesson, &LessonView::fileAsked, m_actions->openLesson, &QAction::trigger);
    setCentralWidget(m_dashboard);
    m_dashboard->setGpuTable(m_actions->gpuTable->isChecked());
    if (before)
        m_dashboard->showLike(*before);
    m_dashboard->dropPassingGhost(); // no pointer leaves what is not there any more
    showKeeping();
    if (m_presentation->isOn())
        m_presentation->prepareDashboard();
}

void MainWindow::connectActions() {
    const Actions &a = *m_actions;
    Settings *settings = m_program->settings();
    connect(a.newWindow, &QAction::triggered, m_program, &Program::newWindow);
    connect(a.close, &QAction::triggered, this, &QWidget::close);
    connect(a.quit, &QAction::triggered, m_program, &Program::quit);
    connect(a.copySummary, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(m_dashboard->summary()); });
    connect(a.copyExplanation, &QAction::triggered, this, [this, settings] {
        const auto sections = explain(m_document.goodScenario(), m_document.goodPlan(), settings->unit());
        QGuiApplication::clipboard()->setText(translated(explainText(sections)));
    });
    connect(a.copyLaunch, &QAction::triggered, this, [this] {
        if (!copyLaunchCommand(m_document.goodScenario()))
            hint(tr("There is no command to copy: what is planned here has no server of its own."));
    });
    connect(a.decimal, &QAction::triggered, this, [settings] { settings->setUnit(SizeUnit::Decimal); });
    connect(a.binary, &QAction::triggered, this, [settings] { settings->setUnit(SizeUnit::Binary); });
    connect(a.units, &Segments::chosen, this, [settings](const QString &id) {
        settings->setUnit(id == QLatin1String("GiB") ? SizeUnit::Binary : SizeUnit::Decimal);
    });
    connect(a.system, &QAction::triggered, this, [settings] { settings->setScheme(Scheme::System); });
    connect(a.light, &QAction::triggered, this, [settings] { settings->setScheme(Scheme::Light); });
    connect(a.dark, &QAction::triggered, this, [settings] { settings->setScheme(Scheme::Dark); });
    connect(a.larger, &QAction::triggered, this, [settings] { settings->setZoom(settings->zoom() + zoomStep); });
    connect(a.smaller, &QAction::triggered, this, [settings] { settings->setZoom(settings->zoom() - zoomStep); });
    connect(a.usual, &QAction::triggered, this, [settings] { settings->setZoom(100); });
    connect(a.gpuTable, &QAction::toggled, this, [this](bool on) { m_dashboard->setGpuTable(on); });
    connect(a.growthTable, &QAction::triggered, this, [this](bool on) { m_dashboard->showGrowthTable(on); });
    connect(a.explain, &QAction::triggered, this, [this] { m_dashboard->showExplanation(); });
    connect(a.present, &QAction::toggled, m_presentation, &Presentation::set);
    connect(m_presentation, &Presentation::changed, this, [this](bool on) {
        m_actions->present->setChecked(on);
        m_program->setStageZoom(this, on ? Presentation::enlarged : 100);
    });
    for (QAction *action : a.views)
        connect(action, &QAction::triggered, this, [this, id = action->data().toString()] { m_dashboard->showPage(id); });
    connect(statusBar(), &QStatusBar::messageChanged, this, &MainWindow::showMind);
    connect(m_mind, &QToolButton::clicked, this, [this] { m_dashboard->showExplanation(); });
    connect(a.whatsThis, &QAction::triggered, this, [] { QWhatsThis::enterWhatsThisMode(); });
    connect(a.keys, &QAction::triggered, this, [this] { showKeys(this, m_actions->shortcuts()); });
    connect(a.accuracy, &QAction::triggered, this, [this] { showAccuracy(this); });
    connect(a.about, &QAction::triggered, this, [this] { showAbout(this); });
    connect(settings, &Settings::unitChanged, this, [this](SizeUnit unit) {
        m_actions->showUnit(unit);
        m_dashboard->setUnit(unit);
    });
    connect(settings, &Settings::schemeChanged, this, [this](Scheme scheme) { m_actions->showScheme(scheme); });
    a.showUnit(settings->unit());
    a.showScheme(settings->scheme());
    for (QAction *action : a.languages)
        connect(action, &QAction::triggered, m_program, [program = m_program, code = action->data().toString()] { program->chooseLanguage(code); });
    a.showLanguage(m_program->language());
}

void MainWindow::showState() {
    const Plan &plan = m_document.goodPlan();
    const bool ok = !m_document.isRefused();
    const Workload &load = m_document.goodScenario().workload;
    const Actions &a = *m_actions;
    a.fillSequences->setEnabled(ok && plan.fit.maxSequences && *plan.fit.maxSequences > 0 && *plan.fit.maxSequences != load.sequences.value);
    a.longestContext->setEnabled(ok && plan.fit.maxContext && *plan.fit.maxContext > 0 && *plan.fit.maxContext != load.context.value);
    a.fewestGpus->setEnabled(ok && plan.fit.minGpus && *plan.fit.minGpus != plan.gpusInAll);
    const bool several = m_document.value().scenarios.size() > 1;
    for (QAction *action : {a.remove, a.next, a.previous})
        action->setEnabled(several);
    a.moveLeft->setEnabled(m_document.value().current > 0);
    a.moveRight->setEnabled(m_document.value().current + 1 < m_document.value().scenarios.size());
    const std::size_t mind = mindOf(plan).size();
    m_mind->setEnabled(mind > 0);
    showMind();
    m_mind->setText(mind == 1 ? tr("! 1 thing to mind") : tr("! %1 things to mind").arg(mind));
    showCounted();
}

/// Not over a tip that stands there: the status bar hides what is beside it once, and not what is shown later.
void MainWindow::showMind() { m_mind->setVisible(m_mind->isEnabled() && statusBar()->currentMessage().isEmpty()); }

void MainWindow::showCounted() {
    const Plan &plan = m_document.goodPlan();
    QString text = tr("Counted in %1").arg(timeText(m_document.planMicroseconds()));
    const Engine *engine = findEngine(plan.engine.id);
    if (m_document.isRefused())
        text = tr("Not counted: these settings have no plan");
    else if (plan.fit.estimate)
        text += tr(" · an estimate enters");
    else if (plan.engine.id == "textbook")
        text += tr(" · matches the textbook formula exactly");
    else if (engine)
        text += tr(" · as %1 counts").arg(translated(engine->name()) + (plan.engine.version.empty() ? QString() : QLatin1Char(' ') + words(plan.engine.version)));
    m_counted->setWholeText(text);
}

void MainWindow::showTitle() {
    const bool modified = m_document.isModified();
    setWindowModified(modified);
    setWindowTitle(documentName() + QStringLiteral("[*]"));
    const bool named = !m_document.fileName().isEmpty();
    m_file->setWholeText(documentName() + QStringLiteral(" · ") + (!named ? tr("not saved yet") : modified ? tr("edited") : tr("saved")));
    m_file->setToolTip(plainTip(m_document.fileName()));
    fitFileName();
}

void MainWindow::fitFileName() {
    // What an action does is said to the left of it, so the name leaves most of the bar.
    m_file->setFixedWidth(std::min(m_file->fontMetrics().horizontalAdvance(m_file->wholeText()) + em(0.4), em(26)));
}

void MainWindow::hint(const QString &sentence) { m_dashboard->messages()->pass({MessageStrip::Kind::Hint, sentence, {}}); }

/// While nothing of this window is kept on disk, that is said.
void MainWindow::showKeeping() {
    const QString fault = m_autosave ? m_autosave->fault() : QString();
    if (fault.isEmpty())
        return m_dashboard->messages()->last({});
    m_dashboard->messages()->last({MessageStrip::Kind::Warning, tr("What stands here cannot be kept for the next start (%1): it is lost with the program unless it is saved.").arg(fault),
                                   {{tr("Save As…"), QStringLiteral("messageSaveAs"), [this] { saveAs(); }}}});
}

/// What has no file yet waits for the next start, where it is kept until then.
bool MainWindow::waitsForNextStart() {
    if (!m_document.fileName().isEmpty())
        return false;
    m_autosave->write();
    waitFor([session = m_program->session()] { session->settle(); });
    return m_autosave->fault().isEmpty();
}

bool MainWindow::mayLeave(bool quitting) {
    if (!m_exporter->finish())
        return false; // what was asked for is not there: its window says why
    // Where its window alone is closed, it would be gone.
    const bool lost = m_document.isModified() && !(quitting && waitsForNextStart());
    if (!lost)
        return true;
    raise();
    activateWindow();
    switch (dialogs().keepChanges(this, documentName())) {
    case Keep::Save:
        return save();
    case Keep::Discard:
        return true;
    case Keep::Cancel:
        break;
    }
    return false;
}

KeptWindow MainWindow::handOver() {
    m_presentation->set(false);
    m_document.flush();
    m_gone = true;
    return m_autosave->handOver();
}

void MainWindow::showLike(const MainWindow &before) {
    m_log = before.m_log;
    m_dashboard->showLog(m_log);
    m_actions->gpuTable->setChecked(before.m_actions->gpuTable->isChecked());
    m_dashboard->showLike(*before.m_dashboard);
    m_dashboard->dropPassingGhost();
    m_dashboard->refresh();
}

void MainWindow::closeEvent(QCloseEvent *event) {
    if (holdBack([this] { close(); }))
        return event->ignore();
    const bool last = m_program->windows().size() <= 1;
    if (!m_program->isQuitting() && !mayLeave(last))
        return event->ignore();
    m_presentation->set(false); // its size is not the window's own
    m_program->settings()->setGeometry(saveGeometry());
    if (last || m_program->isQuitting())
        m_autosave->write();
    else
        m_autosave->remove();
    m_gone = true;
    event->accept();
}

void MainWindow::changeEvent(QEvent *event) {
    QMainWindow::changeEvent(event);
    // Which of the two events comes depends on how the font was set.
    if ((event->type() != QEvent::ApplicationFontChange && event->type() != QEvent::FontChange) || !m_autosave || m_builtFor == QApplication::font())
        return;
    m_builtFor = QApplication::font();
    m_mind->setFont(scaledFont(type::caption));
    m_counted->takeFont();
    m_file->takeFont();
    fitFileName();
    QMetaObject::invokeMethod(this, [this] {
            const MessageStrip::Message message = m_dashboard->messages()->passing();
            makeDashboard();
            m_dashboard->refresh();
            if (!message.text.isEmpty())
                m_dashboard->messages()->pass(message);
        }, Qt::QueuedConnection);
}

} // namespace kv
