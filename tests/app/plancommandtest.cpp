// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/testmain.h"
#include "tests/testpaths.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonArray>
#include <QProcess>
#include <QTest>

#include <sys/stat.h>

using namespace kv::test;

namespace {

QString data(const char *name) { return QString::fromUtf8(dataFolder()) + QLatin1Char('/') + QLatin1String(name); }

QStringList words(const char *line) { return QString::fromUtf8(line).split(QLatin1Char(' '), Qt::SkipEmptyParts); }

QJsonObject object(const QByteArray &text) { return QJsonDocument::fromJson(text).object(); }

QJsonValue at(const QJsonObject &plan, const char *path) {
    QJsonValue node = plan;
    for (const QString &part : QString::fromUtf8(path).split(QLatin1Char('.')))
        node = node.isArray() ? node.toArray().at(part.toInt()) : node.toObject().value(part);
    return node;
}

} // namespace

class PlanCommandTest : public QObject {
    Q_OBJECT

private slots:
    void optionsReplaceTheirPart_data();
    void optionsReplaceTheirPart();
    void optionsOverrideTheFile_data();
    void optionsOverrideTheFile();
    void theFirstScenarioInFull();
    void exitStatus_data();
    void exitStatus();
    void refusals_data();
    void refusals();
    void badFiles_data();
    void badFiles();
    void forms_data();
    void forms();
    void lists_data();
    void lists();
    void scenariosByName();
    void theUsersOwnDataWins();
    void helpNamesEverything();
};

void PlanCommandTest::optionsReplaceTheirPart_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("path");
    QTest::addColumn<qint64>("value");
    const auto row = [](const char *options, const char *path, qint64 value) {
        QTest::newRow(qPrintable(QLatin1String(options) + QLatin1Char(' ') + QLatin1String(path))) << QString::fromUtf8(options) << QString::fromUtf8(path) << value;
    };
    row("", "kv.total_bytes", 429496729600);
    row("", "fit.max_sequences", 10);
    row("--context 64k", "kv.bytes_per_sequence", 21474836480);
    row("--sequences 2k", "kv.total_bytes", 42949672960LL * 2000);
    row("--kv-dtype fp8", "kv.bytes_per_token", 163840);
    row("--kv-dtype FP8_E4M3", "kv.bytes_per_token", 163840);
    row("--weights-bytes 70GB", "weights.total_bytes", 70000000000);
    row("--weights-dtype fp8", "weights.total_bytes", 72673083392); // embedding and head stay in 16 bit
    row("--gpus 4", "fit.kv_budget_bytes", 4 * 72000000000LL - 141107412992);
    row("--gpu-memory 100GB", "gpus.0.memory_bytes", 100000000000);
    row("--reserve 0.2", "gpus.0.reserve_bytes", 16000000000);
    row("--reserve 20%", "gpus.0.reserve_bytes", 16000000000);
    row("--tp 4 --dp 2", "gpus.7.rank.dp", 1);
    row("--tp 4", "kv.bytes_per_token_per_gpu", 81920);
    row("--shared-prefix 64k", "kv.total_bytes", 429496729600 - 9 * 21474836480LL);
    row("--model llama-3.1-8b", "model.layers", 32);
    row("--model llama-3.1-8b", "kv.bytes_per_token", 131072);
    row("--context 1 --context 2", "kv.bytes_per_sequence", 655360);
    row("--engine-option available_kv_bytes=1GiB", "fit.kv_budget_bytes", 8LL << 30);
    row("--model mistralai/mixtral-8x7b-V0.1", "model.layers", 32);
    // SGLang's attention data parallelism lies inside tp: 8 GPUs, not 64.
    row("--engine sglang --tp 8 --dp 8 --engine-option enable_dp_attention=true", "gpus.7.rank.dp", 7);
    row("--engine sglang --tp 4 --pp 2 --dp 4 --engine-option enable_dp_attention=on", "gpus.7.rank.pp", 1);
    row("--engine sglang --tp 4 --dp 2", "gpus.7.rank.dp", 1);
    row("--engine tensorrt-llm --tp 8 --dp 2 --engine-option enable_attention_dp=true", "gpus.15.rank.dp", 1);
}

void PlanCommandTest::optionsReplaceTheirPart() {
    QFETCH(QString, options);
    QFETCH(QString, path);
    const Answer answer = runProgram(QStringList{QStringLiteral("plan"), QStringLiteral("--json")} + options.split(QLatin1Char(' '), Qt::SkipEmptyParts));
    QCOMPARE(answer.status, 0);
    QCOMPARE(answer.err, QByteArray());
    QTEST(at(object(answer.out), path.toUtf8().constData()).toInteger(-1), "value");
}

void PlanCommandTest::optionsOverrideTheFile_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("path");
    QTest::addColumn<qint64>("value");
    QTest::addColumn<QByteArray>("warning");
    const auto row = [](const char *options, const char *path, qint64 value, const char *warning = "") {
        QTest::newRow(options) << QString::fromUtf8(options) << QString::fromUtf8(path) << value << QByteArray(warning);
    };
    // two.kvplan's current scenario: an inline model of 2 layers, weights and memory by hand, 8 GPUs as tp 8, SGLang with options.
    row("--sequences 3", "kv.bytes_per_token", 256);
    row("--weights-bytes 5", "weights.total_bytes", 5);
    row("--model llama-3.1-8b", "weights.total_bytes", 16060522496, "weights.bytes");
    row("--gpu h200-sxm-141gb --engine textbook", "gpus.0.memory_bytes", 141000000000, "hardware.memory_bytes");
    row("--engine textbook", "kv.bytes_per_token", 256, "engine.options");
    row("--gpus 4", "gpus.3.rank.tp", 3, "parallel.tp");
    row("--tp 2", "gpus.1.rank.tp", 1, "hardware.count");
}

void PlanCommandTest::optionsOverrideTheFile() {
    QFETCH(QString, options);
    QFETCH(QString, path);
    QFETCH(QByteArray, warning);
    const Answer answer = runProgram(QStringList{QStringLiteral("plan"), QStringLiteral("--json"), QStringLiteral("--scenario"), data("scenario/two.kvplan")} +
                                     options.split(QLatin1Char(' ')));
    QVERIFY2(answer.status == 0, answer.err.constData());
    const QJsonObject plan = object(answer.out);
    QTEST(at(plan, path.toUtf8().constData()).toInteger(-1), "value");
    const QByteArray said = QJsonDocument(plan.value(QLatin1String("warnings")).toArray()).toJson();
    QVERIFY2(said.contains(warning), said.constData());
    QCOMPARE(said.contains("option-replaces"), !warning.isEmpty());
}

void PlanCommandTest::theFirstScenarioInFull() {
    const Answer answer = runProgram(words("plan --json"));
    const QJsonObject plan = object(answer.out);
    QCOMPARE(plan.value(QLatin1String("kvplan")), QJsonValue(1));
    QCOMPARE(plan.value(QLatin1String("ok")), QJsonValue(true));
    QCOMPARE(at(plan, "model.attention").toString(), QStringLiteral("GQA"));
    QCOMPARE(at(plan, "model.parameters").toInteger(), qint64(70553706496));
    QCOMPARE(at(plan, "weights.source").toString(), QStringLiteral("counted from config"));
    QCOMPARE(at(plan, "weights.per_gpu_bytes").toInteger(), qint64(17638426624));
    QCOMPARE(plan.value(QLatin1String("gpus")).toArray().size(), 8);
    QCOMPARE(at(plan, "fit.fits"), QJsonValue(true));
    QCOMPARE(at(plan, "fit.kv_budget_bytes").toInteger(), qint64(434892587008));
    QCOMPARE(at(plan, "fit.kv_capacity_tokens").toInteger(), qint64(1327186));
    QCOMPARE(at(plan, "fit.min_gpus").toInteger(), qint64(8));
    QCOMPARE(at(plan, "engine.version"), QJsonValue(QJsonValue::Null));
    const QJsonArray facts = plan.value(QLatin1String("explain")).toArray();
    const auto heads = std::find_if(facts.begin(), facts.end(), [](const QJsonValue &fact) { return at(fact.toObject(), "name").toString() == QLatin1String("KV heads"); });
    QVERIFY(heads != facts.end());
    QCOMPARE(at(heads->toObject(), "value").toInteger(), qint64(8));
    QCOMPARE(at(heads->toObject(), "from").toString(), QStringLiteral("num_key_value_heads"));
}

void PlanCommandTest::exitStatus_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<int>("status");
    QTest::newRow("fits") << QStringLiteral("plan --require-fit") << 0;
    QTest::newRow("does not fit") << QStringLiteral("plan --sequences 11") << 0;
    QTest::newRow("weights that nobody knows") << QStringLiteral("plan --model %1/models/unheard-of.json --gpus 1 --tp 1 --sequences 1 --context 1k --require-fit") << 1;
    QTest::newRow("fits on paper, and no engine would start") << QStringLiteral("plan --tp 3 --sequences 1 --context 1k --require-fit") << 1;
    QTest::newRow("does not fit, and must") << QStringLiteral("plan --sequences 11 --require-fit") << 1;
    QTest::newRow("refused") << QStringLiteral("plan --context lots") << 2;
    QTest::newRow("version") << QStringLiteral("--version") << 0;
    QTest::newRow("help") << QStringLiteral("plan --help") << 0;
}

void PlanCommandTest::exitStatus() {
    QFETCH(QString, options);
    QTEST(runProgram(options.replace(QStringLiteral("%1"), QString::fromUtf8(dataFolder())).split(QLatin1Char(' '))).status, "status");
}

void PlanCommandTest::refusals_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QByteArray>("word");
    const auto row = [](const char *options, const char *where, const char *word) {
        QTest::newRow(options) << QString::fromUtf8(options) << QString::fromUtf8(where) << QByteArray(word);
    };
    row("plan --contxt 5", "--contxt", "--context");
    row("plan --context lots", "--context", "lots");
    row("plan --context -5", "--context", "-5");
    row("plan --context 0", "--context", "1 token or more");
    row("plan --display 100GB", "--display", "100 GB");
    row("plan --lengths-columns input=a,output=a", "--lengths-columns", "total=a");
    row("plan --lengths-columns input=a,input=b", "--lengths-columns", "input=NAME");
    row("plan --engine tensorrt-llm --engine-option tokens_per_block=48", "engine.options.tokens_per_block", "32 or 64");
    row("plan --engine llama-cpp --engine-option n_gpu_layers=-5", "engine.options.n_gpu_layers", "-2 or more");
    row("plan --engine llama-cpp --engine-option n_batch=0", "engine.options.n_batch", "1 or more");
    row("plan --engine sglang --engine-option max_running_requests=0", "engine.options.max_running_requests", "1 or more");
    row("plan --model nobody/knows-this", "--model", "nobody/knows-this");
    row("plan --sequences 0", "--sequences", "1");
    row("plan --gpus 0", "--gpus", "1");
    row("plan --gpu h101-sxm-80gb", "--gpu", "h100-sxm-80gb");
    row("plan --kv-dtype q9_9", "--kv-dtype", "q8_0");
    row("plan --engine textbok", "--engine", "textbook");
    row("plan --engine-option block=1", "engine.options.block", "block");
    row("plan --engine-option block", "--engine-option", "KEY=VALUE");
    row("plan --model lama-3.1-8b", "--model", "llama-3.1-8b");
    row("plan --gpus 8 --tp 3", "--gpus", "tp 3");
    row("plan --reserve 1.5", "--reserve", "1.5");
    row("plan --shared-prefix 1M", "--shared-prefix", "131,072");
    row("plan --scenario-name x", "--scenario-name", "--scenario");
    row("plan --units stones", "command line", "stones");
    row("plan extra", "extra", "extra");
    row("plam", "plam", "kvplanner plan");
    row("modells --json", "modells", "kvplanner models");
    row("fleet ", "command line", "takes options only, found \"\""); // a word that is empty
}

void PlanCommandTest::refusals() {
    QFETCH(QString, options);
    QFETCH(QByteArray, word);
    const Answer answer = runProgram(options.split(QLatin1Char(' ')) << QStringLiteral("--json"));
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.errorLines(), qsizetype(1));
    QVERIFY2(answer.err.startsWith("kvplanner: "), answer.err.constData());
    const QJsonObject refusal = object(answer.out);
    QCOMPARE(refusal.value(QLatin1String("ok")), QJsonValue(false));
    QTEST(at(refusal, "error.where").toString(), "where");
    QVERIFY(!at(refusal, "error.code").toString().isEmpty());
    const QByteArray message = at(refusal, "error.message").toString().toUtf8();
    QVERIFY2(message.contains(word), message.constData());
    QVERIFY2(!message.contains("or more, at least"), message.constData()); // the same twice
    QVERIFY2(answer.err.contains(message), answer.err.constData());
}

void PlanCommandTest::badFiles_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("empty") << QStringLiteral("empty") << QByteArray("JSON");
    QTest::newRow("truncated") << QStringLiteral("truncated") << QByteArray("JSON");
    QTest::newRow("list") << QStringLiteral("list") << QByteArray("object");
    QTest::newRow("folder") << QStringLiteral("folder") << QByteArray("folder");
    QTest::newRow("pipe") << QStringLiteral("pipe") << QByteArray("pipe");
    QTest::newRow("huge") << QStringLiteral("huge") << QByteArray("104,857,600");
    QTest::newRow("missing") << QStringLiteral("missing") << QByteArray("no such file");
    QTest::newRow("secret") << QStringLiteral("secret") << QByteArray("permission");
    QTest::newRow("circle") << QStringLiteral("circle") << QByteArray("link");
}

void PlanCommandTest::badFiles() {
    QFETCH(QString, kind);
    QFETCH(QByteArray, word);
    const QTemporaryDir folder;
    const QString path = folder.filePath(kind + QStringLiteral(".json"));
    const QByteArray name = path.toLocal8Bit();
    QFile file(path);
    const auto write = [&file](const QByteArray &text) { return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.flush(); };
    if (kind == QLatin1String("empty"))
        QVERIFY(write(""));
    else if (kind == QLatin1String("truncated"))
        QVERIFY(write("{\"kvplan\": 1, \"model_type\": "));
    else if (kind == QLatin1String("list"))
        QVERIFY(write("[]"));
    else if (kind == QLatin1String("folder"))
        QVERIFY(QDir().mkdir(path));
    else if (kind == QLatin1String("pipe"))
        QCOMPARE(::mkfifo(name.constData(), 0600), 0);
    else if (kind == QLatin1String("huge"))
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(100 * 1024 * 1024));
    else if (kind == QLatin1String("secret"))
        QVERIFY(write("{}") && file.setPermissions({}));
    else if (kind == QLatin1String("circle"))
        QVERIFY(QFile::link(path, path));
    for (const char *option : {"--model", "--scenario"}) {
        if (kind == QLatin1String("huge") && QLatin1String(option) == QLatin1String("--model"))
            word = "104,857,600";
        QElapsedTimer timer;
        timer.start();
        const Answer answer = runUnprivileged({QStringLiteral("plan"), QStringLiteral("--json"), QLatin1String(option), path});
        QVERIFY2(timer.elapsed() < 5'000, "a bad file is refused at once");
        QCOMPARE(answer.status, 2);
        QCOMPARE(answer.errorLines(), qsizetype(1));
        const QByteArray message = at(object(answer.out), "error.message").toString().toUtf8();
        QVERIFY2(message.contains(word) || (kind == QLatin1String("folder") && message.contains("config.json")), message.constData());
        QVERIFY2(message.contains(kind.toUtf8() + ".json"), message.constData());
    }
}

void PlanCommandTest::forms_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QByteArray>("begin");
    QTest::addColumn<QByteArray>("inside");
    QTest::newRow("text") << QStringLiteral("plan") << QByteArray("TIGHT: 10 sequences") << QByteArray("429.5 GB  429,496,729,600");
    QTest::newRow("text in GiB") << QStringLiteral("plan --units gib") << QByteArray("TIGHT: 10 sequences") << QByteArray("400 GiB  429,496,729,600");
    QTest::newRow("too much") << QStringLiteral("plan --sequences 11") << QByteArray("DOES NOT FIT: ") << QByteArray("no");
    QTest::newRow("Markdown") << QStringLiteral("plan --markdown") << QByteArray("# Llama 3.1 70B Instruct\n") << QByteArray("| All sequences on all GPUs | 429.5 GB | 429,496,729,600 |");
    QTest::newRow("CSV") << QStringLiteral("plan --csv") << QByteArray("name,model.name,") << QByteArray(",429496729600,");
}

void PlanCommandTest::forms() {
    QFETCH(QString, options);
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, inside);
    const Answer answer = runProgram(options.split(QLatin1Char(' ')));
    QCOMPARE(answer.status, 0);
    QCOMPARE(answer.err, QByteArray());
    QVERIFY2(answer.out.startsWith(begin), answer.out.left(200).constData());
    QVERIFY2(answer.out.contains(inside), answer.out.constData());
    if (options.endsWith(QLatin1String("csv"))) {
        const QList<QByteArray> lines = answer.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0].count(','), lines[1].count(','));
    }
}

void PlanCommandTest::lists_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("id");
    QTest::newRow("models") << QStringLiteral("models") << QByteArray("llama-3.1-70b");
    QTest::newRow("gpus") << QStringLiteral("gpus") << QByteArray("h100-sxm-80gb");
    QTest::newRow("engines") << QStringLiteral("engines") << QByteArray("textbook");
    QTest::newRow("dtypes") << QStringLiteral("dtypes") << QByteArray("fp8_e5m2");
}

void PlanCommandTest::lists() {
    QFETCH(QString, command);
    QFETCH(QByteArray, id);
    const Answer table = runProgram({command});
    QCOMPARE(table.status, 0);
    QVERIFY(table.out.contains("\n" + id + " "));
    const Answer json = runProgram({command, QStringLiteral("--json")});
    QCOMPARE(json.status, 0);
    const QJsonArray list = object(json.out).value(command).toArray();
    QVERIFY(!list.isEmpty());
    QVERIFY(json.out.contains('"' + id + '"'));
}

void PlanCommandTest::scenariosByName() {
    const QString file = data("scenario/two.kvplan");
    const auto named = [&](const char *name) {
        return runProgram({QStringLiteral("plan"), QStringLiteral("--json"), QStringLiteral("--scenario"), file, QStringLiteral("--scenario-name"), QString::fromUtf8(name)});
    };
    QCOMPARE(at(object(named("as today").out), "engine.id").toString(), QStringLiteral("sglang"));
    QCOMPARE(at(object(named("а если вдвое? 🚀").out), "engine.id").toString(), QStringLiteral("textbook"));
    const Answer none = named("zzz");
    QCOMPARE(none.status, 2);
    QVERIFY2(none.err.contains("zzz") && none.err.contains("two.kvplan"), none.err.constData());
}

void PlanCommandTest::theUsersOwnDataWins() {
    const QTemporaryDir home;
    QDir(home.path()).mkpath(QStringLiteral("KVPlanner/models"));
    const auto write = [&](const char *name, const QByteArray &text) {
        QFile file(home.filePath(QLatin1String("KVPlanner/") + QLatin1String(name)));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    QVERIFY(write("gpus.json", R"({"gpus": [{"id": "h100-sxm-80gb", "name": "ours", "marketed_gb": 50}, {"id": "mine-7gb", "marketed_gb": 7}, {"id": "none"}]})"));
    QVERIFY(write("models/any name.json", R"({"id": "llama-3.1-70b", "name": "Ours", "config": {"model_type": "llama", "hidden_size": 64,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 100, "intermediate_size": 128}})"));
    QVERIFY(write("models/broken.json", "{"));
    const QStringList environment{QLatin1String("XDG_DATA_HOME=") + home.path()};
    const QJsonObject plan = object(runProgram(words("plan --json"), {}, environment).out);
    QCOMPARE(at(plan, "model.name").toString(), QStringLiteral("Ours"));
    QCOMPARE(at(plan, "model.layers").toInteger(), qint64(2));
    QCOMPARE(at(plan, "gpus.0.memory_bytes").toInteger(), qint64(50'000'000'000));
    const QJsonObject other = object(runProgram(words("plan --json --model llama-3.1-8b --gpu mine-7gb"), {}, environment).out);
    QCOMPARE(at(other, "gpus.0.memory_bytes").toInteger(), qint64(7'000'000'000));
    QCOMPARE(at(other, "model.layers").toInteger(), qint64(32));
}

void PlanCommandTest::helpNamesEverything() {
    const QByteArray help = runProgram(words("--help")).out;
    for (const char *word : {"plan", "solve", "map", "fleet", "compare", "models", "gpus", "engines", "dtypes", "--batch", "--help errors", "k is 1024"})
        QVERIFY2(help.contains(word), word);
    const QByteArray plan = runProgram(words("plan --help")).out;
    for (const char *option : {"--scenario", "--scenario-name", "--model", "--weights-dtype", "--weights-bytes", "--kv-dtype", "--k-dtype", "--v-dtype", "--context",
                               "--sequences", "--shared-prefix", "--lengths", "--lengths-columns", "--gpu", "--gpus", "--gpu-memory", "--reserve", "--tp", "--pp", "--dp", "--engine",
                               "--engine-option", "--json", "--markdown", "--csv", "--units", "--batch", "--levers", "--require-fit"})
        QVERIFY2(plan.contains(QByteArray(option) + ' '), option);
    QCOMPARE(runProgram(words("help plan")).out, plan);
    const QByteArray errors = runProgram(words("--help errors")).out;
    for (const char *code : {"out-of-range", "unknown-key", "no-such-file"})
        QVERIFY2(errors.contains(code), code);
}

KV_TEST(PlanCommandTest)
#include "plancommandtest.moc"
