// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/machine.h"
#include "core/plan/evaluate.h"
#include "core/scenario/machinecards.h"
#include "tests/testmain.h"

#include <QTest>

#include <map>

using namespace kv;

namespace {

constexpr std::int64_t mib = 1024 * 1024;

/// A machine whose tools say what stands in the map; all others are not there.
Machine machineOf(const std::map<std::string, ToolAnswer> &tools) {
    return readMachine([&](const std::string &name, const std::vector<std::string> &) {
        const auto tool = tools.find(name);
        return tool == tools.end() ? ToolAnswer{} : tool->second;
    });
}

ToolAnswer says(const char *out) { return {true, false, false, 0, out}; }

QByteArray written(const std::vector<FoundCard> &cards) {
    QByteArray text;
    for (const FoundCard &card : cards)
        text += QByteArray::fromStdString(card.name) + '|' + QByteArray::fromStdString(card.vendor) + '|' + QByteArray::number(qint64(card.memory.value / mib)) + '|' +
                (card.used ? QByteArray::number(qint64(card.used->value / mib)) : "-") + (card.display ? "|display" : "") + (card.unified ? "|unified" : "") + ';';
    return text;
}

} // namespace

class MachineTest : public QObject {
    Q_OBJECT

private slots:
    void toolsAreRead_data();
    void toolsAreRead();
    void cardsAreMatched_data();
    void cardsAreMatched();
    void unlikeCards_data();
    void unlikeCards();
    void whatWentWrongIsSaid();
    void toolsRunWithoutAShell();
    void planOfUnlikeCards();
};

void MachineTest::toolsAreRead_data() {
    QTest::addColumn<QByteArray>("tool");
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("nvidia") << QByteArray("n") << QByteArray("NVIDIA GeForce RTX 4090, 24564, 1203, Enabled\nNVIDIA GeForce RTX 3060, 12288, 4, Disabled\n")
                            << QByteArray("NVIDIA GeForce RTX 4090|NVIDIA|24564|1203|display;NVIDIA GeForce RTX 3060|NVIDIA|12288|4;");
    QTest::newRow("nvidia, memory not told") << QByteArray("n") << QByteArray("NVIDIA GB10, [N/A], [N/A], Disabled\n") << QByteArray("NVIDIA GB10|NVIDIA|0|-|unified;");
    QTest::newRow("nvidia, a name with commas") << QByteArray("n") << QByteArray("Strange, card, 8192, 0, Disabled") << QByteArray("Strange, card|NVIDIA|8192|0;");
    QTest::newRow("nvidia, no cards") << QByteArray("n") << QByteArray("No devices were found\n") << QByteArray();
    QTest::newRow("nvidia, not numbers") << QByteArray("n") << QByteArray("X, 12x, -5, Enabled\n\n,,,\nY, 99999999999999999999, 1, no") << QByteArray("X|NVIDIA|0|-|display|unified;Y|NVIDIA|0|1|unified;");
    QTest::newRow("amd") << QByteArray("a")
                         << QByteArray(R"([{"gpu": 0, "asic": {"market_name": "AMD Instinct MI300X"}, "vram": {"size": {"value": 196592, "unit": "MB"}}}])")
                         << QByteArray("AMD Instinct MI300X|AMD|196592|-;");
    QTest::newRow("amd, newer") << QByteArray("a") << QByteArray(R"({"gpu_data": [{"asic": {"market_name": "Radeon RX 7900 XTX"}, "vram": {"size": 24560}}]})")
                                << QByteArray("Radeon RX 7900 XTX|AMD|24560|-;");
    QTest::newRow("amd, something else") << QByteArray("a") << QByteArray(R"({"gpu_data": 3})") << QByteArray();
    QTest::newRow("rocm") << QByteArray("r")
                          << QByteArray("WARNING: low power\n{\"card0\": {\"Card Series\": \"Radeon RX 7900 XTX\", \"VRAM Total Memory (B)\": \"25753026560\", \"VRAM Total Used Memory (B)\": \"1073741824\"}, \"system\": {}}")
                          << QByteArray("Radeon RX 7900 XTX|AMD|24560|1024;");
    QTest::newRow("rocm, cut off") << QByteArray("r") << QByteArray(R"({"card0": {"Card Series": "Rad)") << QByteArray();
    QTest::newRow("mac") << QByteArray("m") << QByteArray("Apple M2 Max\n103079215104\n") << QByteArray("Apple M2 Max|Apple|98304|-|display|unified;");
    QTest::newRow("mac, older") << QByteArray("m") << QByteArray("Intel(R) Core(TM) i9\n34359738368\n") << QByteArray();
}

void MachineTest::toolsAreRead() {
    QFETCH(QByteArray, tool);
    QFETCH(QByteArray, out);
    const std::string text = out.toStdString();
    const auto cards = tool == "n" ? parseNvidiaSmi(text) : tool == "a" ? parseAmdSmi(text) : tool == "r" ? parseRocmSmi(text) : parseMacSysctl(text);
    QTEST(written(cards), "wanted");
}

void MachineTest::cardsAreMatched_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("memory"); // MiB
    QTest::addColumn<bool>("unified");
    QTest::addColumn<QByteArray>("id"); // empty: a card of its own
    const auto row = [](const char *name, int memory, const char *id, bool unified = false) { QTest::newRow(name) << QByteArray(name) << memory << unified << QByteArray(id); };
    row("NVIDIA GeForce RTX 4090", 24564, "rtx-4090-24gb");
    row("NVIDIA GeForce RTX 3060", 12288, "rtx-3060-12gb");
    row("NVIDIA H100 80GB HBM3", 81559, "h100-sxm-80gb");
    row("NVIDIA H100 PCIe", 81559, "h100-pcie-80gb");
    row("NVIDIA H100 NVL", 95830, "h100-nvl-94gb");
    row("NVIDIA A100-SXM4-80GB", 81920, "a100-sxm-80gb");
    row("NVIDIA A100-SXM4-40GB", 40960, "a100-sxm-40gb");
    row("NVIDIA A100 80GB PCIe", 81920, "a100-pcie-80gb");
    row("NVIDIA L40S", 46068, "l40s-48gb");
    row("NVIDIA RTX A6000", 49140, "rtx-a6000-48gb");
    row("NVIDIA RTX 6000 Ada Generation", 49140, "rtx-6000-ada-48gb");
    row("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 97887, "rtx-pro-6000-96gb");
    row("AMD Instinct MI300X", 196592, "mi300x-192gb");
    row("Radeon RX 7900 XTX", 24560, "rx-7900-xtx-24gb");
    row("NVIDIA GB10", 0, "dgx-spark-128gb", true);
    row("Apple M2 Max", 98304, "m2-max-96gb", true);
    row("NVIDIA GeForce RTX 4090 Laptop GPU", 16376, "");
    row("NVIDIA GeForce RTX 4090 D", 24564, "");
    row("NVIDIA GeForce RTX 3060 Ti", 8192, "");
    row("NVIDIA H100 80GB HBM3 MIG", 40000, "");
    row("Some Future Card", 65536, "");
}

void MachineTest::cardsAreMatched() {
    QFETCH(QByteArray, name);
    QFETCH(int, memory);
    QFETCH(bool, unified);
    const FoundCard found{name.toStdString(), "NVIDIA", Bytes(memory * mib), {}, false, unified};
    const Gpu *gpu = matchCard(found);
    QTEST(gpu ? QByteArray::fromStdString(gpu->id) : QByteArray(), "id");
    if (!gpu) {
        const std::optional<Gpu> own = cardOf(found);
        QVERIFY(own);
        QCOMPARE(own->driver, Bytes(memory * mib));
        QVERIFY(own->marketed > Bytes(0) && !own->id.empty());
    }
}

void MachineTest::unlikeCards_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::addColumn<QByteArray>("gpu");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("devices");
    QTest::newRow("taken together") << QByteArray("llama-cpp") << QByteArray("rtx-3060-12gb") << 3 << 2;
    QTest::newRow("the kind with most memory") << QByteArray("vllm") << QByteArray("rtx-5090-32gb") << 1 << 0;
}

void MachineTest::unlikeCards() {
    QFETCH(QByteArray, engine);
    QFETCH(int, devices);
    const Machine machine = machineOf({{"nvidia-smi", says("NVIDIA GeForce RTX 3060, 12288, 0, Enabled\nNVIDIA GeForce RTX 3060, 12288, 0, Disabled\nNVIDIA GeForce RTX 5090, 32607, 700, Disabled\n")}});
    QCOMPARE(machine.tool, std::string("nvidia-smi"));
    QCOMPARE(machine.cards.size(), std::size_t(3));
    Scenario s = firstScenario();
    s.engine.id = engine.toStdString();
    s.hardware.memory = Bytes(5);
    const QString said = QString::fromStdString(takeMachine(s, machine));
    QTEST(QByteArray::fromStdString(s.hardware.gpu), "gpu");
    QTEST(static_cast<int>(s.hardware.count.value), "count");
    QCOMPARE(static_cast<int>(s.hardware.devices.size()), devices);
    QVERIFY(!s.hardware.memory);
    QVERIFY2(said.contains(QStringLiteral("2 × GeForce RTX 3060 12 GB and 1 × GeForce RTX 5090 32 GB")), qPrintable(said));
    QCOMPARE(said.contains(QLatin1String("needs alike cards")), devices == 0);
}

void MachineTest::whatWentWrongIsSaid() {
    const Machine none = machineOf({});
    QVERIFY(none.cards.empty());
    const QString text = QString::fromStdString(none.notes.back().text);
    for (const char *tool : {"nvidia-smi", "amd-smi", "rocm-smi", "sysctl"})
        QVERIFY2(text.contains(QLatin1String(tool)), tool);
    const Machine broken = machineOf({{"nvidia-smi", {true, false, false, 9, "NVIDIA-SMI has failed"}}, {"amd-smi", {true, true, false, -1, {}}}, {"rocm-smi", {true, false, true, 0, "{"}}});
    QVERIFY(broken.cards.empty());
    QCOMPARE(broken.notes.size(), std::size_t(4));
    QVERIFY(broken.notes[0].text.find("status 9") != std::string::npos);
    QVERIFY(broken.notes[1].text.find("in time") != std::string::npos);
    QVERIFY(broken.notes[2].text.find("more than") != std::string::npos);
    // Two tools of one maker tell the same cards once.
    const char *amd = R"([{"asic": {"market_name": "AMD Instinct MI300X"}, "vram": {"size": {"value": 196592, "unit": "MB"}}}])";
    const char *rocm = R"x({"card0": {"Card Series": "AMD Instinct MI300X", "VRAM Total Memory (B)": "206141652992"}})x";
    QCOMPARE(machineOf({{"amd-smi", says(amd)}, {"rocm-smi", says(rocm)}}).cards.size(), std::size_t(1));
    QCOMPARE(machineOf({{"rocm-smi", says(rocm)}}).cards.size(), std::size_t(1));
}

void MachineTest::toolsRunWithoutAShell() {
    const QTemporaryDir folder;
    const auto tool = [&](const char *name, const char *body) {
        QFile file(folder.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("#!/bin/sh\n") + body);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    };
    tool("says", "printf '%s;' \"$@\"\n");
    tool("sleeps", "sleep 30\n");
    tool("floods", "yes 0123456789\n");
    tool("fails", "echo half; exit 3\n");
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", folder.path().toUtf8() + ":" + path);
    const ToolAnswer said = runTool("says", {"$HOME", "a b", ";ls"});
    QCOMPARE(said.out, std::string("$HOME;a b;;ls;"));
    QVERIFY(said.ok());
    QElapsedTimer timer;
    timer.start();
    const ToolAnswer slow = runTool("sleeps", {}, {200, 1024});
    QVERIFY(slow.found && slow.timedOut && !slow.ok());
    const ToolAnswer endless = runTool("floods", {}, {5000, 4096});
    QVERIFY(endless.cut && !endless.ok());
    QCOMPARE(endless.out.size(), std::size_t(4096));
    QVERIFY(timer.elapsed() < 20000);
    QCOMPARE(runTool("fails", {}).status, 3);
    QVERIFY(!runTool("no-such-tool-anywhere", {}).found);
    QVERIFY(!runTool("../says", {}).found);
    qputenv("PATH", path);
}

// The slots of layers go by the memory that is free on each card, and each card is held against its own.
void MachineTest::planOfUnlikeCards() {
    Scenario s = firstScenario();
    s.engine.id = "llama-cpp";
    s.workload.context = Tokens(4096);
    s.workload.sequences = Count(1);
    s.weights.dtype = "q4_k_m";
    s.hardware.devices = {{"rtx-4090-24gb", Count(1)}, {"rtx-3060-12gb", Count(2)}};
    s.hardware.gpu = "rtx-4090-24gb";
    s.hardware.count = Count(3);
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.refusal ? plan.refusal->text.c_str() : "");
    QCOMPARE(plan.gpus.size(), std::size_t(3));
    QCOMPARE(plan.gpus[0].memory, findGpu("rtx-4090-24gb")->framework);
    QCOMPARE(plan.gpus[2].memory, findGpu("rtx-3060-12gb")->framework);
    QCOMPARE(plan.gpus[1].gpu, std::string("rtx-3060-12gb"));
    // 81 slots over 24,095 + 2 × 11,906 MiB: the first card takes 41 of them.
    const double share = static_cast<double>(plan.gpus[0].weights.value) / static_cast<double>((plan.gpus[0].weights + plan.gpus[1].weights + plan.gpus[2].weights).value);
    QVERIFY2(share > 0.48 && share < 0.53, QByteArray::number(share).constData());
    Scenario split = s;
    Json list = Json::array();
    for (const int part : {1, 1, 2})
        list.push(part);
    split.engine.options.set("tensor_split", list);
    const Plan byHand = evaluate(split);
    QVERIFY(byHand.ok());
    QVERIFY(byHand.gpus[2].weights > byHand.gpus[0].weights);
    Scenario other = s;
    other.engine.id = "vllm";
    QVERIFY(evaluate(other).refusal->code == "unlike-devices");
    Scenario unknown = s;
    unknown.hardware.devices[1].gpu = "rtx-3060";
    QVERIFY(evaluate(unknown).refusal->text.find("rtx-3060-12gb") != std::string::npos);
}

KV_TEST(MachineTest)
#include "machinetest.moc"
