// SPDX-License-Identifier: GPL-3.0-or-later
//
// params.json: short names become a config.json's, and the model that is read from it is the one they mean.
#include "core/files/configfile.h"
#include "core/files/mistralparams.h"
#include "tests/testmain.h"

#include <QTest>

using namespace kv;

class MistralParamsTest : public QObject {
    Q_OBJECT

private slots:
    void recognised_data();
    void recognised();
    void becomes_data();
    void becomes();
    void isPlanned_data();
    void isPlanned();
};

void MistralParamsTest::recognised_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("is");
    QTest::newRow("params") << QByteArray(R"({"dim": 1, "n_layers": 1})") << true;
    QTest::newRow("no layers") << QByteArray(R"({"dim": 1})") << false;
    QTest::newRow("a config with the same words") << QByteArray(R"({"dim": 1, "n_layers": 1, "model_type": "distilbert"})") << false;
    QTest::newRow("a config with long names too") << QByteArray(R"({"dim": 1, "n_layers": 1, "num_hidden_layers": 1})") << false;
    QTest::newRow("a list") << QByteArray(R"(["dim", "n_layers"])") << false;
}

void MistralParamsTest::recognised() {
    QFETCH(QByteArray, text);
    QTEST(isMistralParams(*parseJson(text.toStdString(), "params.json")), "is");
}

void MistralParamsTest::becomes_data() {
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value"); // as JSON; empty: absent
    const auto row = [](const char *name, const char *more, const char *key, const char *value) {
        QTest::newRow(name) << QByteArray(R"({"dim": 4096, "n_layers": 32)") + more + "}" << QByteArray(key) << QByteArray(value);
    };
    row("width", "", "hidden_size", "4096");
    row("the short name is gone", "", "dim", "");
    row("layers", "", "num_hidden_layers", "32");
    row("heads", R"(, "n_heads": 32, "n_kv_heads": 8)", "num_key_value_heads", "8");
    row("null is absent", R"(, "n_kv_heads": null)", "num_key_value_heads", "");
    row("without groups a head each", R"(, "n_heads": 32)", "num_key_value_heads", "32");
    row("one table for both ends", R"(, "tied_embeddings": true)", "tie_word_embeddings", "true");
    row("no draft of the class default", R"(, "kv_lora_rank": 256)", "num_nextn_predict_layers", "0");
    row("windows over the layers", R"(, "sliding_window": [null, 1024, 1024, 1024])", "sliding_window", "1024");
    row("several windows are left", R"(, "sliding_window": [512, 1024])", "sliding_window", "[512, 1024]");
    row("limit", R"(, "max_seq_len": 128000)", "max_position_embeddings", "128000");
    row("no window", "", "sliding_window", "null");
    row("a window", R"(, "sliding_window": 4096)", "sliding_window", "4096");
    row("a type", "", "model_type", "\"mistral\"");
    row("experts", R"(, "moe": {"num_experts": 8, "num_experts_per_tok": 2})", "num_local_experts", "8");
    row("their type", R"(, "moe": {"num_experts": 8, "num_experts_per_tok": 2})", "model_type", "\"mixtral\"");
    row("latent", R"(, "kv_lora_rank": 256, "moe": {"num_experts": 128, "expert_hidden_dim": 4096, "num_shared_experts": 1})", "n_routed_experts", "128");
    row("its type", R"(, "kv_lora_rank": 256)", "model_type", "\"deepseek_v3\"");
    row("vocabulary of -1 is not known", R"(, "vocab_size": -1)", "vocab_size", "");
    row("feed-forward of the first Llamas", R"(, "multiple_of": 256)", "intermediate_size", "11008");
    row("with their factor", R"(, "multiple_of": 1024, "ffn_dim_multiplier": 1.3)", "intermediate_size", "14336");
    row("given it stays", R"(, "multiple_of": 256, "hidden_dim": 14336)", "intermediate_size", "14336");
    row("multiple of 0", R"(, "multiple_of": 0)", "intermediate_size", "");
    row("multiple negative", R"(, "multiple_of": -256)", "intermediate_size", "");
    row("factor of 1e300", R"(, "multiple_of": 256, "ffn_dim_multiplier": 1e300)", "intermediate_size", "11008");
    row("factor beyond 64 bits", R"(, "dim": 100000000000000000, "multiple_of": 256, "ffn_dim_multiplier": 999.5)", "intermediate_size", "");
}

void MistralParamsTest::becomes() {
    QFETCH(QByteArray, params);
    QFETCH(QByteArray, key);
    const Json config = configFromMistralParams(*parseJson(params.toStdString(), "params.json"));
    const Json *value = config.find(key.toStdString());
    QTEST(value ? QByteArray::fromStdString(writeJson(*value)) : QByteArray(), "value");
}

void MistralParamsTest::isPlanned_data() {
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QByteArray>("attention");
    QTest::addColumn<qint64>("perToken");
    QTest::newRow("grouped") << QByteArray(R"("n_kv_heads": 2)") << QByteArray("GQA") << qint64(2 * 2 * 16 * 2 * 2);
    QTest::newRow("window") << QByteArray(R"("n_kv_heads": 2, "sliding_window": 128)") << QByteArray("window") << qint64(2 * 2 * 16 * 2 * 2);
    QTest::newRow("experts") << QByteArray(R"("n_kv_heads": 4, "moe": {"num_experts": 4, "num_experts_per_tok": 2})") << QByteArray("MHA") << qint64(2 * 4 * 16 * 2 * 2);
    QTest::newRow("latent") << QByteArray(R"("kv_lora_rank": 32, "qk_rope_head_dim": 8, "qk_nope_head_dim": 16, "v_head_dim": 16, "q_lora_rank": 24)") << QByteArray("MLA")
                            << qint64(2 * (32 + 8) * 2);
}

void MistralParamsTest::isPlanned() {
    QFETCH(QByteArray, more);
    QFETCH(QByteArray, attention);
    const std::string text = R"({"dim": 64, "n_layers": 2, "n_heads": 4, "head_dim": 16, "hidden_dim": 128, "vocab_size": 100, )" + more.toStdString() + "}";
    const auto model = readConfigTree(*parseJson(text, "params.json").value, "params.json", {}, {});
    QVERIFY2(model, model.notes.empty() ? "" : model.notes.front().text.c_str());
    QCOMPARE(QByteArray::fromStdString((*model)->attentionName()), attention);
    std::int64_t perToken = 0;
    const CacheTypes types{ElementType::Bf16, ElementType::Bf16, ElementType::Bf16};
    for (const LayerShape &shape : (*model)->shapes)
        for (const CachePart &part : shape.parts)
            perToken += bytesPerToken(part, types).value * shape.count;
    QTEST(qint64(perToken), "perToken");
}

KV_TEST(MistralParamsTest)
#include "mistralparamstest.moc"
