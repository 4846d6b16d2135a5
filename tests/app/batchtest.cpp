// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/testmain.h"
#include "tests/testpaths.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace kv::test;

namespace {

const QStringList batch{QStringLiteral("plan"), QStringLiteral("--batch"), QStringLiteral("-")};

QList<QJsonObject> objects(const QByteArray &out) {
    QList<QJsonObject> list;
    for (const QByteArray &line : out.split('\n'))
        if (!line.isEmpty())
            list.append(QJsonDocument::fromJson(line).object());
    return list;
}

QByteArray scenario(int id, int context) {
    return "{\"id\": " + QByteArray::number(id) + ", \"model\": {\"preset\": \"llama-3.1-8b\"}, \"workload\": {\"context\": " + QByteArray::number(context) + "}}\n";
}

} // namespace

class BatchTest : public QObject {
    Q_OBJECT

private slots:
    void oneLineInOneLineOut();
    void refusalsStandInTheirPlace();
    void theFirstPlanComesBeforeTheLastScenario();
    void manyAtOnce();
    void optionsHoldForEveryLine();
    void requireFit();
    void fromAFile();
    void anyIdIsEchoed_data();
    void anyIdIsEchoed();
    void oneTraceForManyLines();
    void cardsOfALineAreItsOwn();
};

void BatchTest::oneLineInOneLineOut() {
    const Answer answer = runProgram(batch, scenario(1, 1000) + "\n  \r\n" + scenario(2, 2000) + scenario(3, 3000).trimmed());
    QCOMPARE(answer.status, 0);
    QCOMPARE(answer.err, QByteArray());
    const QList<QJsonObject> plans = objects(answer.out);
    QCOMPARE(plans.size(), 3);
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(plans[i].value(QLatin1String("id")), QJsonValue(i + 1));
        QCOMPARE(plans[i].value(QLatin1String("kv")).toObject().value(QLatin1String("bytes_per_sequence")).toInteger(), (i + 1) * 1000LL * 131072);
    }
}

void BatchTest::refusalsStandInTheirPlace() {
    const Answer answer = runProgram(batch, scenario(1, 1000) + "no JSON\n{\"id\": \"b\"}\n[]\n{\"id\": \"c\", \"model\": {\"preset\": \"x\"}, \"workload\": 5}\n" + scenario(6, 10));
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.errorLines(), qsizetype(1));
    const QList<QJsonObject> plans = objects(answer.out);
    QCOMPARE(plans.size(), 6);
    const QList<bool> made{true, false, false, false, false, true};
    for (int i = 0; i < 6; ++i) {
        QCOMPARE(plans[i].value(QLatin1String("ok")).toBool(), made[i]);
        if (!made[i])
            QVERIFY(!plans[i].value(QLatin1String("error")).toObject().value(QLatin1String("message")).toString().isEmpty());
    }
    const auto message = [&](int i) { return plans[i].value(QLatin1String("error")).toObject().value(QLatin1String("message")).toString(); };
    QVERIFY2(message(1).contains(QLatin1String("line 2")) && message(1).contains(QLatin1String("JSON")), qPrintable(message(1)));
    QCOMPARE(plans[2].value(QLatin1String("id")), QJsonValue(QStringLiteral("b")));
    QVERIFY2(message(2).contains(QLatin1String("model")), qPrintable(message(2)));
    QVERIFY2(message(3).contains(QLatin1String("object")), qPrintable(message(3)));
    QCOMPARE(plans[4].value(QLatin1String("id")), QJsonValue(QStringLiteral("c")));
}

void BatchTest::theFirstPlanComesBeforeTheLastScenario() {
    constexpr int patience = 20'000;
    QProcess process;
    process.start(QString::fromUtf8(programPath()), batch);
    for (int i = 1; i <= 3; ++i) {
        process.write(scenario(i, 1000));
        QElapsedTimer timer;
        timer.start();
        while (!process.canReadLine() && timer.elapsed() < patience)
            process.waitForReadyRead(100);
        QVERIFY(process.canReadLine());
        QCOMPARE(QJsonDocument::fromJson(process.readLine()).object().value(QLatin1String("id")), QJsonValue(i));
    }
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(patience));
    QCOMPARE(process.exitCode(), 0);
}

void BatchTest::manyAtOnce() {
    constexpr int count = 3000;
    QByteArray input;
    for (int i = 0; i < count; ++i)
        input += scenario(i, 1000 + i);
    const QList<QJsonObject> plans = objects(runProgram(batch, input).out);
    QCOMPARE(plans.size(), count);
    for (int i = 0; i < count; ++i)
        QCOMPARE(plans[i].value(QLatin1String("id")), QJsonValue(i));
}

void BatchTest::optionsHoldForEveryLine() {
    const Answer answer = runProgram(batch + QStringList{QStringLiteral("--kv-dtype"), QStringLiteral("fp8"), QStringLiteral("--gpus"), QStringLiteral("2")}, scenario(1, 1000) + scenario(2, 2000));
    QCOMPARE(answer.status, 0);
    for (const QJsonObject &plan : objects(answer.out)) {
        QCOMPARE(plan.value(QLatin1String("kv")).toObject().value(QLatin1String("bytes_per_token")).toInteger(), qint64(65536));
        QCOMPARE(plan.value(QLatin1String("gpus")).toArray().size(), 2);
    }
}

void BatchTest::requireFit() {
    const QStringList strict = batch + QStringList{QStringLiteral("--require-fit")};
    QCOMPARE(runProgram(strict, scenario(1, 1000)).status, 0);
    QCOMPARE(runProgram(strict, scenario(1, 1000) + scenario(2, 2000000000)).status, 1);
    QCOMPARE(runProgram(strict, scenario(1, 2000000000) + "x\n").status, 2);
}

void BatchTest::fromAFile() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("in.jsonl")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(scenario(7, 1000));
    file.close();
    const Answer answer = runProgram({QStringLiteral("plan"), QStringLiteral("--batch"), file.fileName()});
    QCOMPARE(answer.status, 0);
    QCOMPARE(objects(answer.out).size(), 1);
    QCOMPARE(runProgram({QStringLiteral("plan"), QStringLiteral("--batch"), folder.path()}).status, 2);
    QCOMPARE(runProgram({QStringLiteral("plan"), QStringLiteral("--batch"), folder.filePath(QStringLiteral("none"))}).status, 2);
}

void BatchTest::anyIdIsEchoed_data() {
    QTest::addColumn<QByteArray>("id");
    for (const char *id : {"\"a \\\"b\\\" 🚀\"", "17", "null", "[1, 2]", "{\"x\": 1.5}", "true"})
        QTest::newRow(id) << QByteArray(id);
}

void BatchTest::anyIdIsEchoed() {
    QFETCH(QByteArray, id);
    const Answer answer = runProgram(batch, "{\"id\": " + id + ", \"model\": {\"preset\": \"llama-3.1-8b\"}}\n");
    const QJsonValue wanted = QJsonDocument::fromJson("{\"id\": " + id + "}").object().value(QLatin1String("id"));
    QCOMPARE(objects(answer.out).value(0).value(QLatin1String("id")), wanted);
}

// A trace is kept from line to line: each says the same of it, its warnings with it, and its reason where it is refused.
void BatchTest::oneTraceForManyLines() {
    const QTemporaryDir folder;
    const auto write = [&folder](const char *name, const QByteArray &text) {
        QFile file(folder.filePath(QLatin1String(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", name);
        return file.fileName().toUtf8();
    };
    const QByteArray good = write("good.csv", "prompt_tokens,completion_tokens,cached\n100,10,5\n,1,1\n300,30,7\n"), bad = write("bad.csv", "length\nx\n");
    const auto line = [](const QByteArray &file, const QByteArray &columns = {}) { return "{\"model\": {\"preset\": \"llama-3.1-8b\"}, \"workload\": {\"lengths\": {\"file\": \"" + file + "\"" + columns + "}}}\n"; };
    const Answer answer = runProgram(batch, line(good) + line(bad) + line(good) + line(bad) + line(good, ", \"columns\": {\"total\": \"cached\"}") + line(good));
    QCOMPARE(answer.status, 2);
    const QList<QJsonObject> plans = objects(answer.out);
    QCOMPARE(plans.size(), 6);
    for (const int i : {0, 2, 5}) {
        QCOMPARE(plans[i].value(QLatin1String("lengths")), plans[0].value(QLatin1String("lengths")));
        QCOMPARE(plans[i].value(QLatin1String("lengths")).toObject().value(QLatin1String("max")).toInt(), 330);
        QVERIFY(QJsonDocument(plans[i].value(QLatin1String("warnings")).toArray()).toJson().contains("rows-left-out"));
    }
    QCOMPARE(plans[4].value(QLatin1String("lengths")).toObject().value(QLatin1String("max")).toInt(), 7);
    QVERIFY(plans[1] == plans[3] && QJsonDocument(plans[1]).toJson().contains("bad.csv"));
    // The same as a run that reads it once for one plan.
    const QList<QJsonObject> alone = objects(runProgram(batch, line(good)).out);
    QCOMPARE(alone.size(), 1);
    QCOMPARE(alone[0], plans[0]);
}

/// A card that a line brings along is known to that line alone, whatever stood before it.
void BatchTest::cardsOfALineAreItsOwn() {
    const auto line = [](const char *cards) {
        return QByteArray("{\"model\": {\"preset\": \"llama-3.1-8b\"}, \"workload\": {\"context\": 1000}, \"hardware\": {\"gpu\": \"foo\", \"count\": 1") + cards + "}}\n";
    };
    const QByteArray small = line(", \"cards\": [{\"id\": \"foo\", \"name\": \"F\", \"marketed_gb\": 24}]"), none = line(""),
                     large = line(", \"cards\": [{\"id\": \"foo\", \"name\": \"F\", \"marketed_gb\": 48}]");
    const QList<QJsonObject> plans = objects(runProgram(batch, small + none + large + none + small).out);
    QCOMPARE(plans.size(), 5);
    const auto memory = [&](qsizetype at) { return plans[at].value(QLatin1String("gpus")).toArray().at(0).toObject().value(QLatin1String("memory_bytes")).toInteger(); };
    QCOMPARE(memory(0), 24'000'000'000LL);
    QCOMPARE(memory(2), 48'000'000'000LL);
    QCOMPARE(plans[2].value(QLatin1String("gpus")).toArray().at(0).toObject().value(QLatin1String("gpu")), QJsonValue(QStringLiteral("foo")));
    QCOMPARE(memory(4), 24'000'000'000LL);
    for (const qsizetype refused : {1, 3})
        QCOMPARE(plans[refused].value(QLatin1String("error")).toObject().value(QLatin1String("code")), QJsonValue(QStringLiteral("unknown-gpu")));
}

KV_TEST(BatchTest)
#include "batchtest.moc"
