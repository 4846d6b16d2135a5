// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/partsums.h"

#include <algorithm>
#include <tuple>

namespace kv {

namespace {

void addTo(LayerSums &sums, const Tensor &tensor, Bytes stored) {
    auto it = std::ranges::find_if(
        sums, [&](const PartSum &sum) { return sum.kind == tensor.kind && sum.sixteenBit == tensor.sixteenBit; });
    if (it == sums.end())
        it = sums.insert(sums.end(), {tensor.kind, tensor.sixteenBit, 0, Bytes(0)});
    it->elements = checked::add(it->elements, tensor.elements());
    it->stored += stored;
}

} // namespace

LayerSums sumTensors(const std::vector<Tensor> &tensors, const StoragePlan &plan, Trunk trunk, std::int64_t layer) {
    LayerSums sums;
    sums.reserve(12);
    for (const Tensor &tensor : tensors) {
        const StoredAs &as = plan.storedBy(plan.ruleFor(trunk, layer, tensor));
        addTo(sums, tensor, as.bytes(tensor.rows, tensor.columns) * tensor.copies);
    }
    return sums;
}

LayerPricing::LayerPricing(std::vector<Tensor> tensors, const StoragePlan &plan) : m_tensors(std::move(tensors)), m_plan(plan) {
    m_standings.reserve(m_tensors.size());
    for (const Tensor &tensor : m_tensors)
        m_standings.push_back(plan.standing(Trunk::Layers, tensor));
}

const LayerSums &LayerPricing::sums(std::int64_t layer) {
    if (!m_priced.empty() && !m_plan.tellsLayersApart())
        return m_priced.front().sums;
    std::vector<std::size_t> rules(m_tensors.size());
    for (std::size_t i = 0; i < rules.size(); ++i)
        rules[i] = m_plan.ruleFor(Trunk::Layers, layer, m_tensors[i], m_standings[i]);
    const auto it = std::ranges::find(m_priced, rules, &Priced::rules);
    if (it != m_priced.end())
        return it->sums;
    LayerSums sums;
    sums.reserve(12);
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const Tensor &tensor = m_tensors[i];
        addTo(sums, tensor, m_plan.storedBy(rules[i]).bytes(tensor.rows, tensor.columns) * tensor.copies);
    }
    return m_priced.emplace_back(Priced{std::move(rules), std::move(sums)}).sums;
}

void PartJoiner::close(std::optional<Open> &open) {
    if (!open)
        return;
    open->part.elements = checked::mul(open->each.elements, open->part.layerCount);
    open->part.stored = open->each.stored * open->part.layerCount;
    m_parts.push_back(open->part);
    open.reset();
}

void PartJoiner::add(std::int64_t layer, const LayerSums &sums) {
    for (const PartSum &sum : sums) {
        std::optional<Open> &open = m_open[static_cast<std::size_t>(sum.kind) * 2 + (sum.sixteenBit ? 1 : 0)];
        if (open && layer >= 0 && open->each == sum && open->part.layer + open->part.layerCount == layer) {
            ++open->part.layerCount;
            continue;
        }
        close(open);
        open = Open{{sum.kind, static_cast<std::int32_t>(layer), 1, 0, Bytes(0), sum.sixteenBit}, sum};
    }
}

std::vector<WeightPart> PartJoiner::take() {
    for (std::optional<Open> &open : m_open)
        close(open);
    std::ranges::stable_sort(m_parts, {}, [](const WeightPart &p) { return std::tuple(p.kind, p.layer, p.sixteenBit); });
    return std::move(m_parts);
}

} // namespace kv
