// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hardware of one's own, driven through the window: a GPU by hand, this machine, unlike cards.
#include "core/hardware/ownlist.h"
#include "core/plan/evaluate.h"
#include "core/scenario/scenariofile.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/searchlist.h"
#include "ui/facts.h"
#include "ui/language/language.h"
#include "ui/language/translate.h"
#include "ui/panels/tiles.h"

using namespace kv;
using namespace kv::test;

namespace {

/// Opens a chooser's list, types and takes the first that is left.
void chooseByTyping(const WindowFixture &w, const char *chooser, const QString &typed) {
    auto *list = w.find<SearchList>(chooser);
    list->setFocus();
    list->open();
    auto *line = w.window->findChild<QLineEdit *>(QLatin1String(chooser) + QStringLiteral("Search"));
    QVERIFY(line);
    QTest::keyClicks(line, typed);
    QTest::keyClick(line, Qt::Key_Return);
    w.settle();
}

template <typename T>
T *inDialog(const char *name) {
    for (QWidget *top : QApplication::topLevelWidgets())
        if (top->objectName() == QLatin1String("ownGpuDialog") && top->isVisible())
            return name ? top->findChild<T *>(QLatin1String(name)) : dynamic_cast<T *>(top);
    return nullptr;
}

void fill(const char *name, const QString &text) {
    auto *line = inDialog<QLineEdit>(name);
    QVERIFY2(line, name);
    line->selectAll();
    QTest::keyClicks(line, text);
    if (text.isEmpty())
        QTest::keyClick(line, Qt::Key_Delete);
}

void press(const WindowFixture &w, const char *name) {
    auto *button = inDialog<QPushButton>(name);
    QVERIFY2(button, name);
    QTest::mouseClick(button, Qt::LeftButton);
    w.settle();
}

/// Tools that answer, in a PATH of their own.
class Tools {
public:
    Tools() : m_before(qgetenv("PATH")) { qputenv("PATH", m_folder.path().toUtf8()); }
    ~Tools() { qputenv("PATH", m_before); }
    void add(const char *name, const QByteArray &out) const {
        QFile file(m_folder.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\nprintf '%s' '" + out + "'\n");
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

private:
    QTemporaryDir m_folder;
    QByteArray m_before;
};

} // namespace

class WindowHardwareTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        forgetEverything();
        QFile::remove(QString::fromStdString(ownGpusPath()));
        reloadGpus();
    }
    void aGpuByHand();
    void sentencesInTheDialog_data();
    void sentencesInTheDialog();
    void changedAndRemoved();
    void thisMachine();
    void thisMachineWithoutTools();
    void anUnknownCardBecomesOwn();
    void aBrokenListIsSaid();
    void displayAmongTheOptions();
    void unlikeCards();
    void shortOnTheFullest();
    void whatAnEngineTakes();
    void inTheLocalesMarks();
    void unlikeCardsUnderAnotherEngine();
};

void WindowHardwareTest::aGpuByHand() {
    const WindowFixture w;
    chooseByTyping(w, "gpuChooser", QStringLiteral("own gpu"));
    QVERIFY(inDialog<QDialog>(nullptr));
    fill("ownGpuName", QStringLiteral("Bench card"));
    fill("ownGpuMemory", QStringLiteral("96 GB"));
    fill("ownGpuBandwidth", QStringLiteral("1.01 TB/s"));
    press(w, "ownGpuSave");
    QVERIFY(!inDialog<QDialog>(nullptr));
    QCOMPARE(w.window->document()->scenario().hardware.gpu, std::string("bench-card"));
    QCOMPARE(w.find<SearchList>("gpuChooser")->shownText(), QStringLiteral("Bench card"));
    QVERIFY(w.shown("gpuFacts").contains(QLatin1String("1.01 TB/s")));
    QVERIFY2(w.headline().contains(QLatin1String("Bench card")), qPrintable(w.headline()));
    // One undo takes the choice back, and the card stays in the list.
    w.window->document()->undoStack()->undo();
    w.settle();
    QCOMPARE(w.window->document()->scenario().hardware.gpu, std::string("h100-sxm-80gb"));
    chooseByTyping(w, "gpuChooser", QStringLiteral("bench"));
    QCOMPARE(w.window->document()->scenario().hardware.gpu, std::string("bench-card"));
}

void WindowHardwareTest::sentencesInTheDialog_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("memory");
    QTest::addColumn<QString>("says");
    QTest::newRow("nothing") << QString() << QString() << QStringLiteral("needs a name");
    QTest::newRow("no unit") << QStringLiteral("X") << QStringLiteral("24") << QStringLiteral("24 GB or 24 GiB");
    QTest::newRow("taken") << QStringLiteral("H200 SXM 141 GB") << QStringLiteral("141 GB") << QStringLiteral("already");
    QTest::newRow("no letters") << QStringLiteral("卡") << QStringLiteral("24 GB") << QStringLiteral("ASCII");
}

void WindowHardwareTest::sentencesInTheDialog() {
    QFETCH(QString, name);
    QFETCH(QString, memory);
    QFETCH(QString, says);
    const WindowFixture w;
    chooseByTyping(w, "gpuChooser", QStringLiteral("own gpu"));
    inDialog<QLineEdit>("ownGpuName")->setText(name);
    inDialog<QLineEdit>("ownGpuMemory")->setText(memory);
    press(w, "ownGpuSave");
    auto *fault = inDialog<QLabel>("ownGpuFault");
    QVERIFY(fault && fault->isVisible());
    QVERIFY2(fault->text().contains(says), qPrintable(fault->text()));
    QVERIFY(!QFile::exists(QString::fromStdString(ownGpusPath())));
    press(w, "ownGpuCancel");
    QVERIFY(!inDialog<QDialog>(nullptr));
}

/// Cards or ranks that are unlike have no shortfall in common: the fullest one's is what has to be made up for.
void WindowHardwareTest::shortOnTheFullest() {
    Scenario s = firstScenario();
    s.workload.sequences = Count(40);
    Plan plan = evaluate(s);
    const auto tile = [&] { return figuresOf(s, plan, SizeUnit::Decimal)[4]; };
    const auto text = [](Bytes bytes) { return translated(writeBytes(bytes, SizeUnit::Decimal)); };
    const Bytes each = -plan.gpus.front().free;
    QVERIFY(each > Bytes(0));
    QCOMPARE(tile().detail, text(each) + QStringLiteral(" a GPU"));
    plan.gpus[3].free = -(each + Bytes(7'000'000'000));
    plan.gpus[5].free = Bytes(4'000'000'000);
    QCOMPARE(tile().name, QStringLiteral("Short by"));
    QCOMPARE(tile().detail, text(each + Bytes(7'000'000'000)) + QStringLiteral(" on GPU 3"));
    QVERIFY2(tile().tip.contains(QStringLiteral("On 7 of 8 GPUs")), qPrintable(tile().tip));
}

/// The tile has what the attention must keep; what the engine takes is said where it is more than pages round up.
void WindowHardwareTest::whatAnEngineTakes() {
    const auto tile = [](const char *text) {
        const Parsed<Scenario> made = readScenario(*parseJson(text, "t").value, {}, firstScenario());
        return figuresOf(*made, evaluate(*made), SizeUnit::Decimal)[1];
    };
    const Figure paper = tile(R"({"model": {"preset": "mistral-7b-v0.1"}, "workload": {"context": 32768, "sequences": 8}, "hardware": {"gpu": "h200-sxm-141gb", "count": 1}, "parallel": {"tp": 1}})");
    QCOMPARE(paper.value, QStringLiteral("536.9 MB"));
    QCOMPARE(paper.detail, QStringLiteral("at 32,768 tokens"));
    const Figure full = tile(R"({"model": {"preset": "mistral-7b-v0.1"}, "workload": {"context": 32768, "sequences": 8}, "hardware": {"gpu": "h200-sxm-141gb", "count": 1}, "parallel": {"tp": 1}, "engine": {"id": "tensorrt-llm"}})");
    QCOMPARE(full.value, paper.value);
    QCOMPARE(full.detail, QStringLiteral("4.3 GB on a GPU"));
    const Figure divided = tile(R"({"workload": {"context": 32768, "sequences": 8}, "engine": {"id": "vllm"}})");
    QCOMPARE(divided.detail, paper.detail);
    QVERIFY2(divided.tip.contains(QStringLiteral("takes for it on the fullest GPU: 1.3 GB")), qPrintable(divided.tip));
}

void WindowHardwareTest::inTheLocalesMarks() {
    const WindowFixture w;
    writeNumbersLike(QLocale(QStringLiteral("de_DE")));
    const auto back = qScopeGuard([] { writeNumbersLike(QLocale::c()); });
    chooseByTyping(w, "gpuChooser", QStringLiteral("own gpu"));
    fill("ownGpuName", QStringLiteral("Bench card"));
    fill("ownGpuMemory", QStringLiteral("24,5 GB"));
    fill("ownGpuUsable", QStringLiteral("24.095 MiB"));
    fill("ownGpuBandwidth", QStringLiteral("1,008 TB/s"));
    press(w, "ownGpuSave");
    QVERIFY(!inDialog<QDialog>(nullptr));
    const auto check = [] {
        const Gpu *gpu = findGpu("bench-card");
        QVERIFY(gpu);
        QCOMPARE(gpu->marketed, Bytes(24'500'000'000));
        QCOMPARE(gpu->framework, Bytes(std::int64_t(24095) * 1024 * 1024));
        QCOMPARE(gpu->bandwidthGBs, 1008.0);
    };
    check();
    // Shown and saved again it is the same.
    chooseByTyping(w, "gpuChooser", QStringLiteral("own gpu"));
    inDialog<QComboBox>("ownGpuChoice")->setCurrentIndex(1);
    QCOMPARE(inDialog<QLineEdit>("ownGpuMemory")->text(), QStringLiteral("24,5 GB"));
    press(w, "ownGpuSave");
    check();
    // Options of an engine alike, and plain where they are kept.
    w.choose("engineCombo", QStringLiteral("vllm"));
    w.click("engineOptionsFold");
    w.type("option_gpu_memory_utilization", QStringLiteral("0,85"));
    w.type("option_max_model_len", QStringLiteral("32.768"));
    const Json &options = w.window->document()->scenario().engine.options;
    QCOMPARE(writeJson(*options.find("gpu_memory_utilization")), std::string("0.85"));
    QCOMPARE(writeJson(*options.find("max_model_len")), std::string("32768"));
    QCOMPARE(w.find<QLineEdit>("option_gpu_memory_utilization")->text(), QStringLiteral("0,85"));
    QVERIFY2(!w.window->document()->isRefused(), qPrintable(w.message()));
}

void WindowHardwareTest::changedAndRemoved() {
    const WindowFixture w;
    chooseByTyping(w, "gpuChooser", QStringLiteral("own gpu"));
    fill("ownGpuName", QStringLiteral("Bench card"));
    fill("ownGpuMemory", QStringLiteral("96 GB"));
    press(w, "ownGpuSave");
    const auto said = [&w] { // by a view that keeps what it computed
        w.window->dashboard()->settle();
        QStringList all;
        for (const QAbstractButton *lever : w.window->findChildren<QAbstractButton *>())
            if (lever->objectName().startsWith(QLatin1String("lever_")))
                all += lever->accessibleName();
        return all;
    };
    w.window->findChild<QAction *>(QStringLiteral("leversAction"))->trigger();
    w.settle();
    const QStringList before = said();
    QVERIFY(!before.isEmpty());
    // The card in use is shown to be changed.
    chooseByTyping(w, "gpuChooser", QStringLiteral("own gpu"));
    QCOMPARE(inDialog<QComboBox>("ownGpuChoice")->currentText(), QStringLiteral("Bench card"));
    QCOMPARE(inDialog<QLineEdit>("ownGpuMemory")->text(), QStringLiteral("96 GB"));
    fill("ownGpuMemory", QStringLiteral("128 GB"));
    press(w, "ownGpuSave");
    QCOMPARE(findGpu("bench-card")->marketed, Bytes(128'000'000'000));
    QCOMPARE(w.window->document()->plan().gpus.front().memory, Bytes(128'000'000'000));
    QVERIFY(said() != before);
    chooseByTyping(w, "gpuChooser", QStringLiteral("own gpu"));
    press(w, "ownGpuRemove");
    press(w, "ownGpuCancel");
    QCOMPARE(readOwnGpus()->size(), std::size_t(0));
    // The scenario that uses it goes on.
    QVERIFY(w.window->document()->plan().ok());
    QCOMPARE(w.window->document()->plan().gpus.front().memory, Bytes(128'000'000'000));
}

void WindowHardwareTest::thisMachine() {
    const Tools tools;
    tools.add("nvidia-smi", "NVIDIA GeForce RTX 4090, 24564, 1203, Enabled\nNVIDIA GeForce RTX 4090, 24564, 4, Disabled\n");
    const WindowFixture w;
    chooseByTyping(w, "gpuChooser", QStringLiteral("this machine"));
    w.waitForFile();
    const Scenario &s = w.window->document()->scenario();
    QCOMPARE(s.hardware.gpu, std::string("rtx-4090-24gb"));
    QCOMPARE(s.hardware.count, Count(2));
    QVERIFY2(w.message().contains(QStringLiteral("2 × GeForce RTX 4090")), qPrintable(w.message()));
}

void WindowHardwareTest::thisMachineWithoutTools() {
    const Tools tools;
    const WindowFixture w;
    chooseByTyping(w, "gpuChooser", QStringLiteral("this machine"));
    w.waitForFile();
    QVERIFY2(w.message().contains(QLatin1String("nvidia-smi")), qPrintable(w.message()));
    QCOMPARE(w.window->document()->scenario().hardware.gpu, std::string("h100-sxm-80gb"));
}

void WindowHardwareTest::anUnknownCardBecomesOwn() {
    const Tools tools;
    tools.add("nvidia-smi", "NVIDIA Future 9, 40960, 0, Disabled\n");
    const WindowFixture w;
    chooseByTyping(w, "gpuChooser", QStringLiteral("this machine"));
    w.waitForFile();
    QCOMPARE(readOwnGpus()->size(), std::size_t(1));
    QCOMPARE(w.window->document()->scenario().hardware.gpu, readOwnGpus()->front().id);
    QVERIFY2(w.message().contains(QLatin1String("your own GPUs")), qPrintable(w.message()));
}

void WindowHardwareTest::aBrokenListIsSaid() {
    QDir().mkpath(QFileInfo(QString::fromStdString(ownGpusPath())).path());
    QFile file(QString::fromStdString(ownGpusPath()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"gpus\": [");
    file.close();
    reloadGpus();
    const WindowFixture w;
    QVERIFY2(w.message().contains(QLatin1String("gpus.json")), qPrintable(w.message()));
    chooseByTyping(w, "gpuChooser", QStringLiteral("own gpu"));
    QVERIFY2(inDialog<QLabel>("ownGpuFault")->text().contains(QLatin1String("gpus.json")), "said before anything is typed");
    inDialog<QLineEdit>("ownGpuName")->setText(QStringLiteral("X"));
    inDialog<QLineEdit>("ownGpuMemory")->setText(QStringLiteral("24 GB"));
    press(w, "ownGpuSave");
    QVERIFY(inDialog<QLabel>("ownGpuFault")->text().contains(QLatin1String("left as it is")));
    press(w, "ownGpuCancel");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("{\"gpus\": ["));
}

void WindowHardwareTest::displayAmongTheOptions() {
    const WindowFixture w;
    w.choose("engineCombo", QStringLiteral("llama-cpp"));
    w.click("engineOptionsFold");
    w.type("displayEdit", QStringLiteral("1.5 GiB"));
    QCOMPARE(w.window->document()->scenario().hardware.display, Bytes(3 * (std::int64_t{1} << 29)));
    QCOMPARE(w.window->document()->plan().gpus.front().display, w.window->document()->scenario().hardware.display);
    QCOMPARE(w.find<QLineEdit>("displayEdit")->text(), QStringLiteral("1,536 MiB"));
    w.type("displayEdit", QStringLiteral("much"));
    QVERIFY2(w.message().contains(QLatin1String("80GiB")), qPrintable(w.message()));
    w.type("displayEdit", QStringLiteral("0"));
    QCOMPARE(w.window->document()->scenario().hardware.display, Bytes(0));
}

void WindowHardwareTest::unlikeCards() {
    const WindowFixture w;
    QVERIFY(!w.find<QWidget>("deviceAdd")->isVisible()); // the textbook takes alike cards
    w.choose("engineCombo", QStringLiteral("llama-cpp"));
    QVERIFY(w.find<QWidget>("deviceAdd")->isVisible());
    chooseByTyping(w, "gpuChooser", QStringLiteral("rtx 4090"));
    w.type("gpuCountEdit", QStringLiteral("1"));
    w.click("deviceAdd");
    const auto devices = [&w] { return w.window->document()->scenario().hardware.devices; };
    QCOMPARE(devices().size(), std::size_t(2));
    QVERIFY(!w.find<QWidget>("tpEdit")->isVisible());
    chooseByTyping(w, "deviceChooser1", QStringLiteral("rtx 3090 24"));
    QCOMPARE(devices()[1].gpu, std::string("rtx-3090-24gb"));
    w.type("deviceCount1", QStringLiteral("2"));
    QCOMPARE(devices()[1].count, Count(2));
    QCOMPARE(w.window->document()->scenario().hardware.count, Count(3));
    QCOMPARE(w.window->document()->plan().gpus.size(), std::size_t(3));
    QVERIFY2(w.headline().contains(QStringLiteral("1 × GeForce RTX 4090 24 GB + 2 × GeForce RTX 3090 24 GB")), qPrintable(w.headline()));
    // The first kind's number is beside it.
    w.type("gpuCountEdit", QStringLiteral("4"));
    QCOMPARE(devices()[0].count, Count(4));
    w.click("deviceRemove1");
    w.settle();
    QVERIFY(devices().empty());
    QCOMPARE(w.window->document()->scenario().hardware.count, Count(4));
    QVERIFY(!w.window->findChild<QWidget *>(QStringLiteral("deviceChooser1")));
}

void WindowHardwareTest::unlikeCardsUnderAnotherEngine() {
    const WindowFixture w;
    w.choose("engineCombo", QStringLiteral("llama-cpp"));
    w.click("deviceAdd");
    const std::vector<Device> kept = w.window->document()->scenario().hardware.devices;
    QCOMPARE(kept.size(), std::size_t(2));
    w.choose("engineCombo", QStringLiteral("vllm"));
    w.waitForFile();
    QCOMPARE(w.window->document()->scenario().hardware.devices, kept);
    QVERIFY(!w.find<QWidget>("deviceAdd")->isVisible());
    QVERIFY2(w.message().contains(QLatin1String("llama-cpp only")), qPrintable(w.message()));
    auto *alike = w.find<QPushButton>("messageNearest1");
    QVERIFY(alike);
    QVERIFY2(alike->text().contains(QLatin1String("alike cards")), qPrintable(alike->text()));
    QTest::mouseClick(alike, Qt::LeftButton);
    w.settle();
    QVERIFY(w.window->document()->scenario().hardware.devices.empty());
    QVERIFY(w.window->document()->plan().ok());
}

KV_TEST(WindowHardwareTest)
#include "windowhardwaretest.moc"
