// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tiles.h"

#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QGridLayout>

#include <algorithm>

namespace kv {

namespace {

SizeUnit other(SizeUnit unit) { return unit == SizeUnit::Decimal ? SizeUnit::Binary : SizeUnit::Decimal; }

QString size(Bytes bytes, SizeUnit unit) { return translated(writeBytes(bytes, unit)); }
QString number(std::int64_t n) { return translated(writeNumber(n)); }

/// "42.9 GB · 40 GiB · 42,949,672,960 B"
QString exactly(Bytes bytes) {
    return QStringLiteral("%1 · %2 · %3 B").arg(size(bytes, SizeUnit::Decimal), size(bytes, SizeUnit::Binary), number(bytes.value));
}

Figure perToken(const Plan &plan, SizeUnit unit) {
    const Bytes bytes = plan.kv.perToken;
    Figure f{Tiles::tr("KV per token"), size(bytes, unit), {}, Tiles::tr("One token at all layers: %1").arg(exactly(bytes))};
    const QString written = size(bytes, other(unit)), exact = number(bytes.value) + QStringLiteral(" B");
    f.detail = written == exact || written == f.value ? exact : written + QStringLiteral(" · ") + exact;
    if (plan.kv.perTokenMarginal != bytes)
        f.tip += Tiles::tr("\nThe next token adds %1 B.").arg(number(plan.kv.perTokenMarginal.value));
    return f;
}

/// What a sequence takes of the fullest GPU by the engine's rules; 0 for the textbook, and where sequences share a prefix or have unlike lengths.
Bytes keptOnAGpu(const Scenario &scenario, const Plan &plan) {
    const std::int64_t sequences = checked::ceilDiv(scenario.workload.sequences.value, plan.replicas);
    if (plan.engine.id == "textbook" || scenario.workload.sharedPrefix > Tokens(0) || scenario.workload.distribution || sequences <= 0)
        return Bytes(0);
    Bytes most;
    for (const GpuPlan &gpu : plan.gpus)
        most = std::max(most, gpu.kv);
    return Bytes(checked::floorDiv(most.value, sequences));
}

Figure perSequence(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    const std::int64_t tokens = scenario.workload.context.value;
    Figure f{Tiles::tr("KV per sequence"), size(plan.kv.perSequence, unit), tokens == 1 ? Tiles::tr("at one token") : Tiles::tr("at %1 tokens").arg(number(tokens)),
             Tiles::tr("One sequence of %1 tokens: %2").arg(number(tokens), exactly(plan.kv.perSequence))};
    if (plan.kv.fixedPerSequence != Bytes(0))
        f.tip += Tiles::tr("\nOf it whatever the length: %1").arg(exactly(plan.kv.fixedPerSequence));
    const Bytes kept = keptOnAGpu(scenario, plan);
    if (kept == Bytes(0))
        return f;
    f.tip += Tiles::tr("\nThis is what the attention must keep. The engine takes for it on the fullest GPU: %1").arg(exactly(kept));
    if (kept * 50 > plan.kv.perSequence * 51) // more than pages round up: windows in full, states, padding
        f.detail = Tiles::tr("%1 on a GPU").arg(size(kept, unit));
    return f;
}

Figure inAll(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    const std::int64_t sequences = scenario.workload.sequences.value;
    const QString counted = sequences == 1 ? Tiles::tr("1 sequence") : Tiles::tr("%1 sequences").arg(number(sequences));
    return {Tiles::tr("KV in all"), size(plan.kv.total, unit), counted,
            Tiles::tr("%1 on all GPUs: %2").arg(counted, exactly(plan.kv.total))};
}

Figure weights(const Plan &plan, SizeUnit unit) {
    const bool unknown = plan.weights.source == WeightSource::Unknown;
    Figure f{Tiles::tr("Weights"), unknown ? Tiles::tr("not known") : size(plan.weights.total, unit), translated(weightSourceName(plan.weights.source)), {}};
    if (plan.weights.estimate && !unknown)
        f.detail = Tiles::tr("estimate · ") + translated(plan.weights.scheme);
    if (unknown)
        f.detail = Tiles::tr("give them by hand");
    f.tip = Tiles::tr("Weights, %1, %2: %3").arg(translated(plan.weights.scheme), translated(weightSourceName(plan.weights.source)), exactly(plan.weights.total));
    if (plan.replicas > 1)
        f.tip += Tiles::tr("\nOne of %1 replicas.").arg(number(plan.replicas));
    return f;
}

/// How short one GPU is: all alike, or which one is the fullest.
QString shortPerGpu(const Plan &plan, SizeUnit unit) {
    const auto fullest = std::ranges::min_element(plan.gpus, {}, &GpuPlan::free);
    if (fullest == plan.gpus.end())
        return {};
    const QString missing = size(std::max(Bytes(0), -fullest->free), unit);
    const bool alike = std::ranges::all_of(plan.gpus, [&](const GpuPlan &gpu) { return gpu.free == fullest->free; });
    return alike ? Tiles::tr("%1 a GPU").arg(missing) : Tiles::tr("%1 on GPU %2").arg(missing).arg(fullest->index);
}

Figure leftFree(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    Bytes free, missing;
    for (const GpuPlan &gpu : plan.gpus)
        (gpu.free < Bytes(0) ? missing : free) += gpu.free < Bytes(0) ? -gpu.free : gpu.free;
    if (missing > Bytes(0) || !plan.fit.fits) {
        Figure f{Tiles::tr("Short by"), size(missing, unit), shortPerGpu(plan, unit), Tiles::tr("Memory that is missing: %1").arg(exactly(missing)), true};
        const auto shortOnes = std::ranges::count_if(plan.gpus, [](const GpuPlan &gpu) { return gpu.free < Bytes(0); });
        if (shortOnes > 0 && shortOnes < std::ssize(plan.gpus))
            f.tip += Tiles::tr("\nOn %1 of %2 GPUs; the others have memory left that does not help them.").arg(number(shortOnes), number(std::ssize(plan.gpus)));
        return f;
    }
    Figure f{Tiles::tr("Left free"), size(free, unit), Tiles::tr("of all GPUs"), Tiles::tr("Memory that stays free: %1").arg(exactly(free))};
    if (scenario.engine.id == "textbook") {
        const auto tenths = checked::mulDiv(scenario.hardware.reserve, 1000, fractionOne);
        f.detail = Tiles::tr("after %1 % reserve").arg(tenths % 10 == 0 ? QString::number(tenths / 10) : localNumbers(QString::number(static_cast<double>(tenths) / 10)));
    }
    return f;
}

Figure longest(const Scenario &scenario, const Plan &plan) {
    const std::int64_t sequences = scenario.workload.sequences.value;
    Figure f{Tiles::tr("Longest context"), QStringLiteral("–"), Tiles::tr("not known"), {}};
    if (!plan.fit.maxContext)
        return f;
    const std::int64_t most = *plan.fit.maxContext;
    f.value = number(most);
    const bool limit = plan.model && plan.model->maxContext && plan.model->maxContext->value == most;
    f.detail = most == 0 ? Tiles::tr("none fits")
               : limit   ? Tiles::tr("the model’s limit")
                         : sequences == 1 ? Tiles::tr("for 1 sequence") : Tiles::tr("for %1 sequences").arg(number(sequences));
    f.tip = Tiles::tr("The longest context at which %1 sequences fit: %2 tokens.").arg(number(sequences), f.value);
    f.bad = most == 0;
    return f;
}

} // namespace

std::array<Figure, 6> figuresOf(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    return {perToken(plan, unit), perSequence(scenario, plan, unit), inAll(scenario, plan, unit),
            weights(plan, unit),  leftFree(scenario, plan, unit),    longest(scenario, plan)};
}

Tiles::Tiles(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    constexpr const char *names[]{"tileKvPerToken", "tileKvPerSequence", "tileKvTotal", "tileWeights", "tileFree", "tileLongestContext"};
    for (std::size_t i = 0; i < m_tiles.size(); ++i)
        m_tiles[i] = new Tile(QLatin1String(names[i]), this);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(em(0.5));
    arrange();
}

void Tiles::present(const std::array<Figure, 6> &figures, const std::array<Figure, 6> *ghost) {
    for (std::size_t i = 0; i < m_tiles.size(); ++i) {
        const bool told = ghost && ((*ghost)[i].value != figures[i].value || (*ghost)[i].name != figures[i].name);
        // What is short here may be left free there: then the name is needed to tell the two apart.
        const QString name = told && (*ghost)[i].name != figures[i].name ? (*ghost)[i].name.toLower() + QLatin1Char(' ') : QString();
        m_tiles[i]->present(figures[i], told ? QStringLiteral("→ %1%2").arg(name, (*ghost)[i].value) : QString());
    }
    fit();
}

void Tiles::presentNothing() {
    constexpr const char *names[]{QT_TR_NOOP("KV per token"), QT_TR_NOOP("KV per sequence"), QT_TR_NOOP("KV in all"),
                                  QT_TR_NOOP("Weights"),      QT_TR_NOOP("Left free"),       QT_TR_NOOP("Longest context")};
    for (std::size_t i = 0; i < m_tiles.size(); ++i)
        m_tiles[i]->present({tr(names[i]), QStringLiteral("–"), {}, {}});
}

void Tiles::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_stacked = false;
    fit();
}

void Tiles::fit() {
    const int each = (width() - 2 * m_grid->spacing()) / 3;
    if (m_compact && !m_stacked)
        m_stacked = std::ranges::any_of(m_tiles, [each](const Tile *tile) { return !tile->fitsBeside(each); });
    for (Tile *tile : m_tiles)
        tile->setArrangement(!m_compact ? Tile::Arrangement::Upright : m_stacked ? Tile::Arrangement::Stacked : Tile::Arrangement::Side);
}

void Tiles::setCompact(bool compact) {
    if (compact == m_compact)
        return;
    m_compact = compact;
    arrange();
}

void Tiles::arrange() {
    const int columns = m_compact ? 3 : 6;
    for (int i = 0; i < 6; ++i) {
        Tile *tile = m_tiles[static_cast<std::size_t>(i)];
        m_grid->removeWidget(tile);
        m_grid->addWidget(tile, i / columns, i % columns);
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    }
    fit();
}

} // namespace kv
