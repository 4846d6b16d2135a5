// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/configreader.h"
#include "core/base/smallfile.h"
#include "core/model/contextlimit.h"
#include "core/model/families.h"
#include "tests/testmain.h"
#include "tests/testpaths.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace kv;

namespace {

/// A small Llama, with some members replaced or (by "absent") left out; written as the difference, so that a row shows its point.
std::string config(std::string_view changes = "{}") {
    Json result = *parseJson(R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "num_hidden_layers": 4, "hidden_size": 1024,
        "num_attention_heads": 16, "num_key_value_heads": 4, "vocab_size": 32000, "intermediate_size": 4096,
        "max_position_embeddings": 8192, "torch_dtype": "bfloat16"})",
                             "base").value;
    const Json difference = *parseJson(changes, "changes").value;
    for (const Json::Member &member : difference.members()) {
        if (member.second == Json("absent"))
            result.erase(member.first);
        else
            result.set(member.first, member.second);
    }
    return writeJson(result);
}

QString shown(const Notes &notes) {
    QString all;
    for (const Note &note : notes)
        all += QString::fromStdString("[" + note.code + "] " + note.text + "\n");
    return all;
}

std::shared_ptr<const ModelSpec> model(const std::string &text) {
    const auto read = readConfigText(text, "Test model", "config.json");
    if (!read)
        qWarning().noquote() << shown(read.notes);
    return read ? *read.value : nullptr;
}

} // namespace

class ConfigReaderTest : public QObject {
    Q_OBJECT

private slots:
    void sentence_data();
    void sentence();
    void warning_data();
    void warning();
    void silent();
    void fact_data();
    void fact();
    void engineLimits_data();
    void engineLimits();
    void attention_data();
    void attention();
    void checkpoint_data();
    void checkpoint();
    void sharing();
    void rest();
    void nestedPlaces();
    void everyFamilyHasAGoldenRow();
};

// What a refusal says, to the letter: the place, what was expected, what was found.
void ConfigReaderTest::sentence_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("where");
    QTest::addColumn<std::string>("sentence");
    const auto row = [](const char *name, const char *changes, const char *where, const char *sentence) {
        QTest::newRow(name) << config(changes) << std::string(where) << std::string(sentence);
    };
    row("a word", R"({"num_key_value_heads": "eight"})", "num_key_value_heads",
        "num_key_value_heads: expected a whole number of 1 or more, found \"eight\"");
    row("a boolean", R"({"num_hidden_layers": true})", "num_hidden_layers", "num_hidden_layers: expected a whole number of 1 or more, found true");
    row("a fraction", R"({"num_attention_heads": 16.5})", "num_attention_heads",
        "num_attention_heads: expected a whole number of 1 or more, found 16.5");
    row("a list", R"({"hidden_size": [1024]})", "hidden_size", "hidden_size: expected a whole number of 1 or more, found a list");
    row("null layers", R"({"num_hidden_layers": null})", "num_hidden_layers", "num_hidden_layers: expected a whole number of 1 or more, found null");
    row("no number", R"({"num_hidden_layers": NaN})", "num_hidden_layers", "num_hidden_layers: expected a whole number of 1 or more, found NaN");
    row("negative", R"({"head_dim": -64})", "head_dim", "head_dim: expected a whole number of 1 or more, found -64");
    row("fraction in a text", R"({"num_hidden_layers": "4.0"})", "num_hidden_layers",
        "num_hidden_layers: expected a whole number of 1 or more, found \"4.0\"");
    row("wraps in 64 bits", R"({"num_hidden_layers": 18446744073709551620})", "num_hidden_layers",
        "num_hidden_layers: 18446744073709551620 is out of range: expected a whole number from 1 to 100,000");
    row("absurd", R"({"num_hidden_layers": 200000})", "num_hidden_layers",
        "num_hidden_layers: 200000 is out of range: expected a whole number from 1 to 100,000");
    row("one key missing", R"({"num_hidden_layers": "absent"})", "num_hidden_layers",
        "num_hidden_layers is missing (model type \"llama\"); without it the size of the cache is not known");
    row("all keys missing", R"({"num_hidden_layers": "absent", "num_attention_heads": "absent", "hidden_size": "absent", "model_type": "acme"})",
        "num_hidden_layers",
        "num_hidden_layers, num_attention_heads and hidden_size (or head_dim) are missing (model type \"acme\", which is "
        "not known here); without them the size of the cache is not known");
    row("heads do not divide", R"({"num_key_value_heads": 3})", "num_key_value_heads",
        "num_key_value_heads: 3 KV heads cannot be shared evenly by 16 query heads (num_attention_heads)");
    row("width does not divide", R"({"num_attention_heads": 15, "num_key_value_heads": 15})", "num_attention_heads",
        "num_attention_heads: hidden_size 1,024 cannot be divided by the 15 heads of num_attention_heads, and no head_dim is given");
    row("list too short", R"({"sliding_window": 64, "layer_types": ["full_attention", "full_attention"]})", "layer_types",
        "layer_types: lists 2 layers, but the model has 4");
    row("kind not known", R"({"layer_types": ["full_attention", "warp_attention", "full_attention", "full_attention"]})", "layer_types[1]",
        "layer_types[1]: the layer kind \"warp_attention\" is not known here, so what such a layer keeps is not known");
    row("letter not known", R"({"model_type": "exaone4", "sliding_window": 64, "sliding_window_pattern": "LLQ"})", "sliding_window_pattern",
        "sliding_window_pattern: the letter 'Q' of the pattern \"LLQ\" is not known: L is a layer with a window, G one without");
    row("a type that cannot be read", R"({"model_type": "xlstm"})", "model_type",
        "model_type: \"xlstm\" cannot be counted: the size of its states is not among the kinds that are known here");
    row("stacks without their runs", R"({"model_type": "hrm_text", "L_cycles": null})", "L_cycles", "L_cycles: expected a whole number of 1 or more, found null");
    row("stacks against their runs", R"({"model_type": "hrm_text", "H_cycles": 2, "L_cycles": 3, "num_layers_per_stack": 3})", "num_hidden_layers",
        "num_hidden_layers: 4 is neither the 3 layers of one stack (num_layers_per_stack) nor the 24 caches of H_cycles × (L_cycles + 1) runs of it");
    row("runs beyond any model", R"({"model_type": "ouro", "num_hidden_layers": 1000, "total_ut_steps": 1000})", "total_ut_steps",
        "total_ut_steps: 1,000,000 caches of layers and their runs are out of range: at most 100,000");
    QTest::newRow("in a nested block") << std::string(R"({"model_type": "llava", "text_config": {"model_type": "llama", "num_key_value_heads": "eight"}})")
                                       << std::string("text_config.num_key_value_heads")
                                       << std::string("text_config.num_key_value_heads: expected a whole number of 1 or more, found \"eight\"");
    QTest::newRow("no object") << std::string("[1]") << std::string("config.json")
                               << std::string("config.json: expected a JSON object { … } with the model's settings, found a list");
}

void ConfigReaderTest::sentence() {
    QFETCH(std::string, text);
    const auto read = readConfigText(text, {}, "config.json");
    QVERIFY(!read);
    const Note *error = firstError(read.notes);
    QVERIFY(error);
    QTEST(error->text, "sentence");
    QTEST(error->where, "where");
}

void ConfigReaderTest::warning_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("code");
    QTest::addColumn<std::string>("part");
    const auto row = [](const char *name, const std::string &text, const char *code, const char *part) {
        QTest::newRow(name) << text << std::string(code) << std::string(part);
    };
    row("number as text", config(R"({"num_hidden_layers": "4"})"), "number-as-text", "num_hidden_layers: the number is written as text, \"4\"");
    row("unknown type", config(R"({"model_type": "acme"})"), "unknown-model-type", "\"acme\" is not known here");
    row("no type at all", config(R"({"model_type": "absent", "architectures": "absent"})"), "unknown-model-type", "names no model type");
    row("type from the architecture", config(R"({"model_type": "absent"})"), "assumption", "\"llama\" was taken from its architecture");
    row("window switched off", config(R"({"sliding_window": 64, "use_sliding_window": false})"), "hint-ignored",
        "sliding_window: the window of 64 plays no part: use_sliding_window is false");
    row("window as long as the limit", config(R"({"sliding_window": 8192})"), "hint-ignored",
        "a window of 8,192 tokens is no window at a limit of 8,192");
    row("list against the window", config(R"({"sliding_window": null, "layer_types": ["sliding_attention", "full_attention", "full_attention",
        "full_attention"]})"),
        "contradiction", "a list marks 1 layer as sliding");
    row("class default of a nested block", R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "num_hidden_layers": 6,
        "hidden_size": 1024}})",
        "class-default", "num_attention_heads 8, num_key_value_heads 4, head_dim 256");
    row("unknown key", config(R"({"warp_attention_window": 7})"), "unknown-key", "warp_attention_window");
    row("unknown key of two lines", config(R"({"warp\nattention_window": 7})"), "unknown-key", "warp attention_window");
    row("unknown key of a loop", config(R"({"num_loops": 3})"), "unknown-key", "num_loops");
    row("runs of the class", config(R"({"model_type": "ouro"})"), "class-default", "total_ut_steps 4");
    row("cycles of the class", config(R"({"model_type": "hrm_text", "H_cycles": 1})"), "class-default", "L_cycles 3");
    row("a tower under another name", config(R"({"model_type": "qwen", "visual": {"layers": 48, "width": 1664}})"), "tower-not-counted", "\"qwen\"");
    row("a tower that no key describes", config(R"({"model_type": "molmo"})"), "tower-not-counted", "\"molmo\"");
    row("an activation without a gate", config(R"({"model_type": "acme", "hidden_act": "relu2"})"), "weights-unknown", "\"acme\" are not known here");
    row("encoder", R"({"model_type": "bert", "num_hidden_layers": 12})", "no-cache", "is an encoder");
    row("pictures", R"({"model_type": "vit", "num_hidden_layers": 12})", "no-cache", "a model of pictures, sound or series");
    row("encoder's length", R"({"model_type": "bart", "d_model": 64, "decoder_layers": 2, "decoder_attention_heads": 4,
        "max_position_embeddings": 1024})",
        "assumption", "an encoder input of 1,024 tokens");
}

void ConfigReaderTest::warning() {
    QFETCH(std::string, text);
    QFETCH(std::string, code);
    QFETCH(std::string, part);
    const auto read = readConfigText(text, {}, "config.json");
    QVERIFY2(read, qPrintable(shown(read.notes)));
    const bool found = std::ranges::any_of((*read)->notes, [&](const Note &note) { return note.code == code && note.text.find(part) != std::string::npos; });
    QVERIFY2(found, qPrintable(shown((*read)->notes)));
    QVERIFY(std::ranges::any_of(noteCodes(), [&](const NoteCode &known) { return known.code == code; }));
}

// An ordinary file has nothing to be warned of, however many keys it holds that change nothing here.
void ConfigReaderTest::silent() {
    const auto read = model(config(R"({"attention_dropout": 0.0, "attention_bias": false, "rms_norm_eps": 1e-5, "rope_theta": 500000.0,
        "use_cache": true, "pretraining_tp": 1, "head_dim": 64, "mlp_bias": false, "num_nextn_predict_layers": 0, "bad": NaN})"));
    QVERIFY(read);
    for (const Note &note : read->notes)
        QVERIFY2(note.severity == Severity::Info, note.text.c_str());
}

void ConfigReaderTest::fact_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<int>("role");
    QTest::addColumn<qint64>("value");
    QTest::addColumn<int>("origin");
    QTest::addColumn<std::string>("from");
    QTest::addColumn<std::string>("trap");
    const auto row = [](const char *name, const std::string &text, Role role, qint64 value, Origin origin, const char *from, const char *trap) {
        QTest::newRow(name) << text << int(role) << value << int(origin) << std::string(from) << std::string(trap);
    };
    row("grouped heads", config(), Role::KvHeads, 4, Origin::File, "num_key_value_heads", "not the 16 of num_attention_heads");
    row("all heads", config(R"({"num_key_value_heads": "absent"})"), Role::KvHeads, 16, Origin::Derived,
        "num_attention_heads, as no KV heads are named: every query head has its own", "");
    row("multi query", config(R"({"model_type": "falcon", "num_kv_heads": 16, "multi_query": true, "num_key_value_heads": "absent"})"), Role::KvHeads, 1,
        Origin::Derived, "multi_query is true: one head for all", "not the 16 of num_kv_heads");
    row("divided head size", config(), Role::HeadDim, 64, Origin::Derived, "hidden_size 1,024 ÷ 16 heads", "");
    row("given head size", config(R"({"head_dim": 128})"), Role::HeadDim, 128, Origin::File, "head_dim", "not hidden_size 1,024 ÷ 16 heads = 64");
    row("given where nothing divides", config(R"({"head_dim": 128, "hidden_size": 1000})"), Role::HeadDim, 128, Origin::File, "head_dim",
        "not hidden_size 1,000 ÷ 16 heads, which is no whole number");
    row("layers", config(), Role::Layers, 4, Origin::File, "num_hidden_layers", "");
    row("older name", config(R"({"num_hidden_layers": "absent", "n_layer": 3})"), Role::Layers, 3, Origin::File, "n_layer", "");
    row("limit", config(), Role::MaxContext, 8192, Origin::File, "max_position_embeddings", "");
    row("smallest limit", config(R"({"seq_length": 2048})"), Role::MaxContext, 2048, Origin::File, "seq_length", "");
    row("limit of scaled positions", config(R"({"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192}})"),
        Role::MaxContext, 32768, Origin::Derived, "rope_scaling, \"yarn\"", "not the 8,192 of max_position_embeddings");
    row("limit written beside it", config(R"({"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192}})"),
        Role::MaxContext, 8192, Origin::File, "max_position_embeddings", "");
    row("limit that holds the scaling", config(R"({"rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": 2048}})"),
        Role::MaxContext, 8192, Origin::File, "max_position_embeddings", "");
    row("layers that are run again", config(R"({"model_type": "ouro", "total_ut_steps": 3})"), Role::Layers, 4, Origin::File, "num_hidden_layers",
        "each is run 3 times (total_ut_steps) and keeps a cache of each run");
    row("window of some layers", config(R"({"model_type": "gemma2", "head_dim": 64, "sliding_window": 1024})"), Role::Window, 1024, Origin::File,
        "sliding_window", "on 2 of 4 layers, the others keep all");
    row("window of the class", config(R"({"model_type": "mistral", "max_position_embeddings": 32768})"), Role::Window, 4096, Origin::ClassDefault,
        "default of this model type (mistral)", "");
    row("latent", config(R"({"kv_lora_rank": 512, "qk_rope_head_dim": 64, "num_key_value_heads": 16})"), Role::LatentRank, 512, Origin::File,
        "kv_lora_rank", "num_key_value_heads 16 plays no part here: all heads read one latent");
    row("index", config(R"({"kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128, "indexer_types": ["full", "shared", "full",
        "shared"]})"),
        Role::IndexSize, 128, Origin::File, "index_head_dim", "on 2 of 4 layers (indexer_types), the others share a choice");
    row("dtype", config(), Role::Dtype, 2, Origin::File, "torch_dtype", "");
    row("no dtype", config(R"({"torch_dtype": "absent"})"), Role::Dtype, 2, Origin::Assumed, "no dtype in the file: 16 bit", "");
}

void ConfigReaderTest::fact() {
    QFETCH(std::string, text);
    QFETCH(int, role);
    QFETCH(qint64, value);
    const auto read = model(text);
    QVERIFY(read);
    const Fact *fact = read->fact(Role(role), value);
    QVERIFY(fact);
    QCOMPARE(qint64(fact->value), value);
    QTEST(int(fact->origin), "origin");
    QTEST(fact->from, "from");
    QTEST(fact->trap, "trap");
}

void ConfigReaderTest::engineLimits_data() {
    QTest::addColumn<std::string>("changes");
    QTest::addColumn<std::string>("engine");
    QTest::addColumn<qint64>("limit");
    const auto row = [](const char *name, const char *changes, const char *engine, qint64 limit) {
        QTest::newRow(name) << std::string(changes) << std::string(engine) << limit;
    };
    constexpr const char *yarn = R"({"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}})";
    row("yarn, vllm", yarn, "vllm", 16384);
    row("yarn, sglang", yarn, "sglang", 8192);
    row("yarn, tensorrt-llm", yarn, "tensorrt-llm", 8192);
    row("yarn, llama-cpp", yarn, "llama-cpp", 8192);
    row("yarn, textbook", yarn, "textbook", 16384);
    constexpr const char *shorter = R"({"rope_scaling": {"rope_type": "yarn", "factor": 1.5, "original_max_position_embeddings": 4096}})";
    row("yarn below what is written, vllm", shorter, "vllm", 6144);
    row("yarn below what is written, textbook", shorter, "textbook", 8192);
    constexpr const char *bare = R"({"rope_scaling": {"type": "yarn", "factor": 2}})";
    row("yarn of what is written, vllm", bare, "vllm", 16384);
    row("yarn of what is written, sglang", bare, "sglang", 16384);
    constexpr const char *linear = R"({"rope_scaling": {"type": "linear", "factor": 2.5}})";
    row("linear, vllm", linear, "vllm", 20480);
    row("linear, sglang", linear, "sglang", 20480);
    row("linear, tensorrt-llm", linear, "tensorrt-llm", 20480);
    row("linear, llama-cpp", linear, "llama-cpp", 8192);
    for (const char *engine : {"vllm", "sglang", "llama-cpp"}) {
        row((std::string("llama3, ") + engine).c_str(), R"({"rope_scaling": {"rope_type": "llama3", "factor": 8, "original_max_position_embeddings": 1024}})", engine, 8192);
        row((std::string("longrope, ") + engine).c_str(), R"({"rope_scaling": {"rope_type": "longrope", "factor": 8, "original_max_position_embeddings": 1024}})", engine, 8192);
        row((std::string("sections alone, ") + engine).c_str(), R"({"rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}})", engine, 8192);
    }
    row("by kinds of layers, vllm", R"({"rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 2}, "sliding_attention": {"rope_type": "default"}}})", "vllm", 16384);
    row("Gemma 3 is scaled already", R"({"model_type": "gemma3_text", "head_dim": 64, "rope_scaling": {"rope_type": "linear", "factor": 8}})", "vllm", 8192);
}

void ConfigReaderTest::engineLimits() {
    QFETCH(std::string, changes);
    QFETCH(std::string, engine);
    const auto read = model(config(changes));
    QVERIFY(read);
    const std::optional<Tokens> limit = contextLimit(engine, *read);
    QVERIFY(limit);
    QTEST(qint64(limit->value), "limit");
}

void ConfigReaderTest::attention_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("name");
    QTest::newRow("all heads") << config(R"({"num_key_value_heads": 16})") << std::string("MHA");
    QTest::newRow("grouped") << config() << std::string("GQA");
    QTest::newRow("one head") << config(R"({"num_key_value_heads": 1})") << std::string("MQA");
    QTest::newRow("latent") << config(R"({"kv_lora_rank": 512, "qk_rope_head_dim": 64})") << std::string("MLA");
    QTest::newRow("latent with index") << config(R"({"kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128})")
                                       << std::string("MLA+indexer");
    QTest::newRow("more bytes first") << config(R"({"model_type": "gemma2", "sliding_window": 1024})") << std::string("GQA + window");
    QTest::newRow("windows alone") << config(R"({"model_type": "mistral", "sliding_window": 1024})") << std::string("window");
    QTest::newRow("hybrid") << config(R"({"model_type": "lfm2", "conv_L_cache": 3, "full_attn_idxs": [1]})") << std::string("GQA + recurrent");
    QTest::newRow("a state, however small") << config(R"({"model_type": "lfm2", "conv_L_cache": 3, "full_attn_idxs": [1], "max_position_embeddings": 10000000})")
                                            << std::string("GQA + recurrent");
    QTest::newRow("a window beside which all is more") << config(R"({"model_type": "gemma2", "sliding_window": 16, "max_position_embeddings": 10000000})")
                                                       << std::string("GQA");
    QTest::newRow("nothing") << std::string(R"({"model_type": "bert", "num_hidden_layers": 2})") << std::string("none");
}

void ConfigReaderTest::attention() {
    QFETCH(std::string, text);
    const auto read = model(text);
    QVERIFY(read);
    QTEST(read->attentionName(), "name");
}

// How checkpoints say that they are quantised, and which KV type they ask for.
void ConfigReaderTest::checkpoint_data() {
    QTest::addColumn<std::string>("changes");
    QTest::addColumn<std::string>("method");
    QTest::addColumn<int>("hint");
    QTest::addColumn<int>("dtype");
    const auto row = [](const char *name, const char *changes, const char *method, ElementType hint, ElementType dtype = ElementType::Bf16) {
        QTest::newRow(name) << std::string(changes) << std::string(method) << int(hint) << int(dtype);
    };
    row("none", "{}", "", ElementType::Auto);
    row("fp8 without a hint", R"({"quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}})", "fp8", ElementType::Auto);
    row("scheme of eight float bits", R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_scheme": {"num_bits": 8, "type": "float"}}})",
        "modelopt", ElementType::Fp8);
    row("scheme of eight whole bits", R"({"quantization_config": {"quant_method": "compressed-tensors", "kv_cache_scheme": {"num_bits": 8, "type": "int"}}})",
        "compressed-tensors", ElementType::Int8);
    row("scheme null", R"({"quantization_config": {"quant_method": "compressed-tensors", "kv_cache_scheme": null}})", "compressed-tensors",
        ElementType::Auto);
    row("scheme as a word", R"({"quantization_config": {"quant_algo": "FP8", "kv_cache_scheme": "FP8"}})", "modelopt", ElementType::Fp8);
    row("half", R"({"torch_dtype": "float16"})", "", ElementType::Auto, ElementType::Fp16);
    row("newer key", R"({"torch_dtype": "absent", "dtype": "float32"})", "", ElementType::Auto, ElementType::Fp32);
    row("storage type is no dtype", R"({"torch_dtype": "float8_e4m3fn"})", "", ElementType::Auto);
}

void ConfigReaderTest::checkpoint() {
    QFETCH(std::string, changes);
    const auto read = model(config(changes));
    QVERIFY(read);
    QTEST(read->quantMethod, "method");
    QTEST(int(read->kvHint), "hint");
    QTEST(int(read->dtype), "dtype");
}

// The last layers read the cache of the last earlier layer of their own kind.
void ConfigReaderTest::sharing() {
    const auto read = model(config(R"({"model_type": "gemma3n_text", "num_hidden_layers": 8, "num_kv_shared_layers": 3, "head_dim": 64, "sliding_window": 64})"));
    QVERIFY(read);
    const std::vector<std::int32_t> expected{-1, -1, -1, -1, -1, 3, 3, 3}; // of every five layers the last is full: here layer 4
    QCOMPARE(read->sharedFrom, expected);
    QCOMPARE(read->layer(5).idle, Idle::SharedCache);
    QCOMPARE(read->cachingLayers(), std::int64_t(5));
}

void ConfigReaderTest::rest() {
    const auto read = model(config(R"({"num_local_experts": 8, "num_experts_per_tok": 2, "num_nextn_predict_layers": 1, "tie_word_embeddings": true})"));
    QVERIFY(read);
    QCOMPARE(read->name, std::string("Test model"));
    QCOMPARE(read->architecture, std::string("LlamaForCausalLM"));
    QCOMPARE(read->modelType, std::string("llama"));
    QCOMPARE(read->vocabulary, std::int64_t(32000));
    QCOMPARE(read->intermediate, std::int64_t(4096));
    QCOMPARE(read->experts, std::int64_t(8));
    QCOMPARE(read->expertsPerToken, std::int64_t(2));
    QCOMPARE(read->draftLayers, std::int64_t(1));
    QVERIFY(read->tiedEmbeddings);
    QVERIFY(read->source && read->source->find("num_local_experts"));
}

void ConfigReaderTest::nestedPlaces() {
    const auto read = model(R"({"model_type": "qwen2_5_omni", "thinker_config": {"model_type": "qwen2_5_omni_thinker", "text_config":
        {"model_type": "qwen2_5_omni_text", "num_hidden_layers": 2, "hidden_size": 1024, "num_attention_heads": 16, "num_key_value_heads": 4}}})");
    QVERIFY(read);
    QCOMPARE(read->fact(Role::KvHeads)->from, std::string("thinker_config.text_config.num_key_value_heads"));
    QCOMPARE(read->modelType, std::string("qwen2_5_omni_text"));
}

// A family without a row of known figures would be a formula that nobody ever held against anything.
void ConfigReaderTest::everyFamilyHasAGoldenRow() {
    const Parsed<std::string> rows = readSmallFile(std::string(kv::test::dataFolder()) + "/golden/configs.jsonl", 1 << 22);
    QVERIFY(rows);
    std::set<std::string> types;
    for (std::size_t at = 0; at < rows->size();) {
        const std::size_t end = std::min(rows->find('\n', at), rows->size());
        const Parsed<Json> row = parseJson(std::string_view(*rows).substr(at, end - at), "row");
        at = end + 1;
        QVERIFY(row);
        if (row->find("refuse"))
            continue;
        const auto read = readConfig(*row->find("scenario")->find("model")->find("config"), {}, {});
        if (read)
            types.insert((*read)->modelType);
    }
    for (const Family &family : families())
        QVERIFY2(types.contains(std::string(family.modelType)), std::string(family.modelType).c_str());
}

KV_TEST(ConfigReaderTest)
#include "configreadertest.moc"
