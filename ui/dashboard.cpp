// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dashboard.h"

#include "core/engine/engines.h"
#include "ui/charts/gpuchart.h"
#include "ui/charts/growthchart.h"
#include "ui/contexttable.h"
#include "ui/controls/label.h"
#include "ui/controls/tabcard.h"
#include "ui/drafts.h"
#include "ui/flightfinder.h"
#include "ui/growthsweep.h"
#include "ui/language/translate.h"
#include "ui/learn/asked.h"
#include "ui/learn/lessontab.h"
#include "ui/nearestfinder.h"
#include "ui/panels/explainpanel.h"
#include "ui/panels/layerstrip.h"
#include "ui/panels/logpanel.h"
#include "ui/panels/messagestrip.h"
#include "ui/panels/tiles.h"
#include "ui/panels/verdictbar.h"
#include "ui/scenariocolumn.h"
#include "ui/scenariotabs.h"
#include "ui/stagebars.h"
#include "ui/theme.h"
#include "ui/veil.h"
#include "ui/view.h"
#include "ui/views.h"
#include "ui/words.h"

#include <QEvent>
#include <QStackedWidget>

namespace kv {

/// The textbook needs no name; an engine's picture says whose rules it shows, so that a screenshot cannot be ambiguous.
QString gpuTitle(const Plan &plan) {
    QString title = Dashboard::tr("Memory of each GPU");
    const Engine *engine = findEngine(plan.engine.id);
    if (!engine || plan.engine.id == "textbook")
        return title;
    return QStringLiteral("%1 · %2 %3").arg(title, translated(engine->name()), words(plan.engine.version)).trimmed();
}

Dashboard::Dashboard(Document *document, QWidget *parent)
    : QWidget(parent), m_document(document), m_column(new ScenarioColumn), m_scenarios(new ScenarioTabs), m_messages(new MessageStrip), m_verdict(new VerdictBar),
      m_tiles(new Tiles), m_layers(new LayerStrip), m_gpuCard(new Card), m_gpuPage(new QStackedWidget), m_gpuChart(new GpuChart), m_gpuTitle(new Label(Label::Voice::Title)), m_gpuNumbers(new NumbersView),
      m_growthChart(new GrowthChart), m_contextNumbers(new NumbersView), m_contextTable(new ContextTable(this)),
      m_explain(new ExplainPanel), m_logPanel(new LogPanel(this)), m_charts(new TabCard(QStringLiteral("charts"), tr("Charts"))),
      m_side(new TabCard(QStringLiteral("side"), tr("Reasons"))), m_drafts(new Drafts(this)), m_nearest(new NearestFinder(this)), m_flight(new FlightFinder(this)) {
    build();
    connectAll();
    arrange(Arrangement::Wide);
}

void Dashboard::setUnit(SizeUnit unit) {
    if (unit == m_unit)
        return;
    m_unit = unit;
    present();
}

/// An empty sentence takes back the one before, not what was said of something else meanwhile.
void Dashboard::sayOfEntry(bool refused, const QString &sentence) {
    if (!sentence.isEmpty())
        m_messages->pass({refused ? MessageStrip::Kind::Refusal : MessageStrip::Kind::Hint, sentence, {}});
    else if (m_messages->passing().text == m_entrySentence)
        m_messages->clearPassing();
    m_entrySentence = sentence;
}

void Dashboard::present() {
    const bool another = m_drafts->leave(m_document->value());
    if (another && std::exchange(m_ghostPasses, false))
        m_ghost.reset();
    m_scenarios->present(m_document->value());
    m_column->present(m_document->scenario(), m_document->goodPlan(), m_unit);
    presentFigures();
    if (haveViewsChanged())
        arrange(m_arrangement); // presents what is in front
    else
        presentFront();
    presentRefusal();
    if (another)
        m_drafts->enter(m_document->value());
}

bool Dashboard::haveViewsChanged() {
    bool any = false;
    for (ViewPage &page : m_views) {
        const bool worth = page.view->isWorthShowing(m_document->goodScenario(), m_document->goodPlan());
        any |= worth != page.worth;
        page.worth = worth;
    }
    return any;
}

Shown Dashboard::shown(const ChartStyle &style) {
    return {m_document->value(), m_document->goodScenario(), m_document->goodPlan(), m_unit, style, ghost()};
}

void Dashboard::presentFigures() {
    const Scenario &scenario = m_document->goodScenario();
    const Plan &plan = m_document->goodPlan();
    if (scenario.workload.distribution && plan.ok())
        m_flight->ask(scenario, plan);
    else
        m_flight->forget();
    const auto inWords = [this](Verdict verdict) {
        verdict.headline = utf8(translated(verdict.headline));
        verdict.detail = utf8(translated(asked() ? withoutAnswer(verdict.detail, *asked()) : verdict.detail));
        return verdict;
    };
    Verdict said = inWords(verdict(scenario, plan, m_unit, m_flight->of(scenario)));
    if (m_document->isRefused() && plan.ok()) {
        const QString last = words(said.headline);
        said = inWords(verdict(m_document->scenario(), m_document->plan(), m_unit));
        said.detail = utf8(tr("The figures below are still those of the last plan that could be made: %1.").arg(last));
    }
    if (!plan.ok())
        said.detail = utf8(tr("There is nothing to show of it until the settings agree."));
    m_verdict->present(said);
    presentTiles();
    presentLayers();
}

void Dashboard::presentTiles() {
    const Plan &plan = m_document->goodPlan();
    if (!plan.ok())
        return m_tiles->presentNothing(); // never the figures of what was shown before
    const Ghost *other = ghost();
    const bool beside = other && other->plan.ok();
    const auto others = beside ? figuresOf(other->scenario, other->plan, m_unit) : std::array<Figure, 6>{};
    m_tiles->present(figures(), beside ? &others : nullptr);
}

std::array<Figure, 6> Dashboard::figures() const {
    std::array<Figure, 6> figures = figuresOf(m_document->goodScenario(), m_document->goodPlan(), m_unit);
    if (asked())
        hideAnswer(figures, m_document->goodPlan(), *asked());
    return figures;
}

std::optional<Bytes> Dashboard::askedSize() const { return asked() && asked()->unit == LessonUnit::Size ? std::optional(Bytes(asked()->answer)) : std::nullopt; }

const Asked *Dashboard::asked() const { return m_asked && isLesson(m_document->goodScenario()) ? m_asked.get() : nullptr; }

void Dashboard::presentGrowth(const ChartStyle &style) {
    const Scenario &scenario = m_document->goodScenario();
    const Plan &plan = m_document->goodPlan();
    std::optional<GhostSweep> beside;
    const GrowthAxis axis = growthAxis(scenario);
    if (const Ghost *other = ghost(); other && other->plan.ok())
        beside = GhostSweep{other->name, sweepContext(other->scenario, other->plan, axis.from, axis.to, {})};
    m_growthChart->keep(askedSize());
    m_growthChart->show(growthSweep(scenario, plan), plan, m_unit, style, beside ? &*beside : nullptr);
}

void Dashboard::presentFront() {
    const Scenario &scenario = m_document->goodScenario();
    const Plan &plan = m_document->goodPlan();
    const ChartStyle style = ChartStyle::fromPalette(palette(), font());
    const auto front = [this](QWidget *page) { return m_charts->current() == page || m_side->current() == page; };
    if (!isCompact() || front(m_gpuPage)) {
        m_gpuChart->keep(askedSize());
        m_gpuChart->setTitle(gpuTitle(plan));
        m_gpuTitle->setWholeText(gpuTitle(plan));
        const Ghost *other = ghost();
        m_gpuChart->show(plan, m_unit, style, other ? &other->plan : nullptr, other ? other->name : QString());
        const bool beside = placeBars(*m_gpuCard->parentWidget()->layout()->findChild<QBoxLayout *>(QStringLiteral("chartsBox")), *m_charts, m_presenting ? m_gpuChart->table()->rowCount() : 0);
        m_gpuCard->setMaximumHeight(!isGpuTable() && !beside ? std::max(em(9), m_gpuChart->tallest() + em(1.2)) : QWIDGETSIZE_MAX);
    }
    if (front(m_growthChart))
        presentGrowth(style);
    if (front(m_contextNumbers))
        m_contextTable->present(scenario, plan, m_unit);
    if (front(m_explain))
        m_explain->present(scenario, plan, m_unit);
    if (front(m_logPanel))
        m_logPanel->present(m_log, scenario, m_unit);
    for (const ViewPage &page : m_views)
        if (front(page.view))
            page.view->present(shown(style));
}

void Dashboard::presentLayers() {
    const Plan &plan = m_document->goodPlan();
    const bool worth = plan.ok() && plan.model && LayerStrip::isWorthShowing(*plan.model);
    m_layers->setVisible(worth);
    if (worth)
        m_layers->present(m_document->goodScenario(), plan, m_unit);
    else
        light(std::nullopt);
}

/// One kind of cache, wherever it is shown: its layers, its section of the derivation, its share of what the sequences hold.
void Dashboard::light(std::optional<CacheKind> kind) {
    const Plan &plan = m_document->goodPlan();
    m_layers->light(kind);
    m_explain->light(kind);
    Bytes part, all;
    for (const PartTerms &terms : plan.derivation) {
        all += terms.atContext + terms.fixed;
        if (kind && (terms.kind == *kind || (*kind == CacheKind::Latent && terms.kind == CacheKind::Index)))
            part += terms.atContext + terms.fixed;
    }
    const bool any = kind && all > Bytes(0) && part < all;
    m_gpuChart->lightShare(any ? static_cast<double>(part.value) / static_cast<double>(all.value) : 0, any ? translated(kindName(*kind)) : QString());
}

void Dashboard::presentRefusal() {
    const Plan &plan = m_document->plan();
    m_veil->setVisible(!plan.ok());
    // What they would change is of the last good scenario; the refused edit must not be lost under it.
    for (const char *id : {"levers", "capacity", "fitMap"})
        if (View *taking = view(QLatin1String(id)))
            taking->setEnabled(plan.ok());
    if (plan.ok()) {
        m_nearest->forget();
        return m_messages->stand({});
    }
    m_nearest->ask(m_document->scenario());
    MessageStrip::Message message{MessageStrip::Kind::Refusal, translated(*plan.refusal), {}};
    int number = 0;
    for (const Alternative &other : m_nearest->alternatives()) {
        const QString change = translated(other.change);
        message.actions += {other.fits ? change : tr("%1 (does not fit)").arg(change), QStringLiteral("messageNearest%1").arg(++number),
                            [this, change, scenario = other.scenario, of = m_document->scenario()] {
                                m_document->edit(tr("Take %1").arg(change), 0, [&](Scenario &s) { s = s == of ? scenario : s; });
                            }};
    }
    if (m_document->undoStack()->canUndo())
        message.actions += {tr("Undo"), QStringLiteral("messageUndo"), [this] { m_document->undoStack()->undo(); }};
    m_messages->stand(message);
}

void Dashboard::setGpuTable(bool table) {
    m_gpuPage->setCurrentIndex(table ? 1 : 0);
    if (isCompact())
        m_charts->setCurrent(m_gpuPage);
    presentFront();
}

void Dashboard::showGrowthTable(bool table) {
    m_charts->setCurrent(table ? static_cast<QWidget *>(m_contextNumbers) : m_growthChart);
}

bool Dashboard::isGpuTable() const { return m_gpuPage->currentIndex() == 1; }

bool Dashboard::isGrowthTable() const { return m_charts->current() == m_contextNumbers; }

void Dashboard::showExplanation() {
    reasons()->setCurrent(m_explain);
    m_explain->setFocus(Qt::OtherFocusReason);
}

View *Dashboard::view(const QString &id) const {
    for (const ViewPage &page : m_views)
        if (page.view->objectName() == id)
            return page.view;
    return nullptr;
}

/// Where the reasons stand: beside the charts, or among them.
TabCard *Dashboard::reasons() const { return m_arrangement == Arrangement::Wide ? m_side : m_charts; }

void Dashboard::setPresenting(bool presenting) {
    m_presenting = presenting;
    if (const Arrangement wanted = arrangementFor(width()); wanted != m_arrangement)
        arrange(wanted);
}

void Dashboard::showTab(int number) {
    if (number >= 0 && number < m_charts->tabs()->count())
        m_charts->tabs()->setCurrentIndex(number);
}

QWidget *Dashboard::page(const QString &id) const {
    const std::pair<QLatin1String, QWidget *> fixed[]{{QLatin1String("gpus"), m_gpuPage},
                                                      {QLatin1String("growth"), m_growthChart},
                                                      {QLatin1String("table"), m_contextNumbers},
                                                      {QLatin1String("explain"), m_explain}};
    for (const auto &[name, page] : fixed)
        if (name == id)
            return page;
    return view(id);
}

void Dashboard::showPage(const QString &id) {
    QWidget *wanted = page(id);
    if (!wanted)
        return;
    for (TabCard *card : {m_charts, m_side})
        card->setCurrent(wanted);
    wanted->setFocus(Qt::OtherFocusReason);
}

const Ghost *Dashboard::ghost() const {
    const bool here = m_ghost && (!m_ghost->beside || *m_ghost->beside == m_document->goodScenario());
    return here ? m_ghost.get() : nullptr;
}

void Dashboard::keepAnswer(std::shared_ptr<const Asked> asked) {
    if (asked == m_asked)
        return;
    m_asked = std::move(asked);
    if (!m_document->goodPlan().ok())
        return;
    presentFigures();
    presentFront();
}

void Dashboard::showGhost(std::shared_ptr<const Ghost> ghost) {
    if (ghost == m_ghost)
        return;
    m_ghost = std::move(ghost);
    presentTiles();
    presentFront();
}

void Dashboard::dropPassingGhost() {
    if (std::exchange(m_ghostPasses, false))
        showGhost(nullptr);
}

void Dashboard::showLog(std::shared_ptr<const OpenLog> log) {
    if (log == m_log)
        return;
    m_log = std::move(log);
    arrange(m_arrangement);
    reasons()->setCurrent(m_log ? static_cast<QWidget *>(m_logPanel) : m_explain);
    presentFront();
}

void Dashboard::refresh() {
    m_document->flush();
    present();
}

void Dashboard::settle() {
    refresh();
    for (const ViewPage &page : m_views)
        if (m_charts->current() == page.view || m_side->current() == page.view)
            page.view->settle();
    m_flight->finish();
}

void Dashboard::showLike(const Dashboard &other) {
    setGpuTable(other.isGpuTable());
    showGhost(other.m_ghost);
    keepAnswer(other.m_asked);
    m_ghostPasses = other.m_ghostPasses;
    // The same page by its name: each dashboard has widgets of its own.
    for (TabCard *card : {m_charts, m_side})
        for (const TabCard *like : {other.m_charts, other.m_side})
            for (const ViewPage &page : m_views)
                if (like->current() && like->current()->objectName() == page.view->objectName()) {
                    page.view->showLike(*static_cast<const View *>(like->current()));
                    card->setCurrent(page.view);
                }
    if (other.isGrowthTable())
        showGrowthTable(true);
    // What is open in a page that is not in front stays open too.
    for (std::size_t i = 0; i < m_views.size() && i < other.m_views.size(); ++i)
        if (m_charts->current() != m_views[i].view && m_side->current() != m_views[i].view)
            m_views[i].view->showLike(*other.m_views[i].view);
}

bool Dashboard::isSettled() const {
    return !m_flight->isBusy() && std::ranges::all_of(m_views, [this](const ViewPage &page) {
        return (m_charts->current() != page.view && m_side->current() != page.view) || page.view->isSettled();
    });
}

QString Dashboard::summary() const {
    QStringList lines{m_verdict->headline(), m_verdict->detail()};
    for (const Figure &f : figures())
        lines += f.name + joint(": ") + f.value + (f.detail.isEmpty() ? QString() : joint(" (") + f.detail + joint(")"));
    return lines.join(QLatin1Char('\n'));
}

void Dashboard::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_arranged)
        presentFront();
}

} // namespace kv
