// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/testmain.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace kv::test;

// plan --launch and plan --from-launch: a scenario as the command that starts its engine, and back.
class LaunchCommandTest : public QObject {
    Q_OBJECT

private slots:
    void launch_data();
    void launch();
    void launchThereAndBack_data();
    void launchThereAndBack();
};

void LaunchCommandTest::launch_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("out");
    const auto row = [](const char *name, const QStringList &options, int status, const char *out) {
        QTest::newRow(name) << options << status << QByteArray(out);
    };
    const QString trt = QStringLiteral("--engine=tensorrt-llm");
    row("TensorRT-LLM with its file", {trt, QStringLiteral("--tp=8"), QStringLiteral("--kv-dtype=fp8")}, 0,
        "cat > kv-planner.yaml <<'EOF'\nkv_cache_config:\n  dtype: fp8\nEOF\ntrtllm-serve meta-llama/Llama-3.1-70B-Instruct \\\n    --tp_size 8 \\\n    --config kv-planner.yaml\n");
    row("that file read back", {QStringLiteral("--from-launch"), QStringLiteral("cat > a.yaml <<EOF\nkv_cache_config: {dtype: fp8}\nEOF\ntrtllm-serve meta-llama/Llama-3.1-70B-Instruct --tp_size 8 --config a.yaml")}, 0,
        "cat > kv-planner.yaml <<'EOF'\nkv_cache_config:\n  dtype: fp8\nEOF\ntrtllm-serve meta-llama/Llama-3.1-70B-Instruct \\\n    --tp_size 8 \\\n    --config kv-planner.yaml\n");
    row("the load beside the line", {QStringLiteral("--context=8k"), QStringLiteral("--from-launch"), QStringLiteral("vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768")}, 0,
        "vllm serve Qwen/Qwen3-32B \\\n    --tensor-parallel-size 2 \\\n    --max-model-len 32768\n");
    const QString split = QStringLiteral("vllm serve Qwen/Qwen3-32B -tp 2 -pp 2 -dp 2 --max-model-len 8192");
    row("the number of GPUs that the line's split takes", {QStringLiteral("--from-launch"), split, QStringLiteral("--gpus=8")}, 0,
        "vllm serve Qwen/Qwen3-32B \\\n    --tensor-parallel-size 2 \\\n    --pipeline-parallel-size 2 \\\n    --data-parallel-size 2 \\\n    --max-model-len 8192\n");
    row("another number of GPUs", {QStringLiteral("--from-launch"), split, QStringLiteral("--gpus=6")}, 2, "");
    row("a degree beside the line's split", {QStringLiteral("--from-launch"), split, QStringLiteral("--pp=1")}, 0,
        "vllm serve Qwen/Qwen3-32B \\\n    --tensor-parallel-size 2 \\\n    --data-parallel-size 2 \\\n    --max-model-len 8192\n");
    row("a line without a split", {QStringLiteral("--from-launch"), QStringLiteral("vllm serve Qwen/Qwen3-32B --max-model-len 8192"), QStringLiteral("--gpus=4")}, 0,
        "vllm serve Qwen/Qwen3-32B \\\n    --tensor-parallel-size 4 \\\n    --max-model-len 8192\n");
    for (const char *degree : {"--pp=4", "--dp=4", "--tp=4"})
        row(degree, {QStringLiteral("--engine=vllm"), QString::fromUtf8(degree)}, 0,
            degree[2] == 't' ? "vllm serve meta-llama/Llama-3.1-70B-Instruct \\\n    --tensor-parallel-size 4\n" : degree[2] == 'p' ? "vllm serve meta-llama/Llama-3.1-70B-Instruct \\\n    --pipeline-parallel-size 4\n"
                                                                                                                   : "vllm serve meta-llama/Llama-3.1-70B-Instruct \\\n    --data-parallel-size 4\n");
    const QString tp8 = QStringLiteral("--tp=8"), vllm = QStringLiteral("--engine=vllm"), from = QStringLiteral("--from-launch");
    row("vLLM", {vllm, tp8}, 0, "vllm serve meta-llama/Llama-3.1-70B-Instruct \\\n    --tensor-parallel-size 8\n");
    row("llama.cpp", {QStringLiteral("--engine=llama-cpp"), QStringLiteral("--context=8k")}, 0, "llama-server -m llama-3.1-70b.gguf \\\n    -c 81920 \\\n    -np 10\n");
    row("there and back", {from, QStringLiteral("vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32k")}, 0,
        "vllm serve Qwen/Qwen3-32B \\\n    --tensor-parallel-size 2 \\\n    --max-model-len 32000\n");
    row("no server", {QStringLiteral("--engine=textbook")}, 2, "");
    row("no such model", {from, QStringLiteral("llama-server -m nothing.gguf -c 4096")}, 2, "");
}

void LaunchCommandTest::launch() {
    QFETCH(QStringList, options);
    QFETCH(int, status);
    QFETCH(QByteArray, out);
    const Answer answer = runProgram(QStringList{QStringLiteral("plan"), QStringLiteral("--launch")} + options);
    QCOMPARE(answer.status, status);
    QCOMPARE(answer.out, out);
    // llama.cpp's file is to be put in its place; a context beside the line's limit, and cards of llama.cpp, no command says.
    QCOMPARE(answer.err.isEmpty(), status == 0 && !out.startsWith("llama-server") && !options.contains(QStringLiteral("--context=8k")));
}

// What a command does not say is told as the options that make the same plan of it again.
void LaunchCommandTest::launchThereAndBack_data() {
    QTest::addColumn<QString>("options");
    for (const char *options :
         {"--engine vllm --tp 2 --model qwen3-32b --sequences 3 --gpu h200-sxm-141gb", "--engine vllm --context 4k --engine-option max_model_len=65536 --engine-option version=0.18 --engine-option activation_bytes=2GiB",
          "--engine sglang --tp 8 --dp 8 --engine-option enable_dp_attention=true --kv-dtype fp8 --shared-prefix 1k", "--engine tensorrt-llm --tp 4 --dp 2 --kv-dtype nvfp4 --engine-option tokens_per_block=64 --engine-option overhead_bytes=3GiB",
          "--engine tensorrt-llm --weights-bytes 20GB --gpu-memory 70GB --engine-option max_attention_window=4096", "--engine llama-cpp --gpus 4 --engine-option n_ctx=65536 --engine-option n_parallel=16 --context 2k --k-dtype q8_0 --v-dtype q4_0",
          "--engine llama-cpp --engine-option kv_unified=true --engine-option tensor_split=3,1,1,1,1,1,1,1 --display 1GiB"})
        QTest::newRow(options) << QString::fromUtf8(options);
}

void LaunchCommandTest::launchThereAndBack() {
    QFETCH(QString, options);
    const QStringList plan{QStringLiteral("plan"), QStringLiteral("--json")}, given = options.split(QLatin1Char(' '));
    const Answer launch = runProgram(QStringList{QStringLiteral("plan"), QStringLiteral("--launch")} + given);
    QCOMPARE(launch.status, 0);
    const QString note = QString::fromUtf8(launch.err), before = QStringLiteral("does not say "), after = QStringLiteral(": give that");
    const qsizetype at = note.indexOf(before);
    const QStringList beside = at < 0 ? QStringList() : note.mid(at + before.size(), note.indexOf(after) - at - before.size()).split(QLatin1Char(' '));
    const auto figures = [](const Answer &answer) {
        QJsonObject said = QJsonDocument::fromJson(answer.out).object();
        for (const char *remarks : {"warnings", "launch", "budget"})
            said.remove(QLatin1String(remarks));
        return QJsonDocument(said).toJson();
    };
    const Answer first = runProgram(plan + given), again = runProgram(plan + QStringList{QStringLiteral("--from-launch"), QString::fromUtf8(launch.out)} + beside);
    QVERIFY2(again.status == 0, again.err.constData());
    QCOMPARE(figures(again), figures(first));
}

KV_TEST(LaunchCommandTest)
#include "launchcommandtest.moc"
