// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/testmain.h"
#include "tests/testpaths.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace kv::test;

namespace {

QStringList words(const char *line) { return QString::fromUtf8(line).split(QLatin1Char(' '), Qt::SkipEmptyParts); }

QJsonObject object(const QByteArray &text) { return QJsonDocument::fromJson(text).object(); }

} // namespace

/// The commands that turn the question round: solve, map, fleet, compare, and the levers and lengths beside a plan.
class WhatIfTest : public QObject {
    Q_OBJECT

private slots:
    void answers_data();
    void answers();
    void refusals_data();
    void refusals();
    void fleetOfAFile();
    void leversOfAPlan();
    void lengthsOfATrace();
    void assumptionsAreSaid_data();
    void assumptionsAreSaid();
    void picturesCompareAll_data();
    void picturesCompareAll();
    void beyondTheModelsLimit_data();
    void beyondTheModelsLimit();
};

void WhatIfTest::answers_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, const char *command, const char *said) { QTest::newRow(name) << QString::fromUtf8(command) << QString::fromUtf8(said); };
    row("most users", "solve users --context 64k", "At most 20 sequences of 65,536 tokens fit on 8 × H100 SXM 80 GB.");
    row("longest context", "solve context --sequences 20", "20 sequences fit with up to 66,359 tokens each");
    row("fewest GPUs", "solve gpus", "need 8 × H100");
    row("fewest GPUs with their split", "plan --gpu l40s-48gb --gpus 8 --context 8k --sequences 4 --weights-dtype fp8 --engine vllm", "4 (TP 4); 3 by an odd split");
    row("share of the memory", "solve utilization --engine vllm --sequences 9", "gpu_memory_utilization of at least 0.");
    row("as JSON", "solve users --json", "\"answer\": 10");
    row("a map", "map --contexts 64k-128k --grid 2x2", "131,072");
    row("a map in CSV", "map --contexts 64k-128k --counts 10-20 --grid 2x2 --csv", "65536,20,1,0.0000,20");
    row("a map of settings", "map --settings 8 --csv", "8,fp8,as stored,1,1,20,0");
    row("most users of unlike lengths", "solve users --p50 2k --p90 8k --p99 32k --context 64k", "With the lengths given, ");
    row("classes", "plan --class share=70,input=1500,output=300 --class share=30,input=30k,output=1k,media=2k --sequences 30", "Requests of unlike lengths, 30 in flight");
    row("a fleet of unlike lengths", "fleet --users 500 --p50 2k --p90 8k --p99 32k", "in 99 of 100 cases");
    row("a fleet", "fleet --rate 12 --seconds 20 --lost 1 --price 2.5", "500.00 an hour");
    row("requests beyond the context are said", "plan --sequences 4 --class share=100,input=200k,output=1", "Longer than the context");
    row("a fleet as JSON", "fleet --users 21 --json", "\"deployments\": 3");
}

void WhatIfTest::answers() {
    QFETCH(QString, command);
    QFETCH(QString, words);
    const Answer answer = runProgram(command.split(QLatin1Char(' ')));
    QCOMPARE(answer.status, 0);
    QVERIFY2(QString::fromUtf8(answer.out).contains(words), answer.out);
}

void WhatIfTest::refusals_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *command, const char *said) { QTest::newRow(command) << QString::fromUtf8(command) << QString::fromUtf8(said); };
    row("solve", "question");
    row("solve everything", "everything");
    row("solve utilization --engine llama-cpp", "llama-cpp");
    row("solve users --engine vlm", "vllm");
    row("map --contexts 5", "--contexts");
    row("map --grid 1x1", "--grid");
    row("map --settings many", "--settings");
    row("fleet", "--users");
    row("fleet --users 5 --price dear", "--price");
    row("compare", "file");
    row("compare /nowhere.kvplan", "no such file");
    row("plan --lengths-columns input=a", "--lengths");
    row("plan --p50 2k", "p90");
    row("plan --p90 2k", "--p50");
    row("plan --p50 2k --p90 1k --p99 3k", "must not fall");
    row("plan --p50 many --p90 1k --p99 3k", "--p50");
    row("plan --p50 1k --p90 2k --p99 3k --class share=1,input=1,output=1", "one of them");
    row("plan --class share=1,input=1", "no output");
    row("plan --class share=-1,input=1,output=1", "share");
    row("plan --class share=1,inputs=1,output=1", "expected name=chat");
    row("plan --class share=1,input=1,media=2,output=1", "--class");
}

void WhatIfTest::refusals() {
    QFETCH(QString, command);
    QFETCH(QString, words);
    const Answer answer = runProgram(command.split(QLatin1Char(' ')));
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.errorLines(), qsizetype(1));
    QVERIFY2(QString::fromUtf8(answer.err).contains(words), answer.err);
}

// The load stands in the file; what the command line says takes its place.
void WhatIfTest::fleetOfAFile() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("f.kvplan")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"kvplan": 1, "model": {"preset": "llama-3.1-70b"}, "workload": {"context": 131072, "sequences": 10},
        "hardware": {"gpu": "h100-sxm-80gb", "count": 8, "price_per_gpu_hour": 2}, "fleet": {"users": 21, "lost": 1}})");
    file.close();
    const auto deployments = [&](const char *more) {
        return object(runProgram(words("fleet --json --scenario") << file.fileName() << words(more)).out).value(QStringLiteral("deployments")).toInt();
    };
    QCOMPARE(deployments(""), 4);
    QCOMPARE(deployments("--lost 0"), 3);
    QCOMPARE(deployments("--users 100"), 11);
    QCOMPARE(deployments("--rate 12 --seconds 20"), 25);
}

void WhatIfTest::assumptionsAreSaid_data() {
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QByteArray>("code");
    const QByteArray unknown = "--model " + QByteArray(dataFolder()) + "/models/unheard-of.json --engine vllm --gpu rtx-4090-24gb --gpus 1 --context 4k --sequences 4";
    const QByteArray type = "--model llama-3.1-8b --engine vllm --gpus 1 --context 8k --kv-dtype nvfp4";
    const QByteArray line = "--from-launch=llama-server_-m_x.gguf_-c_32768 --model qwen3-32b --gpu rtx-4090-24gb"; // _ for blanks
    for (const auto &[name, options, code] : {std::tuple{"weights that nobody knows", unknown, "weights-unknown"}, {"a type that the card does not take", type, "type-beyond-card"},
                                              {"a number of cards that no line says", line, "launch-assumed"}}) {
        QTest::addRow("plan, %s", name) << "plan --json " + options << QByteArray(code);
        QTest::addRow("solve, %s", name) << "solve users --json " + options << QByteArray(code);
        QTest::addRow("fleet, %s", name) << "fleet --json --users 50 " + options << QByteArray(code);
        QTest::addRow("map, %s", name) << "map --json " + options << QByteArray(code);
    }
}

// Whatever answers says what the answer assumes, in JSON and on standard error.
void WhatIfTest::assumptionsAreSaid() {
    QFETCH(QByteArray, options);
    QFETCH(QByteArray, code);
    QStringList arguments = words(options.constData());
    for (QString &argument : arguments)
        if (argument.startsWith(QStringLiteral("--from-launch")))
            argument.replace(QLatin1Char('_'), QLatin1Char(' '));
    const Answer answer = runProgram(arguments);
    QVERIFY2(answer.status == 0, answer.err);
    const QJsonArray warnings = object(answer.out).value(QStringLiteral("warnings")).toArray();
    QVERIFY2(std::any_of(warnings.begin(), warnings.end(), [&](const QJsonValue &w) { return w.toObject().value(QStringLiteral("code")).toString() == QLatin1String(code); }), answer.out);
    if (!options.startsWith("plan"))
        QVERIFY(answer.err.contains(code == "launch-assumed" ? "note: " : "warning: "));
}

void WhatIfTest::picturesCompareAll_data() {
    QTest::addColumn<QByteArray>("names"); ///< of three scenarios, as JSON writes them
    QTest::addColumn<QString>("head");
    QTest::newRow("three names") << QByteArray(R"("a" "b" "c")") << QStringLiteral("row,differs,a,b,c");
    QTest::newRow("one name twice") << QByteArray(R"("a" "a" "c")") << QStringLiteral("row,differs,a,a (2),c");
    QTest::newRow("one name for all") << QByteArray(R"("a" "a" "a")") << QStringLiteral("row,differs,a,a (2),a (3)");
    QTest::newRow("no names") << QByteArray(R"("" "" "")") << QString();
}

// A scenario that is called like the one in front is another all the same.
void WhatIfTest::picturesCompareAll() {
    QFETCH(QByteArray, names);
    QFETCH(QString, head);
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("f.kvplan"))), table(folder.filePath(QStringLiteral("t.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QByteArray scenarios;
    int sequences = 0;
    for (const QByteArray &name : names.split(' '))
        scenarios += (scenarios.isEmpty() ? "" : ",") + QByteArray("{\"name\": ") + name + R"(, "model": {"preset": "llama-3.1-70b"}, "workload": {"sequences": )" + QByteArray::number(++sequences) + "}}";
    file.write(R"({"kvplan": 1, "current": 0, "scenarios": [)" + scenarios + "]}");
    file.close();
    const Answer answer = runProgram({QStringLiteral("render"), QStringLiteral("--scenario"), file.fileName(), QStringLiteral("--view"), QStringLiteral("compare"), QStringLiteral("-o"), table.fileName()});
    QVERIFY2(answer.status == 0, answer.err);
    QVERIFY(table.open(QIODevice::ReadOnly));
    const QString first = QString::fromUtf8(table.readLine()).trimmed();
    QCOMPARE(first.count(QLatin1Char(',')), 4);
    if (!head.isEmpty())
        QCOMPARE(first, head);
}

void WhatIfTest::leversOfAPlan() {
    const QJsonObject plan = object(runProgram(words("plan --json --levers --sequences 12")).out);
    const QJsonArray levers = plan.value(QStringLiteral("levers")).toArray();
    QVERIFY(levers.size() > 5);
    QVERIFY(levers.at(0).toObject().value(QStringLiteral("nearest")).toBool());
    // The patch that a lever gives makes the plan that it promises.
    const QJsonObject first = levers.at(0).toObject();
    const QByteArray line = QJsonDocument(first.value(QStringLiteral("set")).toObject()).toJson(QJsonDocument::Compact);
    QVERIFY(line.size() > 5);
    QVERIFY(!object(runProgram(words("plan --json")).out).contains(QStringLiteral("levers")));
    QVERIFY(runProgram(words("plan --levers")).out.contains("FP8 cache: 10 \xE2\x86\x92 20 users"));
    QVERIFY(runProgram(words("plan --levers --markdown")).out.contains("## Levers"));
}

void WhatIfTest::lengthsOfATrace() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("t.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("id,a,b,prompt_tokens,completion_tokens\n");
    for (int i = 1; i <= 100; ++i)
        file.write(QByteArray("r,1,2,") + QByteArray::number(100 * i) + ",24\n");
    file.close();
    const QJsonObject plan = object(runProgram(words("plan --json --lengths") << file.fileName()).out);
    const QJsonObject lengths = plan.value(QStringLiteral("lengths")).toObject();
    QCOMPARE(lengths.value(QStringLiteral("count")).toInt(), 100);
    QCOMPARE(lengths.value(QStringLiteral("p90")).toInt(), 9024);
    QCOMPARE(lengths.value(QStringLiteral("max")).toInt(), 10024);
    QVERIFY(lengths.value(QStringLiteral("in_flight")).toObject().value(QStringLiteral("max_sequences_p99")).toInt() > 100);
    const QJsonObject other = object(runProgram(words("plan --json --lengths-columns total=b --lengths") << file.fileName()).out);
    QCOMPARE(other.value(QStringLiteral("lengths")).toObject().value(QStringLiteral("max")).toInt(), 2);
    QVERIFY(runProgram(words("plan --lengths") << file.fileName()).out.contains("Most sequences at p99"));
}

// As plan does: on standard error, and under "warnings" in JSON.
void WhatIfTest::beyondTheModelsLimit_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>("warned");
    const auto row = [](const char *command, bool warned) { QTest::newRow(command) << QString::fromUtf8(command) << warned; };
    row("solve users --context 256k", true);
    row("solve gpus --context 256k", true);
    row("solve users --context 128k", false);
    row("map --contexts 64k-256k --grid 2x2", true);
    row("map --contexts 64k-128k --grid 2x2", false);
    row("map --settings 2 --context 256k", true);
    row("map --settings 2 --context 128k", false);
}

void WhatIfTest::beyondTheModelsLimit() {
    QFETCH(QString, command);
    QFETCH(bool, warned);
    const Answer answer = runProgram(command.split(QLatin1Char(' ')));
    QCOMPARE(answer.status, 0);
    QCOMPARE(answer.err.contains("beyond the model's own limit of 131,072"), warned);
    const QJsonArray warnings = object(runProgram((command + QStringLiteral(" --json")).split(QLatin1Char(' '))).out).value(QLatin1String("warnings")).toArray();
    QCOMPARE(std::any_of(warnings.begin(), warnings.end(), [](const QJsonValue &one) { return one.toObject().value(QLatin1String("code")).toString() == QLatin1String("beyond-model-limit"); }), warned);
}

KV_TEST(WhatIfTest)
#include "whatiftest.moc"
