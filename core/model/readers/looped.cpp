// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/readers/looped.h"

#include "core/base/quantity.h"
#include "core/model/readers/attention.h"
#include "core/model/readers/shape.h"

#include <algorithm>

namespace kv {

namespace {

constexpr Range runRange{1, 1024};

std::vector<CachePart> repeated(const std::vector<CachePart> &once, std::int64_t runs) {
    std::vector<CachePart> parts;
    parts.reserve(once.size() * static_cast<std::size_t>(runs));
    for (std::int64_t i = 0; i < runs; ++i)
        parts.insert(parts.end(), once.begin(), once.end());
    return parts;
}

/// More caches than any model has layers are no model.
bool inRange(Reader &reader, std::string_view key, std::int64_t caches) {
    if (caches <= layerRange.most)
        return true;
    reader.refuse("range", reader.at(key), writeNumber(caches) + " caches of layers and their runs are out of range: at most " + writeNumber(layerRange.most));
    return false;
}

/// Of a number that is no fact of its own.
void noteFilled(Reader &reader, const Whole &number) {
    if (number.origin != Origin::ClassDefault)
        return;
    const std::string filled = std::string(number.key) + " " + writeNumber(number.value);
    reader.warn("class-default", reader.at(number.key), "left out in the file, taken from the defaults of model type " + std::string(reader.type()) + ": " + filled);
}

} // namespace

void readUniversal(Reader &reader) {
    constexpr std::int64_t classDefault = 4;
    Whole steps = reader.whole({"total_ut_steps"}, runRange, Fill::Never);
    if (!steps) {
        steps = {Whole::Said::Value, classDefault, Origin::ClassDefault, "total_ut_steps"};
        noteFilled(reader, steps);
    }
    readAttentionModel(reader, Pattern::Plain, 0);
    ModelSpec &spec = reader.spec();
    if (reader.failed() || !inRange(reader, steps.key, checked::mul(spec.layerCount(), steps.value)))
        return;
    for (LayerShape &shape : spec.shapes)
        shape.parts = repeated(shape.parts, steps.value);
    const auto layers = std::ranges::find(spec.facts, Role::Layers, &Fact::role);
    if (layers != spec.facts.end() && steps.value > 1)
        layers->trap = "each is run " + writeNumber(steps.value) + " times (" + std::string(steps.key) + ") and keeps a cache of each run";
}

void readHrmText(Reader &reader) {
    const Whole high = reader.whole({"H_cycles"}, runRange), low = reader.whole({"L_cycles"}, runRange);
    const Whole all = reader.whole({"num_hidden_layers", "num_layers"}, layerRange, reader.essential());
    const Whole own = reader.whole({"num_layers_per_stack"}, layerRange);
    const Whole &stack = own ? own : all;
    reader.need(high, "H_cycles");
    reader.need(low, "L_cycles");
    reader.need(stack, "num_hidden_layers");
    ModelShape shape;
    if (!readShape(reader, shape, {.layersKnown = true}))
        return;
    noteFilled(reader, high);
    noteFilled(reader, low);
    const std::int64_t caches = checked::mul(checked::mul(stack.value, high.value), low.value + 1);
    if (!inRange(reader, stack.key, caches))
        return;
    if (own && all && all.value != caches && all.value != own.value) {
        reader.refuse("contradiction", reader.at(all.key), writeNumber(all.value) + " is neither the " + counted(own.value, "layer") + " of one stack ("
                          + reader.at(own.key) + ") nor the " + writeNumber(caches) + " caches of H_cycles × (L_cycles + 1) runs of it");
        return;
    }
    reader.addDerived(Role::Layers, checked::mul(2, stack.value), "2 stacks × " + reader.at(stack.key) + " " + writeNumber(stack.value),
                      "those of one stack are run " + writeNumber(high.value * low.value) + " times, of the other " + writeNumber(high.value)
                          + " times, and keep a cache of each run");
    const std::vector<CachePart> once{FullAttention{shape.heads}};
    for (const std::int64_t runs : {high.value * low.value, high.value})
        for (std::int64_t i = 0; i < stack.value; ++i)
            reader.spec().addLayer(repeated(once, runs));
}

} // namespace kv
