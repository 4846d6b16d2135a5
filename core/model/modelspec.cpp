// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/modelspec.h"

#include <algorithm>
#include <array>

namespace kv {

const Fact *ModelSpec::fact(Role role) const {
    const auto it = std::ranges::find(facts, role, &Fact::role);
    return it == facts.end() ? nullptr : &*it;
}

const Fact *ModelSpec::fact(Role role, std::int64_t value) const {
    const auto it = std::ranges::find_if(facts, [&](const Fact &f) { return f.role == role && f.value == value; });
    return it == facts.end() ? fact(role) : &*it;
}

std::int64_t ModelSpec::cachingLayers() const {
    std::int64_t n = 0;
    for (const LayerShape &shape : shapes)
        n += shape.parts.empty() ? 0 : shape.count;
    return n;
}

void ModelSpec::addLayer(std::vector<CachePart> parts, Idle idle) {
    const auto same = [&](const LayerShape &shape) { return shape.idle == idle && shape.parts == parts; };
    // Layers repeat in short patterns, so the shape before last is the likeliest after the last one.
    auto it = std::ranges::find_if(shapes, same);
    if (it == shapes.end()) {
        shapes.push_back({std::move(parts), idle, 0});
        it = shapes.end() - 1;
    }
    ++it->count;
    layers.push_back(static_cast<std::uint16_t>(it - shapes.begin()));
}

namespace {

enum class Word : std::uint8_t { Attention, Mla, MlaIndexer, Index, Window, Chunked, Compressed, Recurrent, Cross };

std::string_view attentionWord(Word word, const ModelSpec &model) {
    switch (word) {
    case Word::Attention: break;
    case Word::Mla: return "MLA";
    case Word::MlaIndexer: return "MLA+indexer";
    case Word::Index: return "indexer";
    case Word::Window: return "window";
    case Word::Chunked: return "chunked";
    case Word::Compressed: return "compressed";
    case Word::Recurrent: return "recurrent";
    case Word::Cross: return "cross";
    }
    if (model.kvHeads == 1 && model.queryHeads != 1)
        return "MQA";
    return model.queryHeads == 0 || model.kvHeads == model.queryHeads ? "MHA" : "GQA";
}

Word wordOf(CacheKind kind) {
    switch (kind) {
    case CacheKind::Full: return Word::Attention;
    case CacheKind::Window: return Word::Window;
    case CacheKind::Chunked: return Word::Chunked;
    case CacheKind::Latent: return Word::Mla;
    case CacheKind::Index: return Word::Index;
    case CacheKind::Compressed: return Word::Compressed;
    case CacheKind::State: return Word::Recurrent;
    case CacheKind::Cross: return Word::Cross;
    }
    return Word::Attention;
}

} // namespace

std::string ModelSpec::attentionName() const {
    constexpr Tokens usual(131072); // where the model names no limit
    struct Share {
        Word word{};
        bool present = false;
        double bytes = 0; // of this kind at the limit, for the order alone
    };
    std::array<Share, 9> shares{};
    const CacheTypes types{ElementType::Bf16, ElementType::Bf16, dtype};
    for (const LayerShape &shape : shapes) {
        for (const CachePart &part : shape.parts) {
            Share &share = shares[static_cast<std::size_t>(wordOf(kindOf(part)))];
            share.word = wordOf(kindOf(part));
            share.present = true;
            const Bytes one = bytesAt(part, maxContext.value_or(usual), types) + fixedBytes(part, types);
            share.bytes += static_cast<double>(one.value) * static_cast<double>(shape.count);
        }
    }
    Share &latent = shares[static_cast<std::size_t>(Word::Mla)];
    Share &index = shares[static_cast<std::size_t>(Word::Index)];
    if (latent.present && index.present) {
        latent.word = Word::MlaIndexer;
        latent.bytes += index.bytes;
        index.present = false;
    }
    // All kinds make the name, but windows and chunks of less than a thousandth of the bytes at the limit, such as the 128 tokens of gpt-oss
    // beside its full layers: they are attention of the same heads, so that "GQA" is true of them as well, and people call the model that. A
    // state, a latent, a cross-attention is another mechanism and is named however small it is: a hybrid never passes for a plain transformer.
    double least = 0;
    for (const Share &share : shares)
        least += share.bytes / 1000;
    const auto named = [least](const Share &share) {
        return share.present && (share.bytes >= least || (share.word != Word::Window && share.word != Word::Chunked));
    };
    std::ranges::stable_sort(shares, std::greater(), &Share::bytes);
    std::string words;
    for (const Share &share : shares)
        if (named(share))
            words.append(words.empty() ? "" : " + ").append(attentionWord(share.word, *this));
    return words.empty() ? "none" : words;
}

} // namespace kv
