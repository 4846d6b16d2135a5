// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/oracle/madeup.h"

#include <algorithm>
#include <array>

namespace kv::oracle {

namespace {

Json number(std::int64_t value) { return Json(value); }

std::vector<Keeps> all(std::int64_t elements) { return {{elements, 1, 0, 0}}; }
std::vector<Keeps> last(std::int64_t elements, std::int64_t window) { return {{elements, 1, window, 0}}; }
std::vector<Keeps> fixed(std::int64_t bytes) { return {{0, 1, 1, bytes}}; }

} // namespace

std::int64_t Maker::between(std::int64_t least, std::int64_t most) {
    // Not std::uniform_int_distribution: its numbers differ between libraries, and a seed has to name the same models everywhere.
    return least + static_cast<std::int64_t>(m_random() % static_cast<std::uint32_t>(most - least + 1));
}

Json Maker::base(std::int64_t &layers, std::int64_t &head) {
    layers = between(1, 14);
    const std::int64_t kvHeads = between(1, 5);
    const std::int64_t queryHeads = kvHeads * between(1, 6);
    const std::int64_t size = 2 * between(1, 24);
    Json config = Json::object();
    config.set("num_hidden_layers", number(layers));
    config.set("num_attention_heads", number(queryHeads));
    if (coin() || queryHeads != kvHeads)
        config.set("num_key_value_heads", number(kvHeads));
    if (coin()) {
        config.set("hidden_size", number(queryHeads * size)); // the head size is left to be divided
    } else {
        config.set("hidden_size", number(between(16, 512)));
        config.set("head_dim", number(size));
    }
    config.set("max_position_embeddings", number(1'000'000));
    config.set("torch_dtype", Json("bfloat16"));
    head = 2 * kvHeads * size;
    return config;
}

MadeUp Maker::plain() {
    MadeUp made{"plain", {}, {}, 40};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    made.config.set("model_type", Json("llama"));
    made.layers.assign(static_cast<std::size_t>(layers), all(head));
    if (coin()) { // the same, nested
        Json outer = Json::object();
        outer.set("model_type", Json("llava"));
        outer.set(coin() ? "text_config" : "llm_config", std::move(made.config));
        made.config = std::move(outer);
    }
    return made;
}

MadeUp Maker::listedWindows() {
    MadeUp made{"listed windows", {}, {}, 90};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    made.config.set("model_type", Json(coin() ? "olmo3" : "acme"));
    const std::int64_t window = between(1, 80);
    made.config.set("sliding_window", number(window));
    Json list = Json::array();
    for (std::int64_t i = 0; i < layers; ++i) {
        const bool slides = coin();
        list.push(Json(slides ? (coin() ? "sliding_attention" : "swa") : (coin() ? "full_attention" : "attention")));
        made.layers.push_back(slides ? last(head, window) : all(head));
    }
    for (std::int64_t extra = between(0, 2); extra > 0; --extra) // entries of draft layers
        list.push(Json("full_attention"));
    made.config.set("layer_types", std::move(list));
    return made;
}

MadeUp Maker::patternedWindows() {
    MadeUp made{"patterned windows", {}, {}, 70};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    const std::int64_t window = between(1, 60);
    made.config.set("sliding_window", number(window));
    const std::int64_t way = between(0, 2);
    std::string letters = "LG";
    if (way == 0) { // every n-th is full
        const std::int64_t n = between(1, 6);
        made.config.set("model_type", Json("cohere2"));
        made.config.set("sliding_window_pattern", number(n));
        letters = std::string(static_cast<std::size_t>(n - 1), 'L') + "G";
    } else if (way == 1) {
        made.config.set("model_type", Json("exaone4"));
        letters.clear();
        for (std::int64_t i = between(1, 5); i > 0; --i)
            letters += coin() ? 'L' : 'G';
        made.config.set("sliding_window_pattern", Json(letters));
    } else { // no key: the family's every other layer
        made.config.set("model_type", Json("gpt_oss"));
        if (!made.config.find("head_dim"))
            made.config.set("head_dim", number(made.config.find("hidden_size")->integer() / made.config.find("num_attention_heads")->integer()));
    }
    if (!made.config.find("num_key_value_heads"))
        made.config.set("num_key_value_heads", number(made.config.find("num_attention_heads")->integer()));
    for (std::int64_t i = 0; i < layers; ++i)
        made.layers.push_back(letters[static_cast<std::size_t>(i) % letters.size()] == 'L' ? last(head, window) : all(head));
    return made;
}

MadeUp Maker::laterWindows() {
    MadeUp made{"windows from a layer on", {}, {}, 70};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    made.config.set("model_type", Json("qwen2"));
    made.config.set("num_key_value_heads", number(1));
    const std::int64_t size = between(1, 20);
    made.config.set("head_dim", number(size));
    head = 2 * size; // one KV head
    const std::int64_t window = between(1, 60);
    const std::int64_t first = between(0, layers + 2);
    const bool on = coin();
    made.config.set("sliding_window", number(window));
    made.config.set("use_sliding_window", Json(on));
    made.config.set("max_window_layers", number(first));
    for (std::int64_t i = 0; i < layers; ++i)
        made.layers.push_back(on && i >= first ? last(head, window) : all(head));
    return made;
}

MadeUp Maker::ownHeads() {
    MadeUp made{"window layers with heads of their own", {}, {}, 50};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    const std::int64_t queries = 24, full = between(1, 2) * 2, sliding = between(1, 2) * 4;
    const std::int64_t key = between(2, 40), value = between(2, 40), window = between(1, 40);
    made.config.set("model_type", Json("mimo_v2_flash"));
    for (const auto &[name, n] : {std::pair("num_attention_heads", queries), std::pair("num_key_value_heads", full), std::pair("head_dim", key),
                                  std::pair("v_head_dim", value), std::pair("swa_num_key_value_heads", sliding), std::pair("swa_head_dim", key),
                                  std::pair("swa_v_head_dim", value), std::pair("sliding_window", window), std::pair("attention_chunk_size", window)})
        made.config.set(name, number(n));
    Json list = Json::array();
    for (std::int64_t i = 0; i < layers; ++i) {
        const bool slides = coin();
        list.push(number(slides ? 1 : 0));
        made.layers.push_back(slides ? last(sliding * (key + value), window) : all(full * (key + value)));
    }
    made.config.set("hybrid_layer_pattern", std::move(list));
    return made;
}

MadeUp Maker::chunks() {
    MadeUp made{"chunks", {}, {}, 60};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    made.config.set("model_type", Json("llama4_text"));
    made.config.set("head_dim", number(between(1, 20)));
    made.config.set("num_key_value_heads", number(1));
    head = 2 * made.config.find("head_dim")->integer();
    const std::int64_t chunk = between(1, 50);
    made.config.set("attention_chunk_size", number(chunk));
    const bool listed = coin();
    Json list = Json::array();
    for (std::int64_t i = 0; i < layers; ++i) {
        const bool rotary = listed ? coin() : (i + 1) % 4 != 0;
        if (listed)
            list.push(number(rotary ? 1 : 0));
        made.layers.push_back(rotary ? last(head, chunk) : all(head));
    }
    made.config.set("no_rope_layers", std::move(list));
    return made;
}

MadeUp Maker::latents() {
    MadeUp made{"latents", {}, {}, 40};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    const std::int64_t rank = between(8, 512), rope = between(0, 64), index = between(8, 128);
    made.config.set("model_type", Json(coin() ? "deepseek_v3" : "acme"));
    made.config.set("kv_lora_rank", number(rank));
    made.config.set("qk_rope_head_dim", number(rope));
    const bool indexed = coin(), listed = coin();
    Json list = Json::array();
    for (std::int64_t i = 0; i < layers; ++i) {
        const bool own = !listed || coin();
        list.push(Json(own ? "full" : "shared"));
        made.layers.push_back(all(rank + rope));
        if (indexed && own)
            made.layers.back().push_back({index, 1, 0, 0});
    }
    if (indexed)
        made.config.set("index_head_dim", number(index));
    if (indexed && listed)
        made.config.set("indexer_types", std::move(list));
    return made;
}

MadeUp Maker::sharedLayers() {
    MadeUp made{"shared layers", {}, {}, 60};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    layers = between(7, 16); // with both kinds before the layers that share
    const std::int64_t size = 2 * between(1, 20), wide = 2 * between(1, 20), window = between(1, 50), sharing = between(0, layers - 6);
    for (const auto &[name, n] : {std::pair("num_hidden_layers", layers), std::pair("num_attention_heads", std::int64_t{4}),
                                  std::pair("num_key_value_heads", std::int64_t{2}), std::pair("head_dim", size), std::pair("global_head_dim", wide),
                                  std::pair("sliding_window", window), std::pair("num_kv_shared_layers", sharing)})
        made.config.set(name, number(n));
    made.config.set("model_type", Json("gemma4_text"));
    for (std::int64_t i = 0; i < layers; ++i) {
        const bool full = (i + 1) % 6 == 0 || i + 1 == layers;
        if (i >= layers - sharing)
            made.layers.push_back({});
        else
            made.layers.push_back(full ? all(2 * 2 * wide) : last(2 * 2 * size, window));
    }
    return made;
}

MadeUp Maker::letters() {
    MadeUp made{"letters of Nemotron-H", {}, {}, 40};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    const std::int64_t heads = between(1, 8), size = between(1, 16), groups = between(1, 4), state = between(1, 32), kernel = between(2, 5);
    const bool hinted = coin();
    for (const auto &[name, n] : {std::pair("mamba_num_heads", heads), std::pair("mamba_head_dim", size), std::pair("n_groups", groups),
                                  std::pair("ssm_state_size", state), std::pair("conv_kernel", kernel)})
        made.config.set(name, number(n));
    made.config.set("model_type", Json("nemotron_h"));
    made.config.set("mamba_ssm_cache_dtype", Json(hinted ? "float32" : "bfloat16"));
    if (!made.config.find("head_dim"))
        made.config.set("head_dim", number(made.config.find("hidden_size")->integer() / made.config.find("num_attention_heads")->integer()));
    if (!made.config.find("num_key_value_heads"))
        made.config.set("num_key_value_heads", number(made.config.find("num_attention_heads")->integer()));
    const std::int64_t bytes = (heads * size + 2 * groups * state) * (kernel - 1) * 2 + heads * size * state * (hinted ? 4 : 2);
    std::string pattern;
    for (std::int64_t i = 0; i < layers; ++i) {
        const char letter = "M*-E"[between(0, 3)];
        pattern += letter;
        made.layers.push_back(letter == 'M' ? fixed(bytes) : letter == '*' ? all(head) : std::vector<Keeps>());
    }
    made.config.set("hybrid_override_pattern", Json(pattern));
    return made;
}

MadeUp Maker::deltaNet() {
    MadeUp made{"delta net", {}, {}, 40};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    const std::int64_t keyHeads = between(1, 8), valueHeads = between(1, 8), key = between(1, 32), value = between(1, 32), kernel = between(2, 5);
    for (const auto &[name, n] : {std::pair("linear_num_key_heads", keyHeads), std::pair("linear_num_value_heads", valueHeads),
                                  std::pair("linear_key_head_dim", key), std::pair("linear_value_head_dim", value),
                                  std::pair("linear_conv_kernel_dim", kernel)})
        made.config.set(name, number(n));
    made.config.set("model_type", Json(coin() ? "acme" : "qwen3_next_like"));
    const std::int64_t bytes = (2 * keyHeads * key + valueHeads * value) * (kernel - 1) * 2 + valueHeads * value * key * 2;
    const std::int64_t interval = between(1, 5);
    made.config.set("full_attention_interval", number(interval));
    for (std::int64_t i = 0; i < layers; ++i)
        made.layers.push_back((i + 1) % interval == 0 ? all(head) : fixed(bytes));
    return made;
}

MadeUp Maker::kimi() {
    MadeUp made{"Kimi's two lists", {}, {}, 40};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    const std::int64_t heads = between(1, 8), size = between(1, 32), kernel = between(2, 5), rank = between(8, 128), rope = between(0, 32);
    made.config.set("model_type", Json("kimi_linear"));
    made.config.set("kv_lora_rank", number(rank));
    made.config.set("qk_rope_head_dim", number(rope));
    Json full = Json::array(), delta = Json::array();
    const std::int64_t bytes = 3 * heads * size * (kernel - 1) * 2 + heads * size * size * 4;
    for (std::int64_t i = 1; i <= layers; ++i) {
        const bool attends = coin();
        (attends ? full : delta).push(number(i));
        made.layers.push_back(attends ? all(rank + rope) : fixed(bytes));
    }
    Json linear = Json::object();
    linear.set("num_heads", number(heads));
    linear.set("head_dim", number(size));
    linear.set("short_conv_kernel_size", number(kernel));
    linear.set("full_attn_layers", std::move(full));
    linear.set("kda_layers", std::move(delta));
    made.config.set("linear_attn_config", std::move(linear));
    return made;
}

MadeUp Maker::compressed() {
    MadeUp made{"compressed", {}, {}, 300};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    layers = std::min<std::int64_t>(layers, 5);
    const std::int64_t size = between(1, 64), index = between(1, 32), window = between(1, 40);
    for (const auto &[name, n] : {std::pair("num_hidden_layers", layers), std::pair("num_key_value_heads", std::int64_t{1}), std::pair("head_dim", size),
                                  std::pair("index_head_dim", index), std::pair("sliding_window", window)})
        made.config.set(name, number(n));
    made.config.set("model_type", Json("deepseek_v4"));
    Json list = Json::array();
    for (std::int64_t i = 0; i < layers; ++i) {
        const std::int64_t ratio = std::array<std::int64_t, 3>{0, 4, 128}[static_cast<std::size_t>(between(0, 2))];
        list.push(number(ratio));
        std::vector<Keeps> keeps = last(size, window);
        const std::int64_t overlap = ratio == 4 ? 2 : 1;
        if (ratio > 0)
            keeps.push_back({size, ratio, 0, 4 * 2 * overlap * size * overlap * ratio});
        if (ratio == 4)
            keeps.push_back({index, ratio, 0, 4 * 2 * overlap * index * overlap * ratio});
        made.layers.push_back(std::move(keeps));
    }
    made.config.set("compress_ratios", std::move(list));
    return made;
}

MadeUp Maker::blocks() {
    MadeUp made{"block configs", {}, {}, 50};
    std::int64_t layers = 0, head = 0;
    made.config = base(layers, head);
    const std::int64_t size = between(1, 32);
    made.config.set("model_type", Json("nemotron-nas"));
    made.config.set("num_attention_heads", number(24));
    made.config.set("num_key_value_heads", Json());
    made.config.set("head_dim", number(size));
    Json list = Json::array();
    for (std::int64_t i = 0; i < layers; ++i) {
        Json attention = Json::object();
        const std::int64_t group = std::array<std::int64_t, 4>{1, 2, 8, 24}[static_cast<std::size_t>(between(0, 3))];
        const bool none = between(0, 3) == 0;
        const std::int64_t window = coin() ? between(1, 40) : 0;
        attention.set("no_op", Json(none));
        attention.set("n_heads_in_group", none ? Json() : number(group));
        attention.set("window_length", window > 0 ? number(window) : Json());
        Json block = Json::object();
        block.set("attention", std::move(attention));
        list.push(std::move(block));
        const std::int64_t elements = 24 / group * 2 * size;
        made.layers.push_back(none ? std::vector<Keeps>() : window > 0 ? last(elements, window) : all(elements));
    }
    made.config.set("block_configs", std::move(list));
    return made;
}

MadeUp Maker::next() {
    static constexpr std::array ways{&Maker::plain,    &Maker::listedWindows, &Maker::patternedWindows, &Maker::laterWindows, &Maker::ownHeads,
                                     &Maker::chunks,   &Maker::latents,       &Maker::sharedLayers,     &Maker::letters,      &Maker::deltaNet,
                                     &Maker::kimi,     &Maker::compressed,    &Maker::blocks};
    return (this->*ways[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(ways.size()) - 1))])();
}

} // namespace kv::oracle
