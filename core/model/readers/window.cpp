// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/readers/window.h"

#include "core/base/quantity.h"

#include <algorithm>

namespace kv {

namespace {

struct Length {
    Whole fact;
    std::int64_t tokens = 0; ///< 0: none
    bool off = false;        ///< use_sliding_window is false
};

Length readLength(Reader &reader) {
    constexpr Range range{-1, tokenRange.most};
    Length length;
    length.fact = reader.whole({"sliding_window", "sliding_window_size", "attention_window_size", "attn_config.sliding_window_size",
                                 "efficient_attention_config.swa.window_size"}, range);
    if (reader.type() == "gpt_neo" && length.fact.said == Whole::Said::Absent)
        length.fact = reader.whole({"window_size"}, range);
    if (reader.type() == "modernbert-decoder" && length.fact.said == Whole::Said::Absent) {
        length.fact = reader.whole({"local_attention"}, range); // the encoder's window: half of it lies in the past
        length.fact = length.fact ? length.fact : Whole{Whole::Said::Value, 128, Origin::ClassDefault, "local_attention"};
        length.fact.value = length.fact.value > 0 ? length.fact.value / 2 : length.fact.value;
    }
    length.off = !reader.flag("use_sliding_window").value_or(true);
    length.tokens = length.fact && length.fact.value > 0 && !length.off ? length.fact.value : 0;
    if (length.off && length.fact && length.fact.origin == Origin::File && length.fact.value > 0)
        reader.inform("hint-ignored", reader.at(length.fact.key),
                      "the window of " + writeNumber(length.fact.value) + " plays no part: use_sliding_window is false");
    const std::optional<Tokens> limit = reader.spec().maxContext;
    if (length.tokens > 0 && limit && length.tokens >= limit->value) {
        reader.inform("hint-ignored", reader.at(length.fact.key),
                      "a window of " + writeNumber(length.tokens) + " tokens is no window at a limit of " + writeNumber(limit->value));
        length.tokens = 0;
        length.off = true; // layers that a list calls sliding are full, too
    }
    return length;
}

LayerKinds everyNth(std::int64_t layers, std::int64_t n, std::int64_t fullAt) {
    LayerKinds kinds(static_cast<std::size_t>(layers), LayerKind::Window);
    for (std::int64_t i = 0; i < layers; ++i)
        if (i % n == fullAt)
            kinds[static_cast<std::size_t>(i)] = LayerKind::Full;
    return kinds;
}

/// "LLLG": L slides, G is full; repeated to the number of layers.
LayerKinds fromLetters(Reader &reader, std::string_view key, std::string_view letters, std::int64_t layers) {
    LayerKinds kinds;
    for (std::int64_t i = 0; i < layers; ++i) {
        const char letter = letters[static_cast<std::size_t>(i) % letters.size()];
        if (letter != 'L' && letter != 'G') {
            reader.refuse("unknown-layer-kind", reader.at(key), "the letter '" + std::string(1, letter) + "' of the pattern \""
                              + std::string(letters) + "\" is not known: L is a layer with a window, G one without");
            break;
        }
        kinds.push_back(letter == 'L' ? LayerKind::Window : LayerKind::Full);
    }
    return kinds;
}

/// Cohere 2's mixture of experts: its first dense layers follow a pattern of their own, and the others begin anew after them.
std::optional<LayerKinds> fromPrefix(Reader &reader, std::int64_t layers) {
    const Whole prefixPattern = reader.whole({"prefix_dense_sliding_window_pattern"}, layerRange);
    if (!prefixPattern)
        return std::nullopt;
    const Whole prefix = reader.whole({"first_k_dense_replace"}, {0, layerRange.most}, Fill::Never);
    const Whole pattern = reader.whole({"sliding_window_pattern"}, layerRange);
    if (!pattern)
        return std::nullopt;
    const std::int64_t dense = std::min(prefix.value, layers);
    LayerKinds kinds = everyNth(dense, prefixPattern.value, prefixPattern.value - 1);
    const LayerKinds rest = everyNth(layers - dense, pattern.value, pattern.value - 1);
    kinds.insert(kinds.end(), rest.begin(), rest.end());
    return kinds;
}

std::optional<LayerKinds> fromPatternKey(Reader &reader, std::int64_t layers) {
    if (std::optional<LayerKinds> kinds = fromPrefix(reader, layers))
        return kinds;
    for (const std::string_view key : {"sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers"}) {
        const Json *value = reader.find(key);
        if (!value)
            value = reader.defaultOf(key);
        if (!value || value->isNull())
            continue;
        const std::string_view word = reader.word(key);
        if (!word.empty() && !std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; }))
            return fromLetters(reader, key, word, layers);
        const Whole n = reader.whole({key}, {0, layerRange.most});
        if (n && n.value > 0)
            return everyNth(layers, n.value, n.value - 1);
        return n ? std::optional(LayerKinds(static_cast<std::size_t>(layers), LayerKind::Full)) : std::nullopt; // 0: no layer slides
    }
    return std::nullopt;
}

std::optional<LayerKinds> fromNumberList(Reader &reader, std::int64_t layers) {
    const std::vector<std::int64_t> slides = listedNumbers(reader, "hybrid_layer_pattern", layers, {0, 1});
    if (slides.empty())
        return std::nullopt;
    LayerKinds kinds;
    for (const std::int64_t one : slides)
        kinds.push_back(one == 1 ? LayerKind::Window : LayerKind::Full);
    return kinds;
}

/// GPT-Neo: pairs of a list of kinds and how often it repeats, [[["global", "local"], 12]]; absent, the two take turns.
std::optional<LayerKinds> fromAttentionTypes(Reader &reader, std::int64_t layers) {
    if (reader.type() != "gpt_neo")
        return std::nullopt;
    const Json *pairs = reader.list("attention_types");
    if (!pairs)
        return everyNth(layers, 2, 0);
    LayerKinds kinds;
    for (const Json &pair : pairs->items()) {
        const bool good = pair.isArray() && pair.items().size() == 2 && pair.items()[0].isArray();
        const std::int64_t times = good ? reader.entry(pair.items()[1], reader.at("attention_types"), layerRange) : 0;
        for (std::int64_t n = 0; n < times && static_cast<std::int64_t>(kinds.size()) < layers && !pair.items()[0].items().empty(); ++n)
            for (const Json &name : pair.items()[0].items())
                if (const auto kind = name.isString() ? layerKindFromName(name.text()) : std::nullopt)
                    kinds.push_back(*kind);
    }
    if (!longEnough(reader, "attention_types", kinds.size(), layers))
        return std::nullopt;
    kinds.resize(static_cast<std::size_t>(layers));
    return kinds;
}

std::optional<LayerKinds> fromFirstWindowLayer(Reader &reader, std::int64_t layers) {
    const Whole first = reader.whole({"max_window_layers"}, {0, layerRange.most});
    if (!first)
        return std::nullopt;
    LayerKinds kinds(static_cast<std::size_t>(layers), LayerKind::Full);
    for (std::int64_t i = first.value; i < layers; ++i)
        kinds[static_cast<std::size_t>(i)] = LayerKind::Window;
    return kinds;
}

LayerKinds fromFamily(std::int64_t layers, Pattern pattern, std::int64_t period) {
    switch (pattern) {
    case Pattern::EvenSlide: return everyNth(layers, 2, 1);
    case Pattern::LastIsFull: return everyNth(layers, period, period - 1);
    case Pattern::FirstIsFull: return everyNth(layers, period, 0);
    case Pattern::FullFromLast: return everyNth(layers, period, (layers - 1) % period);
    case Pattern::FullUnlessListed:
    case Pattern::NoRopeSlides:
    case Pattern::ChunksUnlessNoRope: return LayerKinds(static_cast<std::size_t>(layers), LayerKind::Full);
    case Pattern::Plain: break;
    }
    return LayerKinds(static_cast<std::size_t>(layers), LayerKind::Window);
}

/// One kind for layers with rotary positions (1 in no_rope_layers), one for those without; an empty list means that every 4th has none.
LayerKinds byRotary(Reader &reader, std::int64_t layers, LayerKind with, LayerKind without) {
    const Json *list = reader.list("no_rope_layers");
    LayerKinds kinds;
    if (list && !list->items().empty()) {
        for (const std::int64_t rotary : listedNumbers(reader, "no_rope_layers", layers, {0, 1}))
            kinds.push_back(rotary == 1 ? with : without);
        return kinds;
    }
    constexpr std::int64_t usual = 4;
    const Whole interval = reader.whole({"no_rope_layer_interval"}, layerRange);
    const std::int64_t n = interval ? interval.value : usual;
    for (std::int64_t i = 0; i < layers; ++i)
        kinds.push_back((i + 1) % n == 0 ? without : with);
    return kinds;
}

void addWindowFact(Reader &reader, const Length &length, std::int64_t slide, std::int64_t layers) {
    reader.addFact(Role::Window, length.fact,
                   slide == layers ? std::string() : "on " + writeNumber(slide) + " of " + counted(layers, "layer") + ", the others keep all");
}

/// Layers that a list calls sliding need a length; where the file says there is none, they are full.
void settleWindows(Reader &reader, WindowRule &rule, const Length &length, bool listed) {
    const auto slide = std::ranges::count(rule.kinds, LayerKind::Window);
    if (slide == 0)
        return;
    if (length.tokens > 0) {
        rule.window = Tokens(length.tokens);
        addWindowFact(reader, length, slide, static_cast<std::int64_t>(rule.kinds.size()));
        return;
    }
    if (listed && length.fact.said == Whole::Said::Absent) {
        reader.need(length.fact, "sliding_window");
        reader.refuseMissing();
        return;
    }
    std::ranges::replace(rule.kinds, LayerKind::Window, LayerKind::Full);
    if (listed && !length.off)
        reader.warn("contradiction", reader.at("sliding_window"),
                    "says there is no window, while a list marks " + counted(slide, "layer") + " as sliding: counted as full");
}

void settleChunks(Reader &reader, WindowRule &rule) {
    if (!uses(rule.kinds, LayerKind::Chunked))
        return;
    const Whole chunk = reader.whole({"attention_chunk_size"}, {0, tokenRange.most});
    if (chunk.said == Whole::Said::Absent) {
        reader.need(chunk, "attention_chunk_size");
        reader.refuseMissing();
    } else if (!chunk || chunk.value == 0) {
        std::ranges::replace(rule.kinds, LayerKind::Chunked, LayerKind::Full);
    } else {
        rule.chunk = Tokens(chunk.value);
        reader.addFact(Role::Chunk, chunk);
    }
}

} // namespace

std::int64_t readWindowLength(Reader &reader) { return readLength(reader).tokens; }

WindowRule readWindows(Reader &reader, const ModelShape &shape, Pattern pattern, std::int64_t period) {
    WindowRule rule;
    const Length length = readLength(reader);
    const std::string_view listKey = !reader.has("layer_types") && reader.has("layers_block_type") ? "layers_block_type" : "layer_types";
    std::optional<LayerKinds> listed = listedKinds(reader, listKey, shape.layers);
    if (!listed && !reader.failed())
        listed = fromNumberList(reader, shape.layers);
    if (reader.failed())
        return rule;
    if (listed) {
        rule.kinds = std::move(*listed);
    } else if (pattern == Pattern::ChunksUnlessNoRope) {
        rule.kinds = byRotary(reader, shape.layers, LayerKind::Chunked, LayerKind::Full);
    } else if (length.tokens == 0) {
        // Where only a chunk size is given, transformers makes every layer chunked (cache_utils.py get_layer_types_and_kwargs).
        const bool chunks = !reader.defaults() && length.fact.said == Whole::Said::Absent && reader.has("attention_chunk_size");
        rule.kinds.assign(static_cast<std::size_t>(shape.layers), chunks ? LayerKind::Chunked : LayerKind::Full);
    } else if (pattern == Pattern::NoRopeSlides) {
        rule.kinds = byRotary(reader, shape.layers, LayerKind::Full, LayerKind::Window);
    } else if (std::optional<LayerKinds> paired = fromAttentionTypes(reader, shape.layers)) {
        rule.kinds = std::move(*paired);
    } else if (std::optional<LayerKinds> keyed = fromPatternKey(reader, shape.layers)) {
        rule.kinds = std::move(*keyed);
    } else if (std::optional<LayerKinds> later = pattern == Pattern::Plain ? fromFirstWindowLayer(reader, shape.layers) : std::nullopt) {
        rule.kinds = std::move(*later);
    } else {
        rule.kinds = fromFamily(shape.layers, pattern, period);
    }
    if (!reader.failed())
        settleWindows(reader, rule, length, listed.has_value());
    if (!reader.failed())
        settleChunks(reader, rule);
    return rule;
}

} // namespace kv
