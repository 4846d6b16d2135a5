// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/tensorparts.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace kv {

namespace {

using enum WeightPartKind;
using Rule = std::pair<std::string_view, WeightPartKind>;

/// The first rule whose word is in the name.
template <std::size_t N>
WeightPartKind firstMatch(const std::array<Rule, N> &rules, std::string_view name, WeightPartKind otherwise) {
    for (const auto &[word, kind] : rules)
        if (name.find(word) != std::string_view::npos)
            return kind;
    return otherwise;
}

bool isFine(std::string_view name) { return name.ends_with(".bias") || name.find("norm") != std::string_view::npos; }

constexpr std::array<Rule, 33> ggufLayerRules{{
    {"nextn.", Draft},
    {"indexer", Indexer},
    {"_exps", Experts},
    {"_shexp", SharedExpert},
    {"_chexps", Experts},
    {"ffn_gate_inp", Router},
    {"exp_probs", Router},
    {"ssm_", Recurrent},
    {"shortconv", Recurrent},
    {"time_mix", Recurrent},
    {"channel_mix", Recurrent},
    {"attn_q_a", LatentDown},
    {"attn_kv_a", LatentDown},
    {"attn_q_b", LatentUp},
    {"attn_kv_b", LatentUp},
    {"attn_k_b", LatentUp},
    {"attn_v_b", LatentUp},
    {"norm", Norms},
    {"attn_qkv", AttentionQuery},
    {"attn_q", AttentionQuery},
    {"attn_k", AttentionKeyValue},
    {"attn_v", AttentionKeyValue},
    {"attn_out", AttentionOutput},
    {"attn_gate", AttentionQuery},
    {"attn_sinks", Norms},
    {"cross_attn_q", AttentionQuery},
    {"cross_attn_k", AttentionKeyValue},
    {"cross_attn_v", AttentionKeyValue},
    {"cross_attn_o", AttentionOutput},
    {"compressor", Recurrent},
    {"inp_gate", FeedForward},
    {"proj", FeedForward},
    {"ffn", FeedForward},
}};

constexpr std::array<Rule, 8> ggufOutsideRules{{
    {"output_norm", FinalNorm},
    {"rope_", Norms},
    {"token_embd_norm", Norms},
    {"norm", FinalNorm},
    {"token_embd", Embedding},
    {"output", Head},
    {"cls", Head},
    {"mm.", Vision},
}};

constexpr std::array<Rule, 38> hubLayerRules{{
    {"indexer", Indexer},
    {"shared_expert_gate", Router},
    {"shared_expert", SharedExpert},
    {"shared_mlp", SharedExpert},
    {".experts", Experts},
    {"switch_mlp", Experts}, // MLX
    {"router", Router},
    {".gate.", Router},
    {"e_score_correction", Router},
    {"linear_attn", Recurrent},
    {"mamba", Recurrent},
    {"ssm", Recurrent},
    {"A_log", Recurrent},
    {"dt_bias", Recurrent},
    {"conv", Recurrent},
    {"in_proj", Recurrent},
    {"attn.out_proj", AttentionOutput},
    {"q_a_proj", LatentDown},
    {"kv_a_proj", LatentDown},
    {"q_b_proj", LatentUp},
    {"kv_b_proj", LatentUp},
    {"norm", Norms},
    {"ln_", Norms},
    {"qkv", AttentionQuery},
    {"query_key_value", AttentionQuery},
    {"Wqkv", AttentionQuery},
    {"c_attn", AttentionQuery},
    {"q_proj", AttentionQuery},
    {".wq", AttentionQuery},
    {"k_proj", AttentionKeyValue},
    {"v_proj", AttentionKeyValue},
    {".wk", AttentionKeyValue},
    {".wv", AttentionKeyValue},
    {"o_proj", AttentionOutput},
    {".wo", AttentionOutput},
    {"attention.dense", AttentionOutput},
    {"sinks", Norms},
    {"out_proj", Recurrent},
}};

constexpr std::array<Rule, 8> hubOutsideRules{{
    {"lm_head", Head},
    {"embed_out", Head},
    {"norm", FinalNorm},
    {"ln_f", FinalNorm},
    {"output.weight", Head},
    {"output_layer", Head},
    {"embed", Embedding},
    {"wte", Embedding},
}};

constexpr std::array<std::string_view, 17> towerWords{
    "vision",       "visual",      "vit.",           "image",    "audio",     "multi_modal_projector",
    "mm_projector", "patch_embed", "img_projection", "talker",   "code2wav",  "token2wav",
    "modality_projection", "sam_model", "patch_merger", "aligner.", "projector.layers"};
/// Of MiniCPM-V and -o, InternVL and Ovis: short words that other names may hold further in.
constexpr std::array<std::string_view, 6> towerBeginnings{"vpm.", "apm.", "tts.", "resampler.", "mlp1.", "vte."};

bool isOfTower(std::string_view name) {
    return std::ranges::any_of(towerWords, [name](std::string_view word) { return name.find(word) != std::string_view::npos; }) ||
           std::ranges::any_of(towerBeginnings, [name](std::string_view word) { return name.starts_with(word); });
}

/// The number behind one of these words, with the rest of the name behind it; −1: none.
std::int32_t layerNumber(std::string_view name, std::string_view &rest) {
    for (const std::string_view word : {"layers.", "blk.", "h.", "blocks.", "layer.", "block."}) {
        for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
            if (at > 0 && name[at - 1] != '.')
                continue;
            const char *first = name.data() + at + word.size();
            const char *last = name.data() + name.size();
            std::int32_t number = 0;
            const auto [end, error] = std::from_chars(first, last, number);
            if (error != std::errc() || number < 0 || end == last || *end != '.')
                continue;
            rest = std::string_view(end, static_cast<std::size_t>(last - end));
            return number;
        }
    }
    return -1;
}

/// Gemma's inputs of single layers: a table beside that of the tokens, and what the first layer makes of them for all.
std::optional<TensorPlace> inputsOfLayers(std::string_view name) {
    const auto isIn = [&name](std::string_view word) { return name.find(word) != std::string_view::npos; };
    if (isIn("per_layer_token_embd") || isIn("embed_tokens_per_layer"))
        return TensorPlace{Embedding, 0};
    if (isIn("per_layer_model_proj"))
        return TensorPlace{FeedForward, 0};
    return isIn("per_layer_proj") ? std::optional(TensorPlace{Norms, 0}) : std::nullopt;
}

/// What quantised checkpoints leave in 16 bit, as a rule.
bool staysSixteenBit(WeightPartKind kind) {
    switch (kind) {
    case Embedding:
    case Head:
    case FinalNorm:
    case Norms:
    case Router:
    case Vision:
        return true;
    default:
        return false;
    }
}

} // namespace

TensorPlace ggufTensorPlace(std::string_view name, std::int64_t trunk) {
    std::string_view rest = name;
    const bool encoder = name.starts_with("enc.");
    if (name.starts_with("v.") || name.starts_with("mm.") || name.starts_with("a."))
        return {Vision, -1};
    const std::int32_t layer = layerNumber(name, rest);
    if (layer < 0)
        return inputsOfLayers(name).value_or(TensorPlace{firstMatch(ggufOutsideRules, name, Embedding), -1});
    if (!encoder && layer >= trunk)
        return {Draft, layer};
    const WeightPartKind kind = rest.ends_with(".bias") ? Norms : firstMatch(ggufLayerRules, rest, FeedForward);
    return {kind, encoder ? -1 : layer};
}

TensorPlace hubTensorPlace(std::string_view name, std::int64_t trunk) {
    const auto isIn = [&name](std::string_view word) { return name.find(word) != std::string_view::npos; };
    if (isOfTower(name))
        return {Vision, -1};
    std::string_view rest = name;
    const std::int32_t layer = layerNumber(name, rest);
    if (isIn("mtp") || isIn("nextn") || (layer >= trunk && !isIn("encoder")))
        return {Draft, layer};
    if (layer < 0)
        return inputsOfLayers(name).value_or(TensorPlace{firstMatch(hubOutsideRules, name, Embedding), -1});
    const bool matrixNorm = isFine(rest) && !isIn("linear_attn") && !isIn("mamba") && !isIn(".experts");
    return {matrixNorm ? Norms : firstMatch(hubLayerRules, rest, FeedForward), isIn("encoder") ? -1 : layer};
}

void TensorParts::add(TensorPlace place, std::int64_t elements, Bytes stored) {
    Sum &sum = m_sums[{place.kind, place.layer}];
    sum.elements = checked::add(sum.elements, elements);
    sum.stored += stored;
    m_elements = checked::add(m_elements, elements);
    m_stored += stored;
}

std::vector<WeightPart> TensorParts::parts() const {
    std::vector<WeightPart> list;
    const Sum *before = nullptr;
    for (const auto &[place, sum] : m_sums) {
        if (before && list.back().kind == place.first && list.back().layer >= 0 && sum == *before) {
            ++list.back().layerCount;
            list.back().elements = checked::add(list.back().elements, sum.elements);
            list.back().stored += sum.stored;
        } else {
            list.push_back({place.first, place.second, 1, sum.elements, sum.stored, staysSixteenBit(place.first)});
        }
        before = &sum;
    }
    return list;
}

std::int64_t TensorParts::textElements() const {
    std::int64_t elements = 0;
    for (const auto &[place, sum] : m_sums)
        if (place.first != Draft && place.first != Vision)
            elements = checked::add(elements, sum.elements);
    return elements;
}

std::int64_t activeParameters(const std::vector<WeightPart> &parts, std::int64_t parameters, std::int64_t experts,
                              std::int64_t expertsPerToken) {
    std::int64_t inExperts = 0;
    for (const WeightPart &part : parts)
        if (part.kind == Experts)
            inExperts = checked::add(inExperts, part.elements);
    if (experts <= 0 || inExperts <= 0 || inExperts > parameters)
        return parameters;
    return parameters - inExperts + checked::mulDiv(inExperts, std::min(expertsPerToken, experts), experts);
}

} // namespace kv
