// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/schemes.h"

#include "core/weights/weightfields.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace kv {

namespace {

/// Scales of FP8 files: fp8 and fbgemm_fp8 keep 4 bytes, compressed-tensors the model's 16 bit.
constexpr StoredAs perTensor{.bits = 8, .tensorBytes = 4};
constexpr StoredAs perTensorStatic{.bits = 8, .tensorBytes = 8}; // one for the activations as well
constexpr StoredAs perRow(std::int64_t bits, std::int64_t scaleBits) {
    return {.bits = bits, .blockRows = 1, .blockColumns = 0, .scaleBits = scaleBits};
}

struct Scheme {
    StoredAs as;
    std::string label; ///< empty: not known
};

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string_view wordOf(const Json &config, std::string_view key) {
    const Json *value = config.find(key);
    return value && value->isString() ? std::string_view(value->text()) : std::string_view();
}

bool flagOf(const Json &config, std::string_view key, bool otherwise = false) {
    const Json *value = config.find(key);
    return value && value->isBool() ? value->boolean() : otherwise;
}

/// A whole number, −1 included ("one group a row"), else `otherwise`.
std::int64_t numberOf(const Json &config, std::string_view key, std::int64_t otherwise) {
    const Json *value = config.find(key);
    return value && value->kind() == Json::Kind::Integer ? value->integer() : otherwise;
}

std::string groupLabel(std::string_view name, std::int64_t bits, std::int64_t group) {
    return std::string(name) + " " + std::to_string(bits) + " bit, " +
           (group > 0 ? "group " + std::to_string(group) : std::string("one group a row"));
}

bool plausibleBits(std::int64_t bits) { return bits >= 1 && bits <= 16; }

Scheme fp8(const Json &config) {
    const bool isStatic = wordOf(config, "activation_scheme") == "static";
    const Json *block = config.find("weight_block_size");
    if (!block || !block->isArray() || block->items().empty())
        return {isStatic ? perTensorStatic : perTensor, "FP8 per tensor"};
    if (block->items().size() != 2)
        return {};
    StoredAs as = stored::fp8Blocks;
    as.blockRows = wholeNumber(block->items()[0]).value_or(0);
    as.blockColumns = wholeNumber(block->items()[1]).value_or(0);
    if (as.blockRows <= 0 || as.blockColumns <= 0)
        return {};
    return {as, "FP8 blocks " + std::to_string(as.blockRows) + " × " + std::to_string(as.blockColumns)};
}

Scheme packed(const Json &config, std::string_view name) {
    const std::int64_t bits = numberOf(config, "bits", numberOf(config, "w_bit", 4));
    const std::int64_t group = numberOf(config, "group_size", numberOf(config, "q_group_size", 128));
    if (!plausibleBits(bits) || group == 0)
        return {};
    StoredAs as = stored::groups(bits, std::max<std::int64_t>(group, 0), true);
    as.columnBytes = flagOf(config, "desc_act") ? 4 : 0;
    return {as, groupLabel(name, bits, group)};
}

Scheme bitsAndBytes(const Json &config) {
    if (flagOf(config, "load_in_8bit", flagOf(config, "_load_in_8bit")))
        return {perRow(8, 32), "bitsandbytes INT8"};
    const std::string type = lower(wordOf(config, "bnb_4bit_quant_type"));
    const bool twice = flagOf(config, "bnb_4bit_use_double_quant");
    // Blocks of 64 with a 4-byte scale; quantised again, a byte and a share of 4 bytes per 256 blocks.
    StoredAs as{.bits = 4, .blockRows = 1, .blockColumns = 64, .scaleBits = 32};
    if (twice)
        as = {.bits = 4, .blockRows = 1, .blockColumns = 64 * 256, .scaleBits = 256 * 8 + 32};
    return {as, std::string("bitsandbytes ") + (type == "fp4" ? "FP4" : "NF4") + (twice ? ", double" : "")};
}

/// One group of compressed-tensors: the weights' bits, type and strategy.
Scheme compressed(const Json &weights, std::string_view format) {
    const std::int64_t bits = numberOf(weights, "num_bits", 0);
    const bool isFloat = wordOf(weights, "type") == "float";
    const std::string_view strategy = wordOf(weights, "strategy");
    const std::int64_t group = numberOf(weights, "group_size", 0);
    if (format.find("nvfp4") != std::string_view::npos || (isFloat && bits == 4 && group == 16))
        return {stored::nvfp4, "NVFP4"};
    if (format.find("mxfp4") != std::string_view::npos || (isFloat && bits == 4 && group == 32))
        return {stored::mxfp4, "MXFP4"};
    if (bits == 8 && (strategy == "channel" || strategy == "tensor" || strategy.empty()))
        return {strategy == "channel" ? perRow(8, 16) : perTensor,
                std::string(isFloat ? "FP8" : "INT8") + (strategy == "channel" ? " per channel" : " per tensor")};
    if (const Json *block = weights.find("block_structure"); bits == 8 && strategy == "block" && block) {
        StoredAs as = stored::fp8Blocks;
        if (block->isArray() && block->items().size() == 2) {
            as.blockRows = wholeNumber(block->items()[0]).value_or(128);
            as.blockColumns = wholeNumber(block->items()[1]).value_or(128);
        }
        return {as, "FP8 blocks " + std::to_string(as.blockRows) + " × " + std::to_string(as.blockColumns)};
    }
    if (!isFloat && plausibleBits(bits) && (strategy == "group" || strategy == "channel"))
        return {stored::groups(bits, strategy == "channel" ? 0 : std::max<std::int64_t>(group, 0), !flagOf(weights, "symmetric", true)),
                groupLabel("INT", bits, strategy == "channel" ? -1 : group)};
    return {};
}

/// The algorithms of ModelOpt by name.
Scheme modelopt(std::string_view algorithm, std::int64_t group) {
    const std::string name = lower(algorithm);
    const auto has = [&name](std::string_view part) { return name.find(part) != std::string::npos; };
    if (has("nvfp4"))
        return {stored::nvfp4, "NVFP4"};
    if (has("mxfp4"))
        return {stored::mxfp4, "MXFP4"};
    if (has("mxfp8"))
        return {{.bits = 8, .blockRows = 1, .blockColumns = 32, .scaleBits = 8}, "MXFP8"};
    if (has("w4a16_awq") || has("w4a8_awq") || name == "int4_awq")
        return {stored::groups(4, group > 0 ? group : 128, false), groupLabel("AWQ", 4, group > 0 ? group : 128)};
    if (has("fp8_pb") || has("fp8_block"))
        return {stored::fp8Blocks, "FP8 blocks 128 × 128"};
    if (has("fp8_per_channel"))
        return {perRow(8, 32), "FP8 per channel"};
    if (name == "fp8")
        return {perTensorStatic, "FP8 per tensor"};
    if (has("w8a8_sq") || has("w8a16") || name == "int8" || has("int8_sq"))
        return {perRow(8, 32), "INT8 per channel"};
    return {};
}

SchemeReading unknown(std::string_view name) { return {false, std::string(name.empty() ? "unnamed" : name)}; }

SchemeReading takeAll(const Scheme &scheme, std::string_view name, std::vector<StorageRule> &rules, bool expertsOnly = false) {
    if (scheme.label.empty())
        return unknown(name);
    rules.push_back({scheme.as, true, expertsOnly, {}});
    return {true, scheme.label};
}

/// ModelOpt's list of layers, each with its own algorithm: one rule an algorithm.
SchemeReading readLayerAlgorithms(const Json &layers, std::vector<StorageRule> &rules) {
    std::map<std::string, std::size_t> byLabel;
    std::string label;
    for (const Json::Member &layer : layers.members()) {
        const std::string_view algorithm = wordOf(layer.second, "quant_algo");
        const Scheme scheme = modelopt(algorithm, numberOf(layer.second, "group_size", 0));
        if (scheme.label.empty())
            return unknown(algorithm);
        const auto [it, isNew] = byLabel.try_emplace(scheme.label, rules.size());
        if (isNew) {
            rules.push_back({scheme.as, false, false, {}});
            label += (label.empty() ? "" : " + ") + scheme.label;
        }
        rules[it->second].targets.add(layer.first);
    }
    return {true, label};
}

/// Groups with targets: "Linear" means every matrix, anything else names some.
SchemeReading readGroups(const Json &config, const Json &groups, std::vector<StorageRule> &rules) {
    std::string label;
    for (const Json::Member &group : groups.members()) {
        const Json *weights = group.second.find("weights");
        if (!weights || !weights->isObject())
            continue;
        const std::string_view format = wordOf(group.second, "format");
        const Scheme scheme = compressed(*weights, format.empty() ? wordOf(config, "format") : format);
        if (scheme.label.empty())
            return unknown(wordOf(config, "format"));
        StorageRule rule{scheme.as, true, false, {}};
        if (const Json *targets = group.second.find("targets"); targets && targets->isArray())
            for (const Json &target : targets->items())
                if (target.isString() && target.text() != "Linear") {
                    rule.all = false;
                    rule.targets.add(target.text());
                }
        if (label.find(scheme.label) == std::string::npos)
            label += (label.empty() ? "" : " + ") + scheme.label;
        // Named targets go before the rest.
        rules.insert(rule.all ? rules.end() : rules.begin(), std::move(rule));
    }
    return rules.empty() ? unknown(wordOf(config, "format")) : SchemeReading{true, label};
}

} // namespace

SchemeReading readScheme(const Json &config, std::vector<StorageRule> &rules) {
    const std::string method = lower(wordOf(config, "quant_method"));
    const std::string_view algorithm = wordOf(config, "quant_algo");
    if (const Json *layers = config.find("quantized_layers"); layers && layers->isObject() && !layers->members().empty())
        return readLayerAlgorithms(*layers, rules);
    const Json *groups = config.find("config_groups");
    if (!algorithm.empty() && !(algorithm == "MIXED_PRECISION" && groups && groups->isObject()))
        return takeAll(modelopt(algorithm, numberOf(config, "group_size", 0)), algorithm, rules);
    if (groups && groups->isObject())
        return readGroups(config, *groups, rules);
    if (method == "fp8" || method == "fp_quant_fp8")
        return takeAll(fp8(config), method, rules);
    if (method == "fbgemm_fp8")
        return takeAll({perRow(8, 32), "FP8 per channel"}, method, rules);
    if (method == "mxfp4" || method == "gpt_oss_mxfp4")
        return takeAll({stored::mxfp4, "MXFP4 experts"}, method, rules, true);
    if (method == "mxfp8")
        return takeAll({{.bits = 8, .blockRows = 1, .blockColumns = 32, .scaleBits = 8}, "MXFP8"}, method, rules);
    if (method == "awq" || method == "awq_marlin")
        return takeAll(packed(config, "AWQ"), method, rules);
    if (method == "gptq" || method == "gptq_marlin" || (method.empty() && config.find("bits")))
        return takeAll(packed(config, "GPTQ"), method, rules);
    if (method == "auto-round" || method == "intel/auto-round")
        return takeAll(packed(config, "AutoRound"), method, rules);
    if (method == "bitsandbytes" || config.find("load_in_4bit") || config.find("load_in_8bit"))
        return takeAll(bitsAndBytes(config), method, rules);
    if (method == "eetq")
        return takeAll({perRow(8, 16), "INT8 per channel"}, method, rules);
    return unknown(method);
}

} // namespace kv
