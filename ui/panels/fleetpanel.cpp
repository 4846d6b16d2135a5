// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/fleetpanel.h"

#include "core/base/plaintext.h"
#include "core/workload/littleslaw.h"
#include "ui/controls/figurelist.h"
#include "ui/controls/label.h"
#include "ui/controls/quantityedit.h"
#include "ui/controls/segments.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/panels/panel.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <charconv>
#include <cmath>

namespace kv {

namespace {

// An entry holds whole numbers: amounts are kept in millionths. Nothing is −1, shown as an empty entry.
constexpr std::int64_t none = -1;
constexpr double millionth = 1e6;

Parsed<std::int64_t> readAmount(std::string_view text) {
    if (text.find_first_not_of(' ') == std::string_view::npos)
        return {none, {}};
    double number = 0;
    const auto [at, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    constexpr double most = 1e12;
    if (fault != std::errc() || at != text.data() + text.size() || !(number >= 0 && number <= most))
        return {std::nullopt, {errorNote("bad-value", "fleet", "expected a number of 0 or more, such as 12.5, found \"" + oneLine(text, 60) + "\"")}};
    return {std::llround(number * millionth), {}};
}

QString writeAmount(std::int64_t value) {
    if (value < 0)
        return {};
    QString text = QString::number(static_cast<double>(value) / millionth, 'f', 6);
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    return localNumbers(text.endsWith(QLatin1Char('.')) ? text.chopped(1) : text);
}

Parsed<std::int64_t> readWhole(std::string_view text) {
    if (text.find_first_not_of(' ') == std::string_view::npos)
        return {none, {}};
    const Parsed<Count> count = readCount(text, "fleet");
    return {count ? std::optional(count->value) : std::nullopt, count.notes};
}

QString writeWhole(std::int64_t value) { return value < 0 ? QString() : translated(writeNumber(value)); }

std::int64_t inMillionths(const std::optional<double> &amount) {
    return amount ? std::llround(std::min(*amount, 1e12) * millionth) : none;
}

std::optional<double> fromMillionths(std::int64_t value) { return value < 0 ? std::nullopt : std::optional(static_cast<double>(value) / millionth); }

QString percent(double share) { return FleetPanel::tr("%1 %").arg(localNumbers(QString::number(share * 100, 'f', 1))); }

QString amount(double value, int digits) { return writeAmount(std::llround(std::round(value * std::pow(10, digits)) / std::pow(10, digits) * millionth)); }

/// As people write money and rates: digits that matter, and thousands apart.
QString figure(double value) {
    if (value >= 1e4 && value < 9e15)
        return translated(writeNumber(std::llround(value)));
    return value < 9e15 ? amount(value, 2) : localNumbers(QString::number(value, 'g', 4));
}

} // namespace

FleetPanel::FleetPanel(QWidget *parent)
    : QWidget(parent), m_by(new Segments(2)), m_fields(new QGridLayout), m_answer(new FigureList(QStringLiteral("fleetFigure"))), m_reason(new Label(Label::Voice::Small)) {
    m_by->setObjectName(QStringLiteral("fleetBy"));
    m_by->setAccessibleName(tr("The load is given by"));
    m_by->setChoices({{QStringLiteral("users"), tr("By Users"), tr("Users at the same time"), QStringLiteral("fleetByUsers")},
                      {QStringLiteral("rate"), tr("By Requests"), tr("Requests a second, and the seconds that one takes"), QStringLiteral("fleetByRate")}});
    m_fields->setHorizontalSpacing(em(0.6));
    m_fields->setVerticalSpacing(em(0.3));
    m_fields->setColumnStretch(0, 1);
    m_users = addField(tr("Users at the same time"), QStringLiteral("fleetUsersEdit"), tr("Sequences in flight at the same time, over the whole fleet."), true);
    m_rate = addField(tr("Requests a second"), QStringLiteral("fleetRateEdit"), tr("Requests that come in each second, over the whole fleet."), false);
    m_seconds = addField(tr("Seconds a request"), QStringLiteral("fleetSecondsEdit"), tr("How long one request takes from its arrival to its last token."), false);
    m_lost = addField(tr("Deployments that may be down"), QStringLiteral("fleetLostEdit"), tr("The load is still served with so many of them lost."), true);
    m_price = addField(tr("Price of a GPU-hour"), QStringLiteral("fleetPriceEdit"), tr("Your own price, in any currency; kept in the scenario."), false);
    m_reason->setObjectName(QStringLiteral("fleetReason"));
    m_reason->setWordWrap(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.5));
    column->addWidget(m_by);
    column->addLayout(m_fields);
    column->addWidget(m_reason);
    column->addWidget(m_answer);
    connectFields();
}

FleetPanel::Field FleetPanel::addField(const QString &name, const QString &objectName, const QString &tip, bool whole) {
    Field field{new Label(Label::Voice::Body, name), new QuantityEdit(whole ? readWhole : readAmount, whole ? writeWhole : writeAmount)};
    describeInput(field.edit, objectName, name, tip, tip);
    field.edit->setTip(tip);
    field.edit->setAlignment(Qt::AlignRight);
    field.edit->setFixedWidth(em(5.6));
    field.edit->setValue(none);
    if (whole)
        field.edit->setStep([](std::int64_t value, int direction) { return std::max<std::int64_t>(0, value + direction); });
    field.name->setBuddy(field.edit);
    field.name->setEliding(true);
    const int row = m_fields->rowCount();
    m_fields->addWidget(field.name, row, 0);
    m_fields->addWidget(field.edit, row, 1);
    connect(field.edit, &QuantityEdit::refused, this, &FleetPanel::refused);
    return field;
}

void FleetPanel::connectFields() {
    connect(m_by, &Segments::chosen, this, &FleetPanel::choose);
    const auto on = [this](const Field &field, const QString &text, auto change) {
        connect(field.edit, &QuantityEdit::edited, this, [this, text, change](qint64 value, int gesture) {
            emit edited(text, gesture, [change, value](Scenario &s) { change(s, value); });
        });
    };
    on(m_users, tr("Change Fleet's Users"), [](Scenario &s, std::int64_t value) {
        s.fleet.users = value >= 1 ? std::optional(value) : std::nullopt;
        s.fleet.requestsPerSecond.reset();
    });
    on(m_rate, tr("Change Fleet's Requests"), [](Scenario &s, std::int64_t value) {
        s.fleet.requestsPerSecond = fromMillionths(value);
        s.fleet.users.reset();
    });
    on(m_seconds, tr("Change Seconds a Request"), [](Scenario &s, std::int64_t value) { s.fleet.secondsPerRequest = fromMillionths(value); });
    on(m_lost, tr("Change Deployments Down"), [](Scenario &s, std::int64_t value) { s.fleet.lost = std::max<std::int64_t>(value, 0); });
    on(m_price, tr("Change Price"), [](Scenario &s, std::int64_t value) { s.hardware.pricePerGpuHour = fromMillionths(value); });
}

/// The same load in the other words, where the seconds of a request are known.
void FleetPanel::choose(const QString &id) {
    m_byRate = id == QLatin1String("rate");
    emit edited(tr("Change Fleet's Load"), 0, [byRate = m_byRate](Scenario &s) {
        FleetTarget &target = s.fleet;
        const double seconds = target.secondsPerRequest.value_or(0);
        if (byRate && target.users) {
            target.requestsPerSecond = requestsPerSecond(*target.users, seconds);
            target.users.reset();
        } else if (!byRate && target.requestsPerSecond) {
            const std::optional<std::int64_t> users = sequencesInFlight(*target.requestsPerSecond, seconds);
            target.users = users && *users > 0 ? users : std::nullopt;
            target.requestsPerSecond.reset();
        }
    });
    // Without a load there is nothing to change but what is asked for.
    m_by->setCurrent(id);
    for (const Field &field : {m_users, m_rate}) {
        const bool mine = (field.edit == m_rate.edit) == m_byRate;
        field.name->setVisible(mine);
        field.edit->setVisible(mine);
    }
}

void FleetPanel::present(const Scenario &scenario, const Plan &plan, const InFlight *lengths) {
    presentFields(scenario);
    const FleetTarget &target = scenario.fleet;
    if (target.users || (target.requestsPerSecond && target.secondsPerRequest))
        return presentAnswer(fleet(scenario, plan, target, lengths), target);
    Fleet nothing;
    nothing.refusal = errorNote("no-answer", "target", utf8(m_byRate ? tr("Give the requests a second and the seconds that one takes: their product is the users at the same time.")
                                                                     : tr("Give the users at the same time to see how many deployments serve them.")));
    presentAnswer(nothing, target);
}

void FleetPanel::presentFields(const Scenario &scenario) {
    const FleetTarget &target = scenario.fleet;
    if (target.users || target.requestsPerSecond)
        m_byRate = target.requestsPerSecond.has_value();
    m_by->setCurrent(m_byRate ? QStringLiteral("rate") : QStringLiteral("users"));
    const std::pair<Field, std::int64_t> shown[]{{m_users, target.users.value_or(none)}, {m_rate, inMillionths(target.requestsPerSecond)}, {m_seconds, inMillionths(target.secondsPerRequest)},
                                                 {m_lost, target.lost}, {m_price, inMillionths(scenario.hardware.pricePerGpuHour)}};
    for (const auto &[field, value] : shown) {
        const QSignalBlocker quiet(field.edit);
        field.edit->setValue(value);
    }
    for (QWidget *part : {static_cast<QWidget *>(m_users.name), static_cast<QWidget *>(m_users.edit)})
        part->setVisible(!m_byRate);
    for (QWidget *part : {static_cast<QWidget *>(m_rate.name), static_cast<QWidget *>(m_rate.edit)})
        part->setVisible(m_byRate);
}

void FleetPanel::presentAnswer(const Fleet &fleet, const FleetTarget &target) {
    QList<FigureList::Line> lines;
    const auto number = [](std::int64_t n) { return translated(writeNumber(n)); };
    if (!fleet.refusal) {
        if (target.requestsPerSecond)
            lines.append({tr("Users at the same time, on average"), number(fleet.users)});
        if (fleet.usersAtPeak)
            lines.append({tr("In 99 of 100 moments, arriving at random"), tr("%1, on %2 deployments").arg(number(*fleet.usersAtPeak), number(*fleet.deploymentsAtPeak))});
        lines.append({fleet.atP99 ? tr("One deployment holds, in 99 of 100 cases") : tr("One deployment holds"), number(fleet.usersEach)});
        lines.append({tr("Deployments"), number(fleet.deployments)});
        lines.append({tr("GPUs"), number(fleet.gpus)});
        if (fleet.nodes)
            lines.append({tr("Nodes"), number(*fleet.nodes)});
        lines.append({fleet.atP99 ? tr("Headroom at p99") : tr("Headroom"), percent(fleet.headroom)});
        if (fleet.lost > 0)
            lines.append({tr("Headroom with %1 down").arg(number(fleet.lost)), percent(fleet.headroomLost)});
        if (fleet.requestsPerSecond)
            lines.append({tr("Carries on average at most, requests a second"), figure(*fleet.requestsPerSecond)});
        if (fleet.pricePerHour)
            lines.append({tr("Price an hour"), figure(*fleet.pricePerHour)});
    }
    m_answer->present(lines);
    m_reason->setVisible(fleet.refusal.has_value());
    QString reason = fleet.refusal ? translated(*fleet.refusal) : QString();
    if (!reason.isEmpty())
        reason[0] = reason[0].toUpper();
    m_reason->setWholeText(reason);
}

} // namespace kv
