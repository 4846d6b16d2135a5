// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/layerwords.h"

#include <algorithm>

namespace kv {

namespace {

void join(std::string &text, std::string_view more, std::string_view between) {
    if (more.empty())
        return;
    if (!text.empty())
        text += between;
    text += more;
}

std::string headWords(const HeadShape &heads) {
    std::string text = writeNumber(heads.kvHeads) + (heads.kvHeads == 1 ? " KV head × " : " KV heads × ") + writeNumber(heads.keySize);
    if (heads.valueSize != heads.keySize)
        text += " and " + writeNumber(heads.valueSize);
    return text;
}

/// A layer that is run several times has a part for each run: they are told once.
bool isFirst(const LayerShape &shape, std::size_t part) {
    return std::ranges::find(shape.parts, shape.parts[part]) == shape.parts.begin() + static_cast<std::ptrdiff_t>(part);
}

std::string partSize(const CachePart &part) {
    if (const auto *full = std::get_if<FullAttention>(&part))
        return headWords(full->heads);
    if (const auto *window = std::get_if<SlidingWindow>(&part))
        return headWords(window->heads) + " · window " + writeNumber(window->window.value);
    if (const auto *chunked = std::get_if<ChunkedAttention>(&part))
        return headWords(chunked->heads) + " · chunk " + writeNumber(chunked->chunk.value);
    if (const auto *latent = std::get_if<LatentAttention>(&part))
        return "latent " + writeNumber(latent->rank) + " + " + writeNumber(latent->ropeSize);
    if (const auto *index = std::get_if<IndexKeys>(&part))
        return "index key " + writeNumber(index->size);
    if (const auto *compressed = std::get_if<CompressedAttention>(&part))
        return compressed->ratio > 0 ? "an entry for " + writeNumber(compressed->ratio) + " tokens" : "window " + writeNumber(compressed->window.value);
    if (const auto *cross = std::get_if<CrossAttention>(&part))
        return headWords(cross->heads) + " · " + writeNumber(cross->encoderTokens.value) + " encoder tokens";
    return "a state of fixed size";
}

} // namespace

std::string layerKindWords(const LayerShape &shape) {
    std::string text;
    for (std::size_t i = 0; i < shape.parts.size(); ++i) {
        if (!isFirst(shape, i))
            continue;
        const auto *state = std::get_if<RecurrentState>(&shape.parts[i]);
        join(text, state ? stateFamilyName(state->family) : kindName(kindOf(shape.parts[i])), " + ");
        if (const std::int64_t runs = std::ranges::count(shape.parts, shape.parts[i]); runs > 1)
            text += ", " + writeNumber(runs) + " runs";
    }
    if (!text.empty())
        return text;
    switch (shape.idle) {
    case Idle::FeedForward:
        return "feed-forward, keeps nothing";
    case Idle::Experts:
        return "experts, keeps nothing";
    case Idle::SharedCache:
        return "reads another layer's cache";
    case Idle::NoAttention:
    case Idle::None:
        break;
    }
    return "no attention, keeps nothing";
}

std::string layerSizeWords(const LayerShape &shape) {
    std::string text;
    for (std::size_t i = 0; i < shape.parts.size(); ++i)
        if (isFirst(shape, i))
            join(text, partSize(shape.parts[i]), " + ");
    return text;
}

Bytes layerBytes(const LayerShape &shape, const CacheTypes &types, Tokens context) {
    Bytes sum;
    for (const CachePart &part : shape.parts)
        sum += bytesAt(part, context, types) + fixedBytes(part, types);
    return sum;
}

std::string layerSentence(const ModelSpec &model, std::size_t layer, const CacheTypes &types, Tokens context, SizeUnit unit) {
    const LayerShape &shape = model.layer(layer);
    std::string text = "layer " + writeNumber(static_cast<std::int64_t>(layer) + 1) + " of " + writeNumber(model.layerCount());
    join(text, layerKindWords(shape), " · ");
    if (layer < model.sharedFrom.size() && model.sharedFrom[layer] >= 0)
        join(text, "that of layer " + writeNumber(model.sharedFrom[layer] + 1), " · ");
    join(text, layerSizeWords(shape), " · ");
    if (!shape.parts.empty())
        join(text, writeBytes(layerBytes(shape, types, context), unit) + " a sequence here", " · ");
    return text;
}

} // namespace kv
