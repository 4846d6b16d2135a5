// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/ggufsource.h"

#include "core/base/quantity.h"
#include "core/files/ggmltypes.h"
#include "core/files/gguf.h"
#include "core/files/shown.h"
#include "core/files/tensorparts.h"
#include "core/model/ggufmodel.h"
#include "core/weights/querygroup.h"

#include <algorithm>
#include <map>

namespace kv {

namespace {

/// "Q4_K_M" by the file's own label, else the types by their share of the bytes: "q4_K 81 %, q6_K 19 %".
std::string schemeOf(const GgufFile &file, Bytes total) {
    const Json *label = file.metadata.find("general.file_type");
    if (label && label->kind() == Json::Kind::Integer)
        if (const std::string_view name = ggufFileTypeName(label->integer()); !name.empty())
            return std::string(name);
    std::map<std::uint32_t, Bytes> byType;
    for (const GgufTensor &tensor : file.tensors)
        byType[tensor.type] += tensor.stored;
    std::vector<std::pair<std::uint32_t, Bytes>> list(byType.begin(), byType.end());
    std::ranges::sort(list, std::ranges::greater(), &std::pair<std::uint32_t, Bytes>::second);
    std::string scheme;
    for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 3); ++i)
        if (const std::int64_t percent =
                checked::mulDiv(list[i].second.value, 100, std::max<std::int64_t>(total.value, 1));
            percent > 0)
            scheme += (scheme.empty() ? "" : ", ") + std::string(ggmlType(list[i].first)->name) + " " +
                      std::to_string(percent) + " %";
    return scheme;
}

void addWeights(const GgufFile &file, ModelSpec &spec) {
    TensorParts sums;
    bool head = false;
    for (const GgufTensor &tensor : file.tensors) {
        sums.add(ggufTensorPlace(tensor.name, spec.layerCount()), tensor.elements, tensor.stored);
        head = head || tensor.name == "output.weight";
    }
    spec.tiedEmbeddings = !head;
    WeightSpec &weights = spec.weights;
    weights.parts = sums.parts();
    weights.parameters = sums.textElements();
    weights.allElements = sums.allElements();
    weights.stored = sums.stored();
    weights.source = WeightSource::GgufTable;
    weights.scheme = schemeOf(file, weights.stored);
    weights.activeParameters = activeParameters(weights.parts, weights.parameters, spec.experts, spec.expertsPerToken);
    const Json *architecture = spec.source ? spec.source->find("general.architecture") : nullptr;
    const Json *heads = architecture && architecture->isString() ? spec.source->find(architecture->text() + ".attention.head_count_kv") : nullptr;
    weights.queryGroup = queryGroup(spec, heads && heads->kind() == Json::Kind::Integer);
}

} // namespace

Parsed<std::shared_ptr<const ModelSpec>> loadGguf(const std::string &path, std::string_view name) {
    Parsed<std::shared_ptr<const ModelSpec>> result;
    Parsed<GgufFile> file = readGguf(path);
    result.notes = std::move(file.notes);
    if (!file)
        return result;
    const std::string source = shown(baseName(path), 200);
    Parsed<ModelSpec> spec = ggufModel(file->metadata, name, source);
    result.notes.insert(result.notes.end(), spec.notes.begin(), spec.notes.end());
    if (!spec)
        return result;
    if (file->tensors.empty()) {
        result.notes.push_back(errorNote(
            "no-weights", path,
            source + " holds no tensors, only metadata or a vocabulary: it is not a model that can be loaded"));
        return result;
    }
    addWeights(*file, *spec.value);
    if (!spec->weights.stored.inRange()) {
        result.notes.push_back(errorNote(
            "out-of-range", path, source + ": the sizes of its tensors are out of range: their sum overflows 64 bits"));
        return result;
    }
    spec.value->notes = result.notes;
    result.value = std::make_shared<const ModelSpec>(std::move(*spec.value));
    return result;
}

} // namespace kv
