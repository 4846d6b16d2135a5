// SPDX-License-Identifier: GPL-3.0-or-later
//
// fuzz_seeds FOLDER: what the fuzzers begin with, FOLDER/<reader>/<number>, and words in libFuzzer's form: FOLDER/json.dict, those of the
// configs and scenarios of tests/data, FOLDER/<reader>.dict where a reader has words of its own. A reader that is added gets a function here.
#include "core/base/embedded.h"
#include "core/base/json.h"
#include "core/engine/engines.h"
#include "core/launch/flags.h"
#include "core/log/sentences.h"
#include "tests/core/files/ggufbuilder.h"
#include "tests/testpaths.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
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
            learn("json", writeJson(value));
        for (const Json &item : value.items())
            learn(item);
        for (const auto &[key, member] : value.members()) {
            learn("json", writeJson(Json(key)));
            learn(member);
        }
    }
    void learn(const std::string &reader, std::string_view word) {
        if (word.empty() || word.size() > 42)
            return;
        std::string escaped;
        for (const char c : word) {
            char code[8];
            std::snprintf(code, sizeof code, "\\x%02X", static_cast<unsigned char>(c));
            escaped += c >= ' ' && c <= '~' && c != '"' && c != '\\' ? std::string(1, c) : code;
        }
        m_words[reader].insert(std::move(escaped));
    }
    void writeWords() const {
        for (const auto &[reader, words] : m_words) {
            std::ofstream out(m_folder / (reader + ".dict"));
            for (const std::string &word : words)
                out << '"' << word << "\"\n";
        }
    }

private:
    std::filesystem::path m_folder;
    std::map<std::string, std::set<std::string>> m_words;
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

void traces(Seeds &seeds) {
    for (const char *text : {"input_length,output_length\n12,34\n5,6\n", "TIMESTAMP;ContextTokens;GeneratedTokens\n\"a;b\";1;2\nx;;3\n", "37\n38.0\n1e3\n",
                             "prompt_tokens\tcompletion_tokens\ttotal_tokens\r\n1\t2\t3\r\n", "a|total tokens\n\"x\"\"y\"|2000000\n|7\n",
                             R"({"input_length": 10, "output_length": 2})" "\n" R"({"input_length": 7, "output_length": 0, "prompt": "x"})" "\n",
                             R"([{"usage": {"prompt_tokens": 3, "completion_tokens": 4}}, {"usage": {"prompt_tokens": 5}}])", R"({"input_lens": [1, 2, 3], "output_lens": [4, 5, 6]})",
                             "[1, 2, 3.0]", "\xEF\xBB\xBFnum_prefill_tokens,num_decode_tokens\n1,1\n"})
        seeds.add("trace", text);
    for (const char *word : {"input_length", "output_length", "ContextTokens", "GeneratedTokens", "Request tokens", "Response tokens", "Total tokens", "prompt_tokens", "completion_tokens",
                             "total_tokens", "input_lens", "output_lens", "num_prefill_tokens", "num_decode_tokens", "usage", "9223372036854775807", "1e3", "\xEF\xBB\xBF"})
        seeds.learn("trace", word);
}

/// Each log, and each of its lines: the longest inputs that are tried hold a few of them.
void logs(Seeds &seeds) {
    for (const auto &entry : std::filesystem::directory_iterator(std::string(test::dataFolder()) + "/logs")) {
        if (entry.path().extension() != ".log")
            continue;
        const std::string text = textOf(entry.path().string());
        seeds.add("log", text);
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            seeds.add("log", line + "\n");
    }
    for (const LogVocabulary &vocabulary : logVocabularies())
        for (const LogSentence &sentence : vocabulary.sentences)
            seeds.learn("log", sentence.phrase);
    for (const char *word : {" GiB", " GB", " MiB", " tokens", "TP0", "PP1", "rank 1", "dtype=", "9223372036854775807", "1e308", "nan"})
        seeds.learn("log", word);
}

void lessons(Seeds &seeds) {
    for (const EmbeddedFile &file : embeddedFiles())
        if (file.path.starts_with("lessons/"))
            if (const Parsed<Json> lesson = parseJson(file.content, "lesson")) {
                seeds.learn(*lesson);
                seeds.add("lesson", writeJson(*lesson));
            }
    seeds.add("lesson", R"({"lesson":1,"title":"t","question":"q","guess":{"unit":"bytes","from":1,"to":900000},"bars":[{"label":"a","of":"kv.bytes_per_token"},)"
                        R"({"label":"b","mistake":"query-heads"},{"label":"c","of":"fit.max_sequences","scenario":{"engine":{"id":"vllm"}}}],"reason":"r","show":"gpus"})");
}

/// Lines for every server, and their flags as words; the command line's own options beside them.
void lines(Seeds &seeds) {
    for (const char *line : {"vllm serve meta-llama/Llama-3.1-8B-Instruct -tp 2 --max-model-len 32k --kv-cache-dtype fp8 --gpu-memory-utilization=0.9",
                             "python -m sglang.launch_server --model-path x --tp 2 --context-length 4096 --mem-fraction-static 0.8 2>&1 | tee log",
                             "trtllm-serve 'a model' --tp_size 2 --max_batch_size 64 --kv_cache_free_gpu_memory_fraction 0.8",
                             "CUDA_VISIBLE_DEVICES=0,1 LLAMA_ARG_CTX_SIZE=8192 llama-server -m a.gguf -np 4 -ctk q8_0 -ctv q8_0 -fa on -ngl 99",
                             "docker run --gpus all vllm/vllm-openai:latest --model x \\\n  --enable-expert-parallel --speculative-config.method mtp # end"})
        seeds.add("launch", line);
    for (const char *line : {"plan\n--model\nllama-3.1-8b\n--context\n128k\n--json", "plan\n--engine=vllm\n--engine-option\nblock_size=32\n--engine-option=version=0.24\n--tp\n2",
                             "solve\nusers\n--gpu\nrtx-4090-24gb\n--gpus\n2\n--reserve\n10 %", "map\n--contexts\n1k-1M\n--grid\n4x4\n--csv\n--units\nGiB", "fleet\n--users\n100\n--price\n2.5",
                             "compare\na.kvplan\n--all", "gpus\n--add\nX\n--memory\n24GB", "log\n-\n--kv-dtype\nfp8", "--lang\nen\nplan\n--weights-bytes\n80GiB", "plan\n--help", "plna",
                             "plan\n--class\nname=chat,share=70,input=1500,output=300\n--class\nshare=30%,input=9k,output=1", "plan\n--p50\n1k\n--p90\n2k\n--p99\n4k\n--engine\nllama-cpp\n--k-dtype\nq8_0"})
        seeds.add("commandline", line);
    for (const Engine *engine : engines()) {
        for (const Flag &flag : launchFlags(engine->id())) {
            seeds.learn("launch", flag.name);
            std::istringstream names{std::string(flag.aliases)};
            for (std::string name; names >> name;)
                seeds.learn("launch", name);
        }
        for (const EngineOption &option : engine->options())
            seeds.learn("commandline", "--engine-option\n" + std::string(option.name) + "=");
        seeds.learn("commandline", engine->id());
    }
    for (const char *word : {"vllm serve", "sglang.launch_server", "trtllm-serve", "llama-server", "{\"method\": \"eagle\"}", "VLLM_PP_LAYER_PARTITION=", "SGLANG_MAMBA_CONV_DTYPE=", "llama-3.1-8b"})
        seeds.learn("launch", word);
    std::istringstream options("--scenario --scenario-name --from-launch --model --weights-dtype --weights-bytes --kv-dtype --k-dtype --v-dtype --context --sequences --shared-prefix --lengths "
                               "--lengths-columns --p50 --p90 --p99 --class --gpu --gpus --gpu-memory --display --reserve --tp --pp --dp --engine --engine-option --json --csv --markdown --html --latex "
                               "--launch --levers --require-fit --batch --units --contexts --counts --grid --settings --users --rate --seconds --lost --price --baseline --all --add --remove --help "
                               "plan solve map fleet compare log gpus models engines dtypes lessons help 128k 80GiB 0.5 fp8 q4_k_m h100-sxm-80gb input=1,output=2");
    for (std::string word; options >> word;)
        seeds.learn("commandline", word);
}

/// Choices are bytes: a few rows of them reach every part.
void choices(Seeds &seeds) {
    std::uint32_t state = 1;
    for (std::size_t length = 8; length <= 64; length += 8)
        for (int i = 0; i < 8; ++i) {
            std::string bytes;
            while (bytes.size() < length)
                bytes += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
            seeds.add("evaluate", bytes);
        }
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
    traces(seeds);
    logs(seeds);
    lessons(seeds);
    lines(seeds);
    choices(seeds);
    seeds.writeWords();
    return 0;
}
