// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/gpubars.h"

#include "core/hardware/gpu.h"
#include "ui/charts/niceaxis.h"
#include "ui/language/translate.h"

#include <QStringList>

#include <algorithm>
#include <map>
#include <tuple>

namespace kv {

namespace {

using Indices = std::vector<std::int64_t>;

QString fromUtf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

std::size_t at(MemoryKind kind) { return static_cast<std::size_t>(kind); }

bool inRange(const GpuPlan &gpu) {
    const std::array figures{gpu.memory, gpu.reserve, gpu.weights, gpu.overhead, gpu.kv, gpu.kvReserved, gpu.free};
    return std::ranges::all_of(figures, &Bytes::inRange);
}

auto likeness(const GpuPlan &g) {
    return std::tie(g.gpu, g.memory, g.reserve, g.weights, g.overhead, g.kv, g.kvReserved, g.free, g.kvReplicated, g.display, g.adapters, g.draftWeights);
}

/// The engine's own: what has a piece for itself left out.
Bytes ownOverhead(const GpuPlan &g) { return g.overhead - g.adapters - g.draftWeights - g.display; }

/// Pieces fill the memory up to the reserve; what is left of them then lies beyond the card.
void stack(GpuBar &bar) {
    const GpuPlan &g = bar.figures;
    const Bytes none{0};
    Bytes room = std::max(none, g.memory - g.reserve);
    const auto put = [&](MemoryKind kind, Bytes size) {
        const Bytes inside = std::clamp(size, none, room);
        bar.drawn[at(kind)] = inside;
        room -= inside;
    };
    put(MemoryKind::Weights, g.weights);
    put(MemoryKind::Extra, g.adapters + g.draftWeights);
    put(MemoryKind::Overhead, ownOverhead(g));
    put(MemoryKind::Display, g.display);
    put(MemoryKind::Kv, g.kv);
    put(MemoryKind::KvIdle, g.kvReserved - g.kv);
    put(MemoryKind::Free, room);
    bar.drawn[at(MemoryKind::Reserve)] = std::clamp(g.reserve, none, std::max(none, g.memory));
    bar.drawn[at(MemoryKind::Short)] = std::max(none, -g.free);
}

GpuBar hostBar(const HostPlan &host) {
    GpuBar bar;
    bar.host = true;
    bar.label = GpuBars::tr("Host");
    bar.card = GpuBars::tr("the computer's own memory");
    bar.gpus = 0;
    bar.figures.weights = host.weights;
    bar.figures.kv = host.kv;
    const Bytes none(0);
    Bytes room = host.memory.value_or(host.taken());
    for (const auto &[kind, size] : {std::pair(MemoryKind::Weights, host.weights), std::pair(MemoryKind::Kv, host.kv)}) {
        const Bytes inside = std::clamp(size, none, std::max(none, room));
        bar.drawn[at(kind)] = inside;
        room -= inside;
    }
    if (host.memory) {
        bar.figures.memory = *host.memory;
        bar.figures.free = *host.memory - host.taken();
        bar.drawn[at(MemoryKind::Short)] = std::max(none, -bar.figures.free);
    }
    return bar;
}

/// "GPU 0–7, 64–71, …": at most two runs of neighbours.
QString indexText(const Indices &indices) {
    QStringList runs;
    for (std::size_t first = 0; first < indices.size();) {
        std::size_t last = first;
        while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1)
            ++last;
        if (runs.size() == 2) {
            runs.append(QStringLiteral("…"));
            break;
        }
        runs.append(first == last ? QString::number(indices[first])
                                  : QStringLiteral("%1–%2").arg(indices[first]).arg(indices[last]));
        first = last + 1;
    }
    return listed(runs);
}

std::vector<std::pair<const GpuPlan *, Indices>> grouped(const std::vector<GpuPlan> &gpus) {
    std::vector<std::pair<const GpuPlan *, Indices>> groups;
    std::map<decltype(likeness(gpus.front())), std::size_t> known;
    const bool fold = gpus.size() > gpusBeforeFolding;
    for (const GpuPlan &gpu : gpus) {
        const auto [place, isNew] = known.emplace(likeness(gpu), groups.size());
        if (isNew || !fold) {
            place->second = groups.size();
            groups.emplace_back(&gpu, Indices{});
        }
        groups[place->second].second.push_back(gpu.index);
    }
    return groups;
}

/// What of the plan is an estimate, and its band where the engine's rule has one.
void takeEstimates(GpuBars &bars, const Plan &plan) {
    bars.withheld = !plan.engine.id.empty() && plan.engine.id != "textbook";
    bars.weightsEstimated = plan.weights.estimate;
    bool known = false;
    for (const auto &[name, value] : plan.engine.values)
        if (const auto *bytes = std::get_if<std::int64_t>(&value); bytes && name == "overhead_band_bytes") {
            bars.band = Bytes(*bytes);
            known = true;
        }
    const bool any = std::ranges::any_of(plan.gpus, [](const GpuPlan &gpu) { return ownOverhead(gpu) > Bytes(0); });
    for (const GpuPlan &gpu : plan.gpus) {
        bars.adapters |= gpu.adapters > Bytes(0);
        bars.draft |= gpu.draftWeights > Bytes(0);
    }
    bars.overheadEstimated = any && (known ? bars.band > Bytes(0) : plan.fit.estimate);
}

QString cardName(const std::string &id) {
    const Gpu *card = findGpu(id);
    return fromUtf8(card ? card->name : id);
}

} // namespace

Bytes GpuBar::end() const {
    Bytes sum;
    for (const Bytes piece : drawn)
        sum += piece;
    return sum;
}

bool GpuBar::operator==(const GpuBar &other) const {
    return label == other.label && card == other.card && gpus == other.gpus && host == other.host && drawn == other.drawn &&
           likeness(figures) == likeness(other.figures);
}

GpuBars gpuBars(const Plan &plan, SizeUnit unit) {
    GpuBars result;
    result.unit = unit;
    if (plan.refusal) {
        result.message = GpuBars::tr("Nothing to draw: %1").arg(translated(*plan.refusal));
        return result;
    }
    if (plan.gpus.empty() || !std::ranges::all_of(plan.gpus, inRange)) {
        result.message = plan.gpus.empty() ? GpuBars::tr("No GPU to draw.") : GpuBars::tr("A figure is out of range.");
        return result;
    }
    takeEstimates(result, plan);
    auto groups = grouped(plan.gpus);
    const bool unlike = std::ranges::any_of(plan.gpus, [&](const GpuPlan &g) { return g.gpu != plan.gpus.front().gpu; });
    if (groups.size() > mostBars) {
        std::ranges::stable_sort(groups, {}, [](const auto &group) { return group.first->free; });
        std::int64_t left = 0;
        for (std::size_t i = mostBars; i < groups.size(); ++i)
            left += static_cast<std::int64_t>(groups[i].second.size());
        result.note = GpuBars::tr("and %1 more GPUs, none of them fuller").arg(translated(writeNumber(left)));
        groups.resize(mostBars);
        std::ranges::sort(groups, {}, [](const auto &group) { return group.second.front(); });
    }
    for (const auto &[gpu, indices] : groups) {
        GpuBar bar;
        bar.figures = *gpu;
        bar.gpus = static_cast<std::int64_t>(indices.size());
        bar.card = cardName(gpu->gpu);
        bar.label = bar.gpus == 1 ? GpuBars::tr("GPU %1").arg(gpu->index)
                                  : GpuBars::tr("GPU %1 (%2 alike)").arg(indexText(indices), translated(writeNumber(bar.gpus)));
        if (unlike)
            bar.label += QStringLiteral(" · ") + bar.card;
        stack(bar);
        result.replicated |= gpu->kvReplicated;
        result.memory = std::max(result.memory, gpu->memory);
        result.bars.push_back(std::move(bar));
    }
    if (plan.host && plan.host->weights.inRange() && plan.host->kv.inRange() && plan.host->weights + plan.host->kv > Bytes{0})
        result.bars.push_back(hostBar(*plan.host));
    result.largest = result.memory;
    for (const GpuBar &bar : result.bars)
        result.largest = std::max(result.largest, bar.end());
    return result;
}

bool GpuBars::holds(MemoryKind kind) const {
    return std::ranges::any_of(bars, [kind](const GpuBar &bar) { return bar.length(kind) > Bytes{0}; });
}

QString GpuBars::kindName(MemoryKind kind) const {
    switch (kind) {
    case MemoryKind::Weights: return tr("Weights");
    case MemoryKind::Extra: return adapters && draft ? tr("Draft, LoRA") : draft ? tr("Draft model") : tr("LoRA slots");
    case MemoryKind::Overhead: return tr("Overhead");
    case MemoryKind::Display: return tr("Display");
    case MemoryKind::Kv: return holds(MemoryKind::KvIdle) ? tr("KV in use") : tr("KV cache");
    case MemoryKind::KvIdle: return tr("KV idle");
    case MemoryKind::Free: return tr("Free");
    case MemoryKind::Reserve: return withheld ? tr("Withheld") : tr("Reserve");
    case MemoryKind::Short: return tr("Short");
    }
    return {};
}

bool GpuBars::isEstimated(MemoryKind kind) const {
    return (kind == MemoryKind::Weights && weightsEstimated) || (kind == MemoryKind::Overhead && overheadEstimated);
}

QString GpuBars::nameWithBand(MemoryKind kind) const {
    if (!isEstimated(kind))
        return kindName(kind);
    if (kind == MemoryKind::Overhead && band > Bytes{0})
        return tr("%1 ± %2").arg(kindName(kind), translated(writeBytes(band, unit)));
    return tr("%1, estimated").arg(kindName(kind));
}

QString GpuBars::figureText(const GpuBar &bar, MemoryKind kind) const {
    if (figure(bar, kind) == kept)
        return QStringLiteral("?");
    QString size = translated(writeBytes(figure(bar, kind), unit));
    if (bar.host || !isEstimated(kind))
        return size;
    return kind == MemoryKind::Overhead && band > Bytes{0} ? tr("%1 ± %2").arg(size, translated(writeBytes(band, unit))) : tr("about %1").arg(size);
}

Bytes GpuBars::figure(const GpuBar &bar, MemoryKind kind) {
    switch (kind) {
    case MemoryKind::Weights: return bar.figures.weights;
    case MemoryKind::Extra: return bar.figures.adapters + bar.figures.draftWeights;
    case MemoryKind::Overhead: return ownOverhead(bar.figures);
    case MemoryKind::Display: return bar.figures.display;
    case MemoryKind::Kv: return bar.figures.kv;
    default: return bar.length(kind);
    }
}

QString GpuBars::pieceText(const GpuBar &bar, MemoryKind kind, const ScaledUnit &scaled) const {
    if (kind == MemoryKind::Short)
        return tr("short %1").arg(translated(writeBytesShort(bar.shortBy(), unit)));
    const Bytes drawn = bar.length(kind), whole = figure(bar, kind);
    if (whole == kept)
        return QStringLiteral("?");
    if (drawn == whole)
        return (isEstimated(kind) && !bar.host ? QStringLiteral("≈") : QString()) + translated(writeInUnit(drawn, scaled));
    return tr("%1 of %2").arg(translated(writeInUnit(drawn, scaled)), translated(writeInUnit(whole, scaled)));
}

GpuGhost gpuGhost(const QString &name, const Plan &plan, const GpuBars &beside) {
    GpuGhost ghost{name, {}};
    for (const GpuBar &bar : beside.bars) {
        const auto same = std::ranges::find_if(plan.gpus, [&bar](const GpuPlan &gpu) { return !bar.host && gpu.index == bar.figures.index; });
        if (same != plan.gpus.end() && inRange(*same))
            ghost.rows.push_back(GpuGhost::Row{same->weights, same->overhead, same->kv, same->memory});
        else
            ghost.rows.emplace_back();
    }
    return ghost;
}

QString GpuBars::ghostText(const GpuGhost::Row &row) const {
    return tr("%1: %2 of %3").arg(ghost ? ghost->name : QString(), translated(writeBytesShort(row.end(), unit)), translated(writeBytesShort(row.memory, unit)));
}

QString GpuBars::sentence(const GpuBar &bar) const {
    QStringList parts;
    for (int i = 0; i < memoryKinds; ++i) {
        const auto kind = static_cast<MemoryKind>(i);
        const Bytes size = figure(bar, kind);
        if (size > Bytes{0})
            parts.append(QStringLiteral("%1 %2").arg(kindName(kind), figureText(bar, kind)));
    }
    if (bar.figures.kvReplicated)
        parts.append(tr("its KV repeats another GPU's"));
    const QString held = parts.isEmpty() ? tr("nothing") : listed(parts);
    if (bar.figures.memory == Bytes(0)) // a host of which nothing was said
        return tr("%1: %2.").arg(bar.label, held);
    return tr("%1, %2 of memory: %3.").arg(bar.label, translated(writeBytes(bar.figures.memory, unit)), held);
}

QString GpuBars::description() const {
    if (bars.empty())
        return message;
    constexpr std::size_t mostSentences = 4;
    QStringList sentences;
    const bool alike = std::ranges::all_of(bars, [this](const GpuBar &b) {
        return !b.host && likeness(b.figures) == likeness(bars.front().figures);
    });
    if (alike && bars.size() > 1)
        sentences.append(tr("%1 GPUs alike.").arg(bars.size()));
    for (std::size_t i = 0; i < (alike ? 1 : std::min(mostSentences, bars.size())); ++i)
        sentences.append(sentence(bars[i]));
    if (!alike && bars.size() > mostSentences)
        sentences.append(tr("The table has %1 bars in all.").arg(bars.size()));
    if (!note.isEmpty())
        sentences.append(note);
    if (ghost && !ghost->rows.empty() && ghost->rows.front())
        sentences.append(ghostText(*ghost->rows.front()) + joint("."));
    return sentences.join(QLatin1Char(' '));
}

} // namespace kv
