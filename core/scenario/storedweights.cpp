// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/storedweights.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr std::array readFromFiles{WeightSource::SafetensorsHeaders, WeightSource::SafetensorsIndex, WeightSource::GgufTable};

/// Scales the parts to a new total, each rounded down; the largest takes what is left over.
void scaleParts(std::vector<WeightPart> &parts, Bytes from, Bytes to) {
    if (parts.empty() || from.value <= 0 || from == to)
        return;
    Bytes rest = to;
    for (WeightPart &part : parts) {
        part.stored = Bytes(checked::mulDiv(part.stored.value, to.value, from.value));
        rest -= part.stored;
    }
    std::ranges::max_element(parts, {}, [](const WeightPart &part) { return part.stored.value; })->stored += rest;
}

} // namespace

Json storedWeights(const ModelSpec &model) {
    if (std::ranges::find(readFromFiles, model.weights.source) == readFromFiles.end())
        return {};
    Json out = Json::object();
    out.set("bytes", model.weights.stored.value);
    out.set("source", weightSourceName(model.weights.source));
    if (!model.weights.scheme.empty())
        out.set("scheme", model.weights.scheme);
    return out;
}

std::shared_ptr<const ModelSpec> withStoredWeights(const std::shared_ptr<const ModelSpec> &model, const Json &stored) {
    const Json *bytes = stored.find("bytes");
    const Json *source = stored.find("source");
    if (!bytes || bytes->kind() != Json::Kind::Integer || bytes->integer() < 0 || !source || !source->isString())
        return model;
    const auto known = std::ranges::find_if(readFromFiles, [&](WeightSource one) { return source->text() == weightSourceName(one); });
    if (known == readFromFiles.end())
        return model;
    auto changed = std::make_shared<ModelSpec>(*model);
    WeightSpec &weights = changed->weights;
    scaleParts(weights.parts, weights.stored, Bytes(bytes->integer()));
    weights.stored = Bytes(bytes->integer());
    weights.source = *known;
    weights.checked = true;
    if (const Json *scheme = stored.find("scheme"); scheme && scheme->isString())
        weights.scheme = scheme->text();
    return changed;
}

} // namespace kv
