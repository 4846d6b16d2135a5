// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/launch.h"
#include "core/launch/shellwords.h"
#include "core/model/catalogue.h"
#include "core/scenario/scenariofile.h"
#include "tests/core/launch/launching.h"
#include "tests/testmain.h"

#include <QTest>

#include <random>

using namespace kv;
using namespace kv::test;

namespace {

Scenario scenarioOf(const QByteArray &json) {
    const Parsed<Json> object = parseJson(json.toStdString(), "test");
    const Parsed<Scenario> scenario = object ? readScenario(*object, {}, firstScenario()) : Parsed<Scenario>{};
    return scenario ? *scenario : Scenario{};
}

} // namespace

class LaunchTest : public QObject {
    Q_OBJECT

private slots:
    void words_data();
    void words();
    void quoted();
    void written_data();
    void written();
    void read_data();
    void read();
    void scaledLimit_data();
    void scaledLimit();
    void refused_data();
    void refused();
};

void LaunchTest::words_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("expected"); // joined by |
    const auto row = [](const char *name, const char *line, const char *expected) { QTest::newRow(name) << QByteArray(line) << QByteArray(expected); };
    row("plain", "  a  b\tc ", "a|b|c");
    row("quotes", R"(a 'b c' "d e" f'g'"h")", "a|b c|d e|fgh");
    row("empty word", R"(a '' b)", "a||b");
    row("escapes", R"(a\ b "c\"d\$e\f" 'g\h')", R"(a b|c"d$e\f|g\h)");
    row("lines go on", "a \\\n b \\\r\n c ^\r\n d `\n e", "a|b|c|d|e");
    row("ends at a pipe", "a b 2>&1 | tee log", "a|b");
    row("ends at the line", "a b\nc d", "a|b");
    row("comments", "# first\na b # rest\n", "a|b");
    row("not a comment", "a#b", "a#b");
    row("json", R"(--x '{"a": "b c"}')", R"(--x|{"a": "b c"})");
    row("never expanded", "a $(rm -rf x) $HOME", "a|$(rm|-rf|x)|$HOME");
}

void LaunchTest::words() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, expected);
    const Parsed<ShellWords> split = splitShellWords(line.toStdString());
    QVERIFY(split.value.has_value());
    QByteArray joined;
    for (std::size_t i = 0; i < split->words.size(); ++i)
        joined += (i == 0 ? "" : "|") + QByteArray::fromStdString(split->words[i]);
    QCOMPARE(joined, expected);
}

void LaunchTest::quoted() {
    std::mt19937 random(7);
    for (int round = 0; round < 5000; ++round) {
        std::string word;
        for (std::size_t length = random() % 12; length > 0; --length)
            word += "ab'\"\\$ \n|;&<>#`^*?~=-{}()!"[random() % 26];
        const Parsed<ShellWords> back = splitShellWords("x " + quoteShellWord(word) + " y");
        QVERIFY(back.value.has_value());
        QCOMPARE(back->words, (std::vector<std::string>{"x", word, "y"}));
    }
}

void LaunchTest::written_data() {
    QTest::addColumn<QByteArray>("scenario");
    QTest::addColumn<QByteArray>("command");
    const auto row = [](const char *name, const char *scenario, const char *command) { QTest::newRow(name) << QByteArray(scenario) << QByteArray(command); };
    row("defaults say nothing", R"({"parallel": {"tp": 8}, "engine": {"id": "vllm", "options": {"gpu_memory_utilization": 0.92, "block_size": 16, "max_num_seqs": 1024, "prefix_caching": true, "enforce_eager": false}}})",
        "vllm serve meta-llama/Llama-3.1-70B-Instruct --tensor-parallel-size 8");
    row("a default of an older release", R"({"parallel": {"tp": 8}, "engine": {"id": "vllm", "options": {"version": "0.18", "gpu_memory_utilization": 0.92}}})",
        "vllm serve meta-llama/Llama-3.1-70B-Instruct --tensor-parallel-size 8 --gpu-memory-utilization 0.92");
    row("vLLM", R"({"kv": {"dtype": "fp8"}, "workload": {"context": 32768}, "parallel": {"tp": 4, "pp": 2, "dp": 2}, "engine": {"id": "vllm", "options": {"max_num_seqs": 64, "enforce_eager": true, "prefix_caching": false, "layer_partition": [39, 41]}}})",
        "VLLM_PP_LAYER_PARTITION=39,41 vllm serve meta-llama/Llama-3.1-70B-Instruct --tensor-parallel-size 4 --pipeline-parallel-size 2 --data-parallel-size 2 "
        "--kv-cache-dtype fp8 --max-model-len 32768 --max-num-seqs 64 --no-enable-prefix-caching --enforce-eager");
    row("drafts", R"({"model": {"preset": "deepseek-v3"}, "workload": {"context": 4096}, "parallel": {"tp": 16}, "engine": {"id": "vllm", "options": {"draft_layers": 1, "speculative_tokens": 3}}})",
        "vllm serve deepseek-ai/DeepSeek-V3 --tensor-parallel-size 16 --max-model-len 4096 --speculative-config '{\"method\": \"mtp\", \"num_speculative_tokens\": 3}'");
    row("SGLang", R"({"kv": {"dtype": "fp8"}, "workload": {"context": 8192}, "parallel": {"tp": 8, "dp": 2}, "engine": {"id": "sglang", "options": {"enable_dp_attention": true, "mem_fraction_static": 0.85, "swa_full_tokens_ratio": 0.8}}})",
        "python -m sglang.launch_server --model-path meta-llama/Llama-3.1-70B-Instruct --tp-size 8 --dp-size 2 --enable-dp-attention --kv-cache-dtype fp8_e4m3 "
        "--context-length 8192 --mem-fraction-static 0.85");
    row("TensorRT-LLM", R"({"workload": {"context": 8192}, "parallel": {"tp": 8}, "engine": {"id": "tensorrt-llm", "options": {"free_gpu_memory_fraction": 0.8, "max_batch_size": 64, "tokens_per_block": 64}}})",
        "trtllm-serve meta-llama/Llama-3.1-70B-Instruct --tp_size 8 --max_seq_len 8192 --max_batch_size 64 --kv_cache_free_gpu_memory_fraction 0.8 --config kv-planner.yaml");
    row("llama.cpp", R"({"kv": {"k": "q8_0", "v": "q4_0"}, "workload": {"context": 8192, "sequences": 3}, "hardware": {"count": 2}, "engine": {"id": "llama-cpp", "options": {"kv_unified": true, "n_gpu_layers": 40, "tensor_split": [3, 1], "fit_margin_bytes": "2GiB"}}})",
        "llama-server -m llama-3.1-70b.gguf -c 24576 -np 3 -kvu -ctk q8_0 -ctv q4_0 -ngl 40 -ts 3,1 -fitt 2048");
    row("the textbook", "{}", "");
    row("a library", R"({"engine": {"id": "transformers"}})", "");
}

void LaunchTest::written() {
    QFETCH(QByteArray, scenario);
    QFETCH(QByteArray, command);
    const LaunchCommand launch = launchCommand(scenarioOf(scenario));
    QCOMPARE(QByteArray::fromStdString(launch.text()), command);
    QCOMPARE(launch.empty(), command.isEmpty());
    if (launch.empty())
        QCOMPARE(codesOf(launch.notes), QByteArray("no-launch-command"));
}

void LaunchTest::read_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("scenario"); // that plans the same
    QTest::addColumn<QByteArray>("codes");
    const auto row = [](const char *name, const char *line, const char *scenario, const char *codes = "") {
        QTest::newRow(name) << QByteArray(line) << QByteArray(scenario) << QByteArray(codes);
    };
    const char *qwen = R"({"model": {"preset": "qwen3-32b"}, "kv": {"dtype": "fp8"}, "workload": {"context": 32768}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"gpu_memory_utilization": 0.85}}})";
    row("vllm serve", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768 --kv-cache-dtype fp8 --gpu-memory-utilization 0.85 --port 8000 --trust-remote-code", qwen);
    row("equals signs, underscores, thousands and a broken line",
        "CUDA_VISIBLE_DEVICES=0,1 python3 -m vllm.entrypoints.openai.api_server --model=Qwen/Qwen3-32B \\\n  --tensor_parallel_size=2 --max-model-len=32K --kv_cache_dtype fp8_e4m3 \\\n --gpu-memory-utilization '0.85' 2>&1 | tee log",
        qwen, "line-goes-on");
    row("an image", "docker run --gpus all -p 8000:8000 --ipc=host vllm/vllm-openai:latest --model Qwen/Qwen3-32B --tensor-parallel 2 --max-model-len 32768 --kv-cache-dtype fp8 --gpu-memory-util 0.85", qwen);
    row("the last counts", "vllm serve Qwen/Qwen3-32B -tp 8 -tp 2 --max-model-len 32768 --kv-cache-dtype fp8 --gpu-memory-utilization 0.85", qwen);
    row("unknown flags by name", "vllm serve Qwen/Qwen3-32B --frobnicate 7 -tp 2 --max-model-len 32768 --kv-cache-dtype fp8 --gpu-memory-utilization 0.85 --wobble", qwen,
        "unknown-flag unknown-flag");
    row("what is not planned is said", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768 --kv-cache-dtype fp8 --gpu-memory-utilization 0.85 --cpu-offload-gb 10", qwen,
        "flag-not-planned");
    row("without a length the model's own", "vllm serve Qwen/Qwen3-32B -tp 2", R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 40960}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})", "length-of-model");
    row("the length asked of the model", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len auto", R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 40960}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})", "length-that-fits");
    row("SGLang without a length", "python -m sglang.launch_server --model-path Qwen/Qwen3-32B --tp 2", R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 40960}, "parallel": {"tp": 2}, "engine": {"id": "sglang"}})", "length-of-model");
    const char *plain = R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 16384}, "parallel": {"tp": 2}, "engine": {"id": "sglang"}})";
    row("SGLang in half", "python -m sglang.launch_server --model-path Qwen/Qwen3-32B --tp 2 --context-length 16384 --dtype half",
        R"({"model": {"preset": "qwen3-32b"}, "weights": {"dtype": "fp16"}, "workload": {"context": 16384}, "parallel": {"tp": 2}, "engine": {"id": "sglang"}})");
    row("n-grams draft without layers", "python -m sglang.launch_server --model-path Qwen/Qwen3-32B --tp 2 --context-length 16384 --speculative-algorithm NGRAM", plain);
    row("paths of adapters turn LoRA on", "python -m sglang.launch_server --model-path Qwen/Qwen3-32B --tp 2 --context-length 16384 --lora-paths a=/x --max-lora-rank 16",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 16384}, "parallel": {"tp": 2}, "engine": {"id": "sglang", "options": {"enable_lora": true, "max_lora_rank": 16}}})");
    row("the model itself as what drafts", R"(vllm serve deepseek-ai/DeepSeek-V3 -tp 16 --max-model-len 8192 --speculative-config '{"model": "deepseek-ai/DeepSeek-V3", "num_speculative_tokens": 1}')",
        R"({"model": {"preset": "deepseek-v3"}, "workload": {"context": 8192}, "parallel": {"tp": 16}, "engine": {"id": "vllm", "options": {"draft_layers": 1, "speculative_tokens": 1}}})");
    row("TensorRT-LLM without a length", "trtllm-serve Qwen/Qwen3-32B --tp_size 2", R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 40960}, "parallel": {"tp": 2}, "engine": {"id": "tensorrt-llm"}})", "length-of-model");
    row("llama-server without a length", "llama-server -m Qwen3-32B-Q4_K_M.gguf -np 2",
        R"({"model": {"preset": "qwen3-32b"}, "weights": {"dtype": "q4_k_m"}, "workload": {"context": 20480, "sequences": 2}, "engine": {"id": "llama-cpp", "options": {"n_ctx": 0}}})", "model-by-name length-of-model");
    row("the release of an image", "docker run --gpus all vllm/vllm-openai:v0.18.0 --model Qwen/Qwen3-32B -tp 2 --max-model-len 32768",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 32768}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"version": "0.18.0"}}})");
    row("a release after its release, beside a name that is like the image's", "docker run --name vllm-openai --gpus all vllm/vllm-openai:v0.8.5.post1 --model Qwen/Qwen3-32B -tp 2 --max-model-len 32768",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 32768}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"version": "0.8.5"}}})");
    row("a release of four parts", "docker run --entrypoint vllm vllm/vllm-openai:v0.10.1.1 serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 32768}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"version": "0.10.1.1"}}})");
    row("behind other commands", "export CUDA_VISIBLE_DEVICES=0,1\ncd /srv && vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 32768}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})");
    row("behind an image that is fetched", "docker pull vllm/vllm-openai:v0.18.0 && docker run vllm/vllm-openai:v0.10.1 --model Qwen/Qwen3-32B -tp 2 --max-model-len 32768",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 32768}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"version": "0.10.1"}}})");
    row("settings in a file", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768 --config serve.yaml",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 32768}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})", "flag-not-planned");
    row("graphs that are not estimated", "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0 vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 32768}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})", "flag-not-planned");
    row("two marks of one conversion", "vllm serve Qwen/Qwen3-32B-GPTQ-Int4 -tp 2 --max-model-len 32768",
        R"({"model": {"preset": "qwen3-32b"}, "weights": {"dtype": "int4"}, "workload": {"context": 32768}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})", "model-by-name");
    row("weights quantised on loading", "vllm serve Qwen/Qwen3-32B -q fp8 --max-model-len 8192", R"({"model": {"preset": "qwen3-32b"}, "weights": {"dtype": "fp8"}, "workload": {"context": 8192}, "parallel": {"tp": 1}, "engine": {"id": "vllm"}})");
    row("drafting, member by member", "vllm serve deepseek-ai/DeepSeek-V3 -tp 16 --max-model-len 4096 --speculative-config.method mtp --speculative-config.num_speculative_tokens 3",
        R"({"model": {"preset": "deepseek-v3"}, "workload": {"context": 4096}, "parallel": {"tp": 16}, "engine": {"id": "vllm", "options": {"draft_layers": 1, "speculative_tokens": 3}}})");
    row("SGLang", "python -m sglang.launch_server --model meta-llama/Llama-3.1-70B-Instruct --tp 8 --dp 2 --enable-dp-attention --mem-fraction-static 0.85 --context-length 8192",
        R"({"workload": {"context": 8192}, "parallel": {"tp": 8, "dp": 2}, "engine": {"id": "sglang", "options": {"enable_dp_attention": true, "mem_fraction_static": 0.85}}})");
    row("TensorRT-LLM", "trtllm-serve serve meta-llama/Llama-3.1-70B-Instruct --backend pytorch --tp_size 8 --max_seq_len 8192 --kv_cache_free_gpu_memory_fraction 0.8",
        R"({"workload": {"context": 8192}, "parallel": {"tp": 8}, "engine": {"id": "tensorrt-llm", "options": {"free_gpu_memory_fraction": 0.8}}})");
    const char *yaml = R"({"kv": {"dtype": "fp8"}, "workload": {"context": 8192}, "parallel": {"tp": 8}, "engine": {"id": "tensorrt-llm", "options": {"tokens_per_block": 64, "free_gpu_memory_fraction": 0.8, "enable_attention_dp": true, "max_attention_window": [4096, 0], "draft_layers": 1}}})";
    row("a file of settings before the command",
        "cat > trt.yaml <<'EOF'\nkv_cache_config:\n  dtype: fp8\n  tokens_per_block: 64 # a comment\n  free_gpu_memory_fraction: 0.8\n  max_attention_window: [4096, 0]\nenable_attention_dp: true\n"
        "speculative_config:\n  decoding_type: MTP\n  num_nextn_predict_layers: 1\nEOF\ntrtllm-serve meta-llama/Llama-3.1-70B-Instruct \\\n    --tp_size 8 --max_seq_len 8192 --config trt.yaml\n", yaml);
    row("another way to write it, and settings that are no flag's",
        "cat <<EOF > ./trt.yaml\nprint_iter_log: true\nkv_cache_config:\n    dtype: \"fp8\"\n    tokens_per_block: 64\n    max_attention_window:\n    - 4096\n    - 0\n    enable_block_reuse: false\n    frobnicate: 1\n"
        "speculative_config: {decoding_type: MTP, num_nextn_predict_layers: 1}\nenable_attention_dp: True\nEOF\ntrtllm-serve meta-llama/Llama-3.1-70B-Instruct --tp_size 8 --max_seq_len 8192 "
        "--kv_cache_free_gpu_memory_fraction 0.8 --extra_llm_api_options trt.yaml", yaml, "flag-not-planned");
    row("the file counts more than the flag", "cat > a.yaml <<E\ntensor_parallel_size: 8\nmax_seq_len: 8192\nkv_cache_config: {free_gpu_memory_fraction: 0.7}\nE\ntrtllm-serve meta-llama/Llama-3.1-70B-Instruct --tp_size 4 --kv_cache_free_gpu_memory_fraction 0.5 --config a.yaml",
        R"({"workload": {"context": 8192}, "parallel": {"tp": 8}, "engine": {"id": "tensorrt-llm", "options": {"free_gpu_memory_fraction": 0.7}}})");
    row("a file that is not there", "trtllm-serve meta-llama/Llama-3.1-70B-Instruct --tp_size 8 --max_seq_len 8192 --config trt.yaml",
        R"({"workload": {"context": 8192}, "parallel": {"tp": 8}, "engine": {"id": "tensorrt-llm"}})", "flag-not-planned");
    row("llama-server", "./build/bin/llama-server -m models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf -c 32768 -np 4 -ctk q8_0 -ctv q8_0 -fa -ngl 99 --jinja",
        R"({"model": {"preset": "llama-3.1-8b"}, "weights": {"dtype": "q4_k_m"}, "kv": {"dtype": "q8_0"}, "workload": {"context": 8192, "sequences": 4}, "engine": {"id": "llama-cpp", "options": {"n_gpu_layers": 99}}})",
        "model-by-name");
    row("four slots over one pool unless said", "llama-server -hf someone/Llama-3.1-8B-Instruct-GGUF:Q8_0 -c 32768",
        R"({"model": {"preset": "llama-3.1-8b"}, "weights": {"dtype": "q8_0"}, "workload": {"context": 8192, "sequences": 4}, "engine": {"id": "llama-cpp", "options": {"kv_unified": true}}})",
        "model-by-name");
    row("in a folder that is called like the program", "cd /srv/llama-server && ./llama-server -m llama-3.1-8b.gguf -c 8192 -np 1",
        R"({"model": {"preset": "llama-3.1-8b"}, "workload": {"context": 8192, "sequences": 1}, "engine": {"id": "llama-cpp"}})", "model-by-name");
    row("variables that are switches", "LLAMA_ARG_KV_UNIFIED=1 LLAMA_ARG_SWA_FULL=1 LLAMA_ARG_CPU_MOE=on LLAMA_ARG_KV_OFFLOAD=0 llama-server -m llama-3.1-8b.gguf -c 8192 -np 4",
        R"({"model": {"preset": "llama-3.1-8b"}, "workload": {"context": 2048, "sequences": 4}, "engine": {"id": "llama-cpp", "options": {"kv_unified": true, "swa_full": true, "cpu_moe": true, "no_kv_offload": true}}})",
        "model-by-name");
    row("variables that say no by being there", "LLAMA_ARG_NO_KV_OFFLOAD=0 LLAMA_ARG_SWA_FULL=0 llama-server -m llama-3.1-8b.gguf -c 8192 -np 1",
        R"({"model": {"preset": "llama-3.1-8b"}, "workload": {"context": 8192, "sequences": 1}, "engine": {"id": "llama-cpp", "options": {"no_kv_offload": true}}})", "model-by-name");
    const char *standard = R"({"model": {"preset": "qwen3-8b"}, "weights": {"dtype": "q4_k_m"}, "workload": {"context": 2048, "sequences": 4}, "engine": {"id": "llama-cpp", "options": {"kv_unified": true}}})";
    row("a repository of GGUF files without a type", "llama-server -hf Qwen/Qwen3-8B-GGUF -c 8192", standard, "model-by-name launch-assumed");
    row("and with its tag left open", "LLAMA_ARG_HF_REPO=Qwen/Qwen3-8B-GGUF:latest llama-server -c 8192", standard, "model-by-name launch-assumed");
    row("a type that its file names", "llama-server -hf Qwen/Qwen3-8B-GGUF -hff Qwen3-8B-Q4_K_M-00001-of-00002.gguf -c 8192", standard, "model-by-name");
    row("a type that the repository names", "llama-server -hf someone/Qwen3-8B-Q4_K_M-GGUF -c 8192", standard, "model-by-name");
    row("a file by its mixture and shard", "llama-server -m /models/Qwen3-8B-UD-Q4_K_XL-00001-of-00003.gguf -c 8192", standard, "model-by-name");
    row("a mixture that is not known", "llama-server -hf unsloth/Qwen3-8B-GGUF:UD-Q4_K_XL -c 8192", standard, "model-by-name launch-assumed");
    row("a type that is not known", "llama-server -hf unsloth/Qwen3-8B-GGUF:IQ1_XY -c 8192",
        standard, "model-by-name launch-assumed"); // nearer than the 16 bit that no such file holds
    row("a type with a few matrices in more bits", "llama-server -hf unsloth/Qwen3-8B-GGUF:Q6_K_L -c 8192",
        R"({"model": {"preset": "qwen3-8b"}, "weights": {"dtype": "q6_k"}, "workload": {"context": 2048, "sequences": 4}, "engine": {"id": "llama-cpp", "options": {"kv_unified": true}}})", "model-by-name launch-assumed");
    row("a model that has one form alone", "llama-server -hf ggml-org/gpt-oss-20b-GGUF -c 8192",
        R"({"model": {"preset": "gpt-oss-20b"}, "workload": {"context": 2048, "sequences": 4}, "engine": {"id": "llama-cpp", "options": {"kv_unified": true}}})", "model-by-name");
    row("variables that are flags", "LLAMA_ARG_CTX_SIZE=8192 LLAMA_ARG_N_PARALLEL=2 CUDA_VISIBLE_DEVICES=0,1 llama-server -m llama-3.1-8b.gguf -ts 0.75,0.25 -c 16384",
        R"({"model": {"preset": "llama-3.1-8b"}, "workload": {"context": 8192, "sequences": 2}, "hardware": {"count": 2}, "engine": {"id": "llama-cpp", "options": {"tensor_split": [3, 1]}}})",
        "model-by-name");
    row("no CUDA graphs", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 --compilation-config '{\"cudagraph_mode\":\"NONE\"}'",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"enforce_eager": true}}})");
    row("no graphs by a member", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 -cc.cudagraph_mode=NONE",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"enforce_eager": true}}})");
    row("no graphs by the level", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 -O0",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"enforce_eager": true}}})");
    row("no graphs by the level apart", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 --optimization-level 0",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"enforce_eager": true}}})");
    row("no graphs, as before 0.11", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 -O '{\"use_cudagraph\": false}'",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"enforce_eager": true}}})");
    row("another level", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 -O3",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})");
    row("graphs of chosen sizes", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 -cc '{\"cudagraph_capture_sizes\": [1, 2]}'",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})", "flag-not-planned");
    row("a budget, binary", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 --kv-cache-memory-bytes 25G",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"available_kv_bytes": 26843545600}}})");
    row("a budget, binary with its i", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 --kv-cache-memory-bytes 25Gi",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"available_kv_bytes": 26843545600}}})");
    row("a budget, decimal", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 --kv-cache-memory-bytes 25.5g",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"available_kv_bytes": 25500000000}}})");
    row("a budget, mebi", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 --kv-cache-memory-bytes 512Mi",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"available_kv_bytes": 536870912}}})");
    row("the longest that fits, on one card", "vllm serve Qwen/Qwen3-32B --max-model-len -1",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 34112}, "parallel": {"tp": 1}, "engine": {"id": "vllm"}})", "length-that-fits");
    row("bitsandbytes", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 --quantization bitsandbytes",
        R"({"model": {"preset": "qwen3-32b"}, "weights": {"dtype": "nf4"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})");
    row("the cache in the type the model runs in", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 --dtype half",
        R"({"model": {"preset": "qwen3-32b"}, "weights": {"dtype": "fp16"}, "kv": {"dtype": "fp16"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})");
    row("and in 32 bit", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 --dtype float32",
        R"({"model": {"preset": "qwen3-32b"}, "weights": {"dtype": "fp32"}, "kv": {"dtype": "fp32"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})");
    row("unless it has a type of its own", "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 8192 --dtype float16 --kv-cache-dtype fp8",
        R"({"model": {"preset": "qwen3-32b"}, "weights": {"dtype": "fp16"}, "kv": {"dtype": "fp8"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "vllm"}})");
    row("heads of EAGLE3 that the model has not", "python -m sglang.launch_server --model Qwen/Qwen3-32B --tp 2 --context-length 8192 --speculative-algorithm EAGLE3",
        R"({"model": {"preset": "qwen3-32b"}, "workload": {"context": 8192}, "parallel": {"tp": 2}, "engine": {"id": "sglang", "options": {"draft_layers": 1}}})", "draft-weights-unknown");
    row("llama-server, a device by name", "llama-server -m llama-3.1-8b.gguf -c 8192 -np 1 -dev CUDA0",
        R"({"model": {"preset": "llama-3.1-8b"}, "workload": {"context": 8192, "sequences": 1}, "hardware": {"count": 1}, "engine": {"id": "llama-cpp"}})", "model-by-name");
    row("llama-server, devices by name", "llama-server -m llama-3.1-8b.gguf -c 8192 -np 1 -dev CUDA0,CUDA2,CUDA3",
        R"({"model": {"preset": "llama-3.1-8b"}, "workload": {"context": 8192, "sequences": 1}, "hardware": {"count": 3}, "engine": {"id": "llama-cpp"}})", "model-by-name");
    row("llama-server, all on one device", "llama-server -m llama-3.1-8b.gguf -c 8192 -np 1 -sm none -mg 1",
        R"({"model": {"preset": "llama-3.1-8b"}, "workload": {"context": 8192, "sequences": 1}, "hardware": {"count": 1}, "engine": {"id": "llama-cpp"}})", "model-by-name");
    row("llama-server, layers over all", "llama-server -m llama-3.1-8b.gguf -c 8192 -np 1 -sm layer",
        R"({"model": {"preset": "llama-3.1-8b"}, "workload": {"context": 8192, "sequences": 1}, "hardware": {"count": 8}, "engine": {"id": "llama-cpp"}})", "model-by-name");
}

void LaunchTest::read() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, scenario);
    QFETCH(QByteArray, codes);
    Scenario base = firstScenario();
    base.model = {};
    const Parsed<Scenario> found = readLaunch(line.toStdString(), base);
    QVERIFY2(found.value.has_value(), found.notes.empty() ? "" : found.notes.back().text.c_str());
    QCOMPARE(codesOf(found.notes), codes);
    QCOMPARE(QByteArray::fromStdString(figures(*found)), QByteArray::fromStdString(figures(scenarioOf(scenario))));
}

void LaunchTest::scaledLimit_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<qint64>("context");
    QTest::addColumn<QByteArray>("forced"); // what lets the engine take four times that
    QTest::newRow("vllm") << QByteArray("vllm serve acme/scaled") << qint64(131072) << QByteArray("VLLM_ALLOW_LONG_MAX_MODEL_LEN=1");
    QTest::newRow("sglang") << QByteArray("python -m sglang.launch_server --model-path acme/scaled") << qint64(32768)
                            << QByteArray("SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1");
    QTest::newRow("llama-cpp") << QByteArray("llama-cli -m acme-scaled.gguf") << qint64(32768) << QByteArray();
}

// Positions that YaRN scales: each engine has a length of its own that it takes unasked, and beyond which it has to be forced.
void LaunchTest::scaledLimit() {
    QFETCH(QByteArray, line);
    QFETCH(qint64, context);
    QFETCH(QByteArray, forced);
    const Scenario base = scenarioOf(R"({"kvplan": 1, "model": {"name": "scaled", "config": {"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"],
        "num_hidden_layers": 4, "hidden_size": 1024, "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 64, "vocab_size": 32000,
        "intermediate_size": 4096, "max_position_embeddings": 32768,
        "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}}}})");
    QVERIFY(base.model.spec);
    const Parsed<Scenario> read = readLaunch(line.toStdString(), base);
    QVERIFY(read.value);
    QCOMPARE(qint64(read->workload.context.value), context);
    if (forced.isEmpty())
        return;
    QVERIFY(launchCommand(*read).environment.empty());
    Scenario longer = *read;
    longer.workload.context = Tokens(4 * context);
    QCOMPARE(launchCommand(longer).environment, std::vector<std::string>{forced.toStdString()});
}

void LaunchTest::refused_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("code");
    const auto row = [](const char *name, const char *line, const char *code) { QTest::newRow(name) << QByteArray(line) << QByteArray(code); };
    row("nothing", "", "not-a-launch-line");
    row("another program", "ls -la; rm -rf x", "not-a-launch-line");
    row("pipes that lead nowhere", "echo a 2>&1 | tee b > c | | <", "not-a-launch-line");
    row("a log with a quote that nobody closes", "n_threads = 8 | n_batch = 2\nI can't\n", "not-a-launch-line");
    row("a log that names the server's files", "INFO 08-12 start\nFile /opt/vllm/entrypoints/openai/api_server.py line 3\n", "not-a-launch-line");
    row("another command of vllm", "vllm bench serve", "not-a-launch-line");
    row("an open quote", "vllm serve 'meta", "bad-launch-line");
    row("a value that is none", "vllm serve Qwen/Qwen3-32B -tp two", "bad-launch-line");
    row("a negative degree", "vllm serve Qwen/Qwen3-32B -tp -3", "bad-launch-line");
    row("a missing value", "vllm serve Qwen/Qwen3-32B --block-size", "bad-launch-line");
    row("a type that is none", "vllm serve Qwen/Qwen3-32B --kv-cache-dtype fp9", "bad-launch-line");
    row("a fraction that is none", "vllm serve Qwen/Qwen3-32B --gpu-memory-utilization all", "bad-launch-line");
    row("a file without its end", "cat > a.yaml <<EOF\nkv_cache_config:\n", "bad-launch-line");
    row("settings that are none", "cat > a.yaml <<EOF\njust words\nEOF\ntrtllm-serve Qwen/Qwen3-32B --config a.yaml", "bad-launch-line");
    row("settings with an anchor", "cat > a.yaml <<EOF\nkv_cache_config: &a\n  dtype: fp8\nEOF\ntrtllm-serve Qwen/Qwen3-32B --config a.yaml", "bad-launch-line");
    row("settings with an open bracket", "cat > a.yaml <<EOF\nkv_cache_config: {dtype: fp8\nEOF\ntrtllm-serve Qwen/Qwen3-32B --config a.yaml", "bad-launch-line");
    row("a map for a number", "cat > a.yaml <<EOF\nmax_batch_size:\n  a: 1\nEOF\ntrtllm-serve Qwen/Qwen3-32B --config a.yaml", "bad-launch-line");
    row("a number that is none", "cat > a.yaml <<EOF\nmax_batch_size: many\nEOF\ntrtllm-serve Qwen/Qwen3-32B --config a.yaml", "bad-launch-line");
    row("an unknown model", "vllm serve nobody/knows-this", "no-model");
}

void LaunchTest::refused() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, code);
    Scenario base = firstScenario();
    base.model = {};
    const Parsed<Scenario> found = readLaunch(line.toStdString(), base);
    QVERIFY(!found.value);
    QVERIFY(firstError(found.notes));
    QCOMPARE(QByteArray::fromStdString(firstError(found.notes)->code), code);
    if (code == "no-model") { // with a model of one's own it is kept, and said
        const Parsed<Scenario> kept = readLaunch(line.toStdString(), firstScenario());
        QVERIFY(kept.value && kept->model.preset == firstScenario().model.preset);
        QCOMPARE(codesOf(kept.notes), QByteArray("model-not-found length-of-model"));
    }
}

KV_TEST(LaunchTest)
#include "launchtest.moc"
