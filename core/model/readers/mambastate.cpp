// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/base/scaled.h"
#include "core/model/readers/states.h"
#include "core/model/wholevalue.h"

namespace kv {

ElementType readStateType(Reader &reader) {
    for (const std::string_view key : {"mamba_ssm_dtype", "mamba_ssm_cache_dtype", "ssm_state_dtype"}) {
        std::string_view name = reader.word(key);
        if (name.starts_with("torch."))
            name.remove_prefix(6);
        if (name.empty() || name == "auto")
            continue;
        if (const std::optional<ElementType> type = elementTypeFromName(name))
            return *type;
        reader.refuse("bad-value", reader.at(key), "expected a type such as float32 or bfloat16, found \"" + std::string(name) + "\"");
    }
    return ElementType::Auto;
}

void addStateFacts(Reader &reader, const RecurrentState &state, std::string conv, std::string recurrent) {
    if (state.convElements() != 0)
        reader.addDerived(Role::ConvElements, state.convElements(), std::move(conv), "kept in the model's dtype, whatever the KV type");
    if (state.stateElements() != 0)
        reader.addDerived(Role::StateElements, state.stateElements(), std::move(recurrent), "a fixed size, whatever the context");
}

namespace {

/// A number, or "auto" (as good as absent).
Whole wholeOrAuto(Reader &reader, Keys keys, Range range = sizeRange) {
    for (const std::string_view key : keys)
        if (reader.has(key))
            return reader.word(key) == "auto" ? Whole{} : reader.whole({key}, range);
    for (const std::string_view key : keys)
        if (const Whole fact = reader.whole({key}, range))
            return fact;
    return {};
}

/// expand × hidden_size; `expand` may be a fraction, the product is a whole number.
std::int64_t expandedWidth(Reader &reader, std::int64_t hidden) {
    for (const std::string_view key : {"mamba_expand", "expand"}) {
        const Json *value = reader.find(key);
        value = value ? value : reader.defaultOf(key);
        if (!value || value->isNull())
            continue;
        constexpr std::int64_t most = 64;
        if (value->kind() == Json::Kind::Real && value->real() > 0 && value->real() <= most)
            return checked::scaled(hidden, value->real());
        if (const auto whole = wholeValue(*value); whole && *whole > 0 && *whole <= most)
            return checked::mul(hidden, *whole);
        reader.refuse("bad-value", reader.at(key), "expected a number above 0 and up to 64, found " + describe(*value));
        return 0;
    }
    return 0;
}

std::string columns(const RecurrentState &state, const std::string &channels) {
    return "(kernel " + writeNumber(state.kernel) + " − 1) × " + channels;
}

} // namespace

std::optional<RecurrentState> readMamba1(Reader &reader, std::int64_t hidden) {
    RecurrentState state;
    state.family = StateFamily::Mamba1;
    const Whole kernel = reader.whole({"mamba_d_conv", "conv_kernel", "d_conv"}, {1, 1024});
    const Whole size = reader.whole({"mamba_d_state", "state_size", "ssm_state_size", "d_state"});
    reader.need(kernel, "conv_kernel");
    reader.need(size, "state_size");
    // Pure Mamba files state the inner width; elsewhere intermediate_size is the feed-forward's.
    const bool pure = reader.type() == "mamba" || reader.type() == "falcon_mamba";
    const Whole inner = pure ? reader.whole({"intermediate_size", "d_inner"}, sizeRange, Fill::Never) : Whole{};
    const std::int64_t width = inner ? inner.value : expandedWidth(reader, hidden);
    if (width == 0 && !reader.failed())
        reader.needAlso(reader.at("mamba_expand"));
    if (reader.refuseMissing())
        return std::nullopt;
    state.kernel = kernel.value;
    state.convChannels = width;
    state.heads = 1;
    state.headRows = width;
    state.headColumns = size.value;
    state.stateType = readStateType(reader);
    addStateFacts(reader, state, columns(state, "inner width " + writeNumber(width)),
                  "inner width " + writeNumber(width) + " × state size " + writeNumber(size.value));
    return state;
}

std::optional<RecurrentState> readMamba2(Reader &reader, std::int64_t hidden) {
    RecurrentState state;
    state.family = StateFamily::Mamba2;
    const bool pure = reader.type() == "mamba2"; // its heads stand under the names that attention has elsewhere
    const Whole heads = pure ? reader.whole({"num_heads"}, headRange) : reader.whole({"mamba_num_heads", "mamba_n_heads", "n_mamba_heads"}, headRange);
    const Whole size = pure ? wholeOrAuto(reader, {"head_dim"}) : wholeOrAuto(reader, {"mamba_head_dim", "mamba_d_head", "mamba_headdim"});
    const Whole groups = reader.whole({"n_groups", "mamba_n_groups", "mamba_ngroups", "mamba_num_groups"}, headRange);
    const Whole stateSize = reader.whole({"ssm_state_size", "mamba_d_state", "mamba_state_dim", "state_size"});
    const Whole kernel = reader.whole({"conv_kernel", "mamba_d_conv", "mamba_conv_kernel"}, {1, 1024});
    reader.need(heads, pure ? "num_heads" : "mamba_num_heads");
    reader.need(stateSize, "ssm_state_size");
    reader.need(kernel, "conv_kernel");
    if (reader.refuseMissing())
        return std::nullopt;
    const Whole given = reader.whole({"mamba_d_ssm"}, sizeRange);
    const std::int64_t inner = given ? given.value : size ? checked::mul(heads.value, size.value) : expandedWidth(reader, hidden);
    const std::int64_t headSize = size ? size.value : inner / heads.value;
    if (reader.failed() || inner <= 0 || checked::mul(headSize, heads.value) != inner) {
        if (!reader.failed())
            reader.refuse("contradiction", reader.at(heads.key), writeNumber(heads.value) + " state heads of "
                              + (size ? writeNumber(headSize) : "no given size") + " do not make the inner width of " + writeNumber(inner));
        return std::nullopt;
    }
    state.kernel = kernel.value;
    state.heads = heads.value;
    state.headRows = headSize;
    state.headColumns = stateSize.value;
    state.groups = groups ? groups.value : 1;
    state.groupSize = stateSize.value;
    state.convChannels = checked::add(inner, checked::mul(2 * state.groups, state.groupSize));
    state.stateType = readStateType(reader);
    addStateFacts(reader, state,
                  columns(state, "(inner width " + writeNumber(inner) + " + 2 × " + counted(state.groups, "group") + " × state size "
                              + writeNumber(stateSize.value) + ")"),
                  counted(state.heads, "head") + " × head size " + writeNumber(headSize) + " × state size " + writeNumber(stateSize.value));
    return reader.failed() ? std::nullopt : std::optional(state);
}

std::optional<RecurrentState> readRgLru(Reader &reader, std::int64_t hidden) {
    RecurrentState state;
    state.family = StateFamily::RgLru;
    const Whole width = reader.whole({"lru_width"});
    const Whole kernel = reader.whole({"conv1d_width"}, {1, 1024});
    reader.need(kernel, "conv1d_width");
    if (reader.refuseMissing())
        return std::nullopt;
    const std::int64_t channels = width ? width.value : hidden;
    state.kernel = kernel.value;
    state.convChannels = channels;
    state.heads = 1;
    state.headRows = channels;
    state.headColumns = 1;
    state.stateType = readStateType(reader);
    addStateFacts(reader, state, columns(state, "width " + writeNumber(channels)), "width " + writeNumber(channels));
    return state;
}

// The matrices of every head in FP32, and the last token's two shifted vectors in the model's dtype (one column of twice the width).
// Source: RWKV-LM rwkv_v5/v6 inference code; transformers models/rwkv (the fourth generation keeps three vectors instead of matrices).
std::optional<RecurrentState> readRwkv(Reader &reader, std::int64_t hidden) {
    RecurrentState state;
    state.family = StateFamily::Rwkv;
    state.kernel = 2;
    state.convChannels = checked::mul(2, hidden);
    state.stateType = ElementType::Fp32;
    if (reader.type() == "rwkv") {
        const Whole width = reader.whole({"attention_hidden_size"});
        state.heads = 3;
        state.headRows = width ? width.value : hidden;
        state.headColumns = 1;
    } else {
        const Whole given = reader.whole({"head_size", "head_dim", "head_size_a"}, optionalSizeRange);
        state.headRows = given && given.value > 0 ? given.value : 64;
        state.headColumns = state.headRows;
        if (!given)
            reader.addAssumed(Role::HeadDim, 64, "no head_size is named", "head_size is not named; RWKV's usual 64 was taken");
        if (hidden % state.headRows != 0) {
            reader.refuse("contradiction", reader.at("hidden_size"),
                          writeNumber(hidden) + " cannot be divided into heads of " + writeNumber(state.headRows));
            return std::nullopt;
        }
        state.heads = hidden / state.headRows;
    }
    addStateFacts(reader, state, "2 × width " + writeNumber(hidden) + " (token shift)",
                  counted(state.heads, "head") + " × " + writeNumber(state.headRows) + " × " + writeNumber(state.headColumns));
    return state;
}

} // namespace kv
