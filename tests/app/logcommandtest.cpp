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

QString logFile(const char *name) { return QString::fromUtf8(dataFolder()) + QStringLiteral("/logs/") + QLatin1String(name); }

QJsonObject object(const QByteArray &text) { return QJsonDocument::fromJson(text).object(); }

} // namespace

class LogCommandTest : public QObject {
    Q_OBJECT

private slots:
    void standardInputIsTheFile();
    void optionsOverrideTheLog();
    void theCardGiven_data();
    void theCardGiven();
    void text();
    void refusals_data();
    void refusals();
    void help();
};

void LogCommandTest::standardInputIsTheFile() {
    QFile file(logFile("vllm-first-engine.log"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Answer piped = runProgram({QStringLiteral("log"), QStringLiteral("-"), QStringLiteral("--json")}, file.readAll());
    const Answer named = runProgram({QStringLiteral("log"), logFile("vllm-first-engine.log"), QStringLiteral("--json")});
    QCOMPARE(piped.status, 0);
    QCOMPARE(piped.out, named.out);
    const QJsonObject answer = object(piped.out);
    QCOMPARE(answer[u"ok"].toBool(), true);
    QCOMPARE(answer[u"log"].toObject()[u"tokens"].toInt(), 952224);
    QCOMPARE(answer[u"plan"].toObject()[u"engine"].toObject()[u"id"].toString(), QStringLiteral("vllm"));
    QVERIFY(answer[u"differences"].toArray().size() >= 6);
}

void LogCommandTest::optionsOverrideTheLog() {
    const QStringList base{QStringLiteral("log"), logFile("vllm-refused.log"), QStringLiteral("--json")};
    QVERIFY(object(runProgram(base).out)[u"plan"].isNull());
    const Answer planned = runProgram(base + QStringList{QStringLiteral("--model"), QStringLiteral("qwen3-8b"), QStringLiteral("--context"), QStringLiteral("8k"), QStringLiteral("--engine-option"),
                                                         QStringLiteral("max_model_len=8192"), QStringLiteral("--gpu"), QStringLiteral("l40s-48gb")});
    QCOMPARE(planned.status, 0);
    const QJsonObject plan = object(planned.out)[u"plan"].toObject();
    QCOMPARE(plan[u"model"].toObject()[u"preset"].toString(), QStringLiteral("qwen3-8b"));
    QCOMPARE(plan[u"gpus"].toArray()[0].toObject()[u"gpu"].toString(), QStringLiteral("l40s-48gb"));
    QVERIFY(plan[u"gpus"].toArray()[0].toObject()[u"memory_bytes"].toDouble() > 40e9);
}

// A card named by hand is used, and nobody is asked for it again.
void LogCommandTest::theCardGiven_data() {
    QTest::addColumn<QString>("log");
    for (const char *log : {"vllm-first-engine.log", "sglang-two-pools.log", "tensorrt-llm-tried-twice.log", "vllm-ranks-and-colours.log"})
        QTest::newRow(log) << QString::fromLatin1(log);
}

void LogCommandTest::theCardGiven() {
    QFETCH(QString, log);
    const QStringList base{QStringLiteral("log"), logFile(log.toUtf8().constData()), QStringLiteral("--json"), QStringLiteral("--model"), QStringLiteral("llama-3.1-8b")};
    const Answer given = runProgram(base + QStringList{QStringLiteral("--gpu"), QStringLiteral("h200-sxm-141gb")});
    QCOMPARE(given.status, 0);
    QVERIFY2(!given.out.contains("name the GPU") && !given.out.contains("planned as"), given.out.constData());
    const QJsonObject plan = object(given.out)[u"plan"].toObject();
    QVERIFY2(!plan.isEmpty(), given.out.constData());
    QCOMPARE(plan[u"gpus"].toArray()[0].toObject()[u"gpu"].toString(), QStringLiteral("h200-sxm-141gb"));
    QVERIFY(plan[u"gpus"].toArray()[0].toObject()[u"memory_bytes"].toDouble() > 140e9);
}

void LogCommandTest::text() {
    const Answer answer = runProgram({QStringLiteral("log"), logFile("vllm-refused.log")});
    QCOMPARE(answer.status, 0);
    for (const char *words : {"A start of vLLM", "It did not come up: To serve at least one request", "127,840", "No plan beside it", "acme/tiny-9b"})
        QVERIFY2(answer.out.contains(words), answer.out.constData());
}

void LogCommandTest::refusals_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("words");
    const QString log = QStringLiteral("log"), good = logFile("vllm-first-engine.log");
    const auto row = [](const char *name, const QStringList &arguments, const char *code, const char *words) {
        QTest::newRow(name) << arguments << QString::fromUtf8(code) << QString::fromUtf8(words);
    };
    row("no file named", {log}, "usage", "file is required");
    row("no such file", {log, QStringLiteral("/nowhere/x.log")}, "no-such-file", "/nowhere/x.log");
    row("a folder", {log, QString::fromUtf8(dataFolder())}, "not-a-file", "folder");
    row("no log", {log, logFile("expect.json") + QStringLiteral(".no")}, "no-such-file", "expect.json.no");
    row("unknown option", {log, good, QStringLiteral("--gpux"), QStringLiteral("a")}, "usage", "--gpu");
    row("unknown GPU", {log, good, QStringLiteral("--gpu"), QStringLiteral("h1000")}, "unknown-gpu", "h1000");
    row("unknown engine option", {log, good, QStringLiteral("--engine-option"), QStringLiteral("block_sise=16")}, "unknown-option", "block_size");
    row("unknown model", {log, good, QStringLiteral("--model"), QStringLiteral("qwen3-8")}, "unknown-preset", "qwen3-8b");
}

void LogCommandTest::refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, code);
    QFETCH(QString, words);
    const Answer answer = runProgram(arguments + QStringList{QStringLiteral("--json")});
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.errorLines(), qsizetype(1));
    const QJsonObject error = object(answer.out)[u"error"].toObject();
    QCOMPARE(error[u"code"].toString(), code);
    QVERIFY2(error[u"message"].toString().contains(words), answer.out.constData());
}

void LogCommandTest::help() {
    const Answer answer = runProgram({QStringLiteral("log"), QStringLiteral("--help")});
    QCOMPARE(answer.status, 0);
    QVERIFY(answer.out.contains("--json") && answer.out.contains("FILE") && answer.out.contains("docker logs"));
}

KV_TEST(LogCommandTest)
#include "logcommandtest.moc"
