// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/smallfile.h"
#include "core/hardware/gpurow.h"
#include "core/hardware/ownlist.h"
#include "core/plan/evaluate.h"
#include "core/scenario/scenariofile.h"
#include "tests/testmain.h"

#include <QTest>

using namespace kv;

namespace {

QByteArray fileContent() {
    QFile file(QString::fromStdString(ownGpusPath()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeList(const QByteArray &text) {
    QDir().mkpath(QString::fromStdString(userDataFolder()));
    QFile file(QString::fromStdString(ownGpusPath()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    reloadGpus();
}

Gpu typed(const char *name, const char *memory) {
    GpuByHand hand;
    hand.name = name;
    hand.memory = memory;
    const Parsed<Gpu> gpu = gpuByHand(hand);
    return gpu ? *gpu : Gpu{};
}

} // namespace

class OwnListTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QFile::remove(QString::fromStdString(ownGpusPath()));
        reloadGpus();
    }
    void typedByHand_data();
    void typedByHand();
    void rowsReadBack();
    void addedChangedRemoved();
    void noIdIsTakenTwice();
    void whatIsNotKnownIsKept();
    void aBrokenFileIsSaidAndLeft_data();
    void aBrokenFileIsSaidAndLeft();
    void linksStayLinks();
    void handedOutListsStay();
    void guestsComeWithScenarios();
};

void OwnListTest::typedByHand_data() {
    QTest::addColumn<QByteArray>("memory");
    QTest::addColumn<QByteArray>("usable");
    QTest::addColumn<QByteArray>("bandwidth");
    QTest::addColumn<QByteArray>("perNode");
    QTest::addColumn<qint64>("marketed"); // −1: refused
    QTest::addColumn<qint64>("framework");
    QTest::addColumn<double>("rate");
    const auto row = [](const char *name, const char *memory, const char *usable, const char *bandwidth, const char *perNode, qint64 marketed, qint64 framework, double rate) {
        QTest::newRow(name) << QByteArray(memory) << QByteArray(usable) << QByteArray(bandwidth) << QByteArray(perNode) << marketed << framework << rate;
    };
    row("the label", "24 GB", "", "1.01 TB/s", "", 24'000'000'000, 0, 1010);
    row("what a program gets", "24 GiB", "", "936", "8", 25'769'803'776, 25'769'803'776, 936);
    row("both", "24GB", "24095MiB", "", "", 24'000'000'000, 25'265'438'720, 0);
    row("in MiB", "24564MiB", "", "1008 GB/s", "1", 25'757'220'864, 25'757'220'864, 1008);
    row("no memory", "", "", "", "", -1, 0, 0);
    row("no unit", "24", "", "", "", -1, 0, 0);
    row("no size", "much", "", "", "", -1, 0, 0);
    row("beyond any card", "9000000 TB", "", "", "", -1, 0, 0);
    row("more for programs than there is", "24 GB", "48 GiB", "", "", -1, 0, 0);
    row("no rate", "24 GB", "", "fast", "", -1, 0, 0);
    row("a rate of nothing", "24 GB", "", "0", "", -1, 0, 0);
    row("no cards in a node", "24 GB", "", "", "0", -1, 0, 0);
}

void OwnListTest::typedByHand() {
    QFETCH(QByteArray, memory);
    QFETCH(QByteArray, usable);
    QFETCH(QByteArray, bandwidth);
    QFETCH(QByteArray, perNode);
    QFETCH(qint64, marketed);
    GpuByHand hand;
    hand.name = " My Card, 24 GB ";
    hand.memory = memory.toStdString();
    hand.usable = usable.toStdString();
    hand.bandwidth = bandwidth.toStdString();
    hand.perNode = perNode.toStdString();
    const Parsed<Gpu> gpu = gpuByHand(hand);
    QCOMPARE(gpu.value.has_value(), marketed >= 0);
    if (!gpu) {
        QVERIFY(!firstError(gpu.notes)->text.empty());
        return;
    }
    QCOMPARE(gpu->id, std::string("my-card-24gb"));
    QCOMPARE(qint64(gpu->marketed.value), marketed);
    QTEST(qint64(gpu->framework.value), "framework");
    QTEST(gpu->bandwidthGBs, "rate");
}

void OwnListTest::rowsReadBack() {
    for (const Gpu &gpu : gpus()) {
        const Gpu again = readGpuRow(writeGpuRow(gpu));
        QVERIFY2(sameFigures(again, gpu), gpu.id.c_str());
    }
}

void OwnListTest::addedChangedRemoved() {
    QVERIFY(!findGpu("my-card"));
    Gpu card = typed("My Card", "24 GB");
    QVERIFY(!addOwnGpu(card));
    const Gpu *known = findGpu("my-card");
    QVERIFY(known && known->origin == GpuOrigin::Own);
    QCOMPARE(known->marketed, Bytes(24'000'000'000));
    card.marketed = Bytes(32'000'000'000);
    card.name = "My larger card";
    QVERIFY(!changeOwnGpu("my-card", card));
    QCOMPARE(findGpu("my-card")->marketed, Bytes(32'000'000'000));
    QCOMPARE(findGpu("my-card")->name, std::string("My larger card"));
    QVERIFY(!removeOwnGpu("my-card"));
    QVERIFY(!findGpu("my-card"));
    QCOMPARE(removeOwnGpu("my-card")->code, std::string("unknown-gpu"));
    QCOMPARE(changeOwnGpu("my-card", card)->code, std::string("unknown-gpu"));
}

void OwnListTest::noIdIsTakenTwice() {
    QVERIFY(!addOwnGpu(typed("My Card", "24 GB")));
    const QByteArray before = fileContent();
    for (const char *name : {"My Card", "MY  card", "H100 SXM 80 GB"}) {
        const auto fault = addOwnGpu(typed(name, "48 GB"));
        QVERIFY2(fault && fault->code == "gpu-exists", name);
    }
    QCOMPARE(fileContent(), before);
    QCOMPARE(findGpu("my-card")->marketed, Bytes(24'000'000'000));
}

void OwnListTest::whatIsNotKnownIsKept() {
    writeList(R"({"_about": "mine", "gpus": [{"id": "old-card", "marketed_gb": 10, "colour": "green"}, 7]})");
    QVERIFY(!addOwnGpu(typed("My Card", "24 GB")));
    QVERIFY(!changeOwnGpu("old-card", typed("Old Card", "11 GB")));
    const Parsed<Json> root = parseJson(fileContent().toStdString(), "gpus.json");
    QVERIFY(root);
    QCOMPARE(root->find("_about")->text(), std::string("mine"));
    const auto &rows = root->find("gpus")->items();
    QCOMPARE(rows.size(), std::size_t(3));
    QCOMPARE(rows[0].find("colour")->text(), std::string("green"));
    QCOMPARE(rows[1].integer(), std::int64_t(7));
    QCOMPARE(findGpu("old-card")->marketed, Bytes(11'000'000'000));
    QCOMPARE(ownGpuFaults().size(), std::size_t(1)); // the 7
}

void OwnListTest::aBrokenFileIsSaidAndLeft_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("no JSON") << QByteArray("{\"gpus\": [");
    QTest::newRow("a list") << QByteArray("[1, 2]");
    QTest::newRow("no list inside") << QByteArray("{\"gpus\": {}}");
    QTest::newRow("other bytes") << QByteArray("\xff\xfe\x00garbage", 10);
    QTest::newRow("empty") << QByteArray("");
}

void OwnListTest::aBrokenFileIsSaidAndLeft() {
    QFETCH(QByteArray, content);
    writeList(content);
    QCOMPARE(ownGpuFaults().size(), std::size_t(1));
    const std::string &text = ownGpuFaults().front().text;
    QVERIFY2(text.find("gpus.json") != std::string::npos && text.find("left as it is") != std::string::npos, text.c_str());
    QVERIFY(findGpu("h100-sxm-80gb")); // the built-in ones are there
    QVERIFY(addOwnGpu(typed("My Card", "24 GB")));
    QVERIFY(removeOwnGpu("my-card"));
    QCOMPARE(fileContent(), content);
    Scenario s = firstScenario();
    s.hardware.gpu = "my-card";
    QVERIFY(evaluate(s).refusal->text.find("gpus.json") != std::string::npos);
}

void OwnListTest::linksStayLinks() {
    const QTemporaryDir elsewhere;
    QDir().mkpath(QString::fromStdString(userDataFolder()));
    const QString target = elsewhere.filePath(QStringLiteral("mine.json"));
    QFile file(target);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"gpus\": []}");
    file.close();
    QVERIFY(QFile::link(target, QString::fromStdString(ownGpusPath())));
    QVERIFY(!addOwnGpu(typed("My Card", "24 GB")));
    QVERIFY(QFileInfo(QString::fromStdString(ownGpusPath())).isSymLink());
    QVERIFY(fileContent().contains("my-card"));
    QCOMPARE(QDir(elsewhere.path()).entryList(QDir::Files).size(), 1); // nothing is left beside it
}

void OwnListTest::handedOutListsStay() {
    const std::span<const Gpu> before = gpus();
    const std::string first = before.front().id;
    const std::size_t size = before.size();
    QVERIFY(!addOwnGpu(typed("My Card", "24 GB")));
    QCOMPARE(before.size(), size);
    QCOMPARE(before.front().id, first);
    QCOMPARE(gpus().size(), size + 1);
}

void OwnListTest::guestsComeWithScenarios() {
    QVERIFY(!addOwnGpu(typed("Traveller", "24 GB")));
    Scenario s = firstScenario();
    s.hardware.gpu = "traveller";
    const Plan here = evaluate(s);
    QVERIFY(here.ok());
    const Json written = writeScenario(s, {});
    QCOMPARE(written.find("hardware")->find("cards")->items().size(), std::size_t(1));
    // Another machine: the list lacks the card, or has another one of its name.
    QVERIFY(!removeOwnGpu("traveller"));
    for (const char *other : {"", "48 GB"}) {
        if (*other)
            QVERIFY(!addOwnGpu(typed("Traveller", other)));
        const Parsed<Scenario> again = readScenario(written, {}, firstScenario());
        QVERIFY(again);
        const Plan there = evaluate(*again);
        QVERIFY2(there.ok(), there.refusal ? there.refusal->text.c_str() : "");
        QCOMPARE(there.gpus.front().memory, here.gpus.front().memory);
        QCOMPARE(there.fit.maxSequences, here.fit.maxSequences);
    }
    // A built-in card needs nothing.
    QVERIFY(!writeScenario(firstScenario(), {}).find("hardware")->find("cards"));
}

KV_TEST(OwnListTest)
#include "ownlisttest.moc"
