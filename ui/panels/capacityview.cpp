// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/capacityview.h"

#include "ui/controls/label.h"
#include "ui/controls/scrollpage.h"
#include "ui/latest.h"
#include "ui/panels/fleetpanel.h"
#include "ui/panels/floorpanel.h"
#include "ui/theme.h"
#include "ui/viewexport.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace kv {

CapacityView::CapacityView(QWidget *parent)
    : View(parent), m_latest(new Latest(this)), m_answers(new CapacityAnswers), m_fleet(new FleetPanel), m_floor(new FloorPanel), m_grid(new QGridLayout) {
    auto *page = new QWidget;
    m_sections[0] = section(tr("What would fit"), m_answers);
    m_sections[1] = section(tr("Fleet"), m_fleet);
    m_sections[2] = section(tr("Decode floor: a bound, not a forecast"), m_floor);
    m_grid->setContentsMargins(0, em(0.2), em(0.4), em(0.2));
    m_grid->setHorizontalSpacing(em(2));
    m_grid->setVerticalSpacing(em(1));
    page->setLayout(m_grid);
    QScrollArea *scroll = scrollPage(page, QStringLiteral("capacityScroll"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(scroll);
    (new ExportButton(this))->standInCorner();
    arrange(true);
    connect(m_answers, &CapacityAnswers::taken, this, &CapacityView::put);
    connect(m_fleet, &FleetPanel::edited, this, &View::edited);
    connect(m_fleet, &FleetPanel::refused, this, &View::hinted);
}

QWidget *CapacityView::section(const QString &title, QWidget *content) {
    auto *box = new QWidget;
    auto *name = new Label(Label::Voice::Strong, title);
    name->setWordWrap(true);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.5));
    column->addWidget(name);
    column->addWidget(content);
    column->addStretch(1);
    return box;
}

void CapacityView::arrange(bool two) {
    const int columns = two ? 2 : 1;
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (QWidget *part : m_sections)
        m_grid->removeWidget(part);
    // The answers and the bound stand under each other, the fleet beside both.
    m_grid->addWidget(m_sections[0], 0, 0);
    m_grid->addWidget(m_sections[1], two ? 0 : 1, two ? 1 : 0, two ? 2 : 1, 1);
    m_grid->addWidget(m_sections[2], two ? 1 : 2, 0);
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, two ? 1 : 0);
    m_grid->setRowStretch(0, 0);
    m_grid->setRowStretch(1, two ? 1 : 0);
    m_grid->setRowStretch(2, two ? 0 : 1);
}

/// Answers that are being replaced are of other settings: the question is asked again of those that hold.
void CapacityView::put(const QString &text, Question question) {
    if (!m_found || !m_asked)
        return;
    const bool old = m_found->scenario != *m_asked;
    const Solution solution = old ? solve(*m_asked, question) : m_found->solutions[static_cast<std::size_t>(question)];
    if (!solution.refusal && solution.fits)
        emit edited(text, 0, [&, of = *m_asked](Scenario &s) { s = s == of ? solution.scenario : s; });
}

void CapacityView::settle() { m_latest->finish(); }

bool CapacityView::isSettled() const { return !m_latest->isBusy(); }

ViewExports CapacityView::exports() {
    return computedExports(QStringLiteral("capacity"), tr("capacity"), m_found ? m_found->scenario : Scenario{}, m_found ? m_found->plan : Plan{}, m_unit);
}

QSize CapacityView::minimumSizeHint() const { return {em(12), em(8)}; }

void CapacityView::resizeEvent(QResizeEvent *event) {
    View::resizeEvent(event);
    arrange(width() >= em(34));
}

void CapacityView::present(const Shown &shown) {
    m_unit = shown.unit;
    m_floor->present(shown.scenario, shown.plan, shown.unit);
    // Unlike lengths take their time: until they are added up again, what was said of them last holds.
    const bool lengths(shown.scenario.workload.distribution);
    if (!lengths || (m_found && m_found->lengths && m_found->scenario.workload.distribution == shown.scenario.workload.distribution))
        m_fleet->present(shown.scenario, shown.plan, lengths ? &*m_found->lengths : nullptr);
    if (m_asked == shown.scenario)
        return;
    m_asked = shown.scenario;
    m_latest->ask([this, scenario = shown.scenario, plan = shown.plan](const Latest::GoOn &goOn) -> Latest::Answer {
        auto found = std::make_shared<Found>(Found{scenario, plan, {}, {}});
        for (std::size_t i = 0; i < allQuestions.size(); ++i) {
            if (!goOn())
                return {};
            found->solutions[i] = solve(scenario, allQuestions[i]);
        }
        MixOptions options;
        options.goOn = goOn;
        found->lengths = inFlight(scenario, plan, options);
        return [this, found] { take(found); };
    });
}

void CapacityView::take(std::shared_ptr<const Found> found) {
    m_found = std::move(found);
    m_answers->present(m_found->scenario, m_found->solutions, m_found->lengths ? &*m_found->lengths : nullptr);
    m_fleet->present(m_found->scenario, m_found->plan, m_found->lengths ? &*m_found->lengths : nullptr);
}

} // namespace kv
