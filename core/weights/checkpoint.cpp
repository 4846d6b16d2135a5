// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/checkpoint.h"

#include "core/weights/schemes.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

struct Found {
    const Json *config = nullptr;
    std::string where;
};

Found findQuantisation(std::span<const Json *const> chain) {
    struct Place {
        std::string_view key;
        bool anywhere;
    };
    static constexpr std::array<Place, 5> places{{{"quantization_config", true},
                                                  {"compression_config", true},
                                                  {"hf_quant_config", false},
                                                  {"quantization", false},
                                                  {"quantize_config", false}}};
    for (const Place &place : places) {
        for (const Json *block : place.anywhere ? chain : chain.first(1)) {
            const Json *found = block->find(place.key);
            if (!found || !found->isObject() || found->members().empty())
                continue;
            const Json *inner = found->find("quantization");
            return {inner && inner->isObject() ? inner : found, std::string(place.key)};
        }
    }
    return {};
}

/// Of sparse files the zeros are not stored, and how many there are no config says.
std::string_view packedSparsity(const Json &config) {
    const Json *sparsity = config.find("sparsity_config");
    for (const Json *block : {&config, sparsity})
        if (const Json *format = block ? block->find("format") : nullptr; format && format->isString())
            if (format->text().find("sparse") != std::string::npos || format->text().find("marlin-24") != std::string::npos)
                return format->text();
    return {};
}

/// The first pattern of any list that could not be read.
std::string_view notUnderstood(const StoragePlan &plan) {
    if (!plan.ignored.notUnderstood().empty())
        return plan.ignored.notUnderstood();
    const auto rule = std::ranges::find_if(plan.rules, [](const StorageRule &r) { return !r.targets.notUnderstood().empty(); });
    return rule == plan.rules.end() ? std::string_view() : rule->targets.notUnderstood();
}

void addNames(NameList &list, const Json &config, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        const Json *names = config.find(key);
        if (!names || !names->isArray())
            continue;
        for (const Json &name : names->items())
            if (name.isString())
                list.add(name.text());
    }
}

std::string dtypeLabel(ElementType dtype) {
    return std::string(info(dtype == ElementType::Auto ? ElementType::Bf16 : dtype).label);
}

} // namespace

bool StoragePlan::tellsLayersApart() const {
    return ignored.tellsLayersApart() ||
           std::ranges::any_of(rules, [](const StorageRule &rule) { return rule.targets.tellsLayersApart(); });
}

TensorStanding StoragePlan::standing(Trunk trunk, const Tensor &tensor) const {
    TensorStanding result;
    if (rules.empty() || tensor.module.empty())
        return {true, 0};
    for (std::size_t i = 0; i < rules.size() && result.rule == 0; ++i) {
        const StorageRule &rule = rules[i];
        if (rule.expertsOnly && !tensor.module.starts_with("experts."))
            continue;
        const bool byKind = rule.everyMatrix ? tensor.columns > 1 && !tensor.module.starts_with("conv")
                                             : rule.all && !tensor.sixteenBit && trunk != Trunk::Outside;
        if (byKind || (rule.mayTake(trunk, tensor) && rule.targets.namesAlways(trunk, tensor)))
            result.rule = i + 1;
    }
    result.ignored = ignored.namesAlways(trunk, tensor);
    return result;
}

std::size_t StoragePlan::ruleFor(Trunk trunk, std::int64_t layer, const Tensor &tensor, const TensorStanding &standing) const {
    if (standing.ignored)
        return 0;
    std::size_t taking = standing.rule;
    const std::size_t before = taking == 0 ? rules.size() : taking - 1;
    for (std::size_t i = 0; i < before; ++i) {
        const NameList &targets = rules[i].targets;
        if (!targets.tellsLayersApart() || !rules[i].mayTake(trunk, tensor) || !targets.namesInLayer(trunk, layer, tensor))
            continue;
        taking = i + 1;
        break;
    }
    return taking != 0 && ignored.tellsLayersApart() && ignored.namesInLayer(trunk, layer, tensor) ? 0 : taking;
}

namespace {

void noteDoubts(const StoragePlan &plan, const Found &found, Notes &notes) {
    const auto warn = [&](std::string text) { notes.push_back(warningNote("quantisation-unknown", found.where, std::move(text))); };
    if (!plan.known)
        return warn("the weights are quantised as \"" + plan.scheme + "\", which is not known here: how many bytes they take cannot be said");
    if (const std::string_view pattern = notUnderstood(plan); !pattern.empty())
        warn("the pattern \"" + std::string(pattern) + "\" of the modules that are quantised apart or not at all was not understood and counts as naming nothing");
    if (const std::string_view format = packedSparsity(*found.config); !format.empty())
        warn("the file stores no zeros of its sparse matrices (\"" + std::string(format) + "\"), and that is not counted: the bytes of the weights are an upper bound");
}

} // namespace

StoragePlan readStorage(std::span<const Json *const> chain, ElementType dtype, Notes &notes) {
    StoragePlan plan;
    plan.plain.bits = dtype == ElementType::Fp32 ? 32 : dtype == ElementType::Fp8 || dtype == ElementType::Fp8E5m2 ? 8 : 16;
    plan.scheme = dtypeLabel(dtype);
    const Found found = findQuantisation(chain);
    if (!found.config)
        return plan;
    addNames(plan.ignored, *found.config,
             {"ignore", "ignored_layers", "modules_to_not_convert", "exclude_modules", "exclude", "llm_int8_skip_modules"});
    const SchemeReading reading = readScheme(*found.config, plan.rules);
    for (StorageRule &rule : plan.rules)
        if (rule.unquantised)
            rule.as = plan.plain;
    if (!reading.label.empty())
        plan.scheme = reading.label;
    plan.known = reading.known;
    // DeepSeek V4 names the type of its experts apart from the scheme of the rest.
    const Json *experts = chain.back()->find("expert_dtype");
    if (reading.known && experts && experts->isString() && experts->text() == "fp4") {
        plan.rules.insert(plan.rules.begin(), StorageRule{.as = stored::mxfp4, .expertsOnly = true, .targets = {}});
        plan.scheme += ", experts MXFP4";
    }
    noteDoubts(plan, found, notes);
    return plan;
}

} // namespace kv
