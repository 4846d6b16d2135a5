// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/fitmapview.h"

#include "core/report/answers.h"
#include "ui/charts/chartlegend.h"
#include "ui/controls/segments.h"
#include "ui/growthsweep.h"
#include "ui/latest.h"
#include "ui/maps/fitmapchart.h"
#include "ui/maps/settingschart.h"
#include "ui/theme.h"
#include "ui/viewexport.h"
#include "ui/words.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QStackedLayout>

namespace kv {

FitMapView::FitMapView(QWidget *parent)
    : View(parent), m_legend(new ChartLegend), m_chooser(new Segments(2)), m_pages(new QStackedLayout), m_fit(new FitMapChart), m_settings(new SettingsChart), m_latest(new Latest(this)) {
    build();
    connect(m_chooser, &Segments::chosen, this, [this](const QString &id) { setMap(id == QLatin1String("settings") ? Map::Settings : Map::Fit); });
    connect(m_fit, &FitMapChart::moved, this, &FitMapView::movePoint);
    connect(m_fit, &FitMapChart::released, this, &FitMapView::ask);
    connect(m_settings, &SettingsChart::taken, this, &FitMapView::takeCell);
}

void FitMapView::build() {
    m_fit->setObjectName(QStringLiteral("fitMapChart"));
    m_settings->setObjectName(QStringLiteral("settingsMapChart"));
    m_chooser->setObjectName(QStringLiteral("fitMapKind"));
    m_chooser->setAccessibleName(tr("Which map"));
    m_chooser->setChoices({{QStringLiteral("fit"), tr("context × sequences"), tr("What fits at every context and number of sequences"), QStringLiteral("fitMapContexts")},
                           {QStringLiteral("settings"), tr("GPUs × types"), tr("What fits with other numbers of GPUs and other types of cache and weights"), QStringLiteral("fitMapSettings")}});
    m_chooser->setCurrent(QStringLiteral("fit"));
    m_chooser->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    auto *head = new QHBoxLayout;
    head->setSpacing(em(0.6));
    head->addWidget(m_legend, 1);
    head->addWidget(m_chooser, 0, Qt::AlignTop);
    head->addWidget(new ExportButton(this), 0, Qt::AlignTop);
    m_pages->addWidget(m_fit);
    m_pages->addWidget(m_settings);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.3));
    column->addLayout(head);
    column->addLayout(m_pages, 1);
    setFocusProxy(m_fit);
}

ViewExports FitMapView::exports() {
    const bool fit = m_map == Map::Fit;
    return {fit ? QStringLiteral("fitMap") : QStringLiteral("settingsMap"), QStringLiteral("fitMap"), fit ? tr("fit-map") : tr("settings-map"), {[this] { return csv(); }, false},
            {[this] { return markdown(); }, false}, {}};
}

void FitMapView::setMap(Map map) {
    if (map == m_map)
        return;
    m_map = map;
    m_chooser->setCurrent(map == Map::Fit ? QStringLiteral("fit") : QStringLiteral("settings"));
    m_pages->setCurrentIndex(map == Map::Fit ? 0 : 1);
    setFocusProxy(m_pages->currentWidget());
    if (!m_presented)
        return;
    ask();
    map == Map::Fit ? showFit() : showSettings();
}

void FitMapView::present(const Shown &shown) {
    m_presented = true;
    m_scenario = shown.scenario;
    m_plan = shown.plan;
    m_unit = shown.unit;
    m_style = shown.style;
    m_ghost = shown.ghost ? std::optional(*shown.ghost) : std::nullopt;
    m_legend->show(fitLegend(m_style), m_style);
    ask();
    m_map == Map::Fit ? showFit() : showSettings();
}

void FitMapView::ask() {
    if (!m_plan.ok() || m_fit->isDragging())
        return;
    const GrowthAxis axis = growthAxis(m_scenario);
    Asked asked{m_scenario, m_ghost ? std::optional(m_ghost->scenario) : std::nullopt, {axis.from, axis.to, 0}, m_map};
    if (m_asked == asked)
        return;
    m_asked = asked;
    m_latest->ask([this, asked](const Latest::GoOn &goOn) -> Latest::Answer {
        if (asked.map == Map::Settings) {
            auto map = std::make_shared<const SettingsMap>(settingsMap(asked.scenario, mostGpusFor(asked.scenario), goOn));
            return [this, map, of = asked.scenario] {
                m_cells = map;
                m_cellsOf = of;
                showSettings();
            };
        }
        auto ground = std::make_shared<FitGround>(fitGround(asked.scenario, asked.ghost ? &*asked.ghost : nullptr, asked.range, goOn));
        return [this, ground] {
            if (m_fit->isDragging())
                return m_asked.reset(); // asked for again when the drag ends
            m_ground = std::move(*ground);
            showFit();
        };
    });
}

void FitMapView::settle() { m_latest->finish(); }

bool FitMapView::isSettled() const { return !m_latest->isBusy(); }

void FitMapView::showFit() {
    FitPicture picture = fitPicture(m_scenario, m_plan, m_unit, m_ghost ? &*m_ghost : nullptr);
    picture.ground = m_ground;
    m_fit->show(picture, m_style);
}

void FitMapView::showSettings() { m_settings->show(settingsPicture(m_scenario, m_plan, m_cells), m_style); }

PaintPicture FitMapView::picture() const {
    return [this](QPainter &painter, const QRectF &target, const ChartStyle &style) {
        if (m_map == Map::Fit)
            m_fit->paintTo(painter, target, style);
        else
            m_settings->paintTo(painter, target, style);
    };
}

void FitMapView::showLike(const View &other) {
    if (const auto *like = qobject_cast<const FitMapView *>(&other))
        setMap(like->m_map);
}

std::string FitMapView::csv() const {
    if (m_map == Map::Settings)
        return m_cells && m_cellsOf == m_scenario ? settingsMapCsv(*m_cells) : std::string();
    return m_ground.isEmpty() ? std::string() : fitMapCsv(roundFitMap(m_scenario, m_ground.range));
}

std::string FitMapView::markdown() const {
    if (m_map == Map::Settings)
        return m_cells && m_cellsOf == m_scenario ? settingsMapMarkdown(*m_cells) : std::string();
    return m_ground.isEmpty() ? std::string() : fitMapMarkdown(roundFitMap(m_scenario, m_ground.range), m_unit);
}

void FitMapView::movePoint(qint64 context, qint64 sequences, int gesture) {
    emit edited(tr("Move in the Fit Map"), gesture, [context, sequences](Scenario &s) {
        s.workload.context = Tokens(context);
        s.workload.sequences = Count(sequences);
        // A prefix is a part of the context and goes down with it.
        s.workload.sharedPrefix = std::min(s.workload.sharedPrefix, s.workload.context);
    });
}

void FitMapView::takeCell(std::size_t index) {
    if (m_cellsOf != m_scenario) // still the cells of other settings: those of these are on their way
        return;
    const SettingsPicture &picture = m_settings->picture();
    // Another scenario may be looked at by now that was not shown here yet.
    emit edited(picture.takeText(index), 0, [cell = picture.cell(index), of = m_scenario](Scenario &s) {
        if (s == of)
            takeSettings(s, cell);
    });
}

} // namespace kv
