// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/headerweights.h"

#include "core/weights/weighttypes.h"

#include <algorithm>
#include <limits>

namespace kv {

namespace {

/// Types in which one stored number need not be one parameter.
bool isReduced(std::string_view dtype) {
    return safetensorsBits(dtype) < 16 || dtype.starts_with("I") || dtype.starts_with("U");
}

std::int64_t elementsOf(const std::vector<WeightPart> &parts, WeightPartKind kind) {
    std::int64_t sum = 0;
    for (const WeightPart &part : parts)
        if (part.kind == kind)
            sum = checked::add(sum, part.elements);
    return sum;
}

/// A config that says nothing of quantisation gives the weights' label by its dtype, which small types in the files belie.
bool isPlain(std::string_view scheme) {
    return std::ranges::any_of(weightTypes(), [scheme](const WeightType &type) { return type.group == WeightTypeGroup::Plain && type.label == scheme; });
}

/// Gives the parts of each kind the elements that were counted for it, by their share of the bytes.
void takeCountedElements(std::vector<WeightPart> &parts, const std::vector<WeightPart> &counted) {
    std::map<WeightPartKind, Bytes> stored;
    for (const WeightPart &part : parts)
        stored[part.kind] += part.stored;
    std::map<WeightPartKind, std::int64_t> left, known;
    for (auto &[kind, bytes] : stored)
        left[kind] = known[kind] = elementsOf(counted, kind);
    for (WeightPart &part : parts) {
        const std::int64_t all = known[part.kind];
        Bytes &bytes = stored[part.kind];
        if (all <= 0 || bytes.value <= 0)
            continue;
        // The last of a kind takes what rounding left.
        part.elements = checked::mulDiv(left[part.kind], part.stored.value, bytes.value);
        left[part.kind] -= part.elements;
        bytes -= part.stored;
    }
}

} // namespace

void HeaderWeights::add(const SafetensorsFile &file) {
    const std::int64_t trunk = m_spec.layerCount() > 0 ? m_spec.layerCount() : std::numeric_limits<std::int32_t>::max();
    for (const SafetensorsTensor &tensor : file.tensors) {
        m_sums.add(hubTensorPlace(tensor.name, trunk), tensor.elements, tensor.stored());
        m_byDtype[tensor.dtype] += tensor.stored();
        if (isReduced(tensor.dtype))
            m_reduced += tensor.stored();
    }
}

WeightSpec HeaderWeights::weights() const {
    const WeightSpec &counted = m_spec.weights;
    const bool reduced =
        m_reduced.value > m_sums.stored().value / 100; // a list of positions in whole numbers is no quantisation
    WeightSpec weights;
    weights.parts = m_sums.parts();
    weights.stored = m_sums.stored();
    weights.allElements = m_sums.allElements();
    weights.parameters = m_sums.textElements();
    if (m_spec.tiedEmbeddings) // stored twice or once, the parameters are the same
        weights.parameters -= elementsOf(weights.parts, WeightPartKind::Head);
    if (reduced) {
        takeCountedElements(weights.parts, counted.parts);
        weights.parameters = counted.parameters;
        weights.allElements = counted.allElements;
    }
    weights.activeParameters =
        activeParameters(weights.parts, weights.parameters, m_spec.experts, m_spec.expertsPerToken);
    // Of the model's shape, which tensors' names do not tell: a GGUF mix goes by it.
    weights.family = counted.family;
    weights.gated = counted.gated;
    weights.experts = counted.experts;
    weights.expertWidth = counted.expertWidth;
    weights.queryGroup = counted.queryGroup;
    weights.rows = counted.rows;
    weights.linear = counted.linear;
    weights.draft = counted.draft;
    weights.source = WeightSource::SafetensorsHeaders;
    weights.scheme = reduced && !counted.scheme.empty() && !isPlain(counted.scheme) ? counted.scheme : scheme();
    return weights;
}

/// "BF16", "FP8" where most is, or the types by their share: "BF16 95 %, F32 4 %".
std::string HeaderWeights::scheme() const {
    std::vector<std::pair<std::string_view, Bytes>> list(m_byDtype.begin(), m_byDtype.end());
    std::ranges::sort(list, std::ranges::greater(), &std::pair<std::string_view, Bytes>::second);
    if (!list.empty() && list.front().first.starts_with("F8_E"))
        return "FP8";
    if (list.size() == 1)
        return std::string(list.front().first);
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 3); ++i)
        if (const std::int64_t percent =
                checked::mulDiv(list[i].second.value, 100, std::max<std::int64_t>(stored().value, 1));
            percent > 0)
            text += (text.empty() ? "" : ", ") + std::string(list[i].first) + " " + std::to_string(percent) + " %";
    return text;
}

WeightSpec weightsOfTotal(const WeightSpec &counted, Bytes total) {
    WeightSpec weights = counted;
    Bytes left = total, before = counted.stored;
    for (WeightPart &part : weights.parts) {
        const Bytes was = part.stored;
        part.stored = before.value > 0 ? Bytes(checked::mulDiv(left.value, was.value, before.value)) : Bytes(0);
        left -= part.stored;
        before -= was;
    }
    weights.stored = total;
    weights.source = WeightSource::SafetensorsIndex;
    weights.checked = true;
    return weights;
}

} // namespace kv
