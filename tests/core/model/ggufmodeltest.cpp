// SPDX-License-Identifier: GPL-3.0-or-later
//
// GGUF metadata -> layers: what each architecture keeps in which layer, from its keys and from its own rules. A row is the small model of
// base() with a few keys changed; layers are written one letter a part: F full, W window, C chunked, L latent, I index keys, Z compressed,
// S state, X cross, - nothing.
#include "core/model/ggufmodel.h"
#include "tests/testmain.h"

#include <QTest>

using namespace kv;

class GgufModelTest : public QObject {
    Q_OBJECT

private slots:
    void layers_data();
    void layers();
    void sharedLayersNameTheirSource();
    void factsNameTheirKeys();
    void unknownArchitectureIsSaid();
    void unknownKeysAreNamed_data();
    void unknownKeysAreNamed();
    void refused_data();
    void refused();
};

namespace {

/// Four layers of width 64, four query heads and two KV heads of 16: 128 bytes a layer and token.
Json base(const std::string &architecture) {
    Json keys = Json::object();
    keys.set("general.architecture", architecture);
    for (const auto &[key, value] : {std::pair{"block_count", 4}, {"embedding_length", 64}, {"feed_forward_length", 128}, {"context_length", 4096},
                                     {"attention.head_count", 4}, {"attention.head_count_kv", 2}})
        keys.set(architecture + "." + key, value);
    return keys;
}

/// The base with the members of `changes`; "@" stands for the architecture, null takes a key away.
Json changed(const std::string &architecture, const std::string &changes) {
    Json keys = base(architecture);
    const Parsed<Json> parsed = parseJson(changes.empty() ? "{}" : changes, "changes");
    for (const auto &[key, value] : parsed->members()) {
        const std::string full = key.starts_with('@') ? architecture + key.substr(1) : key;
        keys.erase(full);
        if (!value.isNull())
            keys.set(full, value);
    }
    return keys;
}

QByteArray letters(const ModelSpec &spec) {
    QByteArray text;
    for (std::size_t i = 0; i < spec.layers.size(); ++i) {
        if (i > 0)
            text += ' ';
        for (const CachePart &part : spec.layer(i).parts)
            text += "FWCLIZSX"[part.index()];
        if (spec.layer(i).parts.empty())
            text += '-';
    }
    return text;
}

QByteArray said(const Notes &notes) {
    QByteArray all;
    for (const Note &note : notes)
        all += QByteArray::fromStdString(note.code + " (" + note.where + "): " + note.text + "\n");
    return all;
}

} // namespace

void GgufModelTest::layers_data() {
    QTest::addColumn<QByteArray>("architecture");
    QTest::addColumn<QByteArray>("changes");
    QTest::addColumn<QByteArray>("layers");
    QTest::addColumn<qint64>("perToken"); // in 16 bit
    QTest::addColumn<qint64>("elements"); // of one layer's state and convolution
    const auto row = [](const char *name, const char *architecture, const char *changes, const char *layers, qint64 perToken, qint64 elements = 0) {
        QTest::newRow(name) << QByteArray(architecture) << QByteArray(changes) << QByteArray(layers) << perToken << elements;
    };
    row("plain", "llama", "", "F F F F", 512);
    row("no head_count_kv", "llama", R"({"@.attention.head_count_kv": null})", "F F F F", 1024);
    row("key and value sizes", "llama", R"({"@.attention.key_length": 32, "@.attention.value_length": 24})", "F F F F", 4 * 2 * (32 + 24) * 2);
    row("heads by layer", "llama", R"({"@.attention.head_count_kv": [4, 2, 0, 1]})", "F F - F", (4 + 2 + 1) * 16 * 2 * 2);
    row("heads and query heads by layer", "openelm", R"({"@.attention.head_count": [4, 8, 8, 4], "@.attention.head_count_kv": [1, 2, 2, 1], "@.attention.key_length": 8,
        "@.attention.value_length": 8})", "F F F F", 6 * 8 * 2 * 2);
    row("draft layers", "llama", R"({"@.nextn_predict_layers": 1})", "F F F", 384);
    row("a window everywhere", "llama", R"({"@.attention.sliding_window": 128})", "W W W W", 512);
    row("every other layer", "gpt-oss", R"({"@.attention.sliding_window": 128})", "W F W F", 512);
    row("window of the class", "gemma2", "", "W F W F", 512);
    row("five of six", "gemma3", R"({"@.block_count": 7, "@.attention.sliding_window": 128})", "W W W W W F W", 7 * 128);
    row("the first attends to all", "laguna", R"({"@.attention.sliding_window": 128})", "F W W W", 512);
    row("a pattern by layer", "gemma4", R"({"@.attention.sliding_window": 128, "@.attention.sliding_window_pattern": [true, false, false, true]})", "W F F W", 512);
    row("a pattern as a period", "gemma3", R"({"@.attention.sliding_window": 128, "@.attention.sliding_window_pattern": 2})", "W F W F", 512);
    row("other sizes in the windows", "gemma4", R"({"@.attention.sliding_window": 128, "@.attention.sliding_window_pattern": [true, false, true, false],
        "@.attention.key_length": 32, "@.attention.value_length": 32, "@.attention.key_length_swa": 8, "@.attention.value_length_swa": 8})",
        "W F W F", 2 * 2 * (32 + 8) * 2 * 2);
    row("a window of 0 is none", "gemma2", R"({"@.attention.sliding_window": 0})", "F F F F", 512);
    row("only the 32B slides", "exaone4", "", "F F F F", 512);
    row("chunks", "llama4", "", "C C C F", 512);
    row("latent", "deepseek2", R"({"@.attention.kv_lora_rank": 32, "@.rope.dimension_count": 8})", "L L L L", 4 * 40 * 2);
    row("latent, its width as the key", "deepseek2", R"({"@.attention.head_count_kv": 1, "@.attention.kv_lora_rank": 32, "@.rope.dimension_count": 8, "@.attention.key_length": 40,
        "@.attention.value_length": 32, "@.attention.key_length_mla": 24, "@.attention.value_length_mla": 16})", "L L L L", 4 * 40 * 2);
    row("Mamba", "mamba", R"({"@.ssm.conv_kernel": 4, "@.ssm.inner_size": 128, "@.ssm.state_size": 16, "@.ssm.time_step_rank": 4})", "S S S S", 0, 3 * 128 + 128 * 16);
    row("Mamba 2", "mamba2", R"({"@.ssm.conv_kernel": 4, "@.ssm.inner_size": 128, "@.ssm.state_size": 16, "@.ssm.time_step_rank": 4, "@.ssm.group_count": 2})", "S S S S", 0,
        3 * (128 + 2 * 2 * 16) + 128 * 16);
    row("Jamba", "jamba", R"({"@.attention.head_count_kv": [0, 2, 0, 2], "@.ssm.conv_kernel": 4, "@.ssm.inner_size": 128, "@.ssm.state_size": 16})", "S F S F", 256,
        3 * 128 + 128 * 16);
    row("Nemotron-H", "nemotron_h", R"({"@.attention.head_count_kv": [0, 2, 0, 0], "@.feed_forward_length": [0, 0, 128, 0], "@.ssm.conv_kernel": 4, "@.ssm.inner_size": 128,
        "@.ssm.state_size": 16, "@.ssm.group_count": 1})", "S F - S", 128, 3 * (128 + 2 * 16) + 128 * 16);
    row("three of four", "qwen3next", R"({"@.ssm.conv_kernel": 4, "@.ssm.inner_size": 128, "@.ssm.state_size": 16, "@.ssm.time_step_rank": 8, "@.ssm.group_count": 4})", "S S S F",
        128, 3 * (128 + 2 * 4 * 16) + 128 * 16);
    row("every other, by the key", "qwen3next", R"({"@.full_attention_interval": 2, "@.ssm.conv_kernel": 4, "@.ssm.inner_size": 128, "@.ssm.state_size": 16})", "S F S F", 256,
        3 * 128 + 128 * 16);
    row("states by layer", "qwen35", R"({"@.attention.recurrent_layers": [true, false, false, true], "@.ssm.conv_kernel": 4, "@.ssm.inner_size": 128, "@.ssm.state_size": 16})",
        "S F F S", 256, 3 * 128 + 128 * 16);
    row("two in one layer", "falcon-h1", R"({"@.ssm.conv_kernel": 4, "@.ssm.inner_size": 128, "@.ssm.state_size": 16})", "FS FS FS FS", 512, 3 * 128 + 128 * 16);
    row("short convolution", "lfm2", R"({"@.attention.head_count_kv": [0, 2, 0, 2], "@.shortconv.l_cache": 3})", "S F S F", 256, 2 * 64);
    row("RWKV", "rwkv7", R"({"@.wkv.head_size": 16})", "S S S S", 0, 4 * 16 * 16 + 2 * 64);
    row("RWKV on Qwen layers", "arwkv7", R"({"@.wkv.head_size": 16})", "S S S S", 0, 4 * 16 * 16 + 64);
    row("KDA", "kimi-linear", R"({"@.attention.head_count_kv": [0, 0, 0, 2], "@.kda.head_dim": 16, "@.ssm.conv_kernel": 4})", "S S S F", 128, 3 * 3 * 4 * 16 + 4 * 16 * 16);
    row("lightning", "minimax-01", R"({"@.full_attention_interval": 4})", "S S S F", 128, 4 * 16 * 16);
    row("encoder and decoder", "t5", R"({"@.decoder_block_count": 2})", "FX FX", 256);
    row("encoder", "bert", "", "- - - -", 0);
    row("reads as a whole", "llama", R"({"@.attention.causal": false})", "- - - -", 0);
    row("shared caches", "gemma4", R"({"@.attention.shared_kv_layers": 2, "@.attention.sliding_window": 128, "@.attention.sliding_window_pattern": [1, 0, 1, 0]})", "W F - -", 256);
    row("not known", "brandnew", "", "F F F F", 512);
    row("not known, with a window", "brandnew", R"({"@.attention.sliding_window": 128, "@.attention.sliding_window_pattern": [0, 1, 1, 0]})", "F W W F", 512);
}

void GgufModelTest::layers() {
    QFETCH(QByteArray, architecture);
    QFETCH(QByteArray, changes);
    const Parsed<ModelSpec> model = ggufModel(changed(architecture.toStdString(), changes.toStdString()), {}, "m.gguf");
    QVERIFY2(model, said(model.notes));
    QTEST(letters(*model), "layers");
    const CacheTypes types{ElementType::Fp16, ElementType::Fp16, ElementType::Fp16};
    std::int64_t perToken = 0, elements = 0;
    for (const LayerShape &shape : model->shapes)
        for (const CachePart &part : shape.parts) {
            perToken += bytesPerToken(part, types).value * shape.count;
            if (const auto *state = std::get_if<RecurrentState>(&part))
                elements = state->convElements() + state->stateElements();
        }
    QTEST(qint64(perToken), "perToken");
    QTEST(qint64(elements), "elements");
}

void GgufModelTest::sharedLayersNameTheirSource() {
    const Parsed<ModelSpec> model = ggufModel(
        changed("gemma4", R"({"@.attention.shared_kv_layers": 2, "@.attention.sliding_window": 128, "@.attention.sliding_window_pattern": [1, 0, 1, 0]})"), {}, "m.gguf");
    QVERIFY2(model, said(model.notes));
    QCOMPARE(model->sharedFrom, (std::vector<std::int32_t>{-1, -1, 0, 1}));
    QCOMPARE(model->layer(2).idle, Idle::SharedCache);
}

void GgufModelTest::factsNameTheirKeys() {
    const Parsed<ModelSpec> model = ggufModel(changed("llama", R"({"@.attention.key_length": 32, "@.attention.value_length": 32})"), "given", "m.gguf");
    QVERIFY2(model, said(model.notes));
    QVERIFY(model->name == "given" && model->modelType == "llama" && model->sourceIsGguf);
    QVERIFY(model->fact(Role::KvHeads)->from == "llama.attention.head_count_kv" && model->fact(Role::KvHeads)->trap == "not the 4 of attention.head_count");
    QVERIFY(model->fact(Role::HeadDim)->from == "llama.attention.key_length" && model->fact(Role::HeadDim)->trap.find("= 16") != std::string::npos);
    QVERIFY(model->maxContext == Tokens(4096));
}

void GgufModelTest::unknownArchitectureIsSaid() {
    const Parsed<ModelSpec> model = ggufModel(base("brandnew"), {}, "m.gguf");
    QVERIFY2(model, said(model.notes));
    const Note &first = model.notes.front();
    QVERIFY(first.code == "unknown-architecture" && first.severity == Severity::Warning);
    QVERIFY2(first.text.find("brandnew") != std::string::npos && first.text.find("full attention") != std::string::npos, said(model.notes));
    QVERIFY(model->notes == model.notes);
    Json state = base("brandnew");
    state.set("brandnew.ssm.a\nb", 1); // a message is one line, whatever a key holds
    const Parsed<ModelSpec> refusal = ggufModel(state, {}, "m.gguf");
    QVERIFY(!refusal && refusal.notes.front().text.find("brandnew.ssm.a b speaks of layers") != std::string::npos);
}

void GgufModelTest::unknownKeysAreNamed_data() {
    QTest::addColumn<QByteArray>("changes");
    QTest::addColumn<QByteArray>("named"); // empty: no warning
    const auto row = [](const char *name, const char *changes, const char *named) { QTest::newRow(name) << QByteArray(changes) << QByteArray(named); };
    row("none", "", "");
    row("a new window", R"({"@.attention.window_of_my_own": 128})", "llama.attention.window_of_my_own");
    row("a new state", R"({"@.ssm.ring_size": 128})", "llama.ssm.ring_size");
    row("two", R"({"@.kv_budget": 1, "@.attention.kind": "sparse"})", "llama.kv_budget, llama.attention.kind");
    row("off", R"({"@.attention.window_of_my_own": 0, "@.attention.sparse": false})", "");
    row("what changes nothing", R"({"@.attention.layer_norm_rms_epsilon": 1e-5, "@.rope.freq_base": 10000, "@.attention.some_norm": 1, "@.expert_weights_scale": 2})", "");
    row("another's", R"({"qwen.attention.window_of_my_own": 128, "general.cache": 1, "tokenizer.head": 1})", "");
    row("many", R"({"@.kv_a": 1, "@.kv_b": 1, "@.kv_c": 1, "@.kv_d": 1, "@.kv_e": 1, "@.kv_f": 1, "@.kv_g": 1, "@.kv_h": 1, "@.kv_i": 1, "@.kv_j": 1})",
        "llama.kv_h and 2 more");
}

void GgufModelTest::unknownKeysAreNamed() {
    QFETCH(QByteArray, changes);
    QFETCH(QByteArray, named);
    const Parsed<ModelSpec> model = ggufModel(changed("llama", changes.toStdString()), {}, "m.gguf");
    QVERIFY2(model, said(model.notes));
    const bool warned = !model.notes.empty() && model.notes.back().code == "unknown-key";
    QCOMPARE(warned, !named.isEmpty());
    QVERIFY2(named.isEmpty() || said(model.notes).endsWith(named + "\n"), said(model.notes));
}

void GgufModelTest::refused_data() {
    QTest::addColumn<QByteArray>("architecture");
    QTest::addColumn<QByteArray>("changes");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("where");
    const auto row = [](const char *name, const char *architecture, const char *changes, const char *code, const char *where) {
        QTest::newRow(name) << QByteArray(architecture) << QByteArray(changes) << QByteArray(code) << QByteArray(where);
    };
    row("no architecture", "llama", R"({"general.architecture": null})", "missing-key", "general.architecture");
    row("architecture a number", "llama", R"({"general.architecture": 3})", "bad-value", "general.architecture");
    row("architecture empty", "llama", R"({"general.architecture": ""})", "bad-value", "general.architecture");
    row("architecture of two lines", "llama", R"({"general.architecture": "lla\nma"})", "bad-value", "general.architecture");
    row("architecture without an end", "llama", ("{\"general.architecture\": \"" + std::string(1000, 'a') + "\"}").c_str(), "bad-value", "general.architecture");
    row("adapter", "llama", R"({"general.type": "adapter"})", "not-a-model", "general.type");
    row("projector", "clip", "", "not-a-model", "general.type");
    row("another type", "llama", R"({"general.type": "imatrix"})", "not-a-model", "general.type");
    row("no layers", "llama", R"({"@.block_count": null})", "missing-key", "llama.block_count");
    row("no width", "llama", R"({"@.embedding_length": null})", "missing-key", "llama.embedding_length");
    row("layers 0", "llama", R"({"@.block_count": 0})", "bad-value", "llama.block_count");
    row("layers negative", "llama", R"({"@.block_count": -4})", "bad-value", "llama.block_count");
    row("layers a text", "llama", R"({"@.block_count": "4"})", "bad-value", "llama.block_count");
    row("layers a fraction", "llama", R"({"@.block_count": 4.5})", "bad-value", "llama.block_count");
    row("layers 2^63", "llama", R"({"@.block_count": 9223372036854775808})", "*", "llama.block_count");
    row("layers 16385", "llama", R"({"@.block_count": 16385})", "out-of-range", "llama.block_count");
    row("drafts alone", "llama", R"({"@.nextn_predict_layers": 4})", "bad-value", "llama.nextn_predict_layers");
    row("heads by layer, one short", "llama", R"({"@.attention.head_count_kv": [2, 2, 2]})", "*", "llama.attention.head_count_kv");
    row("heads by layer, one negative", "llama", R"({"@.attention.head_count_kv": [2, 2, -2, 2]})", "bad-value", "*");
    row("heads by layer, only counted", "llama", R"({"@.attention.head_count_kv": {"type": "i32", "count": 5000}})", "*", "llama.attention.head_count_kv");
    row("heads without a size", "llama", R"({"@.attention.key_length": 0, "@.attention.value_length": 0})", "bad-value", "llama.attention.key_length");
    row("heads times size", "llama", R"({"@.attention.head_count_kv": 2147483647, "@.attention.key_length": 2147483647})", "out-of-range", "llama.attention.head_count_kv");
    row("windows without a pattern", "gemma4", R"({"@.attention.sliding_window": 128})", "missing-key", "gemma4.attention.sliding_window_pattern");
    row("compression without ratios", "deepseek4", "", "missing-key", "deepseek4.attention.compress_ratios");
    row("interval 0", "qwen3next", R"({"@.full_attention_interval": 0, "@.ssm.conv_kernel": 4, "@.ssm.inner_size": 128, "@.ssm.state_size": 16})", "bad-value",
        "qwen3next.full_attention_interval");
    row("a state without its size", "mamba", R"({"@.ssm.conv_kernel": 4, "@.ssm.inner_size": 128})", "missing-key", "mamba.ssm.state_size");
    row("a state out of range", "mamba2", R"({"@.ssm.conv_kernel": 2147483647, "@.ssm.inner_size": 2147483647, "@.ssm.state_size": 2147483647, "@.ssm.group_count": 2147483647})",
        "out-of-range", "mamba2.ssm.state_size");
    row("nobody to share with", "gemma4", R"({"@.attention.shared_kv_layers": 4})", "bad-value", "gemma4.attention.shared_kv_layers");
    row("not known, with a state", "brandnew", R"({"@.ssm.state_size": 16})", "unknown-architecture", "general.architecture");
    row("not known, with a convolution", "brandnew", R"({"@.shortconv.l_cache": 3})", "unknown-architecture", "general.architecture");
}

void GgufModelTest::refused() {
    QFETCH(QByteArray, architecture);
    QFETCH(QByteArray, changes);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, where);
    const Parsed<ModelSpec> model = ggufModel(changed(architecture.toStdString(), changes.toStdString()), {}, "m.gguf");
    QVERIFY(!model);
    const Note *error = firstError(model.notes);
    QVERIFY(error);
    QVERIFY2(code == "*" || code == QByteArray::fromStdString(error->code), said(model.notes));
    QVERIFY2(where == "*" || where == QByteArray::fromStdString(error->where), said(model.notes));
    QVERIFY2(error->text.find('\n') == std::string::npos, said(model.notes));
    QVERIFY2(error->text.find("m.gguf") != std::string::npos || error->text.find("brandnew") != std::string::npos, said(model.notes));
}

KV_TEST(GgufModelTest)
#include "ggufmodeltest.moc"
