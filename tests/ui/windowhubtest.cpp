// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/hubrecord.h"
#include "tests/core/files/checkpointbuilder.h"
#include "tests/testmain.h"
#include "tests/ui/hub/hubserver.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/searchlist.h"
#include "ui/filewatch.h"
#include "ui/hub/hubfetch.h"
#include "ui/hubdialog.h"

using namespace kv;
using namespace kv::test;

namespace {

const QByteArray commit = "0123456789abcdef0123456789abcdef01234567";

void write(const QString &path, const QByteArray &content) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// As editors do: beside it, then in its place.
void replace(const QString &path, const QByteArray &content) {
    write(path + QStringLiteral(".new"), content);
    QFile::remove(path);
    QFile::rename(path + QStringLiteral(".new"), path);
}

QByteArray configOf(int layers) { return QByteArray::fromStdString(std::string(smallConfig)).replace("\"num_hidden_layers\": 2", "\"num_hidden_layers\": " + QByteArray::number(layers)); }

} // namespace

// Models that come from the Hub while a window is open, and files that change on disk meanwhile.
class WindowHubTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void fetches();
    void saysWhatIsWrong();
    void drawsTheNameOnce();
    void cancels();
    void offersSeveral();
    void asksForAnAddress();
    void reloadsAModel();
    void keptModelsAreOffered();
    void folderIsListedBeside();
    void tellsOfAChangedPlan();
    void tellsOfAPlanThatIsGone();

private:
    void serve() {
        m_hub->serveRepository("acme/tiny", commit, {{"config.json", configOf(2)}, {"model.safetensors", QByteArray::fromStdString(shard("model.embed_tokens.weight", 1000))}});
    }
    static HubDialog *open(const WindowFixture &w) {
        w.click("fromHubButton");
        return w.find<HubDialog>("hubDialog");
    }
    static void name(const WindowFixture &w, const char *text) {
        w.find<QComboBox>("hubName")->setEditText(QString::fromLatin1(text));
        w.click("hubFetch");
    }

    static bool isWatched(const WindowFixture &w, const QString &path) {
        const auto *watch = w.window->findChild<FileWatch *>();
        return watch && watch->files().contains(path) && watch->isSettled();
    }

    std::unique_ptr<HubServer> m_hub;
};

void WindowHubTest::init() {
    forgetEverything();
    m_hub = std::make_unique<HubServer>();
    qputenv("HF_ENDPOINT", m_hub->address().toLatin1());
    qputenv("no_proxy", "*");
    QDir(QDir::homePath() + QStringLiteral("/../cache/KVPlanner")).removeRecursively();
}

void WindowHubTest::fetches() {
    serve();
    WindowFixture w;
    QPointer<HubDialog> dialog = open(w);
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(w.shown("hubWhat").contains(QStringLiteral("127.0.0.1")));
    QVERIFY(!w.find<QPushButton>("hubFetch")->isEnabled()); // nothing is named yet
    QVERIFY(m_hub->requests.isEmpty());
    name(w, "hf://acme/tiny");
    QTRY_COMPARE(w.window->document()->undoStack()->count(), 1);
    QTRY_VERIFY(!dialog || !dialog->isVisible());
    QCOMPARE(w.window->document()->undoStack()->text(0), QStringLiteral("Open acme/tiny"));
    const Scenario &scenario = w.window->document()->scenario();
    QCOMPARE(scenario.model.spec->name, std::string("acme/tiny"));
    QCOMPARE(scenario.model.spec->weights.stored, Bytes(2000));
    const auto record = readHubRecord(scenario.model.path);
    QVERIFY(record);
    QCOMPARE(record->commit, commit.toStdString());
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message()));
    QCOMPARE(w.program.settings()->hubNames(), QStringList{QStringLiteral("acme/tiny")});
    QVERIFY(w.program.settings()->folder().isEmpty());
    w.window->document()->undoStack()->undo();
    QCOMPARE(w.window->document()->scenario(), firstScenario());
}

void WindowHubTest::keptModelsAreOffered() {
    serve();
    WindowFixture w;
    const auto offered = [&w] {
        QStringList titles;
        for (const Choice &choice : w.find<SearchList>("modelChooser")->model()->choices())
            if (choice.id.startsWith(QLatin1String("path:")) && choice.group.contains(QLatin1String("Hub")))
                titles += choice.title;
        return titles;
    };
    w.waitForFile();
    QVERIFY(offered().isEmpty());
    open(w);
    name(w, "hf://acme/tiny");
    QTRY_COMPARE(w.window->document()->undoStack()->count(), 1);
    QTRY_COMPARE(offered(), QStringList{QStringLiteral("acme/tiny")}); // in this window, and in the next
    const std::string path = w.window->document()->scenario().model.path;
    w.window->document()->undoStack()->undo();
    w.settle();
    m_hub->close();
    auto *list = w.find<SearchList>("modelChooser");
    emit list->chosen(QStringLiteral("path:") + QString::fromStdString(path));
    w.waitForFile();
    QCOMPARE(w.window->document()->scenario().model.path, path);
}

/// Whatever is slow there holds no slider: a pool without a free thread stands for it.
void WindowHubTest::folderIsListedBeside() {
    const QTemporaryDir folder;
    const QString config = folder.filePath(QStringLiteral("config.json"));
    write(config, configOf(2));
    WindowFixture w;
    w.window->open(folder.path());
    w.waitForFile();
    w.waitForFile();
    QVERIFY(!w.window->document()->scenario().model.path.empty());
    auto *watch = w.window->findChild<FileWatch *>();
    QVERIFY(watch);
    QTRY_VERIFY(watch->files().contains(config));
    w.window->document()->undoStack()->undo();
    w.settle();
    QTRY_VERIFY(watch->files().isEmpty());
    QSemaphore done;
    const int threads = QThreadPool::globalInstance()->maxThreadCount();
    for (int i = 0; i < threads; ++i)
        QThreadPool::globalInstance()->start([&done] { done.acquire(); });
    w.window->document()->undoStack()->redo();
    w.settle();
    const bool early = watch->files().contains(config);
    done.release(threads);
    QVERIFY(!early);
    QTRY_VERIFY(watch->files().contains(config));
}

void WindowHubTest::saysWhatIsWrong() {
    WindowFixture w;
    QPointer<HubDialog> dialog = open(w);
    name(w, "no name at all");
    QVERIFY2(w.shown("hubFault").contains(QStringLiteral("maker/name")), qPrintable(w.shown("hubFault")));
    m_hub->serve("/api/models/acme/gated/revision/main", WebAnswer{401, {{"X-Error-Code", "GatedRepo"}}, {}});
    name(w, "acme/gated");
    QTRY_VERIFY(w.shown("hubFault").contains(QStringLiteral("licence")));
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(w.find<QWidget>("hubName")->isEnabled());
    QCOMPARE(w.window->document()->undoStack()->count(), 0);
    QCOMPARE(w.window->document()->scenario(), firstScenario());
    // What is typed next takes the sentence away.
    w.find<QComboBox>("hubName")->setEditText(QStringLiteral("acme/other"));
    QVERIFY(w.find<QWidget>("hubFault")->isHidden());
    // And it stays away when that is cancelled.
    WebAnswer silent;
    silent.silent = true;
    m_hub->serve("/api/models/acme/other/revision/main", silent);
    w.click("hubFetch");
    QTRY_COMPARE(m_hub->askedFor("/api/models/acme/other/revision/main"), 1);
    w.click("hubCancel");
    QVERIFY(w.find<QWidget>("hubFault")->isHidden());
}

void WindowHubTest::drawsTheNameOnce() {
    WindowFixture w;
    open(w);
    auto *name = w.find<QComboBox>("hubName");
    const auto behindTheEntry = [name](const char *text) {
        name->setEditText(QString::fromLatin1(text));
        QImage picture(name->size(), QImage::Format_RGB32);
        picture.fill(Qt::white);
        name->render(&picture, {}, {}, QWidget::DrawWindowBackground);
        return picture;
    };
    QCOMPARE(behindTheEntry("acme/tiny"), behindTheEntry(""));
}

void WindowHubTest::cancels() {
    WebAnswer silent;
    silent.silent = true;
    m_hub->serve("/api/models/acme/tiny/revision/main", silent);
    WindowFixture w;
    QPointer<HubDialog> dialog = open(w);
    name(w, "acme/tiny");
    QTRY_COMPARE(m_hub->requests.size(), 1);
    QVERIFY(w.find<QWidget>("hubProgress")->isVisible());
    QVERIFY(!w.find<QWidget>("hubFetch")->isEnabled());
    w.click("hubCancel");
    QVERIFY(!w.find<QWidget>("hubProgress")->isVisible());
    QVERIFY(w.shown("hubStatus").contains(QStringLiteral("Cancelled")));
    QVERIFY(w.find<QWidget>("hubFetch")->isEnabled());
    w.click("hubCancel"); // and now it goes
    QTRY_VERIFY(!dialog || !dialog->isVisible());
    QCOMPARE(w.window->document()->scenario(), firstScenario());
}

void WindowHubTest::offersSeveral() {
    const QByteArray file = QByteArray::fromStdString(smallModel().whole());
    m_hub->serveRepository("acme/tiny", commit, {{"tiny-Q4_K_M.gguf", file}, {"tiny-Q8_0.gguf", file}});
    WindowFixture w;
    open(w);
    name(w, "acme/tiny");
    auto *files = w.find<QListWidget>("hubFiles");
    QTRY_VERIFY(files->isVisible());
    QCOMPARE(files->count(), 2);
    QCOMPARE(w.window->document()->undoStack()->count(), 0);
    files->setCurrentRow(1);
    w.click("hubFetch");
    QTRY_COMPARE(w.window->document()->undoStack()->count(), 1);
    QCOMPARE(w.window->document()->scenario().model.spec->weights.source, WeightSource::GgufTable);
    QVERIFY(w.window->document()->scenario().model.path.ends_with("tiny-Q8_0.gguf"));
    QCOMPARE(w.program.settings()->hubNames(), QStringList{QStringLiteral("acme/tiny/tiny-Q8_0.gguf")});
}

void WindowHubTest::asksForAnAddress() {
    serve();
    WindowFixture w;
    QMimeData mime;
    mime.setText(QStringLiteral("https://huggingface.co/acme/tiny/tree/main"));
    QDragEnterEvent enter(w.window->rect().center(), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(w.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent fall(w.window->rect().center(), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(w.window, &fall);
    w.settle();
    QVERIFY(w.find<HubDialog>("hubDialog")->isVisible());
    QCOMPARE(w.find<QComboBox>("hubName")->currentText(), mime.text());
    QTest::qWait(100);
    QVERIFY(m_hub->requests.isEmpty()); // nobody has said yes
    w.click("hubFetch");
    QTRY_COMPARE(w.window->document()->undoStack()->count(), 1);
}

void WindowHubTest::reloadsAModel() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("config.json"));
    write(path, configOf(2));
    WindowFixture w;
    w.drop(path);
    QCOMPARE(w.window->document()->scenario().model.spec->layerCount(), 2);
    QTRY_VERIFY(isWatched(w, path));
    w.window->document()->edit(QStringLiteral("By hand"), 0, [](Scenario &s) { s.weights.bytes = Bytes(12345); });
    for (const int layers : {3, 4}) { // a file that was replaced is watched on
        replace(path, configOf(layers));
        QTRY_VERIFY2_WITH_TIMEOUT(w.message().contains(QStringLiteral("changed")), qPrintable(w.message()), 5000);
        QCOMPARE(w.window->document()->scenario().model.spec->layerCount(), layers - 1); // never by itself
        const int steps = w.window->document()->undoStack()->count();
        w.click("messageReload");
        w.waitForFile();
        QCOMPARE(w.window->document()->scenario().model.spec->layerCount(), layers);
        QCOMPARE(w.window->document()->undoStack()->count(), steps + 1);
        QCOMPARE(w.window->document()->scenario().weights.bytes, std::optional(Bytes(12345)));
    }
    w.window->document()->undoStack()->undo();
    QCOMPARE(w.window->document()->scenario().model.spec->layerCount(), 3);
    // Written again as it was: nothing to say. Broken: the last good one stays.
    replace(path, configOf(4));
    QTest::qWait(700);
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message()));
    replace(path, "{");
    QTRY_VERIFY_WITH_TIMEOUT(w.message().contains(QStringLiteral("changed")), 5000);
    w.click("messageReload");
    w.waitForFile();
    QVERIFY2(w.message().contains(QStringLiteral("JSON")), qPrintable(w.message()));
    QCOMPARE(w.window->document()->scenario().model.spec->layerCount(), 3);
}

void WindowHubTest::tellsOfAChangedPlan() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.kvplan"));
    ScenarioDocument document;
    document.scenarios = {firstScenario()};
    write(path, QByteArray::fromStdString(writeDocument(document, {})));
    WindowFixture w;
    w.drop(path);
    QCOMPARE(w.window->document()->fileName(), path);
    // One's own save is no change of another.
    w.type("contextEdit", QStringLiteral("64k"));
    w.window->findChild<QAction *>(QStringLiteral("saveAction"))->trigger();
    QTest::qWait(700);
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message()));
    document.scenarios.front().workload.sequences = Count(7);
    replace(path, QByteArray::fromStdString(writeDocument(document, {})));
    QTRY_VERIFY_WITH_TIMEOUT(w.message().contains(QStringLiteral("mine.kvplan")), 5000);
    QCOMPARE(w.window->document()->scenario().workload.context, Tokens(65536));
    w.click("messageReload");
    w.waitForFile();
    QCOMPARE(w.window->document()->scenario().workload.sequences, Count(7));
    QVERIFY(!w.window->isWindowModified());
}

void WindowHubTest::tellsOfAPlanThatIsGone() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.kvplan"));
    ScenarioDocument document;
    document.scenarios = {firstScenario()};
    const QByteArray plan = QByteArray::fromStdString(writeDocument(document, {}));
    write(path, plan);
    WindowFixture w;
    w.drop(path);
    QTRY_VERIFY(isWatched(w, path));
    QVERIFY(!w.window->isWindowModified());
    // One that is replaced is away for a moment.
    QFile::remove(path);
    QTest::qWait(400);
    write(path, plan);
    QTest::qWait(2000);
    QVERIFY2(w.message().isEmpty() && !w.window->isWindowModified(), qPrintable(w.message()));
    QFile::remove(path);
    QTRY_VERIFY_WITH_TIMEOUT(w.message().contains(QStringLiteral("not there any more")), 5000);
    QVERIFY(w.window->isWindowModified()); // what is nowhere is not saved
    w.click("messageSave");
    QTRY_VERIFY(QFile::exists(path) && !w.window->isWindowModified());
    QTest::qWait(700);
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message()));
}

KV_TEST(WindowHubTest)
#include "windowhubtest.moc"
