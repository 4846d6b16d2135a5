// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/catalogue.h"
#include "core/log/reconcile.h"
#include "core/plan/evaluate.h"
#include "core/scenario/measured.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/dialogs.h"

using namespace kv;
using namespace kv::test;

namespace {

const QByteArray startUpLog =
    "INFO 02-11 09:12:01 api_server.py:206] vLLM API server version 0.9.1\n"
    "INFO 02-11 09:12:09 llm_engine.py:234] Initializing an LLM engine (v0.9.1) with config: model='meta-llama/Llama-3.1-8B-Instruct', "
    "speculative_config=None, tokenizer='meta-llama/Llama-3.1-8B-Instruct', dtype=torch.bfloat16, max_seq_len=32768, tensor_parallel_size=1, "
    "pipeline_parallel_size=1, quantization=None, kv_cache_dtype=auto\n"
    "some other program says hello\n"
    "INFO 02-11 09:12:31 model_runner.py:1115] Loading model weights took 14.9889 GB\n"
    "INFO 02-11 09:12:44 worker.py:241] the current vLLM instance can use total_gpu_memory (79.19GiB) x gpu_memory_utilization (0.90) = 71.27GiB\n"
    "INFO 02-11 09:12:44 worker.py:241] model weights take 14.99GiB; non_torch_memory takes 0.31GiB; PyTorch activation peak memory takes "
    "1.22GiB; the rest of the memory reserved for KV Cache is 54.75GiB.\n"
    "INFO 02-11 09:12:45 executor_base.py:112] # GPU blocks: 28032, # CPU blocks: 2048\n"
    "INFO 02-11 09:12:45 executor_base.py:117] Maximum concurrency for 32768 tokens per request: 13.69x\n";

void checkOpen(const WindowFixture &w) {
    const Scenario &s = w.window->document()->scenario();
    QCOMPARE(s.engine.id, std::string("vllm"));
    QCOMPARE(s.workload.context, Tokens(32768));
    QCOMPARE(s.model.spec->name, (*presetModel("llama-3.1-8b").value)->name);
    QVERIFY(w.find<QWidget>("logPanel")->isVisible());
    QVERIFY2(w.shown("logTitle").contains(QStringLiteral("vLLM 0.9.1")), qPrintable(w.shown("logTitle")));
    const QString text = w.find<QTextBrowser>("logText")->toPlainText();
    QVERIFY2(text.contains(QStringLiteral("Logged")) && text.contains(QStringLiteral("448,512")), qPrintable(text)); // 28,032 blocks of 16
}

} // namespace

// A start-up log beside the plan: opened, dropped or pasted, compared, and taken over.
class WindowLogTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void opened();
    void dropped();
    void pasted();
    void calibrated();
    void whatIsNoLog();
};

void WindowLogTest::opened() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("server")); // by the dialog a log may be called anything
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(startUpLog) == startUpLog.size());
    file.close();
    WindowFixture w;
    const Dialogs before = dialogs();
    dialogs().openFile = [path](QWidget *, const QString &, const QString &, const QString &) { return path; };
    w.window->findChild<QAction *>(QStringLiteral("openLogAction"))->trigger();
    w.waitForFile();
    dialogs() = before;
    checkOpen(w);
    QCOMPARE(w.window->document()->undoStack()->count(), 1);
    w.click("logClose");
    QVERIFY(!w.find<QWidget>("logPanel")->isVisible());
    QVERIFY(w.find<QTextBrowser>("explainPanel")->isVisible());
    w.window->findChild<QAction *>(QStringLiteral("undoAction"))->trigger();
    w.settle();
    QCOMPARE(w.window->document()->scenario(), firstScenario());
}

void WindowLogTest::dropped() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("vllm.log"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(startUpLog) == startUpLog.size());
    file.close();
    WindowFixture w({1024, 700});
    w.drop(path);
    checkOpen(w);
    QVERIFY(w.program.settings()->recentFiles().isEmpty()); // a log is no document to come back to
}

void WindowLogTest::pasted() {
    WindowFixture w;
    QGuiApplication::clipboard()->setText(QString::fromUtf8(startUpLog));
    w.window->findChild<QAction *>(QStringLiteral("pasteAction"))->trigger();
    w.waitForFile();
    checkOpen(w);
    // The panel follows what is planned.
    const QString before = w.find<QTextBrowser>("logText")->toPlainText();
    w.click("unitGib");
    QVERIFY(w.find<QTextBrowser>("logText")->toPlainText() != before);
}

void WindowLogTest::calibrated() {
    WindowFixture w;
    QGuiApplication::clipboard()->setText(QString::fromUtf8(startUpLog));
    w.window->findChild<QAction *>(QStringLiteral("pasteAction"))->trigger();
    w.waitForFile();
    const Scenario before = w.window->document()->scenario();
    QVERIFY(measuredPlaces(before).empty());
    w.click("logCalibrate");
    const Scenario after = w.window->document()->scenario();
    QVERIFY(!measuredPlaces(after).empty());
    QVERIFY(!w.find<QPushButton>("logCalibrate")->isEnabled()); // all of it is taken over
    QVERIFY(w.find<QTextBrowser>("explainPanel")->accessibleName().size() > 0);
    QCOMPARE(w.window->document()->undoStack()->count(), 2);
    QCOMPARE(w.window->document()->undoStack()->undoText(), QStringLiteral("Calibrate"));
    // What was measured is in the session, so that nothing of it is lost.
    w.window->findChild<QAction *>(QStringLiteral("undoAction"))->trigger();
    w.settle();
    QCOMPARE(w.window->document()->scenario(), before);
    QVERIFY(w.find<QPushButton>("logCalibrate")->isEnabled());
}

void WindowLogTest::whatIsNoLog() {
    WindowFixture w;
    QGuiApplication::clipboard()->setText(QStringLiteral("good morning\nand good night\n"));
    w.window->findChild<QAction *>(QStringLiteral("pasteAction"))->trigger();
    w.waitForFile();
    QVERIFY(!w.message().isEmpty());
    QVERIFY(!w.find<QWidget>("logPanel")->isVisible());
    QCOMPARE(w.window->document()->scenario(), firstScenario());
}

KV_TEST(WindowLogTest)
#include "windowlogtest.moc"
