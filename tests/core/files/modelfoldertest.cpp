// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whatever a user names as a model: files of every form, folders, repositories of the Hub's cache, manifests and stores of Ollama; what is
// taken, from where its weights are, and what is refused.
#include "core/files/modelsource.h"
#include "core/model/configreader.h"
#include "core/weights/ggufmix.h"
#include "tests/core/files/checkpointbuilder.h"
#include "tests/core/files/tempfolder.h"
#include "tests/testmain.h"

#include <functional>

using namespace kv;
using kv::test::shard;
using kv::test::smallConfig;
using kv::test::TempFolder;

using Build = std::function<std::string(const TempFolder &)>; // returns what is named as the model
Q_DECLARE_METATYPE(Build)

class ModelFolderTest : public QObject {
    Q_OBJECT

private slots:
    void taken_data();
    void taken();
    void shapeBesideHeaders();
    void mixedAlikeByHeaders_data();
    void mixedAlikeByHeaders();
    void refused_data();
    void refused();
};

namespace {

constexpr const char *digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

QByteArray said(const Notes &notes) {
    QByteArray all;
    for (const Note &note : notes)
        all += QByteArray::fromStdString(note.code + ": " + note.text + "\n");
    return all;
}

/// A folder with a config and the files named: name, then content.
std::string checkpoint(const TempFolder &folder, std::initializer_list<std::pair<const char *, std::string>> files, std::string_view config = smallConfig) {
    folder.write("m/config.json", config);
    for (const auto &[name, content] : files)
        folder.write(std::string("m/") + name, content);
    return folder.path("m");
}

std::string index(const char *total, std::initializer_list<std::pair<const char *, const char *>> map) {
    std::string text = std::string("{\"metadata\": {") + (*total ? std::string("\"total_size\": ") + total : "") + "}, \"weight_map\": {";
    const char *separator = "";
    for (const auto &[tensor, file] : map) {
        text += std::string(separator) + "\"" + tensor + "\": \"" + file + "\"";
        separator = ", ";
    }
    return text + "}}";
}

/// A repository of the Hub's cache with these snapshots, each a checkpoint whose one shard lies in blobs/.
std::string repository(const TempFolder &folder, const char *ref, std::initializer_list<const char *> snapshots) {
    const std::string root = "models--maker--tiny/";
    folder.write(root + "blobs/aa", shard("a", 8));
    if (*ref)
        folder.write(root + "refs/main", ref);
    for (const char *revision : snapshots) {
        folder.write(root + "snapshots/" + revision + "/config.json", smallConfig);
        folder.link(root + "snapshots/" + revision + "/model.safetensors", "../../blobs/aa");
    }
    return folder.path("models--maker--tiny");
}

std::string manifestOf(const std::string &type, const std::string &hash) {
    return R"({"schemaVersion": 2, "layers": [{"mediaType": "application/vnd.ollama.image.template", "digest": "sha256:00", "size": 1},
        {"mediaType": "application/vnd.ollama.image.)" + type + R"(", "digest": "sha256:)" + hash + R"(", "size": 500}]})";
}

/// A store of Ollama with one model; returns the path of its manifest.
std::string ollama(const TempFolder &folder, const std::string &manifest, bool blob = true) {
    folder.write(std::string("s/blobs/") + (blob ? std::string("sha256-") + digest : "other"), kv::test::smallModel().whole());
    return folder.write("s/manifests/registry.ollama.ai/library/tiny/1b", manifest);
}

} // namespace

void ModelFolderTest::taken_data() {
    QTest::addColumn<Build>("build");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<qint64>("stored"); // −1: counted from the config
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("note"); // a code among the notes; empty: no warning
    const auto row = [](const char *what, Build build, const char *name, qint64 stored, const char *source, const char *note) {
        QTest::newRow(what) << std::move(build) << QByteArray(name) << stored << QByteArray(source) << QByteArray(note);
    };
    const char *counted = "counted from config", *headers = "safetensors headers", *byIndex = "safetensors index", *table = "gguf tensor table";
    row("config alone", [](const TempFolder &f) { return f.write("config.json", smallConfig); }, "", -1, counted, "");
    row("config under another name", [](const TempFolder &f) { return f.write("other.json", smallConfig); }, "", -1, counted, "");
    row("config with a byte-order mark", [](const TempFolder &f) { return f.write("config.json", "\xEF\xBB\xBF" + std::string(smallConfig)); }, "", -1, counted, "");
    row("folder with a config alone", [](const TempFolder &f) { return checkpoint(f, {}); }, "m", -1, counted, "");
    row("folder, slash behind it", [](const TempFolder &f) { return checkpoint(f, {}) + "/"; }, "m", -1, counted, "");
    row("one file", [](const TempFolder &f) { return checkpoint(f, {{"model.safetensors", shard("a", 8)}}); }, "m", 16, headers, "");
    row("that file named", [](const TempFolder &f) { return checkpoint(f, {{"model.safetensors", shard("a", 8)}}) + "/model.safetensors"; }, "m", 16, headers, "");
    row("two shards, an index", [](const TempFolder &f) {
        return checkpoint(f, {{"1.safetensors", shard("a", 8)}, {"sub/2.safetensors", shard("b", 4)},
                              {"model.safetensors.index.json", index("24", {{"a", "1.safetensors"}, {"b", "sub/2.safetensors"}})}});
    }, "m", 24, headers, "");
    row("the index named", [](const TempFolder &f) {
        return checkpoint(f, {{"1.safetensors", shard("a", 8)}, {"model.safetensors.index.json", index("16", {{"a", "1.safetensors"}})}}) + "/model.safetensors.index.json";
    }, "m", 16, headers, "");
    row("a total that is wrong", [](const TempFolder &f) {
        return checkpoint(f, {{"1.safetensors", shard("a", 8)}, {"model.safetensors.index.json", index("99", {{"a", "1.safetensors"}})}});
    }, "m", 16, headers, "contradiction");
    row("an index without its shards", [](const TempFolder &f) {
        return checkpoint(f, {{"model.safetensors.index.json", index("50000", {{"a", "1.safetensors"}, {"b", "2.safetensors"}})}});
    }, "m", 50000, byIndex, "missing-shards");
    // The config comes to some 25,000 parameters, which take between a bit and 8 bytes each.
    for (const char *total : {"1", "1000", "1000000", "9223372036854775807"})
        row((std::string("an index without its shards, whose total cannot be: ") + total).c_str(), [total](const TempFolder &f) {
            return checkpoint(f, {{"model.safetensors.index.json", index(total, {{"a", "1.safetensors"}})}});
        }, "m", -1, counted, "contradiction");
    row("shards without an index", [](const TempFolder &f) {
        return checkpoint(f, {{"model-00001-of-00002.safetensors", shard("a", 8)}, {"model-00002-of-00002.safetensors", shard("b", 4)}, {"adapter_model.safetensors", shard("c", 100)}});
    }, "m", 24, headers, "");
    row("a shard missing", [](const TempFolder &f) { return checkpoint(f, {{"model-00001-of-00002.safetensors", shard("a", 8)}}); }, "m", -1, counted, "missing-shards");
    row("pickles alone", [](const TempFolder &f) { return checkpoint(f, {{"pytorch_model.bin", "\x80\x02"}}); }, "m", -1, counted, "pickle");
    row("config and one GGUF", [](const TempFolder &f) { return checkpoint(f, {{"m.gguf", kv::test::smallModel().whole()}}); }, "Small", 34, table, "two-models");
    row("checkpoint and a GGUF", [](const TempFolder &f) { return checkpoint(f, {{"model.safetensors", shard("a", 8)}, {"m.gguf", kv::test::smallModel().whole()}}); }, "m", 16, headers,
        "two-models");
    row("one GGUF and its projector", [](const TempFolder &f) {
        f.write("g/mmproj-m.gguf", "not even read");
        f.write("g/m.gguf", kv::test::smallModel().whole());
        return f.path("g");
    }, "Small", 34, table, "");
    row("a GGUF by its content", [](const TempFolder &f) { return f.write("sha256-1234", kv::test::smallModel().whole()); }, "Small", 34, table, "");
    row("params.json", [](const TempFolder &f) {
        f.write("p/params.json", R"({"dim": 32, "n_layers": 2, "n_heads": 2, "n_kv_heads": 1, "head_dim": 16, "hidden_dim": 64, "vocab_size": 100, "norm_eps": 1e-5})");
        f.write("p/consolidated.safetensors", shard("a", 8));
        return f.path("p");
    }, "p", 16, headers, "*"); // no limit of the context is in it
    row("repository", [](const TempFolder &f) { return repository(f, "abc\n", {"abc", "old"}); }, "maker/tiny", 16, headers, "");
    row("a snapshot of it", [](const TempFolder &f) { return repository(f, "abc", {"abc"}) + "/snapshots/abc"; }, "maker/tiny", 16, headers, "");
    row("repository without refs, one snapshot", [](const TempFolder &f) { return repository(f, "", {"abc"}); }, "maker/tiny", 16, headers, "");
    row("refs to a snapshot that is gone, one there", [](const TempFolder &f) { return repository(f, "gone", {"abc"}); }, "maker/tiny", 16, headers, "other-revision");
    row("cache with one repository", [](const TempFolder &f) {
        repository(f, "abc", {"abc"});
        return f.path();
    }, "maker/tiny", 16, headers, "");
    row("manifest of Ollama", [](const TempFolder &f) { return ollama(f, manifestOf("model", digest)); }, "tiny:1b", 34, table, "");
    row("store of Ollama with one model", [](const TempFolder &f) {
        ollama(f, manifestOf("model", digest));
        return f.path("s");
    }, "tiny:1b", 34, table, "");
    row("quantisation in a file of its own", [](const TempFolder &f) {
        return checkpoint(f, {{"hf_quant_config.json", R"({"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head"]}})"}});
    }, "m", -1, counted, "quantisation-file");
    row("that file broken", [](const TempFolder &f) { return checkpoint(f, {{"hf_quant_config.json", "{"}}); }, "m", -1, counted, "ignored-file");
}

void ModelFolderTest::taken() {
    QFETCH(Build, build);
    QFETCH(QByteArray, name);
    QFETCH(qint64, stored);
    QFETCH(QByteArray, note);
    const TempFolder folder;
    const auto model = loadModel(build(folder));
    QVERIFY2(model, said(model.notes));
    const ModelSpec &spec = **model;
    QCOMPARE(spec.layerCount(), std::int64_t{2});
    if (!name.isEmpty())
        QCOMPARE(QByteArray::fromStdString(spec.name), name);
    QTEST(QByteArray::fromStdString(std::string(weightSourceName(spec.weights.source))), "source");
    if (stored >= 0)
        QCOMPARE(qint64(spec.weights.stored.value), stored);
    else
        QVERIFY(spec.weights.stored.value > 0);
    QVERIFY(spec.notes == model.notes); // a plan shows them all
    bool found = note.isEmpty() || note == "*";
    for (const Note &one : model.notes) {
        found = found || note == QByteArray::fromStdString(one.code);
        QVERIFY2(!note.isEmpty() || one.severity == Severity::Info, said(model.notes));
    }
    QVERIFY2(found, said(model.notes));
}

// What a GGUF mix goes by is not in the names of tensors: it stays as it was counted.
void ModelFolderTest::shapeBesideHeaders() {
    const TempFolder folder;
    const auto model = loadModel(checkpoint(folder, {{"model.safetensors", shard("a", 8)}}, R"({"model_type": "starcoder2", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "intermediate_size": 256, "vocab_size": 100, "torch_dtype": "bfloat16"})"));
    QVERIFY2(model, said(model.notes));
    const WeightSpec &weights = (*model)->weights;
    QCOMPARE(weights.source, WeightSource::SafetensorsHeaders);
    QCOMPARE(QByteArray::fromStdString(std::string(weights.family)), QByteArray("starcoder2"));
    QVERIFY(!weights.gated);
    QCOMPARE(qint64(weights.rows.hidden), qint64(64));
}

void ModelFolderTest::mixedAlikeByHeaders_data() {
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("further"); ///< of the config
    QTest::addColumn<QByteArray>("prefix");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QByteArray>("up"); ///< with the gate in it, where there is one
    QTest::addColumn<QByteArray>("down");
    QTest::addColumn<bool>("gated");
    QTest::newRow("phi3") << QByteArray("phi3") << QByteArray(R"("intermediate_size": 512, "tie_word_embeddings": true,)") << QByteArray("model.layers.%1.self_attn.qkv_proj.weight")
                          << QByteArray("self_attn.o_proj") << QByteArray("mlp.gate_up_proj") << QByteArray("mlp.down_proj") << true;
    QTest::newRow("falcon") << QByteArray("falcon") << QByteArray(R"("ffn_hidden_size": 512, "new_decoder_architecture": true, "num_kv_heads": 2, "num_ln_in_parallel_attn": 2,)")
                            << QByteArray("transformer.h.%1.self_attention.query_key_value.weight") << QByteArray("self_attention.dense") << QByteArray("mlp.dense_h_to_4h")
                            << QByteArray("mlp.dense_4h_to_h") << false;
}

// Queries, keys and values that are one matrix are mixed as values are, whether the file's headers say their size or the config does.
void ModelFolderTest::mixedAlikeByHeaders() {
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, further);
    QFETCH(QByteArray, prefix);
    QFETCH(QByteArray, output);
    QFETCH(QByteArray, up);
    QFETCH(QByteArray, down);
    QFETCH(bool, gated);
    constexpr std::size_t hidden = 256, width = 512, vocabulary = 512, layers = 16, rows = (8 + 2 * 2) * 32;
    std::vector<std::tuple<std::string, std::size_t, std::size_t>> tensors;
    const QByteArray fused = prefix, block = prefix.left(prefix.indexOf("%1") + 2) + '.';
    for (std::size_t i = 0; i < layers; ++i) {
        const auto at = [&](const QByteArray &name) { return QByteArray(name).replace("%1", QByteArray::number(qulonglong(i))).toStdString(); };
        tensors.emplace_back(at(fused), rows, hidden);
        tensors.emplace_back(at(block + output + ".weight"), hidden, hidden);
        tensors.emplace_back(at(block + up + ".weight"), gated ? 2 * width : width, hidden);
        tensors.emplace_back(at(block + down + ".weight"), hidden, width);
    }
    tensors.emplace_back(gated ? "model.embed_tokens.weight" : "transformer.word_embeddings.weight", vocabulary, hidden);
    const QByteArray config = "{\"model_type\": \"" + type + "\", " + further + R"("hidden_size": 256, "num_hidden_layers": 16, "num_attention_heads": 8, "num_key_value_heads": 2,
        "vocab_size": 512, "max_position_embeddings": 2048, "torch_dtype": "bfloat16"})";
    const TempFolder folder;
    const auto model = loadModel(checkpoint(folder, {{"model.safetensors", kv::test::shardOf(tensors)}}, config.toStdString()));
    QVERIFY2(model, said(model.notes));
    QCOMPARE((*model)->weights.source, WeightSource::SafetensorsHeaders);
    const auto counted = readConfigText(config.toStdString(), "m", "config.json");
    QVERIFY2(counted, said(counted.notes));
    const auto matrices = [](const WeightSpec &weights) {
        const std::vector<Bytes> bytes = ggufMixBytes(weights, "q4_k_m"), small = ggufMixBytes(weights, "q2_k");
        std::int64_t medium = 0, least = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            if (weights.parts[i].kind != WeightPartKind::Norms && weights.parts[i].kind != WeightPartKind::FinalNorm) // none stand in the made file
                medium += bytes[i].value, least += small[i].value;
        return std::pair(medium, least);
    };
    QCOMPARE(matrices((*model)->weights), matrices((*counted)->weights));
}

void ModelFolderTest::refused_data() {
    QTest::addColumn<Build>("build");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("sentence");
    const auto row = [](const char *what, Build build, const char *code, const char *sentence) {
        QTest::newRow(what) << std::move(build) << QByteArray(code) << QByteArray(sentence);
    };
    row("nothing", [](const TempFolder &) { return std::string(); }, "no-such-file", "no path");
    row("NUL in the path", [](const TempFolder &f) { return f.path() + std::string("/a\0b", 4); }, "no-such-file", "no path");
    row("missing", [](const TempFolder &f) { return f.path("none"); }, "no-such-file", "there is no such file");
    row("circle of links", [](const TempFolder &f) { return f.link("loop", f.path("loop")); }, "link-loop", "back to itself");
    row("empty folder", [](const TempFolder &f) { return f.path(); }, "no-model-in-folder", "no config.json, params.json or .gguf");
    row("safetensors without a config", [](const TempFolder &f) {
        f.write("model.safetensors", shard("a", 8));
        return f.path();
    }, "no-model-in-folder", "the attention is not");
    row("that file named", [](const TempFolder &f) { return f.write("model.safetensors", shard("a", 8)); }, "no-config", "no config.json beside it");
    row("pickles without a config", [](const TempFolder &f) {
        f.write("pytorch_model.bin", "x");
        return f.path();
    }, "no-model-in-folder", "pickles");
    row("a pickle named", [](const TempFolder &f) { return f.write("pytorch_model.bin", "x"); }, "pickle", "never opened");
    row("an archive under another name", [](const TempFolder &f) { return f.write("model", "PK\x03\x04"); }, "pickle", "never opened");
    row("two GGUF files", [](const TempFolder &f) {
        f.write("a.gguf", kv::test::smallModel().whole());
        f.write("b.gguf", kv::test::smallModel().whole());
        return f.path();
    }, "several-models", "a.gguf, b.gguf");
    row("a scenario", [](const TempFolder &f) { return f.write("a.json", R"({"kvplan": 1, "model": {}})"); }, "not-a-model", "--scenario");
    row("a broken shard", [](const TempFolder &f) { return checkpoint(f, {{"model.safetensors", "x"}}); }, "truncated", "too short");
    row("a broken index, whole shards", [](const TempFolder &f) {
        return checkpoint(f, {{"model.safetensors", shard("a", 8)}, {"model.safetensors.index.json", "[]"}});
    }, "bad-index", "must be a JSON object");
    row("a shard outside", [](const TempFolder &f) {
        f.write("other/1.safetensors", shard("a", 8));
        return checkpoint(f, {{"model.safetensors.index.json", index("16", {{"a", "../other/1.safetensors"}})}});
    }, "outside-folder", "not opened");
    row("shards missing, no total", [](const TempFolder &f) { return checkpoint(f, {{"model.safetensors.index.json", index("", {{"a", "1.safetensors"}})}}); }, "missing-shards",
        "of the 1 file of the model, 1.safetensors is missing, and there is no total_size to go by");
    row("shards missing, a total of nothing", [](const TempFolder &f) { return checkpoint(f, {{"model.safetensors.index.json", index("0", {{"a", "1.safetensors"}})}}); }, "missing-shards",
        "no total_size to go by");
    row("sizes that overflow", [](const TempFolder &f) {
        const char *huge = R"({"a": {"dtype": "X", "shape": [], "data_offsets": [0, 9223372036854775807]}})";
        return checkpoint(f, {{"model-00001-of-00002.safetensors", kv::test::safetensors(huge)}, {"model-00002-of-00002.safetensors", kv::test::safetensors(huge)}});
    }, "out-of-range", "overflows");
    row("a config that is none", [](const TempFolder &f) { return checkpoint(f, {}, "[]"); }, "*", "");
    row("a config that is cut off", [](const TempFolder &f) { return checkpoint(f, {}, R"({"model_type": )"); }, "not-json", "");
    row("refs that climb", [](const TempFolder &f) { return repository(f, "../../etc", {"abc"}); }, "bad-revision", "\"../../etc\"");
    row("refs to nothing, two snapshots", [](const TempFolder &f) { return repository(f, "gone", {"abc", "def"}); }, "no-snapshot", "name one of the folders");
    row("no snapshot", [](const TempFolder &f) {
        std::filesystem::create_directories(f.path("models--maker--tiny/snapshots"));
        return f.path("models--maker--tiny");
    }, "no-snapshot", "nothing of it was downloaded");
    row("a snapshot's link that leads out", [](const TempFolder &f) {
        const std::string root = repository(f, "abc", {"abc"});
        f.write("secret.json", smallConfig);
        std::filesystem::remove(root + "/snapshots/abc/config.json");
        f.link("models--maker--tiny/snapshots/abc/config.json", f.path("secret.json"));
        return root;
    }, "outside-folder", "leads out of the repository");
    row("a blob that is missing", [](const TempFolder &f) { return ollama(f, manifestOf("model", digest), false); }, "missing-blob", "pull the model again");
    row("a digest that climbs", [](const TempFolder &f) { return ollama(f, manifestOf("model", "../../../../etc/passwd")); }, "bad-digest", "nothing is opened");
    row("a manifest without a model", [](const TempFolder &f) { return ollama(f, manifestOf("adapter", digest)); }, "no-model-layer", "no model among its layers");
    row("a manifest of tensors", [](const TempFolder &f) { return ollama(f, manifestOf("tensor", digest)); }, "no-model-layer", "a layer for each tensor");
    row("a manifest whose layers are no list", [](const TempFolder &f) { return ollama(f, R"({"schemaVersion": 2, "layers": {}})"); }, "bad-manifest", "no list of layers");
    row("a manifest outside of a store", [](const TempFolder &f) { return f.write("1b", manifestOf("model", digest)); }, "missing-blob", "lies in no store");
}

void ModelFolderTest::refused() {
    QFETCH(Build, build);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, sentence);
    const TempFolder folder;
    const auto model = loadModel(build(folder));
    QVERIFY(!model);
    const Note *error = firstError(model.notes);
    QVERIFY(error);
    if (code != "*")
        QCOMPARE(QByteArray::fromStdString(error->code), code);
    QVERIFY2(QByteArray::fromStdString(error->text).contains(sentence), said(model.notes));
}

KV_TEST(ModelFolderTest)
#include "modelfoldertest.moc"
