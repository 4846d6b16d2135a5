// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fetching from two local servers that play the Hub in its moods. Longer than other files: each mood is a case over the same two servers.
#include "core/files/hubrecord.h"
#include "core/files/modelsource.h"
#include "tests/core/files/checkpointbuilder.h"
#include "tests/core/files/tempfolder.h"
#include "tests/testmain.h"
#include "tests/ui/hub/hubserver.h"
#include "ui/hub/hubfetch.h"
#include "ui/hub/hubjob.h"
#include "ui/hub/hubkeep.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <map>

Q_DECLARE_METATYPE(kv::test::WebAnswer)

using namespace kv;
using namespace kv::test;

namespace {

const QByteArray commit = "0123456789abcdef0123456789abcdef01234567";
const QByteArray apiPath = "/api/models/acme/tiny/revision/main";
const QByteArray secret = "hf_secretOfThisTest";

QByteArray bytesOf(const std::string &text) { return QByteArray::fromStdString(text); }
QByteArray resolved(const QByteArray &file) { return "/acme/tiny/resolve/" + commit + "/" + file; }

/// A shard whose data is far larger than its header.
QByteArray largeShard(const char *tensor) { return bytesOf(shard(tensor, 500'000)); }

/// A header so long that the first part of the file does not hold it.
QByteArray longHeader() {
    std::string json = "{";
    std::size_t at = 0;
    for (int i = 0; i < 3000; ++i, at += 2)
        json += (i > 0 ? "," : "") + ("\"model.layers.0.some.rather.long.name.of.a.tensor." + std::to_string(i)) + "\": {\"dtype\": \"BF16\", \"shape\": [1], \"data_offsets\": [" +
                std::to_string(at) + ", " + std::to_string(at + 2) + "]}";
    return bytesOf(safetensors(json + "}", at));
}

} // namespace

// Two servers on this machine play the Hub and the host that it sends files from; nothing leaves the machine.
class HubFetchTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void oneFile();
    void shardsFromAnotherHost();
    void longHeaders();
    void indexAlone();
    void ggufs();
    void keptAndOffline();
    void inTheOtherCache();
    void renamed();
    void faults_data();
    void faults();
    void redirects_data();
    void redirects();
    void noRanges();
    void endless();
    void aPageThatDrips();
    void aFileThatDrips();
    void damagedIsFetchedAgain();
    void throughAProxy();
    void namesFilesAsTheRepository();
    void listOfWhatIsKept();
    void cutInTheMiddle();
    void cancelled();
    void namesThatLeadOut();
    void jobs();

private:
    HubFetched fetch(const char *name) {
        const auto read = readHubName(QString::fromLatin1(name), m_settings.endpoint);
        Q_ASSERT(read);
        return fetchFromHub(*read, m_settings, m_watch);
    }
    void serveSmall() { m_hub->serveRepository("acme/tiny", commit, {{"config.json", bytesOf(std::string(smallConfig))}, {"model.safetensors", largeShard("model.embed_tokens.weight")}}); }
    /// Nothing half-written lies anywhere.
    int filesKept() const {
        int count = 0;
        for (QDirIterator it(m_settings.keepFolder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext(); ++count)
            it.next();
        return count;
    }
    bool isSecretKept() const {
        for (QDirIterator it(m_settings.keepFolder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext();) {
            QFile file(it.next());
            if (!file.open(QIODevice::ReadOnly) || file.readAll().contains(secret))
                return true;
        }
        return false;
    }

    std::unique_ptr<TempFolder> m_folder;
    std::unique_ptr<HubServer> m_hub, m_cdn;
    std::map<std::string, std::string> m_variables;
    HubSettings m_settings;
    HubWatch m_watch;
};

void HubFetchTest::init() {
    m_folder = std::make_unique<TempFolder>();
    m_hub = std::make_unique<HubServer>();
    m_cdn = std::make_unique<HubServer>();
    m_watch = {};
    m_variables = {{"HF_ENDPOINT", m_hub->address().toStdString()}, {"HF_TOKEN", secret.toStdString()}, {"no_proxy", "*"}, {"XDG_CACHE_HOME", m_folder->path("cache")}};
    m_settings = hubSettings({[this](const std::string &name) { return m_variables.count(name) ? m_variables[name] : std::string(); }, m_folder->path()});
    m_settings.silence = 5000;
    QVERIFY(m_settings.notes.empty());
}

void HubFetchTest::cleanup() { QVERIFY(!isSecretKept()); }

void HubFetchTest::oneFile() {
    serveSmall();
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY2(!fetched.folder.isEmpty(), fetched.notes.empty() ? "" : fetched.notes.front().text.c_str());
    QCOMPARE(fetched.commit.toLatin1(), commit);
    QVERIFY(fetched.folder.startsWith(m_settings.keepFolder));
    const auto model = loadModel(fetched.folder.toStdString());
    QVERIFY(model);
    QCOMPARE((*model)->name, std::string("acme/tiny"));
    QCOMPARE((*model)->weights.stored, Bytes(1'000'000));
    QCOMPARE((*model)->weights.source, WeightSource::SafetensorsHeaders);
    for (const Note &note : model.notes)
        QVERIFY2(note.code == "from-hub", note.text.c_str());
    // The header came, and not the megabyte behind it.
    QVERIFY2(m_hub->sent < 100'000, qPrintable(QString::number(m_hub->sent)));
    for (const WebRequest &request : m_hub->requests)
        QCOMPARE(request.headers.value("authorization"), "Bearer " + secret);
}

void HubFetchTest::shardsFromAnotherHost() {
    const QByteArray index = R"({"metadata": {"total_size": 2000000}, "weight_map": {"model.embed_tokens.weight": "model-00001-of-00002.safetensors", "lm_head.weight": "model-00002-of-00002.safetensors"}})";
    m_hub->serveRepository("acme/tiny", commit, {{"config.json", bytesOf(std::string(smallConfig))}, {"model.safetensors.index.json", index}, {"model-00001-of-00002.safetensors", {}}, {"model-00002-of-00002.safetensors", {}}});
    for (const char *part : {"1", "2"}) {
        const QByteArray file = QByteArray("model-0000") + part + "-of-00002.safetensors";
        m_hub->redirect(resolved(file), m_cdn->address().toLatin1() + "/blob/" + part + "?signature=abc");
        m_cdn->serve(QByteArray("/blob/") + part + "?signature=abc", largeShard(part[0] == '1' ? "model.embed_tokens.weight" : "lm_head.weight"));
    }
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY2(!fetched.folder.isEmpty(), fetched.notes.empty() ? "" : fetched.notes.front().text.c_str());
    const auto model = loadModel(fetched.folder.toStdString());
    QVERIFY(model);
    QCOMPARE((*model)->weights.stored, Bytes(2'000'000));
    QCOMPARE((*model)->weights.source, WeightSource::SafetensorsHeaders);
    QCOMPARE(m_cdn->requests.size(), 2);
    for (const WebRequest &request : m_cdn->requests) {
        QVERIFY(!request.headers.contains("authorization"));
        QVERIFY(request.headers.value("range").startsWith("bytes=0-"));
    }
}

void HubFetchTest::longHeaders() {
    const QByteArray file = longHeader();
    QVERIFY(file.size() > 200'000);
    m_hub->serveRepository("acme/tiny", commit, {{"config.json", bytesOf(std::string(smallConfig))}, {"model.safetensors", file}});
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY2(!fetched.folder.isEmpty(), fetched.notes.empty() ? "" : fetched.notes.front().text.c_str());
    QCOMPARE(m_hub->askedFor(resolved("model.safetensors")), 2);
    QCOMPARE((*loadModel(fetched.folder.toStdString()))->weights.stored, Bytes(6000));
}

void HubFetchTest::indexAlone() {
    // More files than are asked for one by one: the index says how large they are.
    QByteArray map;
    QHash<QByteArray, QByteArray> files{{"config.json", bytesOf(std::string(smallConfig))}};
    for (int i = 1; i <= 201; ++i) {
        const QByteArray name = "m-" + QByteArray::number(i) + ".safetensors";
        map += (i > 1 ? "," : "") + QByteArray("\"t") + QByteArray::number(i) + "\": \"" + name + "\"";
        files[name] = {};
    }
    files["model.safetensors.index.json"] = "{\"metadata\": {\"total_size\": 77700}, \"weight_map\": {" + map + "}}";
    m_hub->serveRepository("acme/tiny", commit, files);
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY(!fetched.folder.isEmpty());
    const auto model = loadModel(fetched.folder.toStdString());
    QCOMPARE((*model)->weights.stored, Bytes(77'700));
    QCOMPARE((*model)->weights.source, WeightSource::SafetensorsIndex);
    QCOMPARE(m_hub->requests.size(), 3);
}

void HubFetchTest::ggufs() {
    GgufBuilder builder = smallModel();
    std::vector<std::string> words(100'000, "a word of a vocabulary");
    builder.texts("tokenizer.ggml.tokens", words);
    const QByteArray file = bytesOf(builder.whole()) + QByteArray(3'000'000, '\0');
    m_hub->serveRepository("acme/tiny", commit, {{"README.md", "x"}, {"tiny-Q8_0.gguf", file}, {"sub/tiny-Q4_K_M.gguf", file}});
    const HubFetched several = fetch("acme/tiny");
    QVERIFY(several.folder.isEmpty());
    QVERIFY(several.notes.empty());
    QCOMPARE(several.several, QStringList({QStringLiteral("tiny-Q8_0.gguf"), QStringLiteral("sub/tiny-Q4_K_M.gguf")}));
    QCOMPARE(filesKept(), 0);
    HubName chosen = several.name;
    chosen.file = several.several.last();
    const HubFetched fetched = fetchFromHub(chosen, m_settings, m_watch);
    QVERIFY2(!fetched.folder.isEmpty(), fetched.notes.empty() ? "" : fetched.notes.front().text.c_str());
    const auto model = loadModel(fetched.folder.toStdString());
    QVERIFY(model);
    QCOMPARE((*model)->weights.stored, Bytes(34));
    for (const Note &note : model.notes)
        QVERIFY2(note.severity == Severity::Info, note.text.c_str());
    QVERIFY(m_hub->askedFor(resolved("sub/tiny-Q4_K_M.gguf")) > 1); // by growing parts
    QVERIFY(m_hub->sent < 5'000'000);
}

void HubFetchTest::keptAndOffline() {
    serveSmall();
    const QString folder = fetch("acme/tiny").folder;
    QVERIFY(!folder.isEmpty());
    const qsizetype asked = m_hub->requests.size();
    QCOMPARE(fetch("acme/tiny").folder, folder);
    QCOMPARE(m_hub->requests.size(), asked + 1); // which commit it is; the files are here

    m_settings.offlineBy = QStringLiteral("HF_HUB_OFFLINE");
    QCOMPARE(fetch("acme/tiny").folder, folder);
    QCOMPARE(fetch(("acme/tiny@" + commit).constData()).folder, folder);
    QCOMPARE(fetch("acme/tiny/model.safetensors").folder, folder);
    const HubFetched missing = fetch("acme/other");
    QVERIFY(missing.folder.isEmpty());
    QCOMPARE(missing.notes.front().code, std::string("hub-offline"));
    QVERIFY(missing.notes.front().text.find("HF_HUB_OFFLINE") != std::string::npos);
    QCOMPARE(m_hub->requests.size(), asked + 1);

    // The server is gone: what was fetched stands in, and that is said.
    m_settings.offlineBy.clear();
    m_hub->close();
    const HubFetched without = fetch("acme/tiny");
    QCOMPARE(without.folder, folder);
    QCOMPARE(without.notes.front().code, std::string("hub-kept"));
    QCOMPARE(fetch("acme/other").notes.front().code, std::string("hub-no-network"));
}

void HubFetchTest::inTheOtherCache() {
    const std::string repository = "cache/huggingface/hub/models--acme--tiny/";
    m_folder->write(repository + "refs/main", commit.toStdString());
    m_folder->write(repository + "snapshots/" + commit.toStdString() + "/config.json", smallConfig);
    m_settings.offlineBy = QStringLiteral("HF_HUB_OFFLINE");
    const HubFetched found = fetch("acme/tiny");
    QVERIFY2(!found.folder.isEmpty(), found.notes.empty() ? "" : found.notes.front().text.c_str());
    QVERIFY(loadModel(found.folder.toStdString()));
    QVERIFY(!fetch(("acme/tiny@" + commit).constData()).folder.isEmpty());
    QVERIFY(fetch("acme/tiny@v2").folder.isEmpty());
    QVERIFY(m_hub->requests.isEmpty());
}

void HubFetchTest::renamed() {
    serveSmall();
    m_hub->redirect("/api/models/old/name/revision/main", "/api/models/acme/tiny/revision/main", 307);
    const HubFetched fetched = fetch("old/name");
    QVERIFY(!fetched.folder.isEmpty());
    QCOMPARE(fetched.name.repository, QStringLiteral("acme/tiny"));
    QCOMPARE(fetched.notes.front().code, std::string("hub-renamed"));
    QVERIFY(fetched.notes.front().text.find("old/name is called acme/tiny now") != std::string::npos);
    // Without a network it is found under the name that was typed, too.
    m_settings.offlineBy = QStringLiteral("HF_HUB_OFFLINE");
    const HubFetched again = fetch("old/name");
    QCOMPARE(again.folder, fetched.folder);
    QCOMPARE(again.name.repository, QStringLiteral("acme/tiny"));
    QCOMPARE(again.notes.front().code, std::string("hub-renamed"));
}

void HubFetchTest::faults_data() {
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<WebAnswer>("answer");
    QTest::addColumn<QString>("code");
    const QByteArray api = apiPath, config = resolved("config.json"), weights = resolved("model.safetensors");
    const auto row = [](const char *title, const QByteArray &path, const WebAnswer &answer, const char *code) { QTest::newRow(title) << path << answer << QString::fromLatin1(code); };
    const auto status = [](int code, const char *name = "", const char *value = "") { return WebAnswer{code, {{name, value}}, "<html>hf_secretOfThisTest</html>"}; };
    const auto body = [](const char *text) { return WebAnswer{200, {}, text}; };
    WebAnswer announced = body("{}"), silent;
    announced.announce = 400'000'000'000;
    silent.silent = true;
    row("gated", config, status(401, "X-Error-Code", "GatedRepo"), "hub-gated");
    row("disabled", api, status(403, "X-Error-Message", "Access to this resource is disabled."), "hub-disabled");
    row("gated, weights only", weights, status(403, "X-Error-Code", "GatedRepo"), "hub-gated");
    row("no model", api, status(401, "X-Error-Code", "RepoNotFound"), "hub-not-found");
    row("no revision", api, status(404, "X-Error-Code", "RevisionNotFound"), "hub-not-found");
    row("no config after all", config, status(404, "X-Error-Code", "EntryNotFound"), "hub-not-found");
    row("rate limit", api, status(429, "Retry-After", "7"), "hub-rate-limit");
    row("500", api, status(500), "hub-server");
    row("502 for a file", weights, status(502), "hub-server");
    row("a page for the list", api, body("<!doctype html><title>Log in</title>"), "hub-bad-answer");
    row("a list without files", api, body("{}"), "hub-bad-answer");
    row("a page for the config", config, body("<!doctype html><title>Log in</title>"), "hub-bad-answer");
    row("broken JSON", config, body("{\"a\": "), "hub-bad-answer");
    row("a page for the weights", weights, body("<!doctype html><title>Log in</title>"), "hub-bad-answer");
    row("empty weights", weights, body(""), "hub-bad-answer");
    row("huge", config, announced, "hub-too-large");
    row("huge list", api, announced, "hub-too-large");
    row("silence", config, silent, "hub-timeout");
    row("nothing to plan", api, body("{\"sha\": \"abc\", \"siblings\": [{\"rfilename\": \"README.md\"}]}"), "hub-no-model");
}

void HubFetchTest::faults() {
    QFETCH(QByteArray, path);
    QFETCH(WebAnswer, answer);
    QFETCH(QString, code);
    serveSmall();
    m_hub->serve(path, answer);
    m_settings.silence = 400;
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY(fetched.folder.isEmpty());
    QVERIFY(!fetched.notes.empty());
    QVERIFY2(fetched.notes.back().code == code.toStdString(), fetched.notes.back().text.c_str());
    QVERIFY(fetched.notes.back().text.find(secret.toStdString()) == std::string::npos);
    QCOMPARE(filesKept(), 0);
}

void HubFetchTest::redirects_data() {
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("code"); ///< empty: it arrives
    QTest::newRow("relative") << QByteArray("/elsewhere") << QString();
    QTest::newRow("relative to the file") << QByteArray("other.json") << QString();
    QTest::newRow("no address") << QByteArray() << QStringLiteral("hub-redirect");
    QTest::newRow("a file of this machine") << QByteArray("file:///etc/passwd") << QStringLiteral("hub-redirect");
    QTest::newRow("data") << QByteArray("data:application/json,{}") << QStringLiteral("hub-redirect");
    QTest::newRow("to itself") << QByteArray("config.json") << QStringLiteral("hub-redirect");
}

void HubFetchTest::redirects() {
    QFETCH(QByteArray, to);
    QFETCH(QString, code);
    serveSmall();
    m_hub->serve("/elsewhere", bytesOf(std::string(smallConfig)));
    m_hub->serve(resolved("other.json"), bytesOf(std::string(smallConfig)));
    m_hub->redirect(resolved("config.json"), to);
    const HubFetched fetched = fetch("acme/tiny");
    QCOMPARE(fetched.folder.isEmpty(), !code.isEmpty());
    if (!code.isEmpty())
        QVERIFY2(fetched.notes.back().code == code.toStdString(), fetched.notes.back().text.c_str());
    QVERIFY(m_hub->askedFor(resolved("config.json")) <= 6);
}

void HubFetchTest::noRanges() {
    serveSmall();
    WebAnswer whole{200, {}, longHeader() + QByteArray(20'000'000, 'x')};
    whole.ranges = false;
    m_hub->serve(resolved("model.safetensors"), whole);
    qint64 bytes = 0;
    m_watch.progress = [&bytes](const HubProgress &progress) { bytes = progress.bytes; };
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY2(!fetched.folder.isEmpty(), fetched.notes.empty() ? "" : fetched.notes.front().text.c_str());
    QCOMPARE((*loadModel(fetched.folder.toStdString()))->weights.stored, Bytes(6000));
    QVERIFY2(bytes < 2'000'000, qPrintable(QString::number(bytes)));
}

void HubFetchTest::endless() {
    serveSmall();
    WebAnswer flood{200, {}, QByteArray(512 * 1024, ' ')};
    flood.endless = true;
    m_hub->serve(resolved("config.json"), flood);
    const HubFetched fetched = fetch("acme/tiny");
    QCOMPARE(fetched.notes.back().code, std::string("hub-too-large"));
    QVERIFY(m_hub->sent < 40'000'000);
    // Nor are the pages of an error and of a redirect read to an end that they do not have.
    for (const int status : {404, 403, 302}) {
        m_hub->sent = 0;
        flood.status = status;
        if (status == 302)
            flood.headers = {{"Location", resolved("other.json")}};
        m_hub->serve(resolved("config.json"), flood);
        const HubFetched never = fetch("acme/tiny");
        QVERIFY(never.folder.isEmpty());
        QVERIFY2(m_hub->sent < 40'000'000, qPrintable(QString::number(m_hub->sent)));
    }
}

// Silence between two bytes is short each time: without an end of its own it would be for ever.
void HubFetchTest::aPageThatDrips() {
    serveSmall();
    WebAnswer drip{403, {{"X-Error-Code", "GatedRepo"}}, QByteArray(16, ' ')};
    drip.endless = true;
    drip.pause = 100;
    m_hub->serve(resolved("config.json"), drip);
    m_settings.silence = 500;
    QElapsedTimer time;
    time.start();
    m_watch.goOn = [&time] { return time.elapsed() < 6000; };
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY(fetched.folder.isEmpty());
    QVERIFY2(fetched.notes.back().code == "hub-gated", fetched.notes.back().code.c_str()); // what its headers said
    QVERIFY2(time.elapsed() < 4000, qPrintable(QString::number(time.elapsed())));
}

// A byte now and then is not enough.
void HubFetchTest::aFileThatDrips() {
    serveSmall();
    WebAnswer drip{200, {}, " "};
    drip.endless = true;
    drip.pause = 50;
    m_hub->serve(resolved("config.json"), drip);
    m_settings.silence = 600;
    QElapsedTimer time;
    time.start();
    m_watch.goOn = [&time] { return time.elapsed() < 6000; };
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY2(fetched.notes.back().code == "hub-timeout", fetched.notes.back().code.c_str());
    QVERIFY2(fetched.notes.back().text.find("slowly") != std::string::npos, fetched.notes.back().text.c_str());
    QVERIFY2(time.elapsed() < 4000, qPrintable(QString::number(time.elapsed())));
}

void HubFetchTest::damagedIsFetchedAgain() {
    serveSmall();
    const QString folder = fetch("acme/tiny").folder;
    const auto path = [&folder](const char *name) { return folder + QLatin1Char('/') + QLatin1String(name); };
    QVERIFY(QFile::remove(path("config.json")));
    QVERIFY(keptModels(m_settings.keepFolder).empty());
    QCOMPARE(fetch("acme/tiny").folder, folder);
    QVERIFY(QFileInfo::exists(path("config.json")));
    QVERIFY(QFile::resize(path("model.safetensors"), 20));
    QCOMPARE(fetch("acme/tiny").folder, folder);
    QVERIFY(loadModel(folder.toStdString()));
    QVERIFY(QFile::resize(path("model.safetensors"), 20));
    m_settings.offlineBy = QStringLiteral("HF_HUB_OFFLINE");
    QCOMPARE(fetch("acme/tiny").notes.back().code, std::string("hub-offline"));
}

// Of a proxy's address come the name and the password, where it asks for them; and no more than once.
void HubFetchTest::throughAProxy() {
    m_cdn->letsIn = "Basic " + QByteArray("me:pw").toBase64();
    m_cdn->serveRepository("acme/tiny", commit, {{"config.json", bytesOf(std::string(smallConfig))}, {"model.safetensors", largeShard("model.embed_tokens.weight")}});
    m_settings.endpoint = QUrl(QStringLiteral("http://hub.example"));
    m_settings.proxies.direct.clear();
    const QString proxy = m_cdn->address().section(QLatin1String("//"), 1);
    m_settings.proxies.http = QStringLiteral("http://me:pw@") + proxy;
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY2(!fetched.folder.isEmpty(), fetched.notes.empty() ? "" : fetched.notes.back().text.c_str());
    m_cdn->requests.clear();
    m_settings.proxies.http = QStringLiteral("http://me:wrong@") + proxy;
    const HubFetched refused = fetch("acme/other");
    QCOMPARE(refused.notes.back().code, std::string("hub-proxy"));
    QVERIFY2(m_cdn->requests.size() <= 3, qPrintable(QString::number(m_cdn->requests.size())));
}

void HubFetchTest::namesFilesAsTheRepository() {
    m_hub->serveRepository("acme/tiny", commit, {{"config.json", bytesOf(std::string(smallConfig))}, {"model.safetensors.index.json", R"({"weight_map": []})"}});
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY(fetched.folder.isEmpty());
    const std::string &text = fetched.notes.back().text;
    QVERIFY2(text.starts_with("model.safetensors.index.json") && text.find(m_settings.keepFolder.toStdString()) == std::string::npos, text.c_str());
}

void HubFetchTest::listOfWhatIsKept() {
    QVERIFY(keptModels(m_settings.keepFolder).empty());
    serveSmall();
    const HubFetched fetched = fetch("acme/tiny");
    m_hub->serveRepository("Zeta/big", commit, {{"config.json", bytesOf(std::string(smallConfig))}, {"model.safetensors", largeShard("model.embed_tokens.weight")}});
    QVERIFY(!fetch("Zeta/big").folder.isEmpty());
    const std::vector<KeptModel> kept = keptModels(m_settings.keepFolder);
    QCOMPARE(kept.size(), std::size_t(2));
    const KeptModel first{QStringLiteral("acme/tiny"), QStringLiteral("main"), {}, fetched.folder};
    QCOMPARE(kept.front().repository, first.repository);
    QCOMPARE(kept.front().revision, first.revision);
    QCOMPARE(QFileInfo(kept.front().folder).canonicalFilePath(), QFileInfo(fetched.folder).canonicalFilePath());
    QCOMPARE(kept.back().repository, QStringLiteral("Zeta/big"));
    // What is broken is none.
    QVERIFY(QFile::remove(fetched.folder + QLatin1Char('/') + QLatin1String(hubRecordName.data())));
    QCOMPARE(keptModels(m_settings.keepFolder).size(), std::size_t(1));
}

void HubFetchTest::cutInTheMiddle() {
    serveSmall();
    for (const QByteArray &file : {QByteArray("config.json"), QByteArray("model.safetensors")}) {
        WebAnswer cut{200, {}, largeShard("model.embed_tokens.weight")};
        cut.announce = file == "config.json" ? 5000 : -1;
        cut.cutAfter = 50;
        m_hub->serve(resolved(file), cut);
        const HubFetched fetched = fetch("acme/tiny");
        QVERIFY2(fetched.notes.back().code == "hub-interrupted", fetched.notes.back().text.c_str());
        QCOMPARE(filesKept(), 0);
        serveSmall();
    }
}

void HubFetchTest::cancelled() {
    serveSmall();
    WebAnswer silent;
    silent.silent = true;
    m_hub->serve(resolved("config.json"), silent);
    QElapsedTimer time;
    time.start();
    m_watch.goOn = [&time] { return time.elapsed() < 150; };
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY2(time.elapsed() < 3000, qPrintable(QString::number(time.elapsed())));
    QCOMPARE(fetched.notes.back().code, std::string("cancelled"));
    QCOMPARE(filesKept(), 0);
}

void HubFetchTest::namesThatLeadOut() {
    const QByteArray index = R"({"metadata": {"total_size": 10}, "weight_map": {"a": "../../../../escape.safetensors"}})";
    m_hub->serveRepository("acme/tiny", commit, {{"config.json", bytesOf(std::string(smallConfig))}, {"model.safetensors.index.json", index}, {"../../../../escape.safetensors", largeShard("a")}});
    const HubFetched fetched = fetch("acme/tiny");
    QVERIFY(fetched.folder.isEmpty());
    QVERIFY2(fetched.notes.back().code == "outside-folder", fetched.notes.back().text.c_str());
    // A commit is a name of a folder as well.
    m_hub->serve(apiPath, R"({"id": "acme/tiny", "sha": "../../../escape", "siblings": [{"rfilename": "config.json"}]})");
    m_hub->serve("/acme/tiny/resolve/..%2F..%2F..%2Fescape/config.json", bytesOf(std::string(smallConfig)));
    const HubFetched odd = fetch("acme/tiny");
    QVERIFY(odd.folder.isEmpty() || QFileInfo(odd.folder).canonicalFilePath().startsWith(QFileInfo(m_settings.keepFolder).canonicalFilePath()));
    QVERIFY(!QFileInfo::exists(QString::fromStdString(m_folder->path("escape"))));
}

void HubFetchTest::jobs() {
    serveSmall();
    HubJob job;
    QSignalSpy finished(&job, &HubJob::finished);
    HubName name;
    name.repository = QStringLiteral("acme/tiny");
    job.start(name, m_settings);
    QVERIFY(job.isBusy());
    QVERIFY(finished.wait(10'000));
    QVERIFY(!job.isBusy());
    QVERIFY(!finished.first().first().value<HubFetched>().folder.isEmpty());
    // Of two the last counts, and a cancelled one says nothing any more.
    name.repository = QStringLiteral("acme/first");
    job.start(name, m_settings);
    name.repository = QStringLiteral("acme/second");
    job.start(name, m_settings);
    QVERIFY(finished.wait(10'000));
    QCOMPARE(finished.size(), 2);
    QCOMPARE(finished.last().first().value<HubFetched>().name.repository, QStringLiteral("acme/second"));
    job.start(name, m_settings);
    job.cancel();
    QVERIFY(!finished.wait(300));
    QCOMPARE(finished.size(), 2);
}

KV_TEST(HubFetchTest)
#include "hubfetchtest.moc"
