// SPDX-License-Identifier: GPL-3.0-or-later
//
// Towers that read pictures (and one that reads sound), with the projector to the language model. A tower is a stack of encoder layers of
// width h with a feed-forward of width f; what differs from kind to kind is how patches and positions come in, and how the result goes out.
// Sources: transformers/models/{siglip,clip,pixtral,gemma3,gemma4,llava,mistral3,llama4,qwen2_vl,qwen2_5_vl,qwen3_vl,mllama,voxtral}/modeling_*.py
// (August 2026); moonshotai/Kimi-K2.5 modeling_kimi_k25.py; Phi-3-vision image_embedding_phi3_v.py.
#include "core/weights/counting.h"

#include "core/model/defaults.h"

#include <algorithm>
#include <array>

namespace kv {

using namespace checked;

namespace {

/// A tower's own sizes: from its block, else from its class, else from the kind.
class Tower {
public:
    Tower(const Counting &c, const Json *block) : m_c(c), m_block(block) {
        const Json *type = block ? block->find("model_type") : nullptr;
        const ClassDefaults *defaults = classDefaults(type && type->isString() ? type->text() : std::string());
        m_defaults = defaults ? defaults->values : nullptr;
        h = size({"hidden_size", "embed_dim", "vt_hidden_size", "width"}, 1024);
        f = size({"intermediate_size", "vt_intermediate_size"}, mul(4, h));
        m = size({"num_hidden_layers", "depth", "vt_num_hidden_layers", "layers"}, 24);
        patch = size({"patch_size", "spatial_patch_size"}, 14);
    }

    std::int64_t size(std::initializer_list<std::string_view> keys, std::int64_t otherwise) const {
        for (const Json *in : {m_block, m_defaults})
            for (const std::string_view key : keys)
                if (const Json *value = in ? in->find(key) : nullptr)
                    if (const auto number = wholeNumber(*value); number && *number > 0)
                        return *number;
        return otherwise;
    }
    std::int64_t listed(std::string_view key) const {
        const Json *list = m_block ? m_block->find(key) : nullptr;
        return list && list->isArray() ? static_cast<std::int64_t>(list->items().size()) : 0;
    }

    std::int64_t listedAt(std::string_view key, std::size_t at, std::int64_t otherwise) const {
        const Json *list = m_block ? m_block->find(key) : nullptr;
        return list && at < list->items().size() ? wholeNumber(list->items()[at]).value_or(otherwise) : otherwise;
    }
    bool flag(std::string_view key) const {
        const Json *value = m_block ? m_block->find(key) : nullptr;
        return value && value->isBool() && value->boolean();
    }

    std::int64_t out() const { return m_c.hidden; }
    /// Patches of a square image.
    std::int64_t patches(std::int64_t image) const {
        const std::int64_t side = image / patch;
        return mul(side, side);
    }
    std::int64_t patchWeights() const { return mul(3, mul(patch, mul(patch, h))); }
    /// Attention with biases, feed-forward of two matrices with biases, two norms with biases.
    std::int64_t usualLayer() const {
        return add(mul(4, add(mul(h, h), h)), add(mul(2, mul(h, f)), add(add(f, h), mul(4, h))));
    }
    /// Gated feed-forward and RMS norms; attention with biases or without.
    std::int64_t gatedLayer(bool biases) const {
        const std::int64_t matrices = add(mul(4, mul(h, h)), mul(3, mul(h, f)));
        const std::int64_t vectors = biases ? add(mul(4, h), add(mul(2, f), h)) : 0;
        return add(matrices, add(vectors, mul(2, h)));
    }

    std::int64_t h = 0, f = 0, m = 0, patch = 0;

private:
    const Counting &m_c;
    const Json *m_block;
    const Json *m_defaults = nullptr;
};

/// A matrix with its bias.
std::int64_t linear(std::int64_t in, std::int64_t out) { return add(mul(in, out), out); }

std::int64_t sum(std::initializer_list<std::int64_t> terms) {
    std::int64_t all = 0;
    for (const std::int64_t term : terms)
        all = add(all, term);
    return all;
}

std::int64_t siglip(const Tower &t, std::int64_t positions) {
    return sum({t.patchWeights(), t.h, mul(positions, t.h), mul(t.m, t.usualLayer()), mul(2, t.h)});
}

std::int64_t gemma3(const Tower &t) {
    return sum({siglip(t, t.patches(t.size({"image_size"}, 896))), mul(t.h, t.out()), t.h});
}

std::int64_t paligemma(const Tower &t) { return add(siglip(t, t.patches(t.size({"image_size"}, 224))), linear(t.h, t.out())); }

/// Positions by number, the norm at the end, and a projector from a square of patches by way of a width of its own.
std::int64_t lfm2Vl(const Counting &c, const Tower &t) {
    const Json *factor = c.root.find("downsample_factor"), *width = c.root.find("projector_hidden_size");
    const std::int64_t side = factor ? wholeNumber(*factor).value_or(2) : 2;
    const std::int64_t joined = mul(mul(side, side), t.h);
    const std::int64_t inner = width ? wholeNumber(*width).value_or(2560) : 2560;
    const Json *norm = c.root.find("projector_use_layernorm");
    const bool hasNorm = !norm || !norm->isBool() || norm->boolean();
    return sum({siglip(t, t.size({"num_patches"}, 256)), linear(joined, inner), linear(inner, t.out()), hasNorm ? mul(2, joined) : 0});
}

/// A class token, no bias of the patches, norms before and after the stack.
std::int64_t clip(const Tower &t) {
    const std::int64_t positions = add(t.patches(t.size({"image_size"}, 336)), 1);
    return sum({t.h, t.patchWeights(), mul(positions, t.h), mul(4, t.h), mul(t.m, t.usualLayer())});
}

std::int64_t llava(const Tower &t) { return sum({clip(t), linear(t.h, t.out()), linear(t.out(), t.out())}); }

/// CLIP, two learned separators and a projector from four patches.
std::int64_t phi3(const Tower &t) {
    const std::int64_t joined = mul(4, t.h);
    return sum({clip(t), mul(2, joined), linear(joined, t.out()), linear(t.out(), t.out())});
}

std::int64_t pixtral(const Tower &t, bool merges) {
    const std::int64_t tower = sum({t.patchWeights(), t.h, mul(t.m, t.gatedLayer(false))});
    if (!merges) // llava: both projections with biases
        return sum({tower, linear(t.h, t.out()), linear(t.out(), t.out())});
    return sum({tower, t.h, mul(mul(4, t.h), t.h), mul(t.h, t.out()), mul(t.out(), t.out())});
}

std::int64_t llama4(const Counting &c, const Json *block) {
    Tower t(c, block);
    if (!block) {
        t.h = 1408;
        t.m = 34;
        t.f = 5632;
    }
    const std::int64_t positions = add(t.patches(t.size({"image_size"}, 336)), 1);
    constexpr std::int64_t adapted = 4096;
    return sum({t.patchWeights(), t.h, mul(positions, t.h), mul(t.m, t.usualLayer()), mul(4, t.h), mul(t.f, adapted),
                mul(adapted, adapted), mul(adapted, t.out())});
}

std::int64_t qwen2Vl(const Tower &tower) {
    Tower t = tower;
    t.h = t.size({"embed_dim"}, 1280); // hidden_size is the language model's here
    t.f = mul(t.size({"mlp_ratio"}, 4), t.h);
    const std::int64_t joined = mul(4, t.h);
    return sum({mul(2, t.patchWeights()), mul(t.m, t.usualLayer()), mul(2, t.h), linear(joined, joined), linear(joined, t.out())});
}

std::int64_t qwen25Vl(const Tower &t) {
    const std::int64_t joined = mul(4, t.h);
    return sum({mul(2, t.patchWeights()), mul(t.m, t.gatedLayer(true)), t.h, linear(joined, joined),
                linear(joined, t.size({"out_hidden_size"}, t.out()))});
}

std::int64_t qwen3Vl(const Tower &t) {
    const std::int64_t joined = mul(4, t.h);
    const std::int64_t merger = add(linear(joined, joined), linear(joined, t.size({"out_hidden_size"}, t.out())));
    const std::int64_t deep = mul(t.listed("deepstack_visual_indexes"), add(mul(2, joined), merger));
    return sum({mul(2, t.patchWeights()), t.h, mul(t.size({"num_position_embeddings"}, 2304), t.h), mul(t.m, t.usualLayer()),
                mul(2, t.h), merger, deep});
}

std::int64_t moonVit(const Tower &t) {
    const std::int64_t joined = mul(4, t.h);
    return sum({t.patchWeights(), t.h, mul(64, mul(64, t.h)), mul(t.m, t.usualLayer()), mul(4, t.h), linear(joined, joined),
                linear(joined, t.out())});
}

/// Whisper's encoder with a projector from four frames.
std::int64_t voxtral(const Tower &t) {
    const std::int64_t bins = t.size({"num_mel_bins"}, 128);
    const std::int64_t convolutions = sum({mul(3, mul(bins, t.h)), t.h, mul(3, mul(t.h, t.h)), t.h});
    const std::int64_t layer = sub(t.usualLayer(), t.h); // k has no bias
    return sum({convolutions, mul(t.size({"max_source_positions"}, 1500), t.h), mul(t.m, layer), mul(2, t.h), mul(t.f, t.out()),
                mul(t.out(), t.out())});
}

/// Gated cross-attention: the tower keeps some layers' outputs beside the last; tile and position embeddings are gated.
std::int64_t mllama(const Tower &t) {
    const std::int64_t tiles = t.size({"max_num_tiles"}, 4);
    const std::int64_t patches = add(t.patches(t.size({"image_size"}, 560)), 1);
    std::int64_t listed = t.listed("supported_aspect_ratios");
    if (listed == 0) // the class default: every width and height of so many tiles at most (image_processing_mllama get_all_supported_aspect_ratios)
        for (std::int64_t wide = 1; wide <= std::min<std::int64_t>(tiles, 64); ++wide)
            listed = add(listed, tiles / wide);
    const std::int64_t ratios = add(listed, 1);
    const std::int64_t layer = sub(t.usualLayer(), mul(4, t.h)); // attention without biases
    const std::int64_t global = t.size({"num_global_layers"}, 8);
    const std::int64_t positions = sum({mul(patches, t.h), 1, mul(ratios, mul(tiles, mul(patches, t.h)))});
    const std::int64_t tilings = mul(2, add(mul(ratios, mul(tiles, t.h)), 1));
    return sum({t.patchWeights(), t.h, positions, tilings, mul(4, t.h), mul(t.m, layer), mul(global, add(layer, 2)),
                linear(t.size({"vision_output_dim"}, 7680), t.out())});
}

/// Two tables of positions, gated feed-forward, four norms and norms of q and k; a plain projection.
std::int64_t gemma4Vision(const Tower &t) {
    const std::int64_t heads = mul(t.size({"num_attention_heads"}, 12), t.size({"head_dim"}, 64));
    const std::int64_t layer = sum({mul(4, mul(t.h, heads)), mul(3, mul(t.h, t.f)), mul(4, t.h), mul(2, t.size({"head_dim"}, 64)),
                                    t.flag("use_clipped_linears") ? 28 : 0});
    return sum({t.patchWeights(), mul(2, mul(t.size({"position_embedding_size"}, 10240), t.h)), mul(t.m, layer),
                t.flag("standardize") ? mul(2, t.h) : 0, mul(t.h, t.out())});
}

/// A conformer: two half feed-forwards around attention with relative positions and a light convolution.
std::int64_t gemma4Sound(const Tower &t) {
    const std::int64_t first = t.listedAt("subsampling_conv_channels", 0, 128), second = t.listedAt("subsampling_conv_channels", 1, 32);
    const std::int64_t subsampling = sum({mul(10, first), mul(9, mul(first, second)), second, mul(mul(first / 4, second), t.h)});
    const std::int64_t square = mul(t.h, t.h);
    const std::int64_t attention = add(mul(5, square), floorDiv(t.h, t.size({"num_attention_heads"}, 8)));
    const std::int64_t forward = add(mul(8, square), mul(2, t.h));
    const std::int64_t convolution = add(mul(3, square), mul(add(t.size({"conv_kernel_size"}, 5), 2), t.h));
    const std::int64_t layer = sum({mul(2, forward), attention, convolution, mul(3, t.h), t.flag("use_clipped_linears") ? 40 : 0});
    const std::int64_t to = t.size({"output_proj_dims"}, 1536);
    return sum({subsampling, mul(t.m, layer), linear(t.h, to), mul(to, t.out())});
}

std::string_view typeOf(const Json &config) {
    const Json *type = config.find("model_type");
    return type && type->isString() ? std::string_view(type->text()) : std::string_view();
}

const Json *blockOf(const Json &root, std::string_view key) {
    const Json *block = root.find(key);
    return block && block->isObject() && !block->members().empty() ? block : nullptr;
}

/// Types whose towers no key of their files describes.
constexpr std::array<std::string_view, 3> silentTowers{"molmo", "molmo2", "phi4mm"};

/// Whether a block beside the language model is a tower under another name than the usual two: Qwen-VL visual, Ovis visual_tokenizer_config,
/// VibeVoice's tokenizers and diffusion head, Phi-4-multimodal's embd_layer and adapters.
bool hasOtherTower(const Counting &c) {
    static constexpr std::array<std::string_view, 10> words{"vision",   "visual",    "audio",     "speech", "acoustic",
                                                            "semantic", "diffusion", "embd_layer", "img_",   "tower"};
    for (const Json *block : c.chain.size() > 1 ? c.chain.first(c.chain.size() - 1) : c.chain)
        for (const Json::Member &member : block->members()) {
            const bool usual = block == &c.root && (member.first == "vision_config" || member.first == "audio_config");
            const auto named = [&](std::string_view word) { return member.first.find(word) != std::string::npos; };
            if (!usual && member.second.isObject() && !member.second.members().empty() && std::ranges::any_of(words, named))
                return true;
        }
    return std::ranges::find(silentTowers, typeOf(c.root)) != silentTowers.end();
}

/// Patches go through one matrix into the language model.
std::int64_t fuyu(const Tower &t, const Json &root) {
    const Json *patch = root.find("patch_size"), *channels = root.find("num_channels");
    const std::int64_t side = patch ? wholeNumber(*patch).value_or(30) : 30;
    return linear(mul(channels ? wholeNumber(*channels).value_or(3) : 3, mul(side, side)), t.out());
}

} // namespace

std::int64_t towerElements(const Counting &c, bool &known) {
    const Json *block = blockOf(c.root, "vision_config");
    const std::string_view type = typeOf(c.root);
    const Tower t(c, block);
    if (type == "llama4")
        return llama4(c, block);
    if (type == "phi3_v") {
        const Tower fixed(c, nullptr); // CLIP ViT-L/14 at 336, the class's own sizes
        return phi3(fixed);
    }
    const Json *sound = blockOf(c.root, "audio_config");
    if (type == "voxtral" && sound)
        return voxtral(Tower(c, sound));
    if (type == "gemma4" && block)
        return add(gemma4Vision(t), sound ? gemma4Sound(Tower(c, sound)) : 0);
    if (type == "fuyu")
        return fuyu(t, c.root);
    known = !sound && !hasOtherTower(c) && !type.starts_with("qwen2_5_omni") && !type.starts_with("qwen3_omni");
    if (!block)
        return 0;
    const std::string_view tower = typeOf(*block);
    if (type == "gemma3")
        return gemma3(t);
    if (type == "lfm2_vl")
        return lfm2Vl(c, t);
    if (type == "paligemma")
        return paligemma(t);
    if (type == "mistral3" && tower == "pixtral")
        return pixtral(t, true);
    if (type == "llava")
        return tower == "pixtral" ? pixtral(t, false) : llava(t);
    if (type == "llava_next" && tower == "clip_vision_model")
        return add(llava(t), t.out());
    if (type == "mllama")
        return mllama(t);
    if (type == "qwen2_vl")
        return qwen2Vl(t);
    if (type == "qwen2_5_vl")
        return qwen25Vl(t);
    if (type == "qwen3_vl" || type == "qwen3_vl_moe" || type == "qwen3_5" || type == "qwen3_5_moe")
        return qwen3Vl(t);
    if (type == "kimi_k25")
        return moonVit(t);
    known = false;
    return 0;
}

} // namespace kv
