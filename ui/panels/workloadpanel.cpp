// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/workloadpanel.h"

#include "ui/controls/amount.h"
#include "ui/controls/label.h"
#include "ui/panels/lengthsline.h"
#include "ui/panels/ratepopup.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kv {

namespace {

template <typename T>
Parsed<std::int64_t> plain(const Parsed<T> &parsed) {
    return {parsed ? std::optional(parsed->value) : std::nullopt, parsed.notes};
}

} // namespace

WorkloadPanel::WorkloadPanel(QWidget *parent)
    : Panel(parent),
      m_context(new Amount({tr("&Context per sequence"), tr("tokens"),
                            tr("Tokens that each sequence holds at the end, prompt and output together."),
                            tr("Multiplies the bytes of one token. The mark on the slider is the longest context the model was "
                               "made for. Type 131072, 128k or 0.5M: k is 1,024 here."),
                            QStringLiteral("context")},
                           [](std::string_view text) { return plain(readTokens(text, "context")); })),
      m_sequences(new Amount({tr("Se&quences at once"), tr("sequences"), tr("Sequences that are served at the same time."),
                              tr("Each holds its own context, so the cache is multiplied by this. Type 200 or 1k: k is 1,000 here."),
                              QStringLiteral("sequences")},
                             [](std::string_view text) { return plain(readCount(text, "sequences")); })),
      m_prefix(new Amount({tr("Shared prefi&x"), tr("tokens"),
                           tr("Tokens at the start that all sequences share, such as a system prompt; part of the context."),
                           tr("Kept once instead of once a sequence, by the layers that cache every token. Type a number of "
                              "tokens, or a share of the context such as 25 %."),
                           QStringLiteral("prefix")},
                          [this](std::string_view text) {
                              if (text.find('%') == std::string_view::npos)
                                  return plain(readTokens(text, "shared prefix"));
                              auto share = readFraction(text, "shared prefix");
                              if (share)
                                  share.value = checked::mulDiv(m_contextShown, *share, fractionOne);
                              return share;
                          })),
      m_lengths(new LengthsLine) {
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.45));
    column->addWidget(new Label(Label::Voice::Section, tr("Workload")));
    for (Amount *amount : {m_context, m_sequences, m_prefix}) {
        column->addWidget(amount);
        connect(amount, &Amount::refused, this, &Panel::refused);
    }
    column->addWidget(m_lengths);
    connectAmounts();
    buildRate();
    connectLengths();
}

void WorkloadPanel::buildRate() {
    auto *rate = new QToolButton;
    rate->setText(tr("From a rate…"));
    rate->setAutoRaise(true);
    rate->setFocusPolicy(Qt::StrongFocus);
    describeInput(rate, QStringLiteral("rateButton"), tr("Sequences from a request rate"), tr("From a request rate: requests a second × seconds a request."),
                  tr("Little’s law: sequences in flight are the requests that arrive in a second times the seconds that one takes."));
    m_lengths->setAside(rate);
    connect(rate, &QToolButton::clicked, this, [this, rate] {
        auto *popup = new RatePopup(m_sequencesShown, rate);
        connect(popup, &RatePopup::chosen, this, [this](qint64 value) {
            emit edited(tr("Change Sequences"), 0, [value](Scenario &s) { s.workload.sequences = Count(value); });
        });
        popup->openUnder(rate);
    });
}

void WorkloadPanel::connectLengths() {
    connect(m_lengths, &LengthsLine::edited, this, &Panel::edited);
    connect(m_lengths, &LengthsLine::refused, this, &Panel::refused);
    connect(m_lengths, &LengthsLine::remarked, this, &Panel::remarked);
    connect(m_lengths, &LengthsLine::traceAsked, this, &WorkloadPanel::traceAsked);
    connect(m_lengths, &LengthsLine::columnsAsked, this, &WorkloadPanel::columnsAsked);
}

void WorkloadPanel::connectAmounts() {
    connect(m_context, &Amount::edited, this, [this](qint64 value, int gesture) {
        emit edited(tr("Change Context"), gesture, [value](Scenario &s) {
            s.workload.context = Tokens(value);
            // A prefix is a part of the context and goes down with it.
            s.workload.sharedPrefix = std::min(s.workload.sharedPrefix, s.workload.context);
        });
    });
    connect(m_sequences, &Amount::edited, this, [this](qint64 value, int gesture) {
        emit edited(tr("Change Sequences"), gesture, [value](Scenario &s) { s.workload.sequences = Count(value); });
    });
    connect(m_prefix, &Amount::edited, this, [this](qint64 value, int gesture) {
        emit edited(tr("Change Shared Prefix"), gesture, [value](Scenario &s) { s.workload.sharedPrefix = Tokens(value); });
    });
}

void WorkloadPanel::present(const Scenario &scenario, const Plan &, SizeUnit) {
    const Workload &load = scenario.workload;
    std::optional<std::int64_t> limit;
    if (scenario.model.spec && scenario.model.spec->maxContext)
        limit = scenario.model.spec->maxContext->value;
    m_contextShown = load.context.value;
    m_sequencesShown = load.sequences.value;
    m_context->show(load.context.value, contextScale(load.context.value, limit));
    m_sequences->show(load.sequences.value, sequencesScale(load.sequences.value));
    m_prefix->show(load.sharedPrefix.value, prefixScale(load.context.value));
    m_lengths->present(load);
}

void WorkloadPanel::setCompact(bool compact) {
    for (Amount *amount : {m_context, m_sequences, m_prefix})
        amount->setTicksVisible(!compact);
    layout()->setSpacing(em(compact ? 0.2 : 0.45));
}

} // namespace kv
