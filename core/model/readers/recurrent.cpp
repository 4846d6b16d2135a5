// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/model/readers/attention.h"
#include "core/model/readers/hybrid.h"

#include <algorithm>

namespace kv {

namespace {

/// A model of states alone: layers and width, no heads.
template <typename ReadState>
void readStateModel(Reader &reader, ReadState readOne) {
    const Whole layers = readLayerCount(reader);
    const Whole width = readWidth(reader, reader.essential());
    reader.need(width, "hidden_size");
    if (reader.refuseMissing())
        return;
    reader.addFact(Role::Hidden, width);
    reader.spec().hidden = width.value;
    const std::optional<RecurrentState> state = readOne(reader, width.value);
    for (std::int64_t i = 0; state && i < layers.value; ++i)
        reader.spec().addLayer({*state});
}

struct Letters {
    LayerKinds kinds;
    bool good = true;
};

/// Nemotron-H's pattern: M a Mamba 2 state, * attention, - a feed-forward, E experts; | only separates.
Letters fromLetters(Reader &reader, std::string_view pattern) {
    Letters result;
    for (const char letter : pattern) {
        switch (letter) {
        case 'M': result.kinds.push_back(LayerKind::State); break;
        case '*': result.kinds.push_back(LayerKind::Full); break;
        case '-': result.kinds.push_back(LayerKind::FeedForward); break;
        case 'E': result.kinds.push_back(LayerKind::Experts); break;
        case '|': break;
        default:
            reader.refuse("unknown-layer-kind", reader.at("hybrid_override_pattern"),
                          "the letter '" + std::string(1, letter) + "' is not known: M is a Mamba layer, * attention, - a feed-forward, E experts");
            result.good = false;
            return result;
        }
    }
    return result;
}

/// The layers of Nemotron-H; num_hidden_layers may be left out, but may not contradict.
std::optional<LayerKinds> nemotronKinds(Reader &reader) {
    const std::string_view pattern = reader.word("hybrid_override_pattern", Fill::Never);
    const bool listed = pattern.empty();
    const std::string_view key = listed ? "layers_block_type" : "hybrid_override_pattern";
    std::optional<LayerKinds> kinds;
    if (!listed) {
        Letters letters = fromLetters(reader, pattern);
        if (!letters.good)
            return std::nullopt;
        kinds = std::move(letters.kinds);
    } else if (const Json *list = reader.list(reader.has("layer_types") && !reader.has(key) ? "layer_types" : key)) {
        kinds = listedKinds(reader, reader.has(key) ? key : "layer_types", static_cast<std::int64_t>(list->items().size()));
    } else if (!reader.failed()) {
        reader.needAlso(reader.at("hybrid_override_pattern") + " (or layers_block_type)");
        reader.refuseMissing();
    }
    if (!kinds || kinds->empty())
        return std::nullopt;
    const Whole said = reader.whole({"num_hidden_layers"}, layerRange, Fill::Never);
    const auto found = static_cast<std::int64_t>(kinds->size());
    if (said && said.value != found) {
        reader.refuse("contradiction", reader.at(key), "lists " + counted(found, "layer") + ", but num_hidden_layers says " + writeNumber(said.value));
        return std::nullopt;
    }
    if (said)
        reader.addFact(Role::Layers, said);
    else
        reader.addDerived(Role::Layers, found, reader.at(key) + " lists them");
    return kinds;
}

} // namespace

void readMambaModel(Reader &reader) { readStateModel(reader, readMamba1); }
void readMamba2Model(Reader &reader) { readStateModel(reader, readMamba2); }
void readRwkvModel(Reader &reader) { readStateModel(reader, readRwkv); }

void readNemotronH(Reader &reader) {
    std::optional<LayerKinds> kinds = nemotronKinds(reader);
    if (!kinds) {
        if (!reader.failed()) {
            reader.needAlso(reader.at("hybrid_override_pattern"));
            reader.refuseMissing();
        }
        return;
    }
    ModelShape shape;
    shape.layers = static_cast<std::int64_t>(kinds->size());
    if (readShape(reader, shape, {.layersKnown = true}))
        addAttentionLayers(reader, shape, {std::move(*kinds), {}, {}});
}

// PLaMo 2: a layer attends where i mod mamba_step = mamba_step ÷ 2 (in small models only the last one). full_attention_idx names the
// attending layers without a window. Source: vLLM model_executor/models/plamo2.py (is_mamba, Plamo2AttentionMixer).
void readPlamo2(Reader &reader) {
    ModelShape shape;
    if (!readShape(reader, shape))
        return;
    const Whole step = reader.whole({"mamba_step"}, layerRange);
    const Whole stateSize = reader.whole({"mamba_d_state"});
    const Whole kernel = reader.whole({"mamba_d_conv"}, {1, 1024});
    const Whole heads = reader.whole({"mamba_num_heads"}, headRange);
    const Whole headSize = reader.whole({"hidden_size_per_head"});
    for (const auto &[fact, name] : {std::pair(step, "mamba_step"), std::pair(stateSize, "mamba_d_state"), std::pair(kernel, "mamba_d_conv"),
                                     std::pair(heads, "mamba_num_heads"), std::pair(headSize, "hidden_size_per_head")})
        reader.need(fact, name);
    if (reader.refuseMissing())
        return;
    RecurrentState state;
    state.family = StateFamily::Mamba2;
    state.kernel = kernel.value;
    state.heads = heads.value;
    state.headRows = headSize.value;
    state.headColumns = stateSize.value;
    state.groupSize = stateSize.value;
    state.convChannels = checked::mul(heads.value, headSize.value);
    state.stateType = readStateType(reader);
    addStateFacts(reader, state, "(kernel " + writeNumber(state.kernel) + " − 1) × inner width " + writeNumber(state.convChannels),
                  counted(state.heads, "head") + " × " + writeNumber(state.headRows) + " × " + writeNumber(state.headColumns));
    const Whole window = reader.whole({"attention_window_size"}, {0, tokenRange.most});
    const Json *full = reader.list("full_attention_idx");
    const bool small = shape.layers <= step.value / 2;
    for (std::int64_t i = 0; i < shape.layers && !reader.failed(); ++i) {
        const bool attends = small ? i == shape.layers - 1 : i % step.value == step.value / 2;
        const bool whole = !window || window.value == 0
            || (full && std::ranges::any_of(full->items(), [&](const Json &one) { return one.integer() == i; }));
        if (!attends)
            reader.spec().addLayer({state});
        else if (whole)
            reader.spec().addLayer({FullAttention{shape.heads}});
        else
            reader.spec().addLayer({SlidingWindow{shape.heads, Tokens(window.value)}});
    }
    if (window && window.value > 0)
        reader.addFact(Role::Window, window);
}

} // namespace kv
