// SPDX-License-Identifier: GPL-3.0-or-later
//
// bench_files: how long reading takes, as a table. Nothing is asserted here; machines differ. Files are made in a folder of their own under
// the system's temporary folder and are read from the page cache: what is measured is the program, not the disk.
//
//     bench_files            the table
//     bench_files NAME N     reads one thing N times, for a profiler: config, vocabulary, store, checkpoint, …
#include "core/files/gguf.h"
#include "core/files/modelsource.h"
#include "core/files/stores.h"
#include "core/model/configreader.h"
#include "tests/bench/measured.h"
#include "tests/core/files/ggufbuilder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <malloc.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unistd.h>
#include <vector>

namespace {

using namespace kv;
using kv::test::GgufBuilder;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Folder {
    fs::path root = fs::temp_directory_path() / ("kvplanner-bench-" + std::to_string(::getpid()));
    Folder() { fs::create_directories(root); }
    ~Folder() {
        std::error_code error;
        fs::remove_all(root, error);
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;

    std::string write(const std::string &name, std::string_view bytes, std::uintmax_t size = 0) const {
        const fs::path path = root / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << bytes;
        if (size > bytes.size())
            fs::resize_file(path, size); // sparse: no disk is used
        return path.string();
    }
};

/// The most memory the process had resident since this was made, less what it had then.
class Peak {
public:
    Peak() {
        ::malloc_trim(0);
        std::ofstream("/proc/self/clear_refs") << 5; // proc(5): resets the peak
        m_before = megabytes("VmRSS:");
    }
    double more() const { return megabytes("VmHWM:") - m_before; }

private:
    static double megabytes(std::string_view key) {
        std::ifstream status("/proc/self/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with(key))
                return std::strtod(line.c_str() + key.size(), nullptr) / 1024;
        return 0;
    }
    double m_before = 0;
};

/// Of this thread: what other programs do on the machine is not in it.
double processorMillis() {
    struct timespec time {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

constexpr int rounds = 40;

/// Median of the processor time of what has to be done at least.
double least(const std::function<void()> &call) {
    std::vector<double> busy;
    for (int round = 0; round < rounds; ++round) {
        const double before = processorMillis();
        call();
        busy.push_back(processorMillis() - before);
    }
    return bench::summary({}, "ms", std::move(busy)).median;
}

void report(const std::string &name, double aim, const std::string &limit, const std::function<void()> &bound, const std::function<bool()> &call) {
    const Peak peak;
    std::vector<double> millis, busy;
    for (int round = 0; round < rounds; ++round) {
        const auto start = Clock::now();
        const double worked = processorMillis();
        if (!call()) {
            std::printf("%s: failed\n", name.c_str());
            std::exit(1);
        }
        millis.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
        busy.push_back(processorMillis() - worked);
    }
    bench::Measured own = bench::summary(name + ", processor time", "ms", std::move(busy), aim);
    own.limit = limit;
    own.yardstick = least(bound);
    bench::say(own);
    bench::say(bench::summary(name, "ms", std::move(millis)));
    const double more = peak.more();
    bench::say({name + ", more memory at most", "MB", more, more, more});
}

/// A header as of today's largest vocabularies: 150,000 tokens with scores and types, 280,000 merges, 700 tensors.
std::string vocabularyHeader() {
    std::vector<std::string> tokens, merges;
    for (int i = 0; i < 150'000; ++i)
        tokens.push_back("tok" + std::to_string(i * 7919 % 1'000'003));
    for (int i = 0; i < 280'000; ++i)
        merges.push_back(std::to_string(i * 31 % 5003) + " " + std::to_string(i));
    GgufBuilder gguf;
    gguf.text("general.architecture", "llama").u32("llama.block_count", 80).u32("llama.embedding_length", 8192);
    gguf.u32("llama.context_length", 131072).u32("llama.attention.head_count", 64).u32("llama.attention.head_count_kv", 8);
    gguf.texts("tokenizer.ggml.tokens", tokens).i32s("tokenizer.ggml.token_type", std::vector<std::int32_t>(tokens.size(), 1));
    gguf.texts("tokenizer.ggml.merges", merges);
    gguf.tensor("token_embd.weight", 8, {8192, 150'000}, 8192ULL * 150'000 / 32 * 34);
    for (int layer = 0; layer < 80; ++layer)
        for (const char *part : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down", "attn_norm", "ffn_norm"})
            gguf.tensor("blk." + std::to_string(layer) + "." + part + ".weight", 8, {8192, 1024}, 8192ULL * 1024 / 32 * 34);
    return gguf.header();
}

const char *const config = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672,
"max_position_embeddings": 131072, "num_attention_heads": 64, "num_hidden_layers": 80, "num_key_value_heads": 8, "torch_dtype": "bfloat16",
"vocab_size": 128256, "tie_word_embeddings": false)";

std::string configOf(std::size_t bytes) {
    std::string text = config;
    for (int i = 0; text.size() + 40 < bytes; ++i)
        text += ",\n  \"note_" + std::to_string(i) + "\": \"0123456789\"";
    return text + "}";
}

/// A checkpoint's header with as many tensors as the largest mixtures of experts have.
std::string checkpointHeader(int tensors) {
    std::string json = "{";
    for (int i = 0; i < tensors; ++i)
        json += (i > 0 ? "," : "") + std::string("\"model.layers.") + std::to_string(i % 80) + ".mlp.experts." + std::to_string(i) +
                ".up_proj.weight\":{\"dtype\":\"BF16\",\"shape\":[8,8],\"data_offsets\":[" + std::to_string(i * 128LL) + "," +
                std::to_string(i * 128LL + 128) + "]}";
    json += "}";
    return GgufBuilder::number(json.size(), 8) + json;
}

Environment storeOf(const Folder &folder) {
    for (int i = 0; i < 200; ++i) {
        const std::string repository = "hub/models--maker--model-" + std::to_string(i);
        folder.write(repository + "/refs/main", "0123abcd");
        const std::string snapshot = repository + "/snapshots/0123abcd/";
        folder.write(snapshot + "config.json", configOf(700));
        for (const char *shard : {"model-00001-of-00004", "model-00002-of-00004", "model-00003-of-00004", "model-00004-of-00004"})
            folder.write(snapshot + shard + ".safetensors", "x", 5'000'000'000);
        for (const char *other : {"tokenizer.json", "tokenizer_config.json", "generation_config.json", "README.md", "model.safetensors.index.json"})
            folder.write(snapshot + other, "{}");
    }
    const std::string hub = (folder.root / "hub").string();
    return {[hub](const std::string &name) { return name == "HF_HUB_CACHE" ? hub : std::string(); }, folder.root.string(), ""};
}

} // namespace

int main(int argc, char **argv) {
    const Folder folder;
    const std::string header = vocabularyHeader();
    const std::string small = folder.write("small.gguf", header, header.size() + 64);
    const std::string large = folder.write("large.gguf", header, 200'000'000'000);
    const std::string alone = folder.write("one/config.json", configOf(2048));
    const std::string text = configOf(2048);
    folder.write("many/config.json", configOf(2048));
    const std::string checkpoint = checkpointHeader(100'000);
    folder.write("many/model.safetensors", checkpoint, checkpoint.size() + 12'800'000);
    const std::string tensors = checkpoint.substr(8); // behind the header's length
    const std::string many = (folder.root / "many").string();
    const Environment environment = storeOf(folder);

    struct Row {
        const char *key;
        std::string name;
        double aim; ///< milliseconds
        std::string limit; ///< what has to be done at least, and that alone
        std::function<void()> bound;
        std::function<bool()> call;
    };
    volatile std::int64_t sink = 0;
    const auto parsed = [&sink](const std::string &json) { return [&sink, &json] { sink = sink + nlohmann::json::accept(json); }; };
    const auto read = [](const std::string &path) {
        std::ifstream file(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const auto passed = [&] { sink = std::accumulate(header.begin(), header.end(), std::int64_t(sink)); };
    const std::string passedOnce = std::to_string(header.size()) + " bytes passed once";
    const auto configs = [&] {
        for (const auto &entry : fs::recursive_directory_iterator(folder.root / "hub"))
            if (entry.path().filename() == "config.json")
                sink = sink + static_cast<std::int64_t>(read(entry.path().string()).size());
    };
    const std::vector<Row> rows{
        {"config", "a config of " + std::to_string(text.size()) + " bytes, from memory", 0.05, "nlohmann_json alone", parsed(text), [&] { return readConfigText(text, "m", "config.json").value.has_value(); }},
        {"configfile", "a config from its file", NAN, "opened and read once", [&] { sink = sink + static_cast<std::int64_t>(read(alone).size()); }, [&] { return loadModel(alone).value.has_value(); }},
        {"vocabulary", "GGUF, 150,000 tokens, 280,000 merges: the header", 5, passedOnce, passed, [&] { return readGguf(small).value.has_value(); }},
        {"model", "that GGUF as a model", 5, passedOnce, passed, [&] { return loadModel(small).value.has_value(); }},
        {"large", "that GGUF in a file of 200 GB", 5, passedOnce, passed, [&] { return loadModel(large).value.has_value(); }},
        {"store", "a store of 200 models, listed", 200, "the folders listed, each config read", configs, [&] { return listStores(environment).size() == 200; }},
        {"checkpoint", "safetensors, 100,000 tensors, as a model", NAN, "nlohmann_json alone, " + std::to_string(checkpoint.size()) + " bytes", parsed(tensors), [&] { return loadModel(many).value.has_value(); }},
    };
    if (argc == 3) {
        for (const Row &row : rows)
            for (int i = std::string_view(row.key) == argv[1] ? std::atoi(argv[2]) : 0; i > 0; --i)
                row.call();
        return 0;
    }
    for (const Row &row : rows)
        report(row.name, row.aim, row.limit, row.bound, row.call);
    return 0;
}
