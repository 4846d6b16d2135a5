// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lengthsview.h"

#include "core/report/markdown.h"
#include "core/report/texttable.h"
#include "ui/charts/distributionchart.h"
#include "ui/controls/label.h"
#include "ui/flightfinder.h"
#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QPainter>
#include <QVBoxLayout>

#include <cmath>

namespace kv {

LengthsView::LengthsView(QWidget *parent)
    : View(parent), m_finder(new FlightFinder(this)), m_ghostFinder(new FlightFinder(this)), m_charts(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_lengthsChart(new DistributionChart(QStringLiteral("lengthsChart"))), m_totalChart(new DistributionChart(QStringLiteral("totalChart"))),
      m_fit(new Label(Label::Voice::Strong)), m_mean(new Label(Label::Voice::Body)), m_method(new Label(Label::Voice::Small)) {
    m_fit->setObjectName(QStringLiteral("lengthsFit"));
    m_mean->setObjectName(QStringLiteral("lengthsMean"));
    m_method->setObjectName(QStringLiteral("lengthsMethod"));
    m_method->setForegroundRole(QPalette::PlaceholderText);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.25));
    for (Label *label : {m_fit, m_mean, m_method}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto *said = new QVBoxLayout;
    said->setSpacing(em(0.15));
    said->addWidget(m_fit);
    said->addWidget(m_mean);
    auto *head = new QHBoxLayout;
    head->addLayout(said, 1);
    head->addWidget(new ExportButton(this), 0, Qt::AlignTop);
    column->addLayout(head);
    m_charts->setSpacing(em(1.2));
    m_charts->addWidget(m_lengthsChart, 1);
    m_charts->addWidget(m_totalChart, 1);
    column->addLayout(m_charts, 1);
    column->addWidget(m_method);
    setFocusProxy(m_lengthsChart);
    connect(m_finder, &FlightFinder::found, this, &LengthsView::showFlight);
    connect(m_ghostFinder, &FlightFinder::found, this, &LengthsView::showFlight);
}

bool LengthsView::isWorthShowing(const Scenario &scenario, const Plan &plan) const {
    return plan.ok() && static_cast<bool>(scenario.workload.distribution);
}

ViewExports LengthsView::exports() {
    return {QStringLiteral("lengths"), QStringLiteral("lengths"), tr("lengths"), {[this] { return csv(); }, false}, {[this] { return markdown(); }, false}, {}};
}

/// A line a bar of both charts, in tokens and in bytes.
std::string LengthsView::csv() const {
    std::string out = "of,from,to,share\n";
    const auto add = [&out](const char *of, const DistributionPicture &picture, bool logarithmic) {
        for (const DistributionBar &bar : picture.bars) {
            const auto at = [logarithmic](double place) { return std::to_string(std::llround(logarithmic ? std::exp2(place) : place)); };
            out += std::string(of) + "," + at(bar.from) + "," + at(bar.to) + "," + utf8(QString::number(bar.share, 'g', 9)) + "\n";
        }
    };
    add("request tokens", m_lengthsChart->picture(), true);
    add("kv bytes on the fullest gpu", m_totalChart->picture(), false);
    return out;
}

/// The figures that the marks name, and the sentences.
std::string LengthsView::markdown() const {
    TextTable table;
    table.column("").column("Length of a request", TextTable::Align::Right).column("KV on the fullest GPU", TextTable::Align::Right);
    const auto valueOf = [](const DistributionPicture &picture, const QString &name) {
        for (const DistributionMark &mark : picture.marks)
            if (mark.name == name)
                return utf8(mark.value);
        return std::string();
    };
    for (const QString &name : {QStringLiteral("p50"), QStringLiteral("p90"), QStringLiteral("p95"), QStringLiteral("p99"), DistributionPicture::tr("mean"), DistributionPicture::tr("context"), DistributionPicture::tr("room")}) {
        const std::string length = valueOf(m_lengthsChart->picture(), name), total = valueOf(m_totalChart->picture(), name);
        if (!length.empty() || !total.empty())
            table.row({utf8(name), length.empty() ? "" : length + " tokens", total});
    }
    std::string out = table.markdown();
    for (const Label *label : {m_fit, m_mean, m_method})
        if (!label->wholeText().isEmpty())
            out += "\n" + markdownText(utf8(label->wholeText())) + "\n";
    return out;
}

void LengthsView::settle() {
    m_finder->finish();
    m_ghostFinder->finish();
}

bool LengthsView::isSettled() const { return !m_finder->isBusy() && !m_ghostFinder->isBusy(); }

PaintPicture LengthsView::picture() const {
    return [this](QPainter &painter, const QRectF &target, const ChartStyle &style) {
        painter.save();
        // The sentences over the charts and the method under them, each as high as it breaks.
        const auto heightOf = [&target](const QString &text, const QFont &font) {
            return text.isEmpty() ? 0 : std::ceil(QFontMetricsF(font).boundingRect(QRectF(0, 0, target.width(), 1e6), Qt::TextWordWrap, text).height()) + 3;
        };
        const auto write = [&](const QString &text, const QFont &font, const QColor &colour, double top) {
            painter.setFont(font);
            painter.setPen(colour);
            painter.drawText(QRectF(target.left(), top, target.width(), heightOf(text, font)), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text);
            return top + heightOf(text, font);
        };
        double top = write(m_fit->wholeText(), style.titleFont, style.text, target.top());
        top = write(m_mean->wholeText(), style.font, style.text, top) + 6;
        const double bottom = target.bottom() - heightOf(m_method->wholeText(), style.smallFont);
        write(m_method->wholeText(), style.smallFont, style.mutedText, bottom);
        const double gap = 16, width = (target.width() - gap) / 2, height = std::max(1.0, bottom - 6 - top);
        m_lengthsChart->paintTo(painter, {target.left(), top, width, height}, style);
        m_totalChart->paintTo(painter, {target.left() + width + gap, top, width, height}, style);
        painter.restore();
    };
}

void LengthsView::present(const Shown &shown) {
    m_lengths = shown.scenario.workload.distribution;
    if (!m_lengths || !shown.plan.ok())
        return;
    m_scenario = shown.scenario;
    m_plan = shown.plan;
    m_unit = shown.unit;
    m_style = shown.style;
    const SharedLengths beside = shown.ghost ? shown.ghost->scenario.workload.distribution : SharedLengths{};
    m_lengthsChart->show(lengthsPicture(*m_lengths, shown.scenario.workload.context.value, beside ? &*beside : nullptr), m_style);
    m_finder->ask(shown.scenario, shown.plan);
    m_hasGhost = beside && shown.ghost->plan.ok();
    if (m_hasGhost)
        m_ghostFinder->ask(shown.ghost->scenario, shown.ghost->plan);
    else
        m_ghostFinder->forget();
    showFlight();
}

/// The newest there is: while a change is being added up, what was shown stands.
void LengthsView::showFlight() {
    if (!m_lengths)
        return;
    const InFlight *flight = m_finder->last();
    const bool old = m_finder->of(m_scenario) == nullptr;
    if (!flight) {
        DistributionPicture none;
        none.title = tr("KV of all sequences");
        none.message = m_finder->isBusy() ? tr("Being added up…") : tr("These lengths cannot be added up: not every one of them can be planned.");
        m_totalChart->show(none, m_style);
        for (Label *label : {m_fit, m_mean, m_method})
            label->setWholeText({});
        return;
    }
    m_totalChart->show(totalPicture(*flight, m_unit, m_hasGhost ? m_ghostFinder->last() : nullptr, m_range), m_style);
    showWords(*flight, old);
}

void LengthsView::showWords(const InFlight &flight, bool old) {
    // Sentences of another load beside this one's length would be read as this one's: they stand back until the new ones are there.
    for (Label *label : {m_fit, m_mean, m_method})
        label->setEnabled(!old);
    if (old)
        return;
    const InFlightWords said = inFlightWords(flight);
    m_fit->setWholeText(translated(said.fit) + QLatin1Char(' ') + translated(said.most));
    m_mean->setWholeText(translated(said.mean));
    m_mean->setVisible(!said.mean.empty());
    m_method->setWholeText(translated(said.method));
    m_method->setVisible(!said.method.empty());
}

void LengthsView::resizeEvent(QResizeEvent *event) {
    View::resizeEvent(event);
    m_charts->setDirection(width() < em(34) && height() > em(22) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

} // namespace kv
