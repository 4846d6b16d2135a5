// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/checkpoint.h"
#include "tests/testmain.h"

#include <QTest>

using kv::Bytes;

// Every row: a matrix of 1,000 × 300 in a layer, stored by the scheme that a config names; the bytes are worked out by hand.
class StorageTest : public QObject {
    Q_OBJECT

private slots:
    void schemes_data();
    void schemes();
    void unknownSchemes_data();
    void unknownSchemes();
    void whatStaysSixteenBit_data();
    void whatStaysSixteenBit();
    void mixedAlgorithms();
    void modulesApart_data();
    void modulesApart();
    void groupsOfClasses();
    void whatIsNotCounted_data();
    void whatIsNotCounted();
    void aroundTheLanguageModel();
    void plainTypes_data();
    void plainTypes();
};

namespace {

constexpr std::int64_t rows = 1000, columns = 300, elements = rows * columns;

kv::Tensor matrix(kv::WeightPartKind kind, std::string_view block, std::string_view module) {
    return {kind, false, block, module, rows, columns, 1};
}

/// A plan and the config that its lists point into.
struct Storage {
    explicit Storage(const QString &quantisation, kv::ElementType type = kv::ElementType::Bf16)
        : config(*kv::parseJson(QStringLiteral("{\"quantization_config\": %1}").arg(quantisation).toStdString(), "row").value),
          plan(kv::readStorage(std::vector<const kv::Json *>{&config}, type, notes)) {}

    kv::Json config;
    kv::Notes notes;
    kv::StoragePlan plan;
};

std::int64_t storedBytes(const kv::StoragePlan &plan, const kv::Tensor &tensor, std::int64_t layer = 5) {
    return plan.storedBy(plan.ruleFor(kv::Trunk::Layers, layer, tensor)).bytes(tensor.rows, tensor.columns).value;
}

} // namespace

void StorageTest::schemes_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("label");
    const auto row = [](const char *name, const char *config, std::int64_t bytes, const char *label) {
        QTest::newRow(name) << QString::fromUtf8(config) << qint64(bytes) << QString::fromUtf8(label);
    };
    row("fp8 blocks", R"({"quant_method": "fp8", "weight_block_size": [128, 128]})", elements + 8 * 3 * 4, "FP8 blocks 128 × 128");
    row("fp8 other blocks", R"({"quant_method": "fp8", "weight_block_size": [1, 128]})", elements + 1000 * 3 * 4, "FP8 blocks 1 × 128");
    row("fp8 per tensor", R"({"quant_method": "fp8", "activation_scheme": "dynamic"})", elements + 4, "FP8 per tensor");
    row("fp8 per tensor, static", R"({"quant_method": "fp8", "activation_scheme": "static", "weight_block_size": null})", elements + 8,
        "FP8 per tensor");
    row("fbgemm", R"({"quant_method": "fbgemm_fp8", "modules_to_not_convert": []})", elements + 1000 * 4, "FP8 per channel");
    row("compressed fp8 per channel", R"({"quant_method": "compressed-tensors", "format": "float-quantized", "config_groups":
        {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "float", "strategy": "channel"}}}})",
        elements + 1000 * 2, "FP8 per channel");
    row("compressed fp8 blocks", R"({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"targets": ["Linear"],
        "weights": {"num_bits": 8, "type": "float", "strategy": "block", "block_structure": [128, 128]}}}})", elements + 8 * 3 * 4,
        "FP8 blocks 128 × 128");
    row("compressed int4 group 32", R"({"quant_method": "compressed-tensors", "format": "pack-quantized", "config_groups": {"group_0":
        {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 32, "symmetric": true}}}})",
        elements / 2 + 1000 * 10 * 2, "INT 4 bit, group 32");
    row("compressed int4 with zero points", R"({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"targets": ["Linear"],
        "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128, "symmetric": false}}}})",
        elements / 2 + 1000 * 3 * 5 / 2, "INT 4 bit, group 128");
    row("compressed int4 stored in full", R"({"quant_method": "compressed-tensors", "format": "dense", "config_groups": {"group_0":
        {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128}}}})", 2 * elements, "BF16");
    row("compressed, the cache alone", R"({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"targets": ["Linear"],
        "weights": null}}, "kv_cache_scheme": {"num_bits": 8, "type": "float"}})", 2 * elements, "BF16");
    row("compressed int4 a byte each", R"({"quant_method": "compressed-tensors", "format": "naive-quantized", "config_groups": {"group_0":
        {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 100}}}})",
        elements + 1000 * 3 * 2, "INT 8 bit, group 100");
    row("compressed int8 per channel", R"({"quant_method": "compressed-tensors", "format": "int-quantized", "config_groups": {"group_0":
        {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "int", "strategy": "channel"}}}})", elements + 1000 * 2,
        "INT8 per channel");
    row("compressed nvfp4", R"({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized", "config_groups": {"group_0":
        {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "float", "strategy": "tensor_group", "group_size": 16}}}})",
        elements / 2 + 1000 * 19 + 8, "NVFP4");
    row("modelopt nvfp4", R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["lm_head"]})", elements / 2 + 1000 * 19 + 8, "NVFP4");
    row("modelopt fp8 without a method", R"({"quant_algo": "FP8", "kv_cache_scheme": "FP8"})", elements + 8, "FP8 per tensor");
    row("the contents of hf_quant_config.json", R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8"}})", elements + 8,
        "FP8 per tensor");
    row("awq", R"({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true})", elements / 2 + 1000 * 3 * 5 / 2,
        "AWQ 4 bit, group 128");
    row("gptq, one group a row", R"({"quant_method": "gptq", "bits": 4, "group_size": -1})", elements / 2 + 1000 * 5 / 2 + 300 * 4,
        "GPTQ 4 bit, one group a row");
    row("gptq, activation order", R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": true})",
        elements / 2 + 1000 * 3 * 5 / 2 + 300 * 4, "GPTQ 4 bit, group 128");
    row("gptq 8 bit", R"({"quant_method": "gptq", "bits": 8, "group_size": 100})", elements + 1000 * 3 * 3 + 300 * 4, "GPTQ 8 bit, group 100");
    row("bitsandbytes nf4", R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})",
        elements / 2 + 1000 * 5 * 4, "bitsandbytes NF4");
    row("bitsandbytes int8", R"({"quant_method": "bitsandbytes", "load_in_8bit": true})", elements + 1000 * 4, "bitsandbytes INT8");
}

void StorageTest::schemes() {
    QFETCH(QString, config);
    const Storage storage(config);
    const kv::StoragePlan &plan = storage.plan;
    QVERIFY(plan.known);
    QVERIFY(storage.notes.empty());
    QTEST(QString::fromStdString(plan.scheme), "label");
    QTEST(qint64(storedBytes(plan, matrix(kv::WeightPartKind::FeedForward, "mlp", "up_proj"))), "bytes");
}

void StorageTest::unknownSchemes_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("name");
    QTest::newRow("method") << QStringLiteral(R"({"quant_method": "aqlm"})") << QStringLiteral("aqlm");
    QTest::newRow("algorithm") << QStringLiteral(R"({"quant_algo": "W2A2_NEW"})") << QStringLiteral("W2A2_NEW");
    QTest::newRow("format") << QStringLiteral(R"({"quant_method": "compressed-tensors", "format": "marlin-24", "config_groups": {"g":
        {"weights": {"num_bits": 3, "type": "float"}}}})") << QStringLiteral("marlin-24");
    QTest::newRow("bits that no module has") << QStringLiteral(R"({"quant_method": "gptq", "bits": 4, "dynamic": {"up": {"bits": 99}}})") << QStringLiteral("GPTQ dynamic up");
    QTest::newRow("nothing said") << QStringLiteral(R"({"version": 1})") << QStringLiteral("unnamed");
}

void StorageTest::unknownSchemes() {
    QFETCH(QString, config);
    const Storage storage(config);
    const kv::StoragePlan &plan = storage.plan;
    QVERIFY(!plan.known);
    QTEST(QString::fromStdString(plan.scheme), "name");
    QCOMPARE(storage.notes.size(), std::size_t(1));
    QCOMPARE(storage.notes.front().severity, kv::Severity::Warning);
    QVERIFY(storage.notes.front().text.find(plan.scheme) != std::string::npos);
}

void StorageTest::whatStaysSixteenBit_data() {
    QTest::addColumn<QString>("ignored");
    QTest::addColumn<QString>("module");
    QTest::addColumn<int>("layer");
    QTest::addColumn<bool>("small");
    const QString attention = QStringLiteral("q_proj");
    QTest::newRow("nothing ignored") << QStringLiteral("[]") << attention << 5 << true;
    QTest::newRow("attention ignored") << QStringLiteral(R"(["self_attn"])") << attention << 5 << false;
    QTest::newRow("another block ignored") << QStringLiteral(R"(["mlp"])") << attention << 5 << true;
    QTest::newRow("this layer ignored") << QStringLiteral(R"(["model.layers.5.self_attn.q_proj"])") << attention << 5 << false;
    QTest::newRow("another layer ignored") << QStringLiteral(R"(["model.layers.5.self_attn.q_proj"])") << attention << 6 << true;
    QTest::newRow("expression") << QStringLiteral(R"(["re:.*self_attn.*"])") << attention << 6 << false;
}

void StorageTest::whatStaysSixteenBit() {
    QFETCH(QString, ignored);
    QFETCH(QString, module);
    QFETCH(int, layer);
    const std::string name = module.toStdString();
    const Storage storage(
        QStringLiteral(R"({"quant_method": "fp8", "weight_block_size": [128, 128], "modules_to_not_convert": %1})").arg(ignored));
    const kv::StoragePlan &plan = storage.plan;
    const std::int64_t bytes = storedBytes(plan, matrix(kv::WeightPartKind::AttentionQuery, "self_attn", name), layer);
    QTEST(bytes != 2 * elements, "small");
    kv::Tensor router = matrix(kv::WeightPartKind::Router, "mlp", "gate");
    router.sixteenBit = true;
    QCOMPARE(storedBytes(plan, router, layer), 2 * elements);
}

// Each tensor has the algorithm that its own entry names; one without an entry stays as it is.
void StorageTest::mixedAlgorithms() {
    const Storage storage(QStringLiteral(R"({"quant_algo": "MIXED_PRECISION", "ignore": ["mtp*"], "quantized_layers": {
        "model.language_model.layers.0.mlp.up_proj": {"quant_algo": "W4A16_NVFP4", "group_size": 16},
        "model.language_model.layers.0.self_attn.q_proj": {"quant_algo": "FP8"}}})"));
    const kv::StoragePlan &plan = storage.plan;
    QVERIFY(plan.known);
    QCOMPARE(plan.scheme, std::string("NVFP4 + FP8 per tensor"));
    const kv::Tensor up = matrix(kv::WeightPartKind::FeedForward, "mlp", "up_proj");
    QCOMPARE(storedBytes(plan, up, 0), elements / 2 + 1000 * 19 + 8);
    QCOMPARE(storedBytes(plan, up, 1), 2 * elements);
    QCOMPARE(storedBytes(plan, matrix(kv::WeightPartKind::AttentionQuery, "self_attn", "q_proj"), 0), elements + 8);
}

void StorageTest::modulesApart_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("module");
    QTest::addColumn<int>("layer");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("label");
    const QString gptq = QStringLiteral(R"({"quant_method": "gptq", "bits": 4, "group_size": 100, "dynamic": %1})");
    const QString rounded = QStringLiteral(R"({"quant_method": "auto-round", "bits": 4, "group_size": 100, "extra_config": %1})");
    const qint64 index = 300 * 4, bare4 = elements / 2 + 1000 * 3 * 5 / 2, four = bare4 + index, bare8 = elements + 1000 * 3 * 3, eight = bare8 + index, full = 2 * elements;
    const auto row = [](const char *name, const QString &frame, const char *rules, const char *module, int layer, qint64 bytes, const char *label) {
        QTest::newRow(name) << frame.arg(QString::fromUtf8(rules)) << QString::fromUtf8(module) << layer << bytes << QString::fromUtf8(label);
    };
    const char *four4 = "GPTQ 4 bit, group 100", *both = "GPTQ 4 bit, group 100 + GPTQ 8 bit, group 100";
    row("left out", gptq, R"({"-:.*self_attn.*": {}})", "self_attn.q_proj", 5, full, four4);
    row("not left out", gptq, R"({"-:.*self_attn.*": {}})", "mlp.up_proj", 5, four, four4);
    row("more bits", gptq, R"({"+:.*up_proj": {"bits": 8}})", "mlp.up_proj", 5, eight, both);
    row("more bits, nothing before", gptq, R"({".*up_proj": {"bits": 8}})", "mlp.up_proj", 5, eight, both);
    row("more bits elsewhere", gptq, R"({"+:.*up_proj": {"bits": 8}})", "mlp.gate_proj", 5, four, both);
    row("from the start of the name", gptq, R"({"-:up_proj": {}})", "mlp.up_proj", 5, four, four4);
    row("the first counts", gptq, R"({"+:.*mlp.*": {"bits": 8}, "-:.*up_proj": {}})", "mlp.up_proj", 5, eight, both);
    row("left out first", gptq, R"({"-:.*up_proj": {}, "+:.*mlp.*": {"bits": 8}})", "mlp.up_proj", 5, full, both);
    row("of one layer", gptq, R"({"-:model\\.layers\\.5\\..*": {}})", "mlp.up_proj", 5, full, four4);
    row("of another layer", gptq, R"({"-:model\\.layers\\.5\\..*": {}})", "mlp.up_proj", 6, four, four4);
    const char *round4 = "AutoRound 4 bit, group 100", *rounds = "AutoRound 4 bit, group 100 + AutoRound 8 bit, group 100";
    row("AutoRound, whole name", rounded, R"({"model.layers.5.mlp.up_proj": {"bits": 16}})", "mlp.up_proj", 5, full, round4);
    row("AutoRound, another name", rounded, R"({"model.layers.5.mlp.up_proj": {"bits": 16}})", "mlp.up_proj", 6, bare4, round4);
    row("AutoRound, expression anywhere", rounded, R"({"mlp\\.up.*": {"bits": 8}})", "mlp.up_proj", 6, bare8, rounds);
    row("AutoRound, the name before the expression", rounded, R"({".*up_proj": {"bits": 8}, "model.layers.5.mlp.up_proj": {"bits": 16}})",
        "mlp.up_proj", 5, full, rounds);
}

void StorageTest::modulesApart() {
    QFETCH(QString, config);
    QFETCH(QString, module);
    QFETCH(int, layer);
    const Storage storage(config);
    QVERIFY(storage.plan.known);
    QVERIFY(storage.notes.empty());
    QTEST(QString::fromStdString(storage.plan.scheme), "label");
    const std::string block = module.section(QLatin1Char('.'), 0, 0).toStdString(), name = module.section(QLatin1Char('.'), 1).toStdString();
    QTEST(qint64(storedBytes(storage.plan, matrix(kv::WeightPartKind::FeedForward, block, name), layer)), "bytes");
    kv::Tensor router = matrix(kv::WeightPartKind::Router, "mlp", "gate");
    router.sixteenBit = true;
    QCOMPARE(storedBytes(storage.plan, router, layer), 2 * elements);
}

// The words' matrix is taken only by its own class; of what another class holds nothing is known.
void StorageTest::groupsOfClasses() {
    const auto groups = [](const char *targets) {
        return QStringLiteral(R"({"quant_method": "compressed-tensors", "format": "pack-quantized", "config_groups": {"group_0": {"targets": %1,
            "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 100, "symmetric": true}}}})").arg(QString::fromUtf8(targets));
    };
    const std::int64_t small = elements / 2 + 1000 * 3 * 2;
    kv::Tensor words = matrix(kv::WeightPartKind::Embedding, "", "embed_tokens");
    words.sixteenBit = true;
    const kv::Tensor up = matrix(kv::WeightPartKind::FeedForward, "mlp", "up_proj");
    const auto outside = [&](const kv::StoragePlan &plan) {
        return plan.storedBy(plan.ruleFor(kv::Trunk::Outside, -1, words)).bytes(rows, columns).value;
    };
    const Storage both(groups(R"(["Linear", "Embedding"])")), linear(groups(R"(["Linear"])"));
    QCOMPARE(storedBytes(both.plan, up), small);
    QCOMPARE(outside(both.plan), small);
    QCOMPARE(storedBytes(linear.plan, up), small);
    QCOMPARE(outside(linear.plan), 2 * elements);
    const Storage layers(groups(R"(["LlamaDecoderLayer"])"));
    QVERIFY(!layers.plan.known);
    QVERIFY(layers.plan.scheme.find("LlamaDecoderLayer") != std::string::npos);
}

void StorageTest::whatIsNotCounted_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("part");
    const QString groups = QStringLiteral(R"("config_groups": {"g": {"targets": ["Linear"], "weights": {"num_bits": %1, "type": "%2",
        "strategy": "channel"}}})");
    QTest::newRow("half of four bits") << QStringLiteral(R"({"quant_method": "compressed-tensors", "format": "marlin-24", %1})").arg(groups.arg(4).arg(QStringLiteral("int")))
                                       << QStringLiteral("\"marlin-24\"");
    QTest::newRow("half of FP8") << QStringLiteral(R"({"quant_method": "compressed-tensors", %1, "sparsity_config": {"format": "sparse-24-bitmask"}})").arg(groups.arg(8).arg(QStringLiteral("float")))
                                 << QStringLiteral("\"sparse-24-bitmask\"");
    QTest::newRow("half of 16 bit") << QStringLiteral(R"({"quant_method": "compressed-tensors", "format": "dense", "config_groups": {}, "sparsity_config": {"format": "sparse-24-bitmask"}})")
                                    << QStringLiteral("upper bound");
    QTest::newRow("an expression that is not read") << QStringLiteral(R"({"quant_method": "gptq", "bits": 4, "dynamic": {"-:(?!x)y": {}}})")
                                                    << QStringLiteral("was not understood");
    QTest::newRow("one with the end of a line in it") << QStringLiteral(R"({"quant_method": "gptq", "bits": 4, "dynamic": {"-:(?!x)\ny": {}}})") << QStringLiteral("(?!x) y");
}

void StorageTest::whatIsNotCounted() {
    QFETCH(QString, config);
    QFETCH(QString, part);
    const Storage storage(config);
    QVERIFY(storage.plan.known);
    QCOMPARE(storage.notes.size(), std::size_t(1));
    QCOMPARE(storage.notes.front().code, std::string("quantisation-unknown"));
    QVERIFY2(storage.notes.front().text.find(part.toStdString()) != std::string::npos, storage.notes.front().text.c_str());
}

// Qwen-Omni: the language model is two blocks deep, and any of them may say how it is stored.
void StorageTest::aroundTheLanguageModel() {
    const kv::Json plain = *kv::parseJson("{}", "row").value;
    const kv::Json quantised = *kv::parseJson(R"({"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 100}})", "row").value;
    for (std::size_t at = 0; at < 3; ++at) {
        std::vector<const kv::Json *> chain(3, &plain);
        chain[at] = &quantised;
        kv::Notes notes;
        QCOMPARE(kv::readStorage(chain, kv::ElementType::Bf16, notes).scheme, std::string("AWQ 4 bit, group 100"));
    }
}

void StorageTest::plainTypes_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("label");
    QTest::newRow("fp32") << int(kv::ElementType::Fp32) << qint64(4 * elements) << QStringLiteral("FP32");
    QTest::newRow("bf16") << int(kv::ElementType::Bf16) << qint64(2 * elements) << QStringLiteral("BF16");
    QTest::newRow("fp16") << int(kv::ElementType::Fp16) << qint64(2 * elements) << QStringLiteral("FP16");
    QTest::newRow("none in the file") << int(kv::ElementType::Auto) << qint64(2 * elements) << QStringLiteral("BF16");
}

void StorageTest::plainTypes() {
    QFETCH(int, type);
    QFETCH(QString, label);
    const Storage storage(QStringLiteral("{}"), static_cast<kv::ElementType>(type));
    const kv::StoragePlan &plan = storage.plan;
    QCOMPARE(QString::fromStdString(plan.scheme), label);
    QTEST(qint64(storedBytes(plan, matrix(kv::WeightPartKind::FeedForward, "mlp", "up_proj"))), "bytes");
}

KV_TEST(StorageTest)
#include "storagetest.moc"
