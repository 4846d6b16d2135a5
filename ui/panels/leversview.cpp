// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/leversview.h"

#include "core/base/quantity.h"
#include "core/plan/evaluate.h"
#include "ui/controls/label.h"
#include "ui/controls/leverbutton.h"
#include "ui/controls/scrollpage.h"
#include "ui/language/translate.h"
#include "ui/latest.h"
#include "ui/theme.h"
#include "ui/viewexport.h"
#include "ui/words.h"

#include <QApplication>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace kv {

namespace {

constexpr qsizetype cardsAtMost = 3;
constexpr std::size_t rowsAtFirst = 8;
constexpr int slowAfter = 250; // ms; before that a fading list would only flicker

QString usersText(const std::optional<std::int64_t> &users) {
    return users ? translated(writeNumber(*users)) : QCoreApplication::translate("kv::LeversView", "no limit");
}

/// What it costs in a few words: its own, or those of its kind.
QString costText(const LeverIdea &idea) {
    if (!idea.caveat.empty())
        return translated(idea.caveat);
    switch (idea.cost) {
    case LeverCost::Setting:
        return LeversView::tr("a setting of the same server");
    case LeverCost::Load:
        return LeversView::tr("less is asked for");
    case LeverCost::Speed:
        return LeversView::tr("much slower");
    case LeverCost::Quality:
        return LeversView::tr("a quality risk");
    case LeverCost::Software:
        return LeversView::tr("other software");
    case LeverCost::Hardware:
        break;
    }
    return LeversView::tr("other hardware");
}

/// The part of the best gain in the list; users without limit are the whole of it.
double gainOf(const Levers &levers, const Lever &lever) {
    if (!lever.users || !levers.users)
        return lever.users || !levers.users ? 0 : 1;
    std::int64_t most = 0;
    for (const Lever &other : levers.list)
        most = std::max(most, other.users.value_or(0));
    return most <= *levers.users ? 0 : static_cast<double>(*lever.users - *levers.users) / static_cast<double>(most - *levers.users);
}

} // namespace

LeversView::LeversView(QWidget *parent)
    : View(parent), m_latest(new Latest(this)), m_slow(new QTimer(this)), m_cardsTitle(new Label(Label::Voice::Strong)), m_rowsTitle(new Label(Label::Voice::Strong)),
      m_nothing(new Label(Label::Voice::Muted)), m_cardsColumn(new QVBoxLayout), m_rowsColumn(new QVBoxLayout), m_more(new QPushButton(tr("Show All"))) {
    QScrollArea *scroll = scrollPage(buildPage(), QStringLiteral("leversScroll"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(scroll);
    (new ExportButton(this))->standInCorner();
    m_slow->setSingleShot(true);
    m_slow->setInterval(slowAfter);
    connect(m_slow, &QTimer::timeout, this, [this] { fade(true); });
    connect(m_latest, &Latest::busyChanged, this, [this](bool busy) {
        busy ? m_slow->start() : m_slow->stop();
        if (!busy)
            fade(false);
    });
}

QWidget *LeversView::buildPage() {
    auto *page = new QWidget;
    m_cardsTitle->setObjectName(QStringLiteral("leversCardsTitle"));
    m_rowsTitle->setObjectName(QStringLiteral("leversRowsTitle"));
    m_nothing->setObjectName(QStringLiteral("leversNothing"));
    for (Label *label : {m_cardsTitle, m_rowsTitle, m_nothing}) {
        label->setWordWrap(true);
        label->hide();
    }
    m_more->setObjectName(QStringLiteral("leversMore"));
    m_more->hide();
    connect(m_more, &QPushButton::clicked, this, [this] {
        m_all = !m_all;
        write();
    });
    m_cardsColumn->setSpacing(em(0.4));
    m_rowsColumn->setSpacing(em(0.1));
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, em(0.2), em(0.2), 0);
    column->setSpacing(em(0.45));
    column->addWidget(m_cardsTitle);
    column->addLayout(m_cardsColumn);
    column->addWidget(m_rowsTitle);
    column->addLayout(m_rowsColumn);
    column->addWidget(m_more, 0, Qt::AlignLeft);
    column->addWidget(m_nothing);
    column->addStretch(1);
    return page;
}

void LeversView::settle() { m_latest->finish(); }

bool LeversView::isSettled() const { return !m_latest->isBusy(); }

/// Of the plan nothing is asked: each lever makes its own.
ViewExports LeversView::exports() { return computedExports(QStringLiteral("levers"), tr("levers"), m_found ? m_found->scenario : Scenario{}, Plan{}, SizeUnit::Decimal); }

QSize LeversView::minimumSizeHint() const { return {em(10), em(8)}; }

void LeversView::present(const Shown &shown) {
    if (!shown.plan.ok()) {
        m_latest->forget();
        m_asked.reset();
        m_found.reset();
        point(nullptr, false);
        return write();
    }
    if (m_asked != shown.scenario)
        look(shown.scenario);
}

void LeversView::look(const Scenario &scenario) {
    m_asked = scenario;
    m_latest->ask([this, scenario](const Latest::GoOn &goOn) -> Latest::Answer {
        auto found = std::make_shared<Found>(Found{scenario, levers(scenario, goOn)});
        return [this, found] { take(found); };
    });
}

void LeversView::take(std::shared_ptr<const Found> found) {
    m_found = std::move(found);
    write();
    // What is pointed at is another plan now, or another lever, or none.
    if (m_pointed.empty())
        return;
    if (m_pointedAt && m_pointedAt->isHidden())
        return point(nullptr, false);
    if (m_pointedAt)
        m_pointed = utf8(m_pointedAt->property("lever").toString());
    preview();
}

const Lever *LeversView::named(const std::string &id) const {
    if (!m_found)
        return nullptr;
    const auto found = std::ranges::find_if(m_found->levers.list, [&id](const Lever &lever) { return lever.idea.id == id; });
    return found == m_found->levers.list.end() ? nullptr : &*found;
}

LeverFace LeversView::faceOf(const Lever &lever, bool card) const {
    LeverFace face{translated(lever.idea.name), costText(lever.idea), {}, translated(lever.sentence), LeverFace::Sign::None, gainOf(m_found->levers, lever)};
    const QString after = usersText(lever.users);
    face.figures = card ? after : QStringLiteral("%1 → %2").arg(usersText(m_found->levers.users), after);
    if (!m_found->levers.fits)
        face.sign = lever.fits ? LeverFace::Sign::Fits : card ? LeverFace::Sign::FitsNot : LeverFace::Sign::None;
    return face;
}

LeverButton *LeversView::button(QList<LeverButton *> &buttons, qsizetype at, bool card) {
    while (buttons.size() <= at) {
        auto *made = new LeverButton(card ? LeverButton::Shape::Card : LeverButton::Shape::Row);
        (card ? m_cardsColumn : m_rowsColumn)->addWidget(made);
        connect(made, &LeverButton::pointedAt, this, [this, made](bool pointed) { point(made, pointed); });
        connect(made, &LeverButton::clicked, this, [this, made] { apply(made); });
        buttons.append(made);
    }
    return buttons.at(at);
}

void LeversView::write() {
    writeCards();
    writeRows();
    const bool nothing = m_found && m_found->levers.list.empty();
    m_nothing->setVisible(nothing || !m_asked);
    m_nothing->setWholeText(m_asked ? tr("None of the changes that were tried gains anything.") : tr("There is nothing to change until the settings agree."));
}

void LeversView::writeCards() {
    qsizetype used = 0;
    if (m_found && !m_found->levers.fits)
        for (const Lever &lever : m_found->levers.list) {
            if (lever.idea.id == "sequences")
                continue; // no way to serve all of them
            if (used == cardsAtMost)
                break;
            LeverButton *card = button(m_cards, used, true);
            card->setObjectName(QStringLiteral("leverNearest%1").arg(++used));
            card->setProperty("lever", words(lever.idea.id));
            card->present(faceOf(lever, true));
            card->show();
        }
    for (qsizetype i = used; i < m_cards.size(); ++i)
        m_cards.at(i)->hide();
    m_cardsTitle->setVisible(used > 0);
    if (used == 0)
        return;
    const std::int64_t sequences = m_found->scenario.workload.sequences.value;
    const QString load = sequences == 1 ? tr("1 sequence") : tr("%1 sequences").arg(translated(writeNumber(sequences)));
    m_cardsTitle->setWholeText(m_found->levers.list.front().nearest ? tr("To fit %1").arg(load) : tr("Nothing tried fits %1; nearest to it").arg(load));
}

/// The best first. At first only a few, and of each kind the best and the smallest change: five widths of a cache would leave no room for
/// what else there is.
std::vector<const Lever *> LeversView::listed(bool all) const {
    std::vector<const Lever *> list;
    if (m_found)
        for (const Lever &lever : m_found->levers.list)
            if (!lever.isPair())
                list.push_back(&lever);
    std::ranges::stable_sort(list, std::ranges::greater(), &Lever::worth);
    if (all)
        return list;
    std::map<std::string, std::pair<const Lever *, const Lever *>> kinds; // best and smallest
    const auto ofKind = [&kinds](const Lever *lever) -> auto & { return kinds[lever->idea.id.substr(0, lever->idea.id.find('.'))]; };
    constexpr double alike = 0.15; // FP8 and Q8_0, of which the one that gains more stands for both
    for (const Lever *lever : list) {
        auto &[best, smallest] = ofKind(lever);
        best = best ? best : lever;
        smallest = smallest && smallest->idea.size <= lever->idea.size + alike ? smallest : lever;
    }
    std::erase_if(list, [&ofKind](const Lever *lever) { return lever != ofKind(lever).first && lever != ofKind(lever).second; });
    list.resize(std::min(list.size(), rowsAtFirst));
    return list;
}

void LeversView::writeRows() {
    const std::vector<const Lever *> list = listed(m_all);
    const auto used = static_cast<qsizetype>(list.size()), all = static_cast<qsizetype>(listed(true).size());
    for (qsizetype i = 0; i < used; ++i) {
        const Lever &lever = *list[static_cast<std::size_t>(i)];
        LeverButton *row = button(m_rows, i, false);
        row->setObjectName(QStringLiteral("lever_") + words(lever.idea.id));
        row->setProperty("lever", words(lever.idea.id));
        row->present(faceOf(lever, false));
        row->show();
    }
    for (qsizetype i = used; i < m_rows.size(); ++i) {
        m_rows.at(i)->hide();
        m_rows.at(i)->setObjectName(QString());
    }
    m_rowsTitle->setVisible(used > 0);
    m_rowsTitle->setWholeText(m_found && m_found->levers.fits ? tr("What would help most") : tr("Each lever alone"));
    m_more->setVisible(m_all || all > used);
    m_more->setText(m_all ? tr("Show Fewer") : tr("Show All %1").arg(all));
}

void LeversView::point(LeverButton *button, bool pointed) {
    const std::string id = button ? utf8(button->property("lever").toString()) : std::string();
    if (pointed) {
        m_pointedAt = button;
        m_pointed = id;
        return preview();
    }
    // A row may bear another lever by the time that the pointer leaves it.
    if (m_pointed.empty() || (button && m_pointedAt != button))
        return;
    m_pointed.clear();
    emit ghostAsked(nullptr);
}

void LeversView::preview() {
    const Lever *lever = named(m_pointed);
    if (!lever) {
        m_pointed.clear();
        emit ghostAsked(nullptr);
        return;
    }
    emit ghostAsked(std::make_shared<const Ghost>(Ghost{translated(lever->idea.name), lever->idea.scenario, evaluate(lever->idea.scenario)}));
}

void LeversView::apply(const LeverButton *button) {
    const Lever *lever = named(utf8(button->property("lever").toString()));
    if (!lever || !m_asked)
        return;
    // A list that is being replaced is of other settings: the same change is made to those that hold.
    Scenario changed = lever->idea.scenario;
    if (m_found->scenario != *m_asked) {
        std::vector<LeverIdea> ideas = leverIdeas(*m_asked, evaluateHere(*m_asked));
        const auto same = std::ranges::find(ideas, lever->idea.id, &LeverIdea::id);
        if (same == ideas.end())
            return;
        changed = std::move(same->scenario);
    }
    const QString text = tr("Take %1").arg(translated(lever->idea.name));
    point(nullptr, false);
    // Another scenario may be looked at by now that was not shown here yet.
    emit edited(text, 0, [&, of = *m_asked](Scenario &s) { s = s == of ? changed : s; });
}

void LeversView::fade(bool faded) {
    for (const QList<LeverButton *> &buttons : {m_cards, m_rows})
        for (LeverButton *button : buttons)
            button->setFaded(faded);
}

void LeversView::hideEvent(QHideEvent *event) {
    View::hideEvent(event);
    point(nullptr, false);
}

} // namespace kv
