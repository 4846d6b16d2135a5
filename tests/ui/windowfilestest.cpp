// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/evaluate.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/dialogs.h"
#include "ui/exporter.h"
#include "ui/panels/hardwarepanel.h"
#include "ui/words.h"

using namespace kv;
using namespace kv::test;

namespace {

QString written(const QTemporaryDir &folder, const char *name, const QByteArray &content) {
    const QString path = folder.filePath(QLatin1String(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", name);
    return path;
}

const QByteArray smallConfig = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048,
  "intermediate_size": 8192, "max_position_embeddings": 8192, "num_attention_heads": 32, "num_hidden_layers": 16,
  "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 128256, "torch_dtype": "bfloat16", "tie_word_embeddings": true})";

/// The file dialog answers with a name in this folder; whether the one that it grows to is overwritten, is asked here.
struct SaveDialogs {
    explicit SaveDialogs(const QTemporaryDir &folder) {
        dialogs().saveFile = [this, &folder](QWidget *, const QString &, const QString &, const QString &) { return folder.filePath(typed); };
        dialogs().overwrite = [this](QWidget *, const QString &path) {
            asked += path;
            return agreed;
        };
    }
    ~SaveDialogs() { dialogs() = before; }
    SaveDialogs(const SaveDialogs &) = delete;
    SaveDialogs &operator=(const SaveDialogs &) = delete;

    const Dialogs before = dialogs();
    QString typed = QStringLiteral("plan");
    QStringList asked;
    bool agreed = false;
};

} // namespace

// What comes into a window and what leaves it: opened, dropped, pasted, saved.
class WindowFilesTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void opensAConfig();
    void refusesWhatItCannotRead_data();
    void refusesWhatItCannotRead();
    void savesAndOpens();
    void neverOverwritesUnasked();
    void asksAboutTheWholeName();
    void exportsAskAsWell_data();
    void exportsAskAsWell();
    void unsavedWorkStays();
    void pastes();
    void launchCommands();
};

void WindowFilesTest::opensAConfig() {
    const QTemporaryDir folder;
    WindowFixture w;
    QDir(folder.path()).mkdir(QStringLiteral("small"));
    w.drop(written(folder, "small/config.json", smallConfig));
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message()));
    QVERIFY(w.window->document()->scenario().model.spec);
    QCOMPARE(w.window->document()->scenario().model.spec->layerCount(), 16);
    QVERIFY(w.shown("modelFacts").contains(QStringLiteral("16")));
    QCOMPARE(w.shown("tileKvPerToken"), QStringLiteral("32.8 kB"));
    QCOMPARE(w.window->document()->undoStack()->count(), 1);
    w.window->document()->undoStack()->undo();
    w.settle();
    QCOMPARE(w.shown("tileKvPerToken"), QStringLiteral("327.7 kB"));

    // The same by the button and the dialog.
    const QString path = folder.filePath(QStringLiteral("small/config.json"));
    const Dialogs before = dialogs();
    dialogs().openFile = [path](QWidget *, const QString &, const QString &, const QString &) { return path; };
    w.click("openConfigButton");
    w.waitForFile();
    dialogs() = before;
    QCOMPARE(w.shown("tileKvPerToken"), QStringLiteral("32.8 kB"));
}

void WindowFilesTest::refusesWhatItCannotRead_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("word");
    QTest::newRow("no JSON") << QByteArray("{\"hidden_size\": 8192,") << QStringLiteral("JSON");
    QTest::newRow("empty") << QByteArray() << QStringLiteral("JSON");
    QTest::newRow("a key is missing") << QByteArray("{\"model_type\": \"llama\", \"hidden_size\": 8192, \"num_attention_heads\": 64}")
                                      << QStringLiteral("num_hidden_layers");
    QTest::newRow("no UTF-8") << QByteArray("{\"model_type\": \"\xff\"}") << QStringLiteral("UTF-8");
}

void WindowFilesTest::refusesWhatItCannotRead() {
    QFETCH(QByteArray, content);
    QFETCH(QString, word);
    const QTemporaryDir folder;
    WindowFixture w;
    w.drop(written(folder, "config.json", content));
    QVERIFY2(w.message().contains(word), qPrintable(w.message()));
    QCOMPARE(w.window->document()->scenario(), firstScenario());
    QCOMPARE(w.window->document()->undoStack()->count(), 0);
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("429.5 GB"));
    QVERIFY(!w.find<QWidget>("veil")->isVisible());
}

void WindowFilesTest::savesAndOpens() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine"));
    const Dialogs before = dialogs();
    dialogs().saveFile = [path](QWidget *, const QString &, const QString &, const QString &) { return path; };
    Scenario saved;
    {
        WindowFixture w;
        w.type("contextEdit", QStringLiteral("64k"));
        w.click("kvFp8");
        QVERIFY(w.window->isWindowModified());
        w.window->findChild<QAction *>(QStringLiteral("saveAction"))->trigger();
        w.settle();
        QVERIFY(!w.window->isWindowModified());
        QVERIFY(w.shown("statusFile").contains(QStringLiteral("mine.kvplan")));
        QVERIFY(w.shown("statusFile").contains(QStringLiteral("saved")));
        saved = w.window->document()->scenario();
        QCOMPARE(w.program.settings()->recentFiles().constFirst(), path + QStringLiteral(".kvplan"));
    }
    forgetEverything();
    WindowFixture w;
    w.drop(path + QStringLiteral(".kvplan"));
    QCOMPARE(w.window->document()->scenario().workload, saved.workload);
    QCOMPARE(w.window->document()->scenario().kv, saved.kv);
    QCOMPARE(w.shown("tileKvPerToken"), QStringLiteral("163.8 kB"));
    QVERIFY(!w.window->isWindowModified());
    dialogs() = before;
}

void WindowFilesTest::neverOverwritesUnasked() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("plan.kvplan"));
    const Dialogs before = dialogs();
    dialogs().saveFile = [path](QWidget *, const QString &, const QString &, const QString &) { return path; };
    WindowFixture w;
    QAction *save = w.window->findChild<QAction *>(QStringLiteral("saveAction"));
    save->trigger();
    w.type("contextEdit", QStringLiteral("64k"));
    const QByteArray theirs("{\"kvplan\": 1}");
    written(folder, "plan.kvplan", theirs);
    save->trigger();
    w.settle();
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), theirs);
    file.close();
    QVERIFY(w.window->isWindowModified());
    QVERIFY(w.message().contains(QStringLiteral("another program")));
    w.click("messageOverwrite");
    QVERIFY(!w.window->isWindowModified());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("65536"));
    dialogs() = before;
}

void WindowFilesTest::asksAboutTheWholeName() {
    const QTemporaryDir folder;
    const QByteArray theirs("{\"kvplan\": 1}");
    QFile file(written(folder, "plan.kvplan", theirs));
    SaveDialogs said(folder);
    WindowFixture w;
    QAction *saveAs = w.window->findChild<QAction *>(QStringLiteral("saveAsAction"));
    saveAs->trigger();
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), theirs);
    file.close();
    QCOMPARE(said.asked, QStringList{file.fileName()});
    said.agreed = true;
    saveAs->trigger();
    QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll() != theirs);
    QCOMPARE(w.window->document()->fileName(), file.fileName());
}

void WindowFilesTest::exportsAskAsWell_data() {
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<QString>("suffix");
    QTest::newRow("a picture") << QByteArray("exportAction") << QStringLiteral("png");
    QTest::newRow("a report") << QByteArray("exportReportAction") << QStringLiteral("html");
    QTest::newRow("data") << QByteArray("exportDataAction") << QStringLiteral("csv");
    QTest::newRow("a page's picture") << QByteArray("growthSaveImage") << QStringLiteral("png");
    QTest::newRow("a page as Markdown") << QByteArray("growthSaveMarkdown") << QStringLiteral("md");
    QTest::newRow("a page as CSV") << QByteArray("growthSaveCsv") << QStringLiteral("csv");
}

// The file dialog asks about the name as typed; the name that it grows to may be another's.
void WindowFilesTest::exportsAskAsWell() {
    QFETCH(QByteArray, action);
    QFETCH(QString, suffix);
    const QTemporaryDir folder;
    SaveDialogs said(folder);
    WindowFixture w;
    const QString whole = QStringLiteral("plan.") + suffix, path = folder.filePath(whole);
    const auto leave = [&] {
        w.window->findChild<QAction *>(QLatin1String(action))->trigger();
        w.window->exporter()->finish();
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QVERIFY(!leave().isEmpty());
    QVERIFY(said.asked.isEmpty()); // nothing was there
    const QByteArray theirs("theirs");
    written(folder, utf8(whole).c_str(), theirs);
    QCOMPARE(leave(), theirs);
    QCOMPARE(said.asked, QStringList{path});
    said.agreed = true;
    QVERIFY(leave() != theirs);
    QCOMPARE(said.asked.size(), 2);
    said.typed = whole; // about this one the dialog has asked
    leave();
    QCOMPARE(said.asked.size(), 2);
}

void WindowFilesTest::unsavedWorkStays() {
    const QTemporaryDir folder;
    WindowFixture w;
    w.type("contextEdit", QStringLiteral("64k"));
    const QString path = written(folder, "other.kvplan", R"({"kvplan": 1, "scenarios": [{"model": {"preset": "llama-3.1-70b"}, "workload": {"context": 4096}}]})");
    w.drop(path);
    QCOMPARE(w.window->document()->scenario().workload.context, Tokens(65536));
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message()));
    QCOMPARE(w.program.windows().size(), 2);
    QCOMPARE(w.program.windows().constLast()->document()->scenario().workload.context, Tokens(4096));
}

void WindowFilesTest::pastes() {
    WindowFixture w;
    QAction *paste = w.window->findChild<QAction *>(QStringLiteral("pasteAction"));
    QGuiApplication::clipboard()->setText(QString::fromUtf8(smallConfig));
    paste->trigger();
    w.waitForFile();
    QCOMPARE(w.shown("tileKvPerToken"), QStringLiteral("32.8 kB"));
    QGuiApplication::clipboard()->setText(QStringLiteral("good morning"));
    paste->trigger();
    w.waitForFile();
    QVERIFY(!w.message().isEmpty());
    QCOMPARE(w.shown("tileKvPerToken"), QStringLiteral("32.8 kB"));
    w.window->findChild<QAction *>(QStringLiteral("copySummaryAction"))->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("32.8 kB")));
}

void WindowFilesTest::launchCommands() {
    WindowFixture w;
    QVERIFY(!w.find<QWidget>("launchLine")->isVisible()); // the textbook starts nothing
    w.choose("engineCombo", QStringLiteral("vllm"));
    QVERIFY(w.find<QWidget>("launchLine")->isVisible());
    const QString line = w.find<QLineEdit>("launchLine")->text();
    QVERIFY2(line.startsWith(QStringLiteral("vllm serve ")) && line.contains(QStringLiteral("--tensor-parallel-size 8")), qPrintable(line));
    w.click("launchCopy");
    QCOMPARE(QGuiApplication::clipboard()->text(), line);

    // Another's command, pasted: the scenario follows in one step.
    QGuiApplication::clipboard()->setText(QStringLiteral("vllm serve meta-llama/Llama-3.1-8B-Instruct --tensor-parallel-size 2 --max-model-len 32768 --kv-cache-dtype fp8"));
    const int steps = w.window->document()->undoStack()->count();
    w.click("launchPaste");
    w.waitForFile();
    const Scenario &s = w.window->document()->scenario();
    QCOMPARE(degreesOf(s).tp, 2);
    QCOMPARE(s.workload.context, Tokens(32768));
    QCOMPARE(w.window->document()->undoStack()->count(), steps + 1);
    QVERIFY(!w.window->document()->isRefused());
    QGuiApplication::clipboard()->setText(QStringLiteral("vllm serve 'an open quote"));
    w.window->findChild<QAction *>(QStringLiteral("pasteAction"))->trigger();
    w.waitForFile();
    QVERIFY(!w.message().isEmpty());
    QCOMPARE(w.window->document()->undoStack()->count(), steps + 1);
    w.window->findChild<QAction *>(QStringLiteral("undoAction"))->trigger();
    w.settle();
    QCOMPARE(w.find<QLineEdit>("launchLine")->text(), line);
}

KV_TEST(WindowFilesTest)
#include "windowfilestest.moc"
