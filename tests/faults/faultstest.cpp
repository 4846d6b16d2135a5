// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/faultfiles.h"
#include "tests/faults/faultyfiles.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/exporter.h"

#include <cerrno>
#include <cstring>

using namespace kv;
using namespace kv::test;

// Every operation on a file fails once, each in its turn: whatever is written is afterwards the old or the new, whole; whatever is read is
// refused in words or right, never half. Nothing that a user made is lost, and the window goes on.
class FaultsTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void cleanup() { kvDisarmFaults(); }
    void savingAPlan_data() { errors(); }
    void savingAPlan();
    void exporting_data();
    void exporting();
    void reading_data();
    void reading();
    void keepingTheSession_data() { errors(); }
    void keepingTheSession();
    void quitting_data() { errors(); }
    void quitting();

private:
    static void errors();
};

namespace {

constexpr int mostOperations = 400; // far above what any of these take

/// Calls `attempt` with the first operation failing, then the second, until one attempt needs fewer; returns how many failed.
template <typename Attempt>
int eachFault(const QString &folder, int error, const Attempt &attempt) {
    for (int at = 1; at < mostOperations; ++at) {
        const auto arm = [&] { kvArmFaults(folder.toUtf8().constData(), at, error, 0); };
        const auto hit = [&] {
            const bool was = kvOperations() >= at;
            kvDisarmFaults();
            return was;
        };
        if (!attempt(arm, hit))
            return at - 1;
        if (QTest::currentTestFailed())
            return at;
    }
    return mostOperations;
}

/// Whether some session below `home` holds a window with this in it.
bool isKept(const QString &home, const char *what) {
    bool kept = false;
    for (QDirIterator it(home + QStringLiteral("/session"), {QStringLiteral("*.window")}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
        kept = contentOf(it.next()).contains(what) || kept;
    return kept;
}

} // namespace

void FaultsTest::errors() {
    QTest::addColumn<int>("error");
    for (const int error : {ENOSPC, EACCES, EIO, ENOENT, EROFS})
        QTest::newRow(std::strerror(error)) << error;
}

void FaultsTest::savingAPlan() {
    QFETCH(int, error);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("plan.kvplan"));
    const SavesTo answer(path);
    WindowFixture w;
    QAction *save = w.window->findChild<QAction *>(QStringLiteral("saveAction"));
    save->trigger();
    QVERIFY(!w.window->isWindowModified());
    int context = 1000;
    const int failed = eachFault(folder.path(), error, [&](const auto &arm, const auto &hit) {
        w.type("contextEdit", QString::number(++context));
        const Scenario wanted = w.window->document()->scenario();
        const QByteArray old = contentOf(path);
        arm();
        save->trigger();
        const bool wasHit = hit();
        w.settle();
        const QByteArray now = contentOf(path);
        const bool saved = !w.window->isWindowModified();
        [&] {
            QCOMPARE(w.window->document()->scenario(), wanted);
            QVERIFY2(saved ? now != old && now.contains(QByteArray::number(context)) : now == old, now.left(200).constData());
            QVERIFY2(saved || !w.message().isEmpty(), "not saved, and nobody said so");
            QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("plan.kvplan")});
        }();
        return wasHit;
    });
    QVERIFY(failed >= 3 || QTest::currentTestFailed()); // at least to open, to write and to rename
}

void FaultsTest::exporting_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("action");
    QTest::addColumn<int>("error");
    for (const int error : {ENOSPC, EACCES, EIO})
        for (const auto &[name, action] : {std::pair{"a.png", "exportAction"}, {"a.svg", "exportAction"}, {"a.pdf", "exportAction"}, {"a.md", "exportReportAction"},
                                           {"a.html", "exportReportAction"}, {"a.tex", "exportReportAction"}, {"a.csv", "exportDataAction"}, {"a.json", "exportDataAction"}})
            QTest::addRow("%s, %s", name, std::strerror(error)) << QString::fromLatin1(name) << QString::fromLatin1(action) << error;
}

void FaultsTest::exporting() {
    QFETCH(QString, name);
    QFETCH(QString, action);
    QFETCH(int, error);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    const SavesTo answer(path);
    WindowFixture w;
    auto *start = w.window->findChild<QAction *>(action);
    QVERIFY(start);
    const QByteArray old("what was there before");
    const int failed = eachFault(folder.path(), error, [&](const auto &arm, const auto &hit) {
        put(path, old);
        arm();
        start->trigger();
        w.window->exporter()->finish();
        const bool wasHit = hit();
        w.settle();
        const QByteArray now = contentOf(path);
        [&] {
            QVERIFY2(now == old || now.size() > 500, now.left(100).constData());
            QVERIFY2(now != old || w.message().contains(name), qPrintable(w.message()));
            QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{name});
        }();
        return wasHit;
    });
    QVERIFY(failed >= 3 || QTest::currentTestFailed());
}

void FaultsTest::reading_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("error");
    for (const int error : {EIO, EACCES, ENOENT})
        for (const char *name : {"config.json", "plan.kvplan", "trace.csv", "server.log", "lesson.json"})
            QTest::addRow("%s, %s", name, std::strerror(error)) << QString::fromLatin1(name) << error;
}

// What is opened while a read fails is refused in words; what was on show stays. A file read to its end gives the same each time.
void FaultsTest::reading() {
    QFETCH(QString, name);
    QFETCH(int, error);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    put(path, fileNamed(name));
    const auto stateOf = [](const WindowFixture &w) { return QByteArray::fromStdString(writeDocument(w.window->document()->value(), {})); };
    QByteArray whole;
    {
        WindowFixture w;
        w.drop(path);
        whole = stateOf(w);
    }
    const int failed = eachFault(folder.path(), error, [&](const auto &arm, const auto &hit) {
        forgetEverything();
        WindowFixture w;
        arm();
        w.drop(path);
        const bool wasHit = hit();
        const QByteArray now = stateOf(w);
        [&] {
            if (now == whole)
                return; // the fault hit what was not needed
            QVERIFY2(!w.message().isEmpty(), "nothing was read, and nobody said so");
            QCOMPARE(w.window->document()->scenario(), firstScenario());
            QVERIFY(w.window->document()->plan().ok());
        }();
        return wasHit;
    });
    QVERIFY(failed >= 2 || QTest::currentTestFailed());
}

// The session is kept while it can be; a disk that fails costs no work and no crash, and the next time all is kept again.
void FaultsTest::keepingTheSession() {
    QFETCH(int, error);
    const QString home = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    const int failed = eachFault(home, error, [&](const auto &arm, const auto &hit) {
        forgetEverything();
        arm();
        WindowFixture w;
        const auto keep = [&w](const char *context) {
            w.type("contextEdit", QLatin1String(context));
            w.window->findChild<Autosave *>()->write();
            w.program.session()->settle();
        };
        keep("777771");
        const bool wasHit = hit();
        [&] {
            QCOMPARE(w.window->document()->scenario().workload.context, Tokens(777771));
            QVERIFY(wasHit || isKept(home, "777771"));
        }();
        keep("888881");
        [&] { QVERIFY2(isKept(home, "888881"), "the disk works again, and nothing is kept"); }();
        return wasHit;
    });
    QVERIFY(failed >= 2 || QTest::currentTestFailed());
}

// A plan without a file waits for the next start; where it cannot be kept, nobody loses it without a question.
void FaultsTest::quitting() {
    QFETCH(int, error);
    const QString home = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    const Dialogs before = dialogs();
    int asked = 0, everAsked = 0;
    dialogs().keepChanges = [&asked](QWidget *, const QString &) {
        ++asked;
        return Keep::Cancel;
    };
    const int failed = eachFault(home, error, [&](const auto &arm, const auto &hit) {
        forgetEverything();
        asked = 0;
        WindowFixture w;
        w.program.session()->settle();
        w.type("contextEdit", QStringLiteral("777771"));
        arm();
        const bool went = w.program.quit();
        w.program.session()->settle();
        const bool wasHit = hit();
        everAsked += asked;
        [&] {
            QCOMPARE(went, asked == 0);
            QVERIFY2(asked == 1 || isKept(home, "777771"), "gone, and nobody was asked");
        }();
        return wasHit;
    });
    dialogs() = before;
    QVERIFY(everAsked > 0 || QTest::currentTestFailed());
    QVERIFY(failed >= 3 || QTest::currentTestFailed());
}

KV_TEST(FaultsTest)
#include "faultstest.moc"
