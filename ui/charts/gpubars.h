#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the chart of the GPUs' memory shows, as values: its bars, their pieces and all its words. No painting here.
//
// A bar's pieces add up to the card's memory, plus what is short. What does not fit is drawn beyond the card's limit, in the
// length of −free, so that the drawn excess is the number written on it; the pieces inside then end at memory − reserve.
// The idle part of the KV reservation is taken out of the free memory, which GpuPlan::free still counts it in.
// Above 16 GPUs those with the same figures share one bar. Of more than 48 different bars the 48 with the least free are shown.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "ui/charts/chartstyle.h"

#include <QCoreApplication>
#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace kv {

inline constexpr std::size_t gpusBeforeFolding = 16;
inline constexpr std::size_t mostBars = 48;

struct GpuBar {
    QString label; ///< "GPU 0", "GPU 0–15 (16 alike)", "Host"
    QString card;  ///< the card's name
    std::int64_t gpus = 1;
    bool host = false; ///< the computer's own memory: no limit known
    GpuPlan figures;
    std::array<Bytes, memoryKinds> drawn; ///< the length of each piece, by MemoryKind

    Bytes length(MemoryKind kind) const { return drawn[static_cast<std::size_t>(kind)]; }
    Bytes shortBy() const { return length(MemoryKind::Short); }
    Bytes end() const; ///< where the last piece ends
    bool operator==(const GpuBar &other) const;
};

/// What another scenario would put on the same cards, row by row: drawn beside the bars, never what the axis is made for.
struct GpuGhost {
    struct Row {
        Bytes weights, overhead, kv, memory;
        Bytes end() const { return weights + overhead + kv; }
        bool operator==(const Row &) const = default;
    };
    QString name;
    std::vector<std::optional<Row>> rows; ///< as the bars; nothing where the other has no such GPU

    bool operator==(const GpuGhost &) const = default;
};

struct GpuBars {
    Q_DECLARE_TR_FUNCTIONS(kv::GpuBars)

public:
    std::vector<GpuBar> bars;
    SizeUnit unit = SizeUnit::Decimal;
    QString message;        ///< instead of bars, where there is nothing to draw
    QString note;           ///< under the bars: what is not shown
    bool replicated = false; ///< some GPU repeats another's KV
    bool withheld = false;   ///< the reserve is what an engine's own setting keeps from it
    bool adapters = false, draft = false; ///< what lies beside the weights
    bool weightsEstimated = false, overheadEstimated = false;
    Bytes band; ///< of the estimated overhead, either way; 0: not known
    std::optional<GpuGhost> ghost;
    std::optional<Bytes> kept{}; ///< a figure that is asked for: "?" stands in its place
    Bytes memory;  ///< the largest card's
    Bytes largest; ///< the longest bar or card

    bool holds(MemoryKind kind) const;
    bool anyShort() const { return holds(MemoryKind::Short); }
    QString kindName(MemoryKind kind) const;
    bool isEstimated(MemoryKind kind) const;
    /// The kind's name, and where its figures are estimates how far they reach: "Overhead ± 0.6 GB".
    QString nameWithBand(MemoryKind kind) const;
    /// A piece's whole figure: "7.9 GB ± 0.6 GB".
    QString figureText(const GpuBar &bar, MemoryKind kind) const;
    /// What is written inside a piece: "53.7", "54.4 of 128.9" where only a part is inside, "short 70.2 GB".
    QString pieceText(const GpuBar &bar, MemoryKind kind, const ScaledUnit &scaled) const;
    /// The figure that a piece stands for: the whole of it where only a part is drawn inside.
    static Bytes figure(const GpuBar &bar, MemoryKind kind);
    /// "FP8 cache: 44.5 of 80 GB"
    QString ghostText(const GpuGhost::Row &row) const;
    QString sentence(const GpuBar &bar) const; ///< one bar in words
    QString description() const;               ///< the chart in words
    bool operator==(const GpuBars &) const = default;
};

GpuBars gpuBars(const Plan &plan, SizeUnit unit);
/// The other plan's GPUs beside these bars: of the same number where there is one.
GpuGhost gpuGhost(const QString &name, const Plan &plan, const GpuBars &beside);

} // namespace kv
