// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/mistakesview.h"

#include "core/base/quantity.h"
#include "core/plan/evaluate.h"
#include "ui/controls/label.h"
#include "ui/controls/segments.h"
#include "ui/language/translate.h"
#include "ui/learn/answerbars.h"
#include "ui/learn/timesoff.h"
#include "ui/theme.h"
#include "ui/viewexport.h"
#include "ui/words.h"

#include <QHBoxLayout>
#include <QScrollArea>

namespace kv {

namespace {

const QLatin1String perToken("token"), perSequence("sequence"), inAll("all");

Bytes figureOf(const CacheCount &count, const QString &of) { return of == perToken ? count.perToken : of == perSequence ? count.perSequence : count.total; }

} // namespace

MistakesView::MistakesView(QWidget *parent)
    : View(parent), m_of(new Segments(3)), m_none(new Label(Label::Voice::Muted)), m_bars(new AnswerBars) {
    m_of->setObjectName(QStringLiteral("mistakesOf"));
    m_of->setAccessibleName(tr("What the mistakes are shown of"));
    m_of->setChoices({{perToken, tr("a token"), tr("What one token costs"), QStringLiteral("mistakesOfToken")},
                      {perSequence, tr("a sequence"), tr("What one sequence holds at this context"), QStringLiteral("mistakesOfSequence")},
                      {inAll, tr("all sequences"), tr("What all sequences hold together"), QStringLiteral("mistakesOfAll")}});
    m_of->setCurrent(perToken);
    m_of->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_none->setWordWrap(true);
    m_bars->setObjectName(QStringLiteral("mistakeBars"));
    m_bars->setAccessibleName(tr("The right value and what each mistake would say"));
    m_bars->setWhatsThis(tr("The cache of this model counted once more with each common mistake made. Point at one to see on the charts what its plan would look like."));
    connect(m_of, &Segments::chosen, this, [this](const QString &id) {
        m_of->setCurrent(id);
        write();
    });
    connect(m_bars, &AnswerBars::pointedAt, this, &MistakesView::point);
    auto *head = new QHBoxLayout;
    head->addWidget(new Label(Label::Voice::Body, tr("What common mistakes say of")));
    head->addWidget(m_of);
    head->addStretch(1);
    head->addWidget(new ExportButton(this));
    auto *area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->viewport()->setAutoFillBackground(false);
    auto *page = new QWidget;
    auto *pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, em(0.5), 0);
    pageLayout->addWidget(m_none);
    pageLayout->addWidget(m_bars);
    pageLayout->addStretch(1);
    area->setWidget(page);
    page->setAutoFillBackground(false); // which setWidget() turns on
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.7));
    column->addLayout(head);
    column->addWidget(area, 1);
    setFocusProxy(m_bars);
}

ViewExports MistakesView::exports() { return computedExports(QStringLiteral("mistakes"), tr("mistakes"), m_scenario.value_or(Scenario{}), m_plan, m_unit); }

void MistakesView::showLike(const View &other) {
    if (const auto *like = qobject_cast<const MistakesView *>(&other)) {
        m_of->setCurrent(like->m_of->current());
        write();
    }
}

void MistakesView::present(const Shown &shown) {
    const bool same = m_scenario == shown.scenario;
    if (same && shown.unit == m_unit)
        return;
    m_unit = shown.unit;
    if (!same) {
        m_scenario = shown.scenario;
        m_plan = shown.plan;
        m_sheet = shown.plan.ok() && shown.plan.model ? mistakesOf(shown.scenario, shown.plan) : MistakeSheet{};
    }
    write();
}

void MistakesView::write() {
    const QString of = m_of->current();
    const Bytes right = figureOf(m_sheet.right, of);
    std::vector<AnswerBar> bars;
    if (m_plan.ok())
        bars.push_back({tr("Right"), translated(writeBytes(right, m_unit)), {}, static_cast<double>(right.value), AnswerBar::Kind::Right, {}});
    for (const Mistake &mistake : m_sheet.mistakes) {
        const Bytes wrong = figureOf(mistake.count, of);
        if (wrong == right)
            continue; // tells at another length only
        const QString why = translated(mistake.why);
        QString off = timesOff(wrong.value, right.value);
        off[0] = off[0].toUpper();
        bars.push_back({translated(mistake.name), translated(writeBytes(wrong, m_unit)), off + joint(". ") + why,
                        static_cast<double>(wrong.value), AnswerBar::Kind::Mistake, why});
    }
    m_none->setVisible(bars.size() < 2);
    m_none->setWholeText(tr("None of the common mistakes changes this figure for this model."));
    m_bars->show(std::move(bars));
}

void MistakesView::point(int bar) {
    if (bar < 1 || !m_scenario)
        return emit ghostAsked(nullptr);
    const QString name = m_bars->bars()[static_cast<std::size_t>(bar)].label;
    for (const Mistake &mistake : m_sheet.mistakes) {
        if (translated(mistake.name) != name)
            continue;
        const auto mistaken = asMistaken(*m_scenario, m_plan, mistake);
        if (!mistaken)
            break;
        Plan plan = evaluate(*mistaken);
        if (plan.ok())
            return emit ghostAsked(std::make_shared<Ghost>(Ghost{name, *mistaken, std::move(plan), m_scenario}));
    }
    emit ghostAsked(nullptr);
}

} // namespace kv
