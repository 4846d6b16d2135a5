// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/schemes.h"

#include "core/model/wholevalue.h"
#include "core/weights/mlxscheme.h"
#include "core/weights/schemewords.h"
#include "core/weights/weightfields.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <span>

namespace kv {

namespace {

/// Scales of FP8 files: fp8 and fbgemm_fp8 keep 4 bytes, compressed-tensors the model's 16 bit.
constexpr StoredAs perTensor{.bits = 8, .tensorBytes = 4};
constexpr StoredAs perTensorStatic{.bits = 8, .tensorBytes = 8}; // one for the activations as well
constexpr StoredAs perRow(std::int64_t bits, std::int64_t scaleBits) {
    return {.bits = bits, .blockRows = 1, .blockColumns = 0, .scaleBits = scaleBits};
}

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

constexpr StoredAs mxfp8{.bits = 8, .blockRows = 1, .blockColumns = 32, .scaleBits = 8};

/// AutoRound's "mx_fp" and "nv_fp", and what begins like them: a scale of 8 bits a group and no zero points (auto-round export/export_to_autoround/
/// qlinear_fp.py QuantLinear). Other types are integers.
std::optional<Scheme> microscaled(std::string_view type, std::int64_t bits) {
    const bool mx = type.starts_with("mx_fp"), nv = type.starts_with("nv_fp");
    if (!mx && !nv)
        return std::nullopt;
    if (bits == 4)
        return nv ? Scheme{stored::nvfp4, "NVFP4"} : Scheme{stored::mxfp4, "MXFP4"};
    return mx && bits == 8 ? Scheme{mxfp8, "MXFP8"} : Scheme{};
}

/// Of the whole model, or of some modules that depart from it in what `own` says.
Scheme packed(const Json &config, std::string_view name, const Json *own = nullptr) {
    const std::int64_t allBits = numberOf(config, "bits", numberOf(config, "w_bit", 4));
    const std::int64_t allGroup = numberOf(config, "group_size", numberOf(config, "q_group_size", 128));
    const bool allSorted = flagOf(config, "desc_act");
    const std::int64_t bits = own ? numberOf(*own, "bits", allBits) : allBits;
    const std::int64_t group = own ? numberOf(*own, "group_size", allGroup) : allGroup;
    if (!plausibleBits(bits) || group == 0)
        return {};
    const std::string_view ownType = own ? wordOf(*own, "data_type") : std::string_view();
    if (const std::optional<Scheme> scheme = microscaled(ownType.empty() ? wordOf(config, "data_type") : ownType, bits))
        return *scheme;
    StoredAs as = stored::groups(bits, std::max<std::int64_t>(group, 0), true);
    // GPTQ's packers store g_idx, 4 bytes an input row, sorted or not (AutoGPTQ qlinear QuantLinear.__init__, register_buffer "g_idx").
    as.columnBytes = name == "GPTQ" || (own ? flagOf(*own, "desc_act", allSorted) : allSorted) ? 4 : 0;
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
        as = {.bits = 4, .blockRows = 256, .blockColumns = 64, .scaleBits = 256 * 8 + 32}; // flattened there: rows go on into each other
    return {as, std::string("bitsandbytes ") + (type == "fp4" ? "FP4" : "NF4") + (twice ? ", double" : "")};
}

/// One group of compressed-tensors: the weights' bits, type and strategy.
Scheme compressed(const Json &weights, std::string_view format) {
    const std::int64_t bits = numberOf(weights, "num_bits", 0);
    const bool isFloat = wordOf(weights, "type") == "float";
    // Neither of these packs: an integer of fewer bits takes a byte.
    const bool unpacked = format == "naive-quantized" || format == "int-quantized";
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
    if (const std::int64_t kept = unpacked && bits < 8 ? 8 : bits; !isFloat && plausibleBits(bits) && (strategy == "group" || strategy == "channel")) {
        StoredAs as = stored::groups(kept, strategy == "channel" ? 0 : std::max<std::int64_t>(group, 0), !flagOf(weights, "symmetric", true));
        // Groups of columns in another order: weight_g_idx, 4 bytes an input (compressed-tensors quant_args.py ActivationOrdering.GROUP).
        as.columnBytes = strategy == "group" && lower(wordOf(weights, "actorder")) == "group" ? 4 : 0;
        return {as, groupLabel("INT", kept, strategy == "channel" ? -1 : group)};
    }
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
        return {mxfp8, "MXFP8"};
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

SchemeReading takeAll(const Scheme &scheme, std::string_view name, std::vector<StorageRule> &rules, bool expertsOnly = false) {
    if (scheme.label.empty())
        return unknownScheme(name);
    rules.push_back({.as = scheme.as, .expertsOnly = expertsOnly, .targets = {}});
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
            return unknownScheme(algorithm);
        const auto [it, isNew] = byLabel.try_emplace(scheme.label, rules.size());
        if (isNew) {
            rules.push_back({.as = scheme.as, .all = false, .targets = {}});
            label += (label.empty() ? "" : " + ") + scheme.label;
        }
        rules[it->second].targets.add(layer.first);
    }
    return {true, label};
}

/// Rules for single modules of a file whose others are packed alike.
class ModuleRules {
public:
    ModuleRules(const Json &config, std::string_view name, std::vector<StorageRule> &rules) : m_config(config), m_name(name), m_rules(rules) {}

    /// The next pattern: the first that names a module counts. False when its size cannot be read.
    bool addPattern(const std::string &expression, const Json *own) {
        StorageRule rule{.as = {}, .all = false, .targets = {}, .matricesOnly = true, .unquantised = !own};
        if (own && !settle(rule, *own))
            return false;
        rule.targets.add("re:" + expression); // compiled: nothing of the text is kept
        m_rules.push_back(std::move(rule));
        return true;
    }
    /// A whole name: those of one size are one rule.
    bool addName(std::string_view module, const Json &own) {
        StorageRule rule{.as = {}, .all = false, .targets = {}};
        if (!settle(rule, own))
            return false;
        const auto same = std::ranges::find_if(m_rules, [&](const StorageRule &r) {
            return !r.matricesOnly && r.unquantised == rule.unquantised && r.as == rule.as;
        });
        (same == m_rules.end() ? m_rules.emplace_back(std::move(rule)) : *same).targets.add(module);
        return true;
    }
    const std::string &label() const { return m_label; }

private:
    bool settle(StorageRule &rule, const Json &own) {
        const std::int64_t bits = numberOf(own, "bits", 0);
        rule.unquantised = bits == 16 || bits == 32;
        if (rule.unquantised)
            return true;
        const Scheme scheme = packed(m_config, m_name, &own);
        rule.as = scheme.as;
        joinLabel(m_label, scheme.label);
        return !scheme.label.empty();
    }

    const Json &m_config;
    std::string_view m_name;
    std::vector<StorageRule> &m_rules;
    std::string m_label;
};

/// The rules of single modules, then that of all others.
SchemeReading thenAll(const ModuleRules &modules, const Json &config, std::string_view name, std::vector<StorageRule> &rules) {
    SchemeReading all = takeAll(packed(config, name), lower(name), rules);
    if (all.known && !modules.label().empty())
        joinLabel(all.label, modules.label());
    return all;
}

/// The names in a list, which may hold lists of them.
void addNested(const Json &list, NameList &names) {
    for (const Json &item : list.items())
        for (const Json &name : item.isArray() ? item.items() : std::span<const Json>(&item, 1))
            if (name.isString())
                names.add(name.text());
}

/// GPTQModel's "dynamic": "-:" leaves modules out, "+:" or nothing before the expression gives them sizes of their own.
SchemeReading readGptq(const Json &config, std::vector<StorageRule> &rules) {
    ModuleRules modules(config, "GPTQ", rules);
    if (const Json *dynamic = config.find("dynamic"); dynamic && dynamic->isObject())
        for (const Json::Member &member : dynamic->members()) {
            const bool out = member.first.starts_with("-:");
            const std::string expression = out || member.first.starts_with("+:") ? member.first.substr(2) : member.first;
            if (!modules.addPattern(expression, out ? nullptr : &member.second))
                return unknownScheme("GPTQ dynamic " + member.first);
        }
    SchemeReading reading = thenAll(modules, config, "GPTQ", rules);
    if (!reading.known)
        return reading;
    // vLLM quantization/gptq.py GPTQConfig: the head is packed only where the file says so, and of a layer what is listed, where anything is.
    if (flagOf(config, "lm_head"))
        rules.back().targets.add("lm_head");
    if (const Json *listed = config.find("modules_in_block_to_quantize"); listed && listed->isArray() && !listed->items().empty()) {
        rules.back().all = false;
        addNested(*listed, rules.back().targets);
    }
    return reading;
}

/// AutoRound's "extra_config": whole names first, then expressions, which may match anywhere in a name.
SchemeReading readAutoRound(const Json &config, std::vector<StorageRule> &rules) {
    ModuleRules modules(config, "AutoRound", rules);
    const auto isExpression = [](std::string_view name) { return name.find_first_of("*+?^$()[]{}|\\") != std::string_view::npos; };
    const Json *extra = config.find("extra_config");
    for (const bool expressions : {false, true}) {
        if (!extra || !extra->isObject())
            break;
        for (const Json::Member &member : extra->members()) {
            if (isExpression(member.first) != expressions)
                continue;
            const bool read = expressions ? modules.addPattern(".*(?:" + member.first + ")", &member.second) : modules.addName(member.first, member.second);
            if (!read)
                return unknownScheme("AutoRound extra_config " + member.first);
        }
    }
    return thenAll(modules, config, "AutoRound", rules);
}

/// The name of a module's class, not of a module.
bool isClassName(std::string_view target) {
    return !target.empty() && target.front() >= 'A' && target.front() <= 'Z'
        && std::ranges::all_of(target, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// What a group takes: "Linear" means every matrix, "Embedding" that of the words; false when it only names another class, of which is not
/// known what it holds.
bool readTargets(const Json &group, StorageRule &rule, std::string &strange) {
    const Json *targets = group.find("targets");
    if (!targets || !targets->isArray() || targets->items().empty())
        return true;
    rule.all = false;
    for (const Json &target : targets->items()) {
        if (!target.isString())
            continue;
        if (target.text() == "Linear")
            rule.all = true;
        else if (target.text() == "Embedding")
            rule.targets.add("embed_tokens");
        else if (isClassName(target.text()))
            strange = target.text();
        else
            rule.targets.add(target.text());
    }
    return rule.all || strange.empty();
}

/// Groups with targets. In the format "dense" the weights are rounded to the scheme and stored in full.
SchemeReading readGroups(const Json &config, const Json &groups, std::vector<StorageRule> &rules) {
    std::string label, strange;
    const std::string_view all = wordOf(config, "format");
    bool full = all == "dense";
    for (const Json::Member &group : groups.members()) {
        const Json *weights = group.second.find("weights");
        const std::string_view own = wordOf(group.second, "format"), format = own.empty() ? all : own;
        full = full || format == "dense" || (weights && weights->isNull());
        if (!weights || !weights->isObject() || format == "dense")
            continue;
        const Scheme scheme = compressed(*weights, format);
        if (scheme.label.empty())
            return unknownScheme(all);
        StorageRule rule{.as = scheme.as, .targets = {}};
        if (!readTargets(group.second, rule, strange))
            return unknownScheme(scheme.label + " of the modules " + strange);
        joinLabel(label, scheme.label);
        // Named targets go before the rest.
        rules.insert(rule.all ? rules.end() : rules.begin(), std::move(rule));
    }
    return rules.empty() && !full ? unknownScheme(all) : SchemeReading{true, label};
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
        return takeAll({mxfp8, "MXFP8"}, method, rules);
    if (method == "awq" || method == "awq_marlin")
        return takeAll(packed(config, "AWQ"), method, rules);
    if (isMlx(config))
        return readMlx(config, rules);
    if (method == "gptq" || method == "gptq_marlin" || (method.empty() && config.find("bits")))
        return readGptq(config, rules);
    if (method == "auto-round" || method == "intel/auto-round")
        return readAutoRound(config, rules);
    if (method == "bitsandbytes" || config.find("load_in_4bit") || config.find("load_in_8bit"))
        return takeAll(bitsAndBytes(config), method, rules);
    if (method == "eetq")
        return takeAll({perRow(8, 16), "INT8 per channel"}, method, rules);
    return unknownScheme(method);
}

} // namespace kv
