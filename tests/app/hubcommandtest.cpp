// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/core/files/checkpointbuilder.h"
#include "tests/core/files/tempfolder.h"
#include "tests/testmain.h"
#include "tests/testpaths.h"
#include "tests/ui/hub/hubserver.h"

#include <QDirIterator>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <QThread>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace kv::test;

/// kvplanner hub: fetches, and prints a path that --model takes.
class HubCommandTest : public QObject {
    Q_OBJECT

private slots:
    void fetches();
    void withoutNetwork();
    void refusals_data();
    void refusals();
    void warnsBeforeItRefuses();
    void endsInOrder();
};

namespace {

/// A server that answers while the test waits for the program.
class ServerThread : public QThread {
public:
    /// `silentFor`: a path that is taken and never answered.
    explicit ServerThread(const QByteArray &commit, const QByteArray &silentFor = {}) : m_commit(commit), m_silentFor(silentFor) {
        start();
        while (m_port == 0)
            QThread::msleep(5);
    }
    ~ServerThread() override {
        quit();
        wait();
    }
    QString address() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port.load()); }

private:
    void run() override {
        HubServer server;
        server.serveRepository("acme/tiny", m_commit, {{"config.json", QByteArray::fromStdString(std::string(smallConfig))}, {"model.safetensors", QByteArray::fromStdString(shard("model.embed_tokens.weight", 1000))}});
        WebAnswer silent;
        silent.silent = true;
        if (!m_silentFor.isEmpty())
            server.serve(m_silentFor, silent);
        m_port = server.serverPort();
        exec();
    }
    QByteArray m_commit, m_silentFor;
    std::atomic<int> m_port{0};
};

} // namespace

void HubCommandTest::fetches() {
    const TempFolder folder;
    const QByteArray commit(40, 'a');
    const ServerThread server(commit);
    const QStringList environment{QStringLiteral("HF_ENDPOINT=") + server.address(), QStringLiteral("no_proxy=*"), QStringLiteral("XDG_CACHE_HOME=") + QString::fromStdString(folder.path())};
    const Answer answer = runProgram({QStringLiteral("hub"), QStringLiteral("acme/tiny"), QStringLiteral("--json")}, {}, environment);
    QVERIFY2(answer.status == 0, answer.err);
    const QJsonObject said = QJsonDocument::fromJson(answer.out).object();
    QCOMPARE(said[QLatin1String("commit")].toString().toLatin1(), commit);
    const QString path = said[QLatin1String("path")].toString();
    QCOMPARE(runProgram({QStringLiteral("hub"), QStringLiteral("acme/tiny")}, {}, environment).out, path.toUtf8() + '\n');
    const Answer plan = runProgram({QStringLiteral("plan"), QStringLiteral("--model"), path, QStringLiteral("--context"), QStringLiteral("1k"), QStringLiteral("--json")});
    QVERIFY2(plan.status == 0, plan.err);
    const QJsonObject weights = QJsonDocument::fromJson(plan.out).object()[QLatin1String("weights")].toObject();
    QCOMPARE(weights[QLatin1String("total_bytes")].toInt(), 2000);
    QCOMPARE(weights[QLatin1String("source")].toString(), QStringLiteral("safetensors headers"));
}

void HubCommandTest::withoutNetwork() {
    const TempFolder folder;
    folder.write("huggingface/hub/models--acme--tiny/refs/main", std::string(40, 'b'));
    folder.write("huggingface/hub/models--acme--tiny/snapshots/" + std::string(40, 'b') + "/config.json", smallConfig);
    const QStringList environment{QStringLiteral("HF_HUB_OFFLINE=1"), QStringLiteral("XDG_CACHE_HOME=") + QString::fromStdString(folder.path())};
    const Answer answer = runProgram({QStringLiteral("hub"), QStringLiteral("acme/tiny")}, {}, environment);
    QVERIFY2(answer.status == 0, answer.err);
    QVERIFY2(answer.out.contains("models--acme--tiny"), answer.out);
}

void HubCommandTest::refusals_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("no name") << QStringLiteral("hub") << QByteArray("name is required");
    QTest::newRow("a path") << QStringLiteral("hub /etc/passwd") << QByteArray("path");
    QTest::newRow("offline") << QStringLiteral("hub acme/tiny") << QByteArray("HF_HUB_OFFLINE");
    QTest::newRow("an address where nothing is fetched") << QStringLiteral("plan --model hf://acme/tiny") << QByteArray("kvplanner hub");
}

void HubCommandTest::refusals() {
    QFETCH(QString, command);
    QFETCH(QByteArray, word);
    const Answer answer = runProgram(command.split(QLatin1Char(' ')), {}, {QStringLiteral("HF_HUB_OFFLINE=1")});
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.errorLines(), 1);
    QVERIFY2(answer.err.contains(word), answer.err);
}

void HubCommandTest::warnsBeforeItRefuses() {
    const ServerThread server(QByteArray(40, 'a'));
    const Answer answer = runProgram({QStringLiteral("hub"), QStringLiteral("acme/gated")}, {},
                                     {QStringLiteral("HF_ENDPOINT=") + server.address(), QStringLiteral("no_proxy=*"), QStringLiteral("HF_TOKEN=hf_a b")});
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.errorLines(), 2);
    QVERIFY2(answer.err.startsWith("kvplanner: warning: What HF_TOKEN holds is no access token"), answer.err);
}

// Who waits in front of a terminal sees what for, and Ctrl+C leaves nothing half-written.
void HubCommandTest::endsInOrder() {
    const TempFolder folder;
    const QByteArray commit(40, 'a');
    const ServerThread server(commit, "/acme/tiny/resolve/" + commit + "/model.safetensors");
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    QVERIFY(terminal >= 0 && ::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
    const QByteArray name = ::ptsname(terminal);
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HF_ENDPOINT"), server.address());
    environment.insert(QStringLiteral("no_proxy"), QStringLiteral("*"));
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), QString::fromStdString(folder.path()));
    program.setProcessEnvironment(environment);
    program.setStandardErrorFile(QString::fromLatin1(name));
    program.start(QString::fromUtf8(programPath()), {QStringLiteral("hub"), QStringLiteral("acme/tiny")});
    QVERIFY(program.waitForStarted());
    QByteArray shown;
    char bytes[4096];
    while (!shown.contains("fetching config.json, 1 of 2 files")) {
        const ssize_t count = ::read(terminal, bytes, sizeof bytes);
        QVERIFY2(count > 0, shown);
        shown.append(bytes, count);
    }
    const auto halves = [&folder] {
        int found = 0;
        for (QDirIterator it(QString::fromStdString(folder.path()), {QStringLiteral(".fetch-*")}, QDir::Dirs | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext(); ++found)
            it.next();
        return found;
    };
    QCOMPARE(halves(), 1);
    ::kill(static_cast<pid_t>(program.processId()), SIGINT);
    QVERIFY(program.waitForFinished(10'000));
    ::close(terminal);
    QCOMPARE(program.exitStatus(), QProcess::CrashExit); // ended by the signal, as who started it expects
    QCOMPARE(halves(), 0);
}

KV_TEST(HubCommandTest)
#include "hubcommandtest.moc"
