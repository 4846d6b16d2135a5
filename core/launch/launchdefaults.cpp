// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/launchdefaults.h"

#include "core/engine/options.h"
#include "core/engine/sglang/budget.h"
#include "core/engine/vllm/settings.h"
#include "core/engine/vllm/startrules.h"
#include "core/plan/deploy.h"

namespace kv {

namespace {

/// Billionths as the shortest decimal: "0.92".
std::string decimal(std::int64_t billionths) {
    std::string digits = std::to_string(billionths % fractionOne);
    digits.insert(0, 9 - digits.size(), '0');
    while (digits.size() > 1 && digits.back() == '0')
        digits.pop_back();
    return std::to_string(billionths / fractionOne) + "." + digits;
}

std::string yesNo(bool value) { return value ? "true" : "false"; }

std::optional<std::string> vllmDefault(const Deployment &d, std::string_view option) {
    const vllm::ModelTraits traits = vllm::traitsOf(*d.model);
    vllm::Settings s;
    if (vllm::readSettings(d, traits, s))
        return std::nullopt;
    if (option == "gpu_memory_utilization")
        return decimal(s.utilization);
    if (option == "max_num_seqs")
        return std::to_string(s.maxSeqs);
    if (option == "max_num_batched_tokens" && !s.rules().defaultBatchCapped) // else it hangs on the length: a given one says more than none
        return std::to_string(s.batchFor(s.lengthFor(d.context)));
    if (option == "prefix_caching")
        return yesNo(s.prefixCaching);
    if (option == "block_size")
        return std::to_string(vllm::forcedBlock(d, s, traits));
    return std::nullopt;
}

std::optional<std::string> sglangDefault(const Deployment &d, std::string_view option) {
    if (option == "mem_fraction_static")
        return decimal(sglang::staticFraction(d));
    if (option != "page_size")
        return std::nullopt;
    for (const LayerShape &shape : d.model->shapes)
        for (const CachePart &part : shape.parts)
            if (kindOf(part) == CacheKind::Index)
                return "64";
    return "1";
}

} // namespace

std::string torchName(ElementType type) {
    switch (type) {
    case ElementType::Fp32:
        return "float32";
    case ElementType::Bf16:
        return "bfloat16";
    case ElementType::Fp16:
        return "float16";
    default:
        return std::string(info(type).name);
    }
}

std::optional<std::string> optionText(const Scenario &scenario, const EngineOption &option) {
    const OptionReader options(scenario.engine.options);
    if (!options.has(option.name))
        return std::nullopt;
    switch (option.kind) {
    case OptionKind::Whole:
        if (const auto value = options.whole(option.name))
            return std::to_string(*value);
        return std::nullopt;
    case OptionKind::Size:
        if (const auto value = options.size(option.name))
            return std::to_string(value->value);
        return std::nullopt;
    case OptionKind::Fraction:
    case OptionKind::Ratio:
        if (const auto value = options.fraction(option.name))
            return decimal(*value);
        return std::nullopt;
    case OptionKind::Bool:
        if (const auto value = options.boolean(option.name))
            return yesNo(*value);
        return std::nullopt;
    case OptionKind::Word:
        return options.word(option.name) ? std::optional(std::string(*options.word(option.name))) : std::nullopt;
    case OptionKind::Type:
        if (const auto type = options.type(option.name); type && *type != ElementType::Auto)
            return torchName(*type);
        return std::nullopt;
    case OptionKind::List:
    case OptionKind::Shares: {
        std::string text;
        for (const std::int64_t item : option.kind == OptionKind::List ? options.list(option.name) : options.shares(option.name))
            text += (text.empty() ? "" : ",") + std::to_string(item);
        return text.empty() ? std::nullopt : std::optional(std::move(text));
    }
    }
    return std::nullopt;
}

std::optional<std::string> engineDefault(const Scenario &scenario, std::string_view option) {
    Scenario without = scenario;
    without.engine.options.erase(option);
    const Deployed ready = deploy(without);
    if (ready.refusal)
        return std::nullopt;
    if (scenario.engine.id == "vllm")
        return vllmDefault(ready.deployment, option);
    return scenario.engine.id == "sglang" ? sglangDefault(ready.deployment, option) : std::nullopt;
}

} // namespace kv
