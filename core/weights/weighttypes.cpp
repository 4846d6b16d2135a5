// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/weighttypes.h"

#include "core/weights/ggufmix.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kv {

namespace {

using enum WeightTypeGroup;

// name, aliases, label, group, matrices, how a checkpoint's scheme begins
constexpr std::array<WeightType, 26> table{{
    {"fp32", "f32 float32 float", "FP32", Plain, stored::thirtyTwoBit, "FP32"},
    {"bf16", "bfloat16", "BF16", Plain, stored::sixteenBit, "BF16"},
    {"fp16", "f16 float16 half", "FP16", Plain, stored::sixteenBit, "FP16"},
    {"fp8", "fp8_e4m3 float8 w8a8_fp8", "FP8", Quantised, stored::fp8Blocks, "FP8"},
    {"int8", "w8a8 w8a16", "INT8", Quantised, stored::groups(8, 128, false), "INT8"},
    {"int4", "awq gptq w4a16 4bit", "INT4 (AWQ)", Quantised, stored::groups(4, 128, true), "AWQ 4"},
    // In blocks of 64 with a scale of 4 bytes, which vLLM and Transformers keep in memory (vllm/model_executor/model_loader/bitsandbytes_loader.py).
    {"nf4", "bitsandbytes", "NF4 (bitsandbytes)", Quantised, {.bits = 4, .blockRows = 1, .blockColumns = 64, .scaleBits = 32}, "bitsandbytes NF4"},
    {"nvfp4", "", "NVFP4", Quantised, stored::nvfp4, "NVFP4"},
    {"mxfp4", "", "MXFP4", Quantised, stored::mxfp4, "MXFP4"},
    {"q8_0", "q8", "Q8_0", Gguf, {}, "Q8_0"},
    {"q6_k", "q6", "Q6_K", Gguf, {}, "Q6_K"},
    {"q5_k_m", "q5_k q5", "Q5_K_M", Gguf, {}, "Q5_K_M"},
    {"q5_k_s", "", "Q5_K_S", Gguf, {}, "Q5_K_S"},
    {"q5_0", "", "Q5_0", Gguf, {}, "Q5_0"},
    {"q4_k_m", "q4_k q4", "Q4_K_M", Gguf, {}, "Q4_K_M"},
    {"q4_k_s", "", "Q4_K_S", Gguf, {}, "Q4_K_S"},
    {"q4_1", "", "Q4_1", Gguf, {}, "Q4_1"},
    {"q4_0", "", "Q4_0", Gguf, {}, "Q4_0"},
    {"iq4_nl", "", "IQ4_NL", Gguf, {}, "IQ4_NL"},
    {"iq4_xs", "", "IQ4_XS", Gguf, {}, "IQ4_XS"},
    {"q3_k_l", "", "Q3_K_L", Gguf, {}, "Q3_K_L"},
    {"q3_k_m", "q3_k q3", "Q3_K_M", Gguf, {}, "Q3_K_M"},
    {"q3_k_s", "", "Q3_K_S", Gguf, {}, "Q3_K_S"},
    {"iq3_m", "", "IQ3_M", Gguf, {}, "IQ3_M"},
    {"iq3_xxs", "", "IQ3_XXS", Gguf, {}, "IQ3_XXS"},
    {"q2_k", "q2", "Q2_K", Gguf, {}, "Q2_K"},
}};

bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool isNamed(const WeightType &type, std::string_view name) {
    if (equalIgnoringCase(name, type.name))
        return true;
    for (std::string_view rest = type.aliases; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        if (equalIgnoringCase(name, rest.substr(0, end)))
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

Note unknownType(std::string_view name) {
    std::array<std::string_view, table.size()> names;
    std::ranges::transform(table, names.begin(), &WeightType::name);
    std::string text = "weights.dtype: \"" + std::string(name) + "\" is no type of weights";
    if (const std::string_view nearest = nearestName(name, names); !nearest.empty())
        text += "; did you mean " + std::string(nearest) + "?";
    text += " Known: ";
    for (const std::string_view known : names)
        text += std::string(known) + (known == names.back() ? "" : ", ");
    return errorNote("unknown-weight-type", "weights.dtype", std::move(text));
}

/// 4-bit integers with a scale per group are one type whatever packed them.
bool isStoredIn(const WeightSpec &weights, const WeightType &type) {
    const std::string_view scheme = weights.scheme;
    if (weights.source == WeightSource::Unknown || scheme.find(" + ") != std::string_view::npos)
        return false;
    if (type.name == "int4")
        return scheme.starts_with("AWQ 4 ") || scheme.starts_with("GPTQ 4 ") || scheme.starts_with("INT 4 ") ||
               scheme.starts_with("AutoRound 4 ") || scheme.starts_with("MLX 4 ");
    return scheme.starts_with(type.scheme);
}

/// `kept`: routed experts stay as they are stored.
void price(WeightSpec &weights, const WeightType &type, bool kept) {
    const std::vector<Bytes> mixed = type.group == Gguf ? ggufMixBytes(weights, type.name) : std::vector<Bytes>{};
    for (std::size_t i = 0; i < weights.parts.size(); ++i) {
        WeightPart &part = weights.parts[i];
        const bool small = type.group == Plain || !part.sixteenBit;
        if (kept && part.kind == WeightPartKind::Experts && !part.sixteenBit)
            continue;
        part.stored = type.group == Gguf ? mixed[i] : (small ? type.as : stored::sixteenBit).bytes(part.elements);
    }
}

/// Whether every element has a part, so that parts may be priced one by one.
bool partsAreWhole(const WeightSpec &weights) {
    std::int64_t sum = 0;
    for (const WeightPart &part : weights.parts)
        sum = checked::add(sum, part.elements);
    return !weights.parts.empty() && sum == weights.allElements;
}

} // namespace

std::span<const WeightType> weightTypes() { return table; }

const WeightType *findWeightType(std::string_view name) {
    const auto it = std::ranges::find_if(table, [name](const WeightType &type) { return isNamed(type, name); });
    return it == table.end() ? nullptr : &*it;
}

bool isHeldByGguf(const WeightType &type) { return type.group != Quantised || type.name == "mxfp4" || type.name == "nvfp4"; }

bool isHeldByGguf(std::string_view scheme) {
    // What begins with a type that it does not hold; a GGUF file's own label (a mix, or the types in it) begins with none.
    static constexpr std::array<std::string_view, 12> foreign{"FP8", "INT", "AWQ", "GPTQ", "AutoRound", "MLX", "W8A8", "W4A8", "NF4", "FP4", "bitsandbytes", "MXFP8"};
    return std::ranges::none_of(foreign, [scheme](std::string_view name) { return scheme.starts_with(name); });
}

Parsed<WeightSpec> weightsInType(const WeightSpec &weights, std::string_view name, WeightFile file) {
    const WeightType *type = findWeightType(name);
    if (!type)
        return {std::nullopt, {unknownType(name)}};
    if (isStoredIn(weights, *type))
        return {weights, {}};
    if (weights.allElements <= 0)
        return {std::nullopt,
                {errorNote("weights-unknown", "weights.dtype",
                           "weights.dtype: how many parameters this model has is not known, so their size in " +
                               std::string(type->label) + " cannot be said; give it by hand (weights.bytes)")}};
    WeightSpec result = weights;
    if (!partsAreWhole(weights))
        result.parts = {{WeightPartKind::FeedForward, 0, 1, weights.allElements, Bytes(0), false}};
    price(result, *type, (type->group == Gguf || file == WeightFile::Gguf) && weights.scheme.starts_with("MXFP4"));
    result.stored = Bytes(0);
    for (const WeightPart &part : result.parts)
        result.stored += part.stored;
    result.scheme = type->label;
    if (result.source == WeightSource::Unknown)
        result.source = WeightSource::CountedFromConfig;
    return {std::move(result), {}};
}

Parsed<TypedWeights> bytesInType(const WeightSpec &weights, std::string_view name, WeightFile file) {
    Parsed<WeightSpec> typed = weightsInType(weights, name, file);
    if (!typed)
        return {std::nullopt, std::move(typed.notes)};
    const WeightType &type = *findWeightType(name);
    const bool exact = type.group == Plain || isStoredIn(weights, type);
    return {TypedWeights{typed->stored, typed->scheme, !exact || !weights.checked}, std::move(typed.notes)};
}

} // namespace kv
