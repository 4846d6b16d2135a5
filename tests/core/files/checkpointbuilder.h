// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Checkpoints for tests: the header of a safetensors file from its JSON, and a small config beside it.

#include "tests/core/files/ggufbuilder.h"

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace kv::test {

/// The length, the JSON and as many zero bytes as `data`.
inline std::string safetensors(std::string_view json, std::size_t data = 0) {
    return GgufBuilder::number(json.size(), 8).append(json).append(data, '\0');
}

/// Two layers of width 32, two query heads and one KV head of 16, 100 words.
inline constexpr std::string_view smallConfig =
    R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
"num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 100, "max_position_embeddings": 4096, "torch_dtype": "bfloat16"})";

/// One tensor of `elements` BF16 numbers, and its data.
inline std::string shard(std::string_view tensor, std::size_t elements) {
    const std::string n = std::to_string(elements), bytes = std::to_string(elements * 2);
    return safetensors("{\"" + std::string(tensor) + "\": {\"dtype\": \"BF16\", \"shape\": [" + n + "], \"data_offsets\": [0, " + bytes + "]}}", elements * 2);
}

/// Matrices in BF16, one behind the other: name, rows, columns.
inline std::string shardOf(const std::vector<std::tuple<std::string, std::size_t, std::size_t>> &tensors) {
    std::string header = "{";
    std::size_t at = 0;
    for (const auto &[name, rows, columns] : tensors) {
        const std::size_t end = at + rows * columns * 2;
        header += (at ? ", \"" : "\"") + name + "\": {\"dtype\": \"BF16\", \"shape\": [" + std::to_string(rows) + ", " + std::to_string(columns) + "], \"data_offsets\": [" +
                  std::to_string(at) + ", " + std::to_string(end) + "]}";
        at = end;
    }
    return safetensors(header + "}", at);
}

} // namespace kv::test
