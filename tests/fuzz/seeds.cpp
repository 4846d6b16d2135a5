// SPDX-License-Identifier: GPL-3.0-or-later
//
// fuzz_seeds FOLDER: what the fuzzers begin with, FOLDER/<reader>/<number>, and FOLDER/json.dict, the words of the configs and scenarios
// of tests/data in libFuzzer's form. A reader that is added gets a function here.
#include "core/base/json.h"
#include "core/base/smallfile.h"
#include "tests/core/files/ggufbuilder.h"
#include "tests/testpaths.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace {

using namespace kv;
using kv::test::GgufBuilder;

class Seeds {
public:
    explicit Seeds(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    void add(const std::string &reader, std::string_view bytes) {
        std::filesystem::create_directories(m_folder / reader);
        std::ofstream(m_folder / reader / std::to_string(m_count++), std::ios::binary) << bytes;
    }
    /// Keys and texts, at every depth.
    void learn(const Json &value) {
        if (value.isString())
            learnWord(value.text());
        for (const Json &item : value.items())
            learn(item);
        for (const auto &[key, member] : value.members()) {
            learnWord(key);
            learn(member);
        }
    }
    void writeWords() const {
        std::ofstream out(m_folder / "json.dict");
        for (const std::string &word : m_words)
            out << "\"\\\"" << word << "\\\"\"\n";
    }

private:
    void learnWord(const std::string &word) {
        const bool plain = word.find_first_of("\"\\") == std::string::npos && word.size() <= 40;
        bool ascii = true;
        for (const char c : word)
            ascii = ascii && c >= ' ' && c <= '~';
        if (plain && ascii && !word.empty())
            m_words.insert(word);
    }

    std::filesystem::path m_folder;
    std::set<std::string> m_words;
    int m_count = 0;
};

std::string textOf(const std::string &path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// The rows of known answers: each is a scenario, most with a config in it.
void rows(Seeds &seeds) {
    for (const auto &entry : std::filesystem::directory_iterator(std::string(test::dataFolder()) + "/golden")) {
        std::istringstream lines(textOf(entry.path().string()));
        for (std::string line; std::getline(lines, line);) {
            const Parsed<Json> row = parseJson(line, "row");
            const Json *scenario = row ? row->find("scenario") : nullptr;
            if (!scenario)
                continue;
            seeds.learn(*scenario);
            seeds.add("scenario", writeJson(*scenario));
            const Json *model = scenario->find("model");
            if (const Json *config = model ? model->find("config") : nullptr)
                seeds.add("config", writeJson(*config));
        }
    }
    const std::string folder = std::string(test::dataFolder()) + "/scenario/";
    seeds.add("scenario", textOf(folder + "two.kvplan"));
    seeds.add("config", textOf(folder + "tiny/config.json"));
    seeds.add("config", R"({"dim": 64, "n_layers": 2, "n_heads": 4, "n_kv_heads": 2, "head_dim": 16, "hidden_dim": 128, "vocab_size": 100,
        "moe": {"num_experts": 4, "num_experts_per_tok": 2}})");
}

void ggufs(Seeds &seeds) {
    seeds.add("gguf", test::smallModel().whole());
    seeds.add("gguf", test::smallModel().header());
    GgufBuilder every = test::smallLlama();
    every.flag("x.yes", true).f32("x.half", 0.5F).i32s("x.list", {3, -4}).flags("x.pattern", {true, false});
    every.texts("tokenizer.ggml.tokens", {"a", "b"}).raw("x.u64", 10, GgufBuilder::number(UINT64_MAX, 8));
    every.tensor("blk.0.attn_q.weight", 8, {32, 32}, 1088).tensor("output.weight", 0, {32, 10}, 1280);
    seeds.add("gguf", every.whole());
    for (const char *architecture : {"gemma3", "qwen3next", "deepseek2", "jamba", "mamba", "lfm2", "gpt-oss", "llama4", "rwkv7", "t5", "plamo2"}) {
        const std::string name = architecture;
        GgufBuilder gguf;
        gguf.text("general.architecture", name).u32(name + ".block_count", 4).u32(name + ".embedding_length", 64);
        gguf.u32(name + ".context_length", 4096).u32(name + ".attention.head_count", 4);
        gguf.i32s(name + ".attention.head_count_kv", {2, 0, 2, 0}).u32(name + ".attention.key_length", 16);
        gguf.u32(name + ".attention.sliding_window", 128).u32(name + ".attention.kv_lora_rank", 32);
        gguf.u32(name + ".ssm.conv_kernel", 4).u32(name + ".ssm.inner_size", 128).u32(name + ".ssm.state_size", 16);
        gguf.u32(name + ".ssm.time_step_rank", 4).u32(name + ".ssm.group_count", 1).u32(name + ".shortconv.l_cache", 3);
        gguf.u32(name + ".wkv.head_size", 16).tensor("token_embd.weight", 8, {64, 10}, 680);
        seeds.add("gguf", gguf.header());
    }
}

void checkpoints(Seeds &seeds) {
    seeds.add("safetensors", R"({"__metadata__": {"format": "pt"}, "model.embed_tokens.weight": {"dtype": "BF16", "shape": [10, 4], "data_offsets": [0, 80]},
        "model.layers.0.self_attn.q_proj.weight": {"dtype": "F8_E4M3", "shape": [4, 4], "data_offsets": [80, 96]}})");
    seeds.add("safetensors", R"({"a": {"dtype": "F4", "shape": [2], "data_offsets": [0, 1]}, "b": {"dtype": "X", "shape": [], "data_offsets": [1, 9]}})");
    seeds.add("safetensors", std::string_view("raw:\x02\0\0\0\0\0\0\0{}", 14));
    seeds.add("index", R"({"metadata": {"total_size": 96}, "weight_map": {"a": "model-00001-of-00002.safetensors", "b": "sub/model-00002-of-00002.safetensors"}})");
    seeds.add("index", R"({"metadata": {"total_size": 96.0}, "weight_map": {"a": "..\/b\u00e9\ud83d\ude00"}, "x": [null, true, {"y": [1e3, -0.5]}]})");
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("usage: fuzz_seeds FOLDER\n", stderr);
        return 2;
    }
    Seeds seeds(argv[1]);
    rows(seeds);
    ggufs(seeds);
    checkpoints(seeds);
    seeds.writeWords();
    return 0;
}
