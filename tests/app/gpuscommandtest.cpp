// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/app/program.h"
#include "tests/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {

/// A data folder and a folder of tools of its own for each test.
struct Place {
    QTemporaryDir folder;
    QStringList environment() const {
        return {QStringLiteral("XDG_DATA_HOME=") + folder.filePath(QStringLiteral("data")), QStringLiteral("PATH=") + folder.filePath(QStringLiteral("bin"))};
    }
    QString list() const { return folder.filePath(QStringLiteral("data/KVPlanner/gpus.json")); }
    void write(const QString &path, const QByteArray &content) const {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    void tool(const char *name, const QByteArray &out) const {
        const QString path = folder.filePath(QStringLiteral("bin/") + QLatin1String(name));
        write(path, "#!/bin/sh\nprintf '%s' '" + out + "'\n");
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    Answer run(const QStringList &arguments) const { return runProgram(arguments, {}, environment()); }
};

Json jsonOf(const Answer &answer) {
    const Parsed<Json> json = parseJson(answer.out.toStdString(), "stdout");
    return json ? *json : Json();
}

const QString planOne = QStringLiteral("--model llama-3.1-8b --context 4k --sequences 1 --weights-dtype q4_k_m --json");

} // namespace

class GpusCommandTest : public QObject {
    Q_OBJECT

private slots:
    void addsAndRemoves();
    void refusals_data();
    void refusals();
    void aBrokenListIsSaidAndLeft();
    void thisMachine();
    void thisMachineWithUnlikeCards_data();
    void thisMachineWithUnlikeCards();
    void noToolsHere();
    void aPlanCarriesItsCard();
};

void GpusCommandTest::addsAndRemoves() {
    const Place place;
    const Answer added = place.run({QStringLiteral("gpus"), QStringLiteral("--add"), QStringLiteral("My Card"), QStringLiteral("--memory"), QStringLiteral("24 GB"), QStringLiteral("--bandwidth"), QStringLiteral("1.01TB/s"), QStringLiteral("--usable"), QStringLiteral("24095MiB")});
    QCOMPARE(added.status, 0);
    QVERIFY2(added.out.startsWith("my-card added to "), added.out.constData());
    const Answer list = place.run({QStringLiteral("gpus"), QStringLiteral("--json")});
    QVERIFY(list.out.contains("\"my-card\"") && list.out.contains("\"own\": true"));
    const Answer plan = place.run(QStringList{QStringLiteral("plan"), QStringLiteral("--gpu"), QStringLiteral("my-card"), QStringLiteral("--gpus"), QStringLiteral("1"), QStringLiteral("--engine"), QStringLiteral("llama-cpp")} + planOne.split(QLatin1Char(' ')));
    QCOMPARE(plan.status, 0);
    QCOMPARE(jsonOf(plan).find("gpus")->items()[0].find("memory_bytes")->integer(), std::int64_t(24095) * 1024 * 1024);
    QCOMPARE(place.run({QStringLiteral("gpus"), QStringLiteral("--remove"), QStringLiteral("my-card")}).status, 0);
    QCOMPARE(place.run({QStringLiteral("gpus"), QStringLiteral("--remove"), QStringLiteral("my-card")}).status, 2);
}

void GpusCommandTest::refusals_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *name, const QStringList &arguments, const char *says) { QTest::newRow(name) << arguments << QByteArray(says); };
    row("no memory", {QStringLiteral("--add"), QStringLiteral("X")}, "memory");
    row("memory without a card", {QStringLiteral("--memory"), QStringLiteral("24GB")}, "--add");
    row("a built-in name", {QStringLiteral("--add"), QStringLiteral("H100 SXM 80 GB"), QStringLiteral("--memory"), QStringLiteral("80GB")}, "already");
    row("no rate", {QStringLiteral("--add"), QStringLiteral("X"), QStringLiteral("--memory"), QStringLiteral("24GB"), QStringLiteral("--bandwidth"), QStringLiteral("fast")}, "1.01 TB/s");
    row("removing a built-in one", {QStringLiteral("--remove"), QStringLiteral("h100-sxm-80gb")}, "your own list");
}

void GpusCommandTest::refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const Place place;
    const Answer answer = place.run(QStringList{QStringLiteral("gpus")} + arguments);
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.errorLines(), 1);
    QVERIFY2(answer.err.contains(says), answer.err.constData());
    QVERIFY(!QFile::exists(place.list()));
}

void GpusCommandTest::aBrokenListIsSaidAndLeft() {
    const Place place;
    place.write(place.list(), "{\"gpus\": [");
    const Answer list = place.run({QStringLiteral("gpus")});
    QCOMPARE(list.status, 0);
    QVERIFY(list.err.contains("gpus.json") && list.out.contains("h100-sxm-80gb"));
    QCOMPARE(place.run({QStringLiteral("gpus"), QStringLiteral("--add"), QStringLiteral("X"), QStringLiteral("--memory"), QStringLiteral("24GB")}).status, 2);
    QFile file(place.list());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("{\"gpus\": ["));
}

void GpusCommandTest::thisMachine() {
    const Place place;
    place.tool("nvidia-smi", "NVIDIA GeForce RTX 4090, 24564, 1203, Enabled\nNVIDIA GeForce RTX 4090, 24564, 4, Disabled\n");
    const Answer shown = place.run({QStringLiteral("gpus"), QStringLiteral("--this-machine")});
    QCOMPARE(shown.status, 0);
    QVERIFY2(shown.out.contains("rtx-4090-24gb") && shown.out.contains("1,203"), shown.out.constData());
    const Json json = jsonOf(place.run({QStringLiteral("gpus"), QStringLiteral("--this-machine"), QStringLiteral("--json")}));
    QCOMPARE(json.find("gpus")->items().size(), std::size_t(2));
    QCOMPARE(json.find("tool")->text(), std::string("nvidia-smi"));
    const Answer plan = place.run(QStringList{QStringLiteral("plan"), QStringLiteral("--gpu"), QStringLiteral("this-machine")} + planOne.split(QLatin1Char(' ')));
    QCOMPARE(plan.status, 0);
    QCOMPARE(jsonOf(plan).find("gpus")->items().size(), std::size_t(2));
    const Answer one = place.run(QStringList{QStringLiteral("plan"), QStringLiteral("--gpu"), QStringLiteral("this-machine"), QStringLiteral("--gpus"), QStringLiteral("1")} + planOne.split(QLatin1Char(' ')));
    QCOMPARE(jsonOf(one).find("gpus")->items().size(), std::size_t(1));
}

void GpusCommandTest::thisMachineWithUnlikeCards_data() {
    QTest::addColumn<QString>("engine");
    QTest::addColumn<int>("gpus");
    QTest::newRow("llama.cpp takes all") << QStringLiteral("llama-cpp") << 2;
    QTest::newRow("another takes the largest") << QStringLiteral("textbook") << 1;
}

void GpusCommandTest::thisMachineWithUnlikeCards() {
    QFETCH(QString, engine);
    QFETCH(int, gpus);
    const Place place;
    place.tool("nvidia-smi", "NVIDIA GeForce RTX 3060, 12288, 10, Enabled\nNVIDIA Future 9, 40960, 0, Disabled\n");
    const Answer plan = place.run(QStringList{QStringLiteral("plan"), QStringLiteral("--gpu"), QStringLiteral("this-machine"), QStringLiteral("--engine"), engine} + planOne.split(QLatin1Char(' ')));
    QCOMPARE(plan.status, 0);
    const Json json = jsonOf(plan);
    QCOMPARE(static_cast<int>(json.find("gpus")->items().size()), gpus);
    QCOMPARE(json.find("gpus")->items().back().find("memory_bytes")->integer(), engine == QLatin1String("textbook") ? std::int64_t(40'000'000'000) : std::int64_t(40960 - 450) * 1024 * 1024);
    QVERIFY(plan.out.contains("This machine has"));
}

void GpusCommandTest::noToolsHere() {
    const Place place;
    const Answer answer = place.run({QStringLiteral("gpus"), QStringLiteral("--this-machine")});
    QCOMPARE(answer.status, 2);
    for (const char *tool : {"nvidia-smi", "amd-smi", "rocm-smi"})
        QVERIFY2(answer.err.contains(tool), tool);
    QCOMPARE(place.run({QStringLiteral("plan"), QStringLiteral("--gpu"), QStringLiteral("this-machine")}).status, 2);
}

// A plan of a card of one's own opens to the same figures where that card is not known.
void GpusCommandTest::aPlanCarriesItsCard() {
    const Place place;
    const QString file = place.folder.filePath(QStringLiteral("mine.kvplan"));
    place.write(file, R"({"kvplan": 1, "model": {"preset": "llama-3.1-8b"}, "hardware": {"gpu": "mine", "count": 1, "cards": [{"id": "mine", "name": "Mine", "marketed_gb": 30}]}})");
    const Answer plan = place.run({QStringLiteral("plan"), QStringLiteral("--scenario"), file, QStringLiteral("--json")});
    QCOMPARE(plan.status, 0);
    QCOMPARE(jsonOf(plan).find("gpus")->items()[0].find("memory_bytes")->integer(), std::int64_t(30'000'000'000));
    QVERIFY(!plan.out.contains("unknown-key"));
}

KV_TEST(GpusCommandTest)
#include "gpuscommandtest.moc"
