// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From tensors to WeightParts: the tensors of a layer are priced by the storage plan and summed by kind, and layers that follow each other
// with equal sums of a kind become one part. Layers of one form have one price, unless the checkpoint's lists tell layers apart: then those
// that the same rules take do.

#include "core/weights/checkpoint.h"
#include "core/weights/tensors.h"

#include <array>
#include <optional>
#include <vector>

namespace kv {

/// What one layer holds of one kind.
struct PartSum {
    WeightPartKind kind{};
    bool sixteenBit = false;
    std::int64_t elements = 0;
    Bytes stored;

    bool operator==(const PartSum &) const = default;
};
using LayerSums = std::vector<PartSum>;

LayerSums sumTensors(const std::vector<Tensor> &tensors, const StoragePlan &plan, Trunk trunk, std::int64_t layer);

/// The layers of one form: their tensors once, their sums once for each set of rules that takes them.
class LayerPricing {
public:
    LayerPricing(std::vector<Tensor> tensors, const StoragePlan &plan);
    const LayerSums &sums(std::int64_t layer);

private:
    struct Priced {
        std::vector<std::size_t> rules;
        LayerSums sums;
    };
    std::vector<Tensor> m_tensors;
    std::vector<TensorStanding> m_standings;
    const StoragePlan &m_plan;
    std::vector<Priced> m_priced;
};

/// Joins layers into parts; layers come in ascending order.
class PartJoiner {
public:
    void add(std::int64_t layer, const LayerSums &sums);
    /// The parts, by kind and then by layer.
    std::vector<WeightPart> take();

private:
    struct Open {
        WeightPart part;
        PartSum each;
    };
    static constexpr std::size_t kinds = static_cast<std::size_t>(WeightPartKind::Vision) + 1;
    void close(std::optional<Open> &open);

    std::array<std::optional<Open>, kinds * 2> m_open;
    std::vector<WeightPart> m_parts;
};

} // namespace kv
