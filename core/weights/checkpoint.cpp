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

Found findQuantisation(const Json &root, const Json &text) {
    struct Place {
        const Json &in;
        std::string_view key;
    };
    const std::array<Place, 7> places{{{root, "quantization_config"},
                                       {text, "quantization_config"},
                                       {root, "compression_config"},
                                       {text, "compression_config"},
                                       {root, "hf_quant_config"},
                                       {root, "quantization"},
                                       {root, "quantize_config"}}};
    for (const Place &place : places) {
        const Json *found = place.in.find(place.key);
        if (!found || !found->isObject() || found->members().empty())
            continue;
        const Json *inner = found->find("quantization");
        return {inner && inner->isObject() ? inner : found, std::string(place.key)};
    }
    return {};
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
        if (rule.all ? !tensor.sixteenBit && trunk != Trunk::Outside : rule.targets.namesAlways(trunk, tensor))
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
        if (!rules[i].targets.tellsLayersApart() || !rules[i].targets.namesInLayer(trunk, layer, tensor))
            continue;
        taking = i + 1;
        break;
    }
    return taking != 0 && ignored.tellsLayersApart() && ignored.namesInLayer(trunk, layer, tensor) ? 0 : taking;
}

StoragePlan readStorage(const Json &root, const Json &text, ElementType dtype, Notes &notes) {
    StoragePlan plan;
    plan.plain.bits = dtype == ElementType::Fp32 ? 32 : dtype == ElementType::Fp8 || dtype == ElementType::Fp8E5m2 ? 8 : 16;
    plan.scheme = dtypeLabel(dtype);
    const Found found = findQuantisation(root, text);
    if (!found.config)
        return plan;
    addNames(plan.ignored, *found.config,
             {"ignore", "ignored_layers", "modules_to_not_convert", "exclude_modules", "exclude", "llm_int8_skip_modules"});
    const SchemeReading reading = readScheme(*found.config, plan.rules);
    plan.scheme = reading.label;
    plan.known = reading.known;
    // DeepSeek V4 names the type of its experts apart from the scheme of the rest.
    if (const Json *experts = text.find("expert_dtype"); reading.known && experts && experts->isString() && experts->text() == "fp4") {
        plan.rules.insert(plan.rules.begin(), StorageRule{stored::mxfp4, true, true, {}});
        plan.scheme += ", experts MXFP4";
    }
    if (!reading.known)
        notes.push_back(warningNote("quantisation-unknown", found.where,
                                    "the weights are quantised as \"" + reading.label +
                                        "\", which is not known here: how many bytes they take cannot be said"));
    else if (!plan.ignored.notUnderstood().empty())
        notes.push_back(warningNote("quantisation-unknown", found.where,
                                    "the pattern \"" + plan.ignored.notUnderstood() +
                                        "\" of what stays unquantised was not understood and counts as naming nothing"));
    return plan;
}

} // namespace kv
