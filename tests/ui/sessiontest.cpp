// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/testpaths.h"
#include "tests/ui/windowfixture.h"
#include "ui/dialogs.h"

using namespace kv;
using namespace kv::test;

namespace {

QStringList kept() {
    QStringList files;
    QDirIterator walk(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/session"),
                      {QStringLiteral("*.window")}, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext())
        files += walk.next();
    return files;
}

std::optional<KeptWindow> keptIn(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? Session::fromBytes(file.readAll()) : std::nullopt;
}

/// While it lives, a file stands where the folder of all sessions would be made: a home that cannot be written to, for root as well.
class NoSession {
public:
    explicit NoSession(bool none) : m_file(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/session")) {
        QDir().mkpath(QFileInfo(m_file).absolutePath());
        if (none && !m_file.open(QIODevice::WriteOnly))
            qFatal("cannot write %s", qPrintable(m_file.fileName()));
    }
    ~NoSession() {
        if (m_file.isOpen())
            m_file.remove();
    }
    NoSession(const NoSession &) = delete;
    NoSession &operator=(const NoSession &) = delete;

private:
    QFile m_file;
};

} // namespace

class SessionTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void writtenSoonAfterAChange();
    void comesBackAsItWas();
    void survivesAKill();
    void runningProgramsKeepTheirOwn();
    void damagedFilesAreLeft_data();
    void damagedFilesAreLeft();
    void quittingWithoutIt_data();
    void quittingWithoutIt();
    void saidWhileItLasts();
    void settingsAreTolerant();
    void closingOneOfTwoAsks();
};

void SessionTest::writtenSoonAfterAChange() {
    WindowFixture w;
    w.program.session()->settle();
    w.type("contextEdit", QStringLiteral("64k"));
    const auto context = [&w] {
        w.program.session()->settle();
        const auto window = kept().isEmpty() ? std::nullopt : keptIn(kept().constFirst());
        return window ? window->document.scenarios.front().workload.context.value : 0;
    };
    QTRY_COMPARE_WITH_TIMEOUT(context(), 65536, 2000);
}

void SessionTest::comesBackAsItWas() {
    Scenario before;
    {
        WindowFixture w;
        w.type("contextEdit", QStringLiteral("64k"));
        w.click("kvInt8");
        before = w.window->document()->scenario();
        QVERIFY(w.program.quit());
        w.program.session()->settle();
        w.program.session()->close();
    }
    WindowFixture w;
    QCOMPARE(w.window->document()->scenario().workload, before.workload);
    QCOMPARE(w.window->document()->scenario().kv, before.kv);
    QVERIFY(w.window->document()->isModified());
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message())); // it ended in order
}

void SessionTest::survivesAKill() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("config.json"));
    QFile config(path);
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192,
        "max_position_embeddings": 8192, "num_attention_heads": 32, "num_hidden_layers": 16, "num_key_value_heads": 8, "head_dim": 64,
        "vocab_size": 128256, "torch_dtype": "bfloat16"})");
    config.close();
    QProcess other;
    other.start(QString::fromLocal8Bit(programPath()), {path});
    QVERIFY(other.waitForStarted());
    const auto opened = [] {
        for (const QString &file : kept())
            if (const auto window = keptIn(file); window && window->document.scenarios.front().model.spec->layerCount() == 16)
                return true;
        return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(opened(), 30000);
    other.kill();
    QVERIFY(other.waitForFinished());
    WindowFixture w;
    QCOMPARE(w.window->document()->scenario().model.spec->layerCount(), 16);
    QVERIFY(w.message().contains(QStringLiteral("unexpectedly")));
    QCOMPARE(w.shown("tileKvPerToken"), QStringLiteral("32.8 kB"));
}

void SessionTest::runningProgramsKeepTheirOwn() {
    WindowFixture first;
    first.type("contextEdit", QStringLiteral("64k"));
    first.program.session()->settle();
    Session second;
    QVERIFY(second.takeOver(false).empty());
}

void SessionTest::damagedFilesAreLeft_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("cut") << QByteArray("{\"document\": \"{\"");
    QTest::newRow("cut inside") << QByteArray("{\"document\": \"{\"}");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("of a newer program") << QByteArray(R"({"document": "{\"kvplan\": 99, \"scenarios\": []}"})");
}

void SessionTest::damagedFilesAreLeft() {
    QFETCH(QByteArray, content);
    {
        WindowFixture w;
        w.program.session()->settle();
    }
    const QString path = kept().constFirst();
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    {
        WindowFixture w;
        QCOMPARE(w.window->document()->scenario(), firstScenario());
        QVERIFY2(w.message().contains(path), qPrintable(w.message()));
    }
    WindowFixture w; // it was said
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), content);
}

void SessionTest::quittingWithoutIt_data() {
    QTest::addColumn<bool>("keeps");
    QTest::addColumn<int>("answer");
    QTest::addColumn<bool>("quits");
    QTest::newRow("kept") << true << int(Keep::Cancel) << true;
    QTest::newRow("not kept, stays") << false << int(Keep::Cancel) << false;
    QTest::newRow("not kept, thrown away") << false << int(Keep::Discard) << true;
    QTest::newRow("not kept, saved") << false << int(Keep::Save) << true;
}

// What has no file waits for the next start only where it is kept until then.
void SessionTest::quittingWithoutIt() {
    QFETCH(bool, keeps);
    QFETCH(int, answer);
    QFETCH(bool, quits);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("plan.kvplan"));
    const Dialogs before = dialogs();
    int asked = 0;
    dialogs().keepChanges = [&](QWidget *, const QString &) {
        ++asked;
        return Keep(answer);
    };
    dialogs().saveFile = [&path](QWidget *, const QString &, const QString &, const QString &) { return path; };
    const NoSession none(!keeps);
    WindowFixture w;
    w.type("contextEdit", QStringLiteral("64k"));
    const bool went = w.program.quit();
    dialogs() = before;
    QCOMPARE(went, quits);
    QCOMPARE(asked, keeps ? 0 : 1);
    QCOMPARE(QFile::exists(path), Keep(answer) == Keep::Save);
    w.program.session()->settle();
    QCOMPARE(kept().size(), keeps ? 1 : 0);
}

void SessionTest::saidWhileItLasts() {
    auto none = std::make_unique<NoSession>(true);
    WindowFixture w;
    const auto kept = [&w] {
        w.window->findChild<Autosave *>()->write();
        w.program.session()->settle();
        w.settle();
    };
    kept();
    QVERIFY2(w.message().contains(QStringLiteral("kept")), qPrintable(w.message()));
    w.window->hint(QStringLiteral("something else"));
    QCOMPARE(w.message(), QStringLiteral("something else"));
    w.click("messageClose");
    QVERIFY2(w.message().contains(QStringLiteral("kept")), qPrintable(w.message()));
    none.reset();
    kept();
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message()));
}

void SessionTest::settingsAreTolerant() {
    QSettings raw;
    raw.setValue(QStringLiteral("view/unit"), QStringLiteral("parsec"));
    raw.setValue(QStringLiteral("view/theme"), 17);
    raw.setValue(QStringLiteral("view/zoom"), QStringLiteral("huge"));
    raw.setValue(QStringLiteral("window/geometry"), QByteArray("nonsense"));
    raw.setValue(QStringLiteral("files/recent"), QStringList{QStringLiteral("relative"), QStringLiteral("/a"), QStringLiteral("/a")});
    Settings settings;
    QCOMPARE(settings.unit(), SizeUnit::Decimal);
    QCOMPARE(settings.scheme(), Scheme::System);
    QCOMPARE(settings.zoom(), 100);
    QCOMPARE(settings.recentFiles(), QStringList{QStringLiteral("/a")});
    WindowFixture w;
    QVERIFY(w.window->isVisible());
    for (int i = 0; i < 20; ++i)
        settings.addRecent(QStringLiteral("/file%1").arg(i));
    QCOMPARE(settings.recentFiles().size(), 10);
    QCOMPARE(settings.recentFiles().constFirst(), QStringLiteral("/file19"));
}

void SessionTest::closingOneOfTwoAsks() {
    const Dialogs before = dialogs();
    int asked = 0;
    Keep answer = Keep::Cancel;
    dialogs().keepChanges = [&](QWidget *, const QString &) {
        ++asked;
        return answer;
    };
    WindowFixture w;
    w.program.newWindow();
    w.type("contextEdit", QStringLiteral("64k"));
    w.window->close();
    QCOMPARE(asked, 1);
    QVERIFY(w.window->isVisible());
    answer = Keep::Discard;
    const QPointer<MainWindow> gone(w.window);
    w.window->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(!gone);
    QCOMPARE(w.program.windows().size(), 1);
    dialogs() = before;
}

KV_TEST(SessionTest)
#include "sessiontest.moc"
