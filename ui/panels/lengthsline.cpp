// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/lengthsline.h"

#include "core/base/quantity.h"
#include "core/workload/percentiles.h"
#include "ui/controls/label.h"
#include "ui/controls/quantityedit.h"
#include "ui/gesture.h"
#include "ui/language/translate.h"
#include "ui/panels/classesdialog.h"
#include "ui/panels/panel.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QActionGroup>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QMenu>
#include <QToolButton>

#include <cmath>

namespace kv {

namespace {

constexpr std::array percentileKeys{"p50", "p90", "p99"};

Json percentilesJson(const std::array<std::int64_t, 3> &tokens) {
    Json lengths = Json::object();
    for (std::size_t i = 0; i < tokens.size(); ++i)
        lengths.set(percentileKeys[i], tokens[i]);
    return lengths;
}

bool isTrace(const Workload &load) { return load.distribution && load.distribution->kind == Lengths::Kind::Trace; }

} // namespace

Parsed<SharedLengths> setLengths(Workload &workload, const Json &lengths) {
    Parsed<SharedLengths> read = readLengths(lengths, {}, "workload.lengths");
    if (read) {
        workload.lengths = lengths;
        workload.distribution = *read.value;
    }
    return read;
}

LengthsLine::LengthsLine(QWidget *parent)
    : QWidget(parent), m_button(new QToolButton), m_fold(new QWidget), m_caption(new Label(Label::Voice::Small)) {
    describeInput(m_button, QStringLiteral("lengthsButton"), tr("Lengths"), tr("Whether all sequences are as long as the context, or of unlike lengths."),
                  tr("Real requests differ: planning with their mean is wrong half of the time, planning with the longest wastes memory. "
                     "With lengths given, the chart of lengths says how often a number of sequences does not fit."));
    m_button->setAutoRaise(true);
    m_button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_button->setMinimumWidth(em(6)); // a name of any length is cut, never the column's width
    m_button->setFocusPolicy(Qt::StrongFocus);
    buildMenu();
    buildPercentiles();
    m_caption->setObjectName(QStringLiteral("lengthsCaption"));
    m_row = new QHBoxLayout;
    m_row->addWidget(m_button);
    m_row->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.2));
    column->addLayout(m_row);
    column->addWidget(m_fold);
    column->addWidget(m_caption);
}

void LengthsLine::setAside(QWidget *other) { m_row->addWidget(other); }

void LengthsLine::buildMenu() {
    auto *menu = new QMenu(m_button);
    menu->setToolTipsVisible(true);
    auto *kinds = new QActionGroup(menu);
    const auto kind = [&](const QString &text, const char *name, const QString &tip) {
        QAction *action = menu->addAction(text);
        action->setObjectName(QLatin1String(name));
        action->setCheckable(true);
        action->setToolTip(plainTip(tip));
        kinds->addAction(action);
        return action;
    };
    m_alike = kind(tr("&All alike"), "lengthsAlike", tr("Every sequence holds the whole context."));
    m_byPercentiles = kind(tr("By &percentiles"), "lengthsPercentiles", tr("Half of the requests are no longer than p50, 99 of 100 no longer than p99."));
    m_classes = kind(tr("A &mix of classes…"), "lengthsClasses", tr("Kinds of requests, each with its share, input and output."));
    m_trace = kind(tr("From a &trace…"), "lengthsTrace", tr("Real requests: CSV, JSON lines or a benchmark’s result."));
    menu->addSeparator();
    m_columns = menu->addAction(tr("&Columns of the trace…"));
    m_columns->setObjectName(QStringLiteral("lengthsColumns"));
    connect(m_button, &QToolButton::clicked, menu, [this, menu] { menu->popup(m_button->mapToGlobal(QPoint(0, m_button->height()))); });
    connect(m_alike, &QAction::triggered, this, [this] {
        emit edited(tr("Make Lengths Alike"), 0, [](Scenario &s) {
            s.workload.lengths = Json();
            s.workload.distribution = {};
        });
    });
    connect(m_byPercentiles, &QAction::triggered, this, &LengthsLine::startPercentiles);
    connect(m_classes, &QAction::triggered, this, &LengthsLine::editClasses);
    connect(m_trace, &QAction::triggered, this, &LengthsLine::traceAsked);
    connect(m_columns, &QAction::triggered, this, &LengthsLine::columnsAsked);
    // What was only asked for is not chosen yet.
    connect(kinds, &QActionGroup::triggered, this, [this] { present(Workload(m_shown)); });
}

void LengthsLine::buildPercentiles() {
    auto *grid = new QGridLayout(m_fold);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(em(0.4));
    grid->setVerticalSpacing(em(0.2));
    const QString names[]{tr("p50"), tr("p90"), tr("p99")};
    const QString accessible[]{tr("Length that half of the requests do not exceed"), tr("Length that 90 of 100 requests do not exceed"),
                               tr("Length that 99 of 100 requests do not exceed")};
    for (std::size_t i = 0; i < m_edits.size(); ++i) {
        m_edits[i] = addPercentile(names[i], QLatin1String(percentileKeys[i]) + QStringLiteral("Edit"), accessible[i], i);
        auto *label = new Label(Label::Voice::Small, names[i]);
        label->setBuddy(m_edits[i]);
        grid->addWidget(label, 0, static_cast<int>(i));
        grid->addWidget(m_edits[i], 1, static_cast<int>(i));
        grid->setColumnStretch(static_cast<int>(i), 1);
    }
}

QuantityEdit *LengthsLine::addPercentile(const QString &name, const QString &objectName, const QString &accessible, std::size_t index) {
    // An order that the three cannot have is refused where it is typed, in the words that the file's reader has.
    auto *edit = new QuantityEdit(
        [this, index, name = utf8(name)](std::string_view text) {
            const Parsed<Tokens> tokens = readTokens(text, name);
            if (!tokens)
                return Parsed<std::int64_t>{std::nullopt, tokens.notes};
            auto tried = m_percentiles;
            tried[index] = tokens->value;
            const Parsed<SharedLengths> read = readLengths(percentilesJson(tried), {}, "lengths");
            return read ? Parsed<std::int64_t>{tokens->value, {}} : Parsed<std::int64_t>{std::nullopt, read.notes};
        },
        [](std::int64_t value) { return translated(writeNumber(value)); });
    describeInput(edit, objectName, accessible, accessible + joint("."),
                  tr("Input and output together, in tokens. The lengths follow a log-normal curve through p50, p90 and p99."));
    edit->setTip(accessible + joint("."));
    edit->setMinimumWidth(em(3));
    edit->setStep([this, index](std::int64_t value, int direction) {
        const std::int64_t low = index > 0 ? m_percentiles[index - 1] : 1, high = index + 1 < m_percentiles.size() ? m_percentiles[index + 1] : std::int64_t(1) << 40;
        const std::int64_t step = std::max<std::int64_t>(1, std::int64_t(1) << std::max(0, static_cast<int>(std::log2(static_cast<double>(std::max<std::int64_t>(value, 1)))) - 3));
        return std::clamp(value + direction * step, low, high);
    });
    connect(edit, &QuantityEdit::refused, this, &LengthsLine::refused);
    connect(edit, &QuantityEdit::edited, this, [this, index](qint64 value, int gesture) { takePercentile(index, value, gesture); });
    return edit;
}

void LengthsLine::takePercentile(std::size_t index, std::int64_t tokens, int gesture) {
    m_percentiles[index] = tokens;
    emit edited(tr("Change Lengths"), gesture, [lengths = percentilesJson(m_percentiles)](Scenario &s) { setLengths(s.workload, lengths); });
}

/// From the percentiles of what is there; without any, from the context, which is then said.
void LengthsLine::startPercentiles() {
    if (m_shown.distribution && m_shown.distribution->kind == Lengths::Kind::Percentiles)
        return;
    const std::int64_t context = std::max<std::int64_t>(m_shown.context.value, 1);
    std::array<std::int64_t, 3> from{std::max<std::int64_t>(1, context / 8), std::max<std::int64_t>(1, context / 2), context};
    if (m_shown.distribution)
        from = {std::max<std::int64_t>(1, m_shown.distribution->p50), std::max<std::int64_t>(1, m_shown.distribution->p90), std::max<std::int64_t>(1, m_shown.distribution->p99)};
    const bool assumed = !m_shown.distribution;
    emit edited(tr("Set Lengths by Percentiles"), 0, [lengths = percentilesJson(from)](Scenario &s) { setLengths(s.workload, lengths); });
    if (assumed)
        emit remarked(tr("The percentiles start from the context, at an eighth, a half and all of it: put your own in their place."));
    m_edits.front()->setFocus(Qt::TabFocusReason);
}

void LengthsLine::editClasses() {
    std::vector<RequestClass> classes;
    if (const Json *list = m_shown.lengths.find("classes"))
        if (Parsed<std::vector<RequestClass>> read = readClasses(*list, "classes"))
            classes = std::move(*read.value);
    auto *dialog = new ClassesDialog(std::move(classes), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ClassesDialog::chosen, this, [this](const Json &lengths) {
        emit edited(tr("Set Request Classes"), 0, [lengths](Scenario &s) { setLengths(s.workload, lengths); });
    });
    dialog->open();
}

QString LengthsLine::lineText() const {
    if (!m_shown.distribution)
        return tr("Lengths: all alike");
    if (isTrace(m_shown)) {
        const Json *file = m_shown.lengths.find("file");
        return tr("Lengths: %1").arg(file && file->isString() ? QFileInfo(words(file->text())).fileName() : tr("a trace"));
    }
    if (m_shown.distribution->kind == Lengths::Kind::Percentiles)
        return tr("Lengths: by percentiles");
    const Json *list = m_shown.lengths.find("classes");
    const auto count = list ? static_cast<int>(list->items().size()) : 0;
    return count == 1 ? tr("Lengths: one class") : tr("Lengths: %1 classes").arg(count);
}

QStringList LengthsLine::caption() const {
    if (!m_shown.distribution)
        return {};
    const Lengths &lengths = *m_shown.distribution;
    const auto number = [](std::int64_t n) { return translated(writeNumber(n)); };
    QStringList parts;
    if (isTrace(m_shown))
        parts += lengths.count == 1 ? tr("1 request") : tr("%1 requests").arg(number(lengths.count));
    parts += tr("mean %1").arg(number(std::llround(lengths.mean)));
    if (lengths.kind != Lengths::Kind::Percentiles)
        parts += tr("p99 %1").arg(number(lengths.p99));
    if (lengths.p99 > m_shown.context.value)
        parts += tr("many beyond the context");
    return parts;
}

void LengthsLine::present(const Workload &workload) {
    m_shown = workload;
    const SharedLengths &lengths = workload.distribution;
    const bool percentiles = lengths && lengths->kind == Lengths::Kind::Percentiles;
    (!lengths ? m_alike : percentiles ? m_byPercentiles : lengths->kind == Lengths::Kind::Classes ? m_classes : m_trace)->setChecked(true);
    m_columns->setVisible(isTrace(workload));
    m_fold->setVisible(percentiles);
    if (percentiles) {
        m_percentiles = {lengths->p50, lengths->p90, lengths->p99};
        for (std::size_t i = 0; i < m_edits.size(); ++i) {
            const QSignalBlocker quiet(m_edits[i]);
            m_edits[i]->setValue(m_percentiles[i]);
        }
    }
    const QStringList parts = caption();
    m_caption->setVisible(!parts.isEmpty());
    m_caption->setParts(parts);
    const QString text = lineText();
    m_button->setAccessibleName(text);
    m_button->setToolTip(plainTip(text + QLatin1Char('\n') + m_button->accessibleDescription()));
    fitText();
}

void LengthsLine::fitText() {
    const QString sign = QStringLiteral(" ▾");
    const QFontMetrics metrics = m_button->fontMetrics();
    m_button->setText(metrics.elidedText(m_button->accessibleName(), Qt::ElideMiddle, std::max(em(6), width() - em(1.2) - metrics.horizontalAdvance(sign))) + sign);
}

void LengthsLine::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    fitText();
}

void LengthsLine::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange)
        present(Workload(m_shown));
}

} // namespace kv
