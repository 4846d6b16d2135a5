// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/mistakes.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <array>
#include <functional>

namespace kv {

namespace {

constexpr std::array<std::string_view, 7> ids{"query-heads", "keys-only", "hidden-over-heads", "windows-in-full", "states-as-attention", "latent-as-heads", "gib-as-gb"};

/// The heads of a part that keeps keys and values by head, nullptr for the others.
HeadShape *headsOf(CachePart &part) {
    if (auto *full = std::get_if<FullAttention>(&part))
        return &full->heads;
    if (auto *window = std::get_if<SlidingWindow>(&part))
        return &window->heads;
    if (auto *chunk = std::get_if<ChunkedAttention>(&part))
        return &chunk->heads;
    return nullptr;
}

CacheCount count(const std::vector<LayerShape> &shapes, const Scenario &scenario, const CacheTypes &types) {
    CacheCount sum;
    for (const LayerShape &shape : shapes) {
        for (const CachePart &part : shape.parts) {
            sum.perToken = sum.perToken + bytesPerToken(part, types) * shape.count;
            sum.perSequence = sum.perSequence + (bytesAt(part, scenario.workload.context, types) + fixedBytes(part, types)) * shape.count;
        }
    }
    sum.total = sum.perSequence * scenario.workload.sequences.value;
    return sum;
}

using Shapes = std::vector<LayerShape>;

class Sheet {
public:
    Sheet(const Scenario &scenario, const Plan &plan) : m_scenario(scenario), m_model(*plan.model), m_types(plan.kv.types) {
        m_sheet.right = count(m_model.shapes, scenario, m_types);
    }

    /// Every part with its mistake made.
    void each(std::string_view id, std::string name, std::string_view why, const std::function<void(CachePart &)> &mistake) {
        Shapes shapes = m_model.shapes;
        for (LayerShape &shape : shapes)
            for (CachePart &part : shape.parts)
                mistake(part);
        add(id, std::move(name), why, std::move(shapes));
    }

    void add(std::string_view id, std::string name, std::string_view why, std::vector<LayerShape> shapes) {
        const CacheCount counted = count(shapes, m_scenario, m_types);
        add(id, std::move(name), why, counted, std::move(shapes));
    }

    void add(std::string_view id, std::string name, std::string_view why, CacheCount counted, std::vector<LayerShape> shapes = {}) {
        if (counted != m_sheet.right && counted.total.inRange())
            m_sheet.mistakes.push_back({id, std::move(name), why, counted, std::move(shapes)});
    }

    MistakeSheet take() { return std::move(m_sheet); }
    const CacheCount &right() const { return m_sheet.right; }

private:
    const Scenario &m_scenario;
    const ModelSpec &m_model;
    CacheTypes m_types;
    MistakeSheet m_sheet;
};

/// A hybrid taken for a plain transformer: the first attention of the model at every layer.
void addStates(Sheet &sheet, const ModelSpec &model) {
    const auto isState = [](const LayerShape &shape) {
        return std::ranges::any_of(shape.parts, [](const CachePart &part) { return kindOf(part) == CacheKind::State; });
    };
    const auto attention = std::ranges::find_if(model.shapes, [&](const LayerShape &shape) { return !shape.parts.empty() && !isState(shape); });
    if (attention == model.shapes.end() || std::ranges::none_of(model.shapes, isState))
        return;
    LayerShape all = *attention;
    all.count = model.layerCount();
    sheet.add("states-as-attention", "all " + writeNumber(model.layerCount()) + " layers counted as attention",
              "Most layers of this model keep a state of fixed size; only its attention layers keep something for every token.", Shapes{all});
}

} // namespace

const Mistake *MistakeSheet::find(std::string_view id) const {
    const auto found = std::ranges::find(mistakes, id, &Mistake::id);
    return found == mistakes.end() ? nullptr : &*found;
}

std::optional<Scenario> asMistaken(const Scenario &scenario, const Plan &plan, const Mistake &mistake) {
    if (mistake.shapes.empty())
        return std::nullopt;
    auto model = std::make_shared<ModelSpec>(*plan.model);
    model->shapes = mistake.shapes;
    if (model->shapes.size() == 1)
        std::ranges::fill(model->layers, std::uint16_t{0}); // all alike
    Scenario mistaken = scenario;
    mistaken.model.spec = std::move(model);
    return mistaken;
}

std::span<const std::string_view> mistakeIds() { return ids; }

MistakeSheet mistakesOf(const Scenario &scenario, const Plan &plan) {
    const ModelSpec &model = *plan.model;
    Sheet sheet(scenario, plan);
    if (model.queryHeads > model.kvHeads && model.kvHeads > 0)
        sheet.each("query-heads", writeNumber(model.queryHeads) + " query heads in the place of " + writeNumber(model.kvHeads) + " KV heads",
                   "Several query heads read one key and value; only the KV heads are kept.", [&](CachePart &part) {
                       if (HeadShape *heads = headsOf(part))
                           heads->kvHeads = std::max(heads->kvHeads, model.queryHeads);
                   });
    sheet.each("keys-only", "keys alone, the factor two forgotten", "Every token keeps a key and a value.", [](CachePart &part) {
        if (HeadShape *heads = headsOf(part))
            heads->valueSize = 0;
    });
    if (model.queryHeads > 0 && model.hidden > 0)
        sheet.each("hidden-over-heads", "head dim taken as " + writeNumber(model.hidden) + " ÷ " + writeNumber(model.queryHeads) + " = " + writeNumber(model.hidden / model.queryHeads),
                   "This model states its head dim; it is not the hidden size over the heads.", [&](CachePart &part) {
                       if (HeadShape *heads = headsOf(part))
                           heads->keySize = heads->valueSize = model.hidden / model.queryHeads;
                   });
    sheet.each("windows-in-full", "windows ignored, every layer kept whole", "A layer with a window forgets what has left it.", [](CachePart &part) {
        if (kindOf(part) == CacheKind::Window || kindOf(part) == CacheKind::Chunked)
            part = FullAttention{*headsOf(part)};
    });
    addStates(sheet, model);
    sheet.each("latent-as-heads", "the latent taken for keys and values of every head", "All heads read one latent, which alone is kept.", [](CachePart &part) {
        if (const auto *latent = std::get_if<LatentAttention>(&part); latent && latent->expanded.kvHeads > 0)
            part = FullAttention{latent->expanded};
    });
    const CacheCount right = sheet.right();
    sheet.add("gib-as-gb", "GiB read as GB", "A GiB is 7.4 % more than a GB.",
              {right.perToken, Bytes(checked::mulDiv(right.perSequence.value, gigabyte, gibibyte)), Bytes(checked::mulDiv(right.total.value, gigabyte, gibibyte))});
    return sheet.take();
}

} // namespace kv
