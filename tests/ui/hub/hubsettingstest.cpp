// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/files/tempfolder.h"
#include "tests/testmain.h"
#include "ui/hub/hubdownload.h"
#include "ui/hub/hubfault.h"
#include "ui/hub/hubkeep.h"
#include "ui/hub/hubsettings.h"

#include <QDateTime>
#include <QLocale>
#include <QNetworkProxy>
#include <QTest>

#include <map>

Q_DECLARE_METATYPE(kv::HubFault)

using namespace kv;
using namespace kv::test;

namespace {

Environment environmentOf(std::map<std::string, std::string> values, const std::string &home = "/home/nobody") {
    return {[values = std::move(values)](const std::string &name) {
                const auto found = values.find(name);
                return found == values.end() ? std::string() : found->second;
            },
            home};
}

} // namespace

// How the Hub is reached, who gets the token, and what is said of each fault.
class HubSettingsTest : public QObject {
    Q_OBJECT

private slots:
    void endpoint_data();
    void endpoint();
    void token();
    void tokenStaysAtHome_data();
    void tokenStaysAtHome();
    void offline();
    void proxies_data();
    void proxies();
    void redirects_data();
    void redirects();
    void urls();
    void names();
    void faults_data();
    void faults();
    void whoRefused();
    void aDateToTryAgain();
    void aSlashInARevision();
    void proxyThatIsNone();
};

void HubSettingsTest::endpoint_data() {
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("used"); ///< empty: refused
    QTest::newRow("none") << QString() << QStringLiteral("https://huggingface.co");
    QTest::newRow("another") << QStringLiteral("https://hub.example") << QStringLiteral("https://hub.example");
    QTest::newRow("with a slash") << QStringLiteral("https://hub.example/") << QStringLiteral("https://hub.example");
    QTest::newRow("with a path") << QStringLiteral("http://10.0.0.1:8080/hf/") << QStringLiteral("http://10.0.0.1:8080/hf");
    for (const char *wrong : {"hub.example", "file:///etc", "https://", "https://me:pw@hub.example", "https://hub.example?a=b", "nonsense"})
        QTest::newRow(wrong) << QString::fromLatin1(wrong) << QString();
}

void HubSettingsTest::endpoint() {
    QFETCH(QString, given);
    QFETCH(QString, used);
    const HubSettings settings = hubSettings(environmentOf({{"HF_ENDPOINT", given.toStdString()}}));
    QCOMPARE(hasError(settings.notes), used.isEmpty());
    if (!used.isEmpty())
        QCOMPARE(settings.endpoint.toString(), used);
    for (const Note &note : settings.notes)
        QVERIFY(note.text.find("pw") == std::string::npos);
}

void HubSettingsTest::token() {
    const TempFolder folder;
    const auto tokenOf = [&folder](std::map<std::string, std::string> values) {
        HubSettings settings = hubSettings(environmentOf(std::move(values), folder.path()));
        readTokenFile(settings);
        return settings.token;
    };
    QCOMPARE(tokenOf({}), QByteArray());
    folder.write(".cache/huggingface/token", "hf_file\n");
    QCOMPARE(tokenOf({}), QByteArray("hf_file"));
    QCOMPARE(tokenOf({{"HF_TOKEN", " hf_variable "}}), QByteArray("hf_variable"));
    QCOMPARE(tokenOf({{"HUGGING_FACE_HUB_TOKEN", "hf_old"}}), QByteArray("hf_old"));
    QCOMPARE(tokenOf({{"HF_TOKEN_PATH", folder.write("mine", "hf_mine")}}), QByteArray("hf_mine"));
    folder.write("elsewhere/token", "hf_elsewhere");
    QCOMPARE(tokenOf({{"HF_HOME", "~/elsewhere"}}), QByteArray("hf_elsewhere"));
    QCOMPARE(tokenOf({{"XDG_CACHE_HOME", folder.path("other")}}), QByteArray());
    QCOMPARE(tokenOf({{"HF_TOKEN", "hf_variable"}, {"HF_HUB_DISABLE_IMPLICIT_TOKEN", "1"}}), QByteArray());
    // A line end in it would begin another header.
    const HubSettings broken = hubSettings(environmentOf({{"HF_TOKEN", "hf_secret\r\nHost: evil"}}, folder.path()));
    QCOMPARE(broken.token, QByteArray());
    QCOMPARE(broken.notes.size(), std::size_t(1));
    QCOMPARE(broken.notes.front().code, std::string("hub-token"));
    QVERIFY(broken.notes.front().text.find("secret") == std::string::npos);
    HubSettings nowhere = hubSettings(environmentOf({{"HF_TOKEN_PATH", "/nowhere/token"}}));
    readTokenFile(nowhere);
    readTokenFile(nowhere);
    QCOMPARE(nowhere.notes.size(), std::size_t(1));
    // Not before it is asked for.
    const HubSettings unread = hubSettings(environmentOf({}, folder.path()));
    QCOMPARE(unread.token, QByteArray());
}

void HubSettingsTest::tokenStaysAtHome_data() {
    QTest::addColumn<QString>("endpoint");
    QTest::addColumn<QString>("url");
    QTest::addColumn<bool>("goes");
    const auto row = [](const char *title, const char *endpoint, const char *url, bool goes) { QTest::newRow(title) << QString::fromLatin1(endpoint) << QString::fromLatin1(url) << goes; };
    row("the Hub", "https://huggingface.co", "https://huggingface.co/a/b", true);
    row("its port", "https://huggingface.co", "https://huggingface.co:443/a/b", true);
    row("another host", "https://huggingface.co", "https://cdn.example/a/b", false);
    row("a host below", "https://huggingface.co", "https://cdn.huggingface.co/a/b", false);
    row("another port", "https://huggingface.co", "https://huggingface.co:8443/a/b", false);
    row("without encryption", "https://huggingface.co", "http://huggingface.co/a/b", false);
    row("an endpoint without encryption", "http://hub.example", "http://hub.example/a/b", false);
    row("this machine", "http://127.0.0.1:8080", "http://127.0.0.1:8080/a", true);
    row("a name like this machine", "http://localhost.evil.example", "http://localhost.evil.example/a", false);
}

void HubSettingsTest::tokenStaysAtHome() {
    QFETCH(QString, endpoint);
    QFETCH(QString, url);
    QFETCH(bool, goes);
    HubSettings settings;
    settings.endpoint = QUrl(endpoint);
    QVERIFY(!settings.mayCarryToken(QUrl(url)));
    settings.token = "hf_x";
    QCOMPARE(settings.mayCarryToken(QUrl(url)), goes);
}

void HubSettingsTest::offline() {
    QCOMPARE(hubSettings(environmentOf({})).offlineBy, QString());
    for (const char *on : {"1", "ON", "yes", "True"})
        QCOMPARE(hubSettings(environmentOf({{"HF_HUB_OFFLINE", on}})).offlineBy, QStringLiteral("HF_HUB_OFFLINE"));
    for (const char *off : {"0", "no", "false", ""})
        QCOMPARE(hubSettings(environmentOf({{"HF_HUB_OFFLINE", off}})).offlineBy, QString());
    QCOMPARE(hubSettings(environmentOf({{"TRANSFORMERS_OFFLINE", "1"}})).offlineBy, QStringLiteral("TRANSFORMERS_OFFLINE"));
}

void HubSettingsTest::proxies_data() {
    QTest::addColumn<QString>("variables"); ///< name=value, several by blanks
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("expected"); ///< "http host:port", "socks host:port", "direct" or "system"
    const auto row = [](const char *title, const char *variables, const char *expected, const char *url = "https://huggingface.co/a") {
        QTest::newRow(title) << QString::fromLatin1(variables) << QString::fromLatin1(url) << QString::fromLatin1(expected);
    };
    row("none", "x=y", "system");
    row("https", "https_proxy=http://proxy:3128", "http proxy:3128");
    row("capitals", "HTTPS_PROXY=proxy:3128", "http proxy:3128");
    row("small letters win", "HTTPS_PROXY=other:1 https_proxy=proxy:3128", "http proxy:3128");
    row("of the other scheme", "http_proxy=http://proxy:3128", "system");
    row("all", "all_proxy=socks5://proxy", "socks proxy:1080");
    row("plain http", "http_proxy=http://proxy:3128", "http proxy:3128", "http://hub.example/a");
    row("but not for that host", "https_proxy=http://proxy:3128 no_proxy=example.com,huggingface.co", "direct");
    row("nor below it", "https_proxy=http://proxy:3128 no_proxy=.co", "direct");
    row("of a port", "https_proxy=http://proxy:3128 no_proxy=huggingface.co:8443", "http proxy:3128");
    row("ends alike", "https_proxy=http://proxy:3128 no_proxy=face.co", "http proxy:3128");
    row("never", "https_proxy=http://proxy:3128 no_proxy=*", "direct");
}

void HubSettingsTest::proxies() {
    QFETCH(QString, variables);
    QFETCH(QString, url);
    QFETCH(QString, expected);
    std::map<std::string, std::string> values;
    for (const QString &one : variables.split(QLatin1Char(' ')))
        values[one.section(QLatin1Char('='), 0, 0).toStdString()] = one.section(QLatin1Char('='), 1).toStdString();
    const QList<QNetworkProxy> found = hubSettings(environmentOf(values)).proxies.of(QUrl(url));
    QString got = QStringLiteral("system");
    if (!found.isEmpty() && found.first().type() == QNetworkProxy::NoProxy)
        got = QStringLiteral("direct");
    else if (!found.isEmpty())
        got = QStringLiteral("%1 %2:%3").arg(found.first().type() == QNetworkProxy::Socks5Proxy ? QStringLiteral("socks") : QStringLiteral("http"), found.first().hostName()).arg(found.first().port());
    QCOMPARE(got, expected);
}

void HubSettingsTest::redirects_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QByteArray>("location");
    QTest::addColumn<QString>("to"); ///< empty: not followed
    QTest::addColumn<QString>("refused"); ///< within what is said then
    const auto row = [](const char *from, const char *location, const char *to, const char *refused = "") {
        QTest::addRow("%s, %s", from, location) << QString::fromLatin1(from) << QByteArray(location) << QString::fromLatin1(to) << QString::fromLatin1(refused);
    };
    row("https://hub.example/a/b", "https://cdn.example/x?s=%2F", "https://cdn.example/x?s=%2F");
    row("https://hub.example/a/b", "/c/d", "https://hub.example/c/d");
    row("https://hub.example/a/b", "../c", "https://hub.example/c");
    row("https://hub.example/a/b", "//cdn.example/c", "https://cdn.example/c");
    row("https://hub.example/a/b", "https://me:pw@cdn.example/c", "https://cdn.example/c");
    row("https://hub.example/a/b", "http://hub.example/c", "", "not encrypted");
    row("http://hub.example/a/b", "http://cdn.example/c", "http://cdn.example/c");
    row("http://hub.example/a/b", "https://cdn.example/c", "https://cdn.example/c");
    row("https://hub.example/a/b", "", "", "no address");
    row("https://hub.example/a/b", "ftp://hub.example/c", "", "a ftp: address, which is not followed");
    row("https://hub.example/a/b", "file:///etc/passwd", "", "a file: address, which is not followed");
    row("https://hub.example/a/b", "https://", "", "no address");
}

void HubSettingsTest::redirects() {
    QFETCH(QString, from);
    QFETCH(QByteArray, location);
    QFETCH(QString, to);
    const HubRedirect redirect = redirectFrom(QUrl(from), location);
    QCOMPARE(redirect.target.toString(QUrl::FullyEncoded), to);
    QCOMPARE(redirect.refused.isEmpty(), !to.isEmpty());
    QFETCH(QString, refused);
    QVERIFY2(redirect.refused.contains(refused), qPrintable(redirect.refused));
}

void HubSettingsTest::urls() {
    HubSettings settings;
    const auto s = [](const char *text) { return QString::fromLatin1(text); };
    QCOMPARE(settings.urlOf({s("a"), s("b"), s("resolve"), s("refs/pr/1"), s("x y.json")}).toEncoded(), QByteArray("https://huggingface.co/a/b/resolve/refs%2Fpr%2F1/x%20y.json"));
    settings.endpoint = QUrl(s("http://10.0.0.1:8080/hf"));
    QCOMPARE(settings.urlOf({s("a"), s("?#%")}).toEncoded(), QByteArray("http://10.0.0.1:8080/hf/a/%3F%23%25"));
}

void HubSettingsTest::names() {
    for (const QString &name : {QStringLiteral("model"), QStringLiteral("Q4/x.gguf"), QStringLiteral("../../etc"), QStringLiteral(".."), QStringLiteral("."), QStringLiteral("a:b\\c*"),
                                QStringLiteral("ü%2F")}) {
        const QString safe = safeName(name);
        QVERIFY2(!safe.contains(QLatin1Char('/')) && !safe.contains(QLatin1Char('\\')) && !safe.startsWith(QLatin1Char('.')) && !safe.contains(QLatin1Char(':')), qPrintable(safe));
        QCOMPARE(unsafeName(safe), name);
    }
    QVERIFY(safeName(QString(5000, QLatin1Char('x'))).size() <= 120);
    QVERIFY(safeName(QString(5000, QLatin1Char('x'))) != safeName(QString(5001, QLatin1Char('x'))));
}

void HubSettingsTest::faults_data() {
    QTest::addColumn<HubFault>("fault");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("word");
    const auto row = [](const char *title, HubFault::Kind kind, int status, const char *errorCode, const char *what, const char *code, const char *word, const char *retryAfter = "30") {
        HubFault fault;
        fault.kind = kind;
        fault.host = QStringLiteral("huggingface.co");
        fault.what = QString::fromLatin1(what);
        fault.status = status;
        fault.errorCode = errorCode;
        fault.retryAfter = retryAfter;
        QTest::newRow(title) << fault << QString::fromLatin1(code) << QString::fromLatin1(word);
    };
    using Kind = HubFault::Kind;
    row("gated", Kind::Status, 401, "GatedRepo", "config.json", "hub-gated", "https://huggingface.co/acme/tiny");
    row("gated, not yet allowed", Kind::Status, 403, "GatedRepo", "config.json", "hub-gated", "HF_TOKEN");
    row("a file forbidden", Kind::Status, 403, "", "config.json", "hub-gated", "licence");
    row("no repository, no token", Kind::Status, 401, "RepoNotFound", "", "hub-not-found", "no model acme/tiny");
    row("no repository", Kind::Status, 404, "RepoNotFound", "", "hub-not-found", "no model acme/tiny");
    row("no revision", Kind::Status, 404, "RevisionNotFound", "", "hub-not-found", "revision");
    row("no file", Kind::Status, 404, "EntryNotFound", "config.json", "hub-not-found", "config.json");
    row("too many", Kind::Status, 429, "", "", "hub-rate-limit", "Try again in 30 seconds.");
    row("too many, for a second", Kind::Status, 429, "", "", "hub-rate-limit", "Try again in a second.", "1");
    row("broken", Kind::Status, 503, "", "", "hub-server", "503");
    row("odd", Kind::Status, 418, "", "x", "hub-server", "418");
    row("no host", Kind::NoSuchHost, 0, "", "", "hub-no-network", "not found");
    row("no way", Kind::NoConnection, 0, "", "", "hub-no-network", "reached");
    row("proxy", Kind::Proxy, 0, "", "", "hub-proxy", "https_proxy");
    row("tls", Kind::Tls, 0, "", "", "hub-tls", "safe");
    row("drips", Kind::Slow, 0, "", "model.safetensors", "hub-timeout", "so slowly");
    row("silence", Kind::Silence, 0, "", "model.safetensors", "hub-timeout", "model.safetensors");
    row("cut", Kind::Interrupted, 0, "", "model.safetensors", "hub-interrupted", "broke off");
    row("large", Kind::TooLarge, 0, "", "config.json", "hub-too-large", "larger");
    row("odd answer", Kind::BadAnswer, 0, "", "config.json", "hub-bad-answer", "config.json");
    row("redirect", Kind::Redirect, 0, "", "config.json", "hub-redirect", "leads");
    row("cancelled", Kind::Cancelled, 0, "", "", "cancelled", "cancelled");
}

void HubSettingsTest::faults() {
    QFETCH(HubFault, fault);
    QFETCH(QString, code);
    QFETCH(QString, word);
    HubName name;
    name.repository = QStringLiteral("acme/tiny");
    const Note note = noteOf(fault, name, {});
    QCOMPARE(QString::fromStdString(note.code), code);
    QCOMPARE(note.severity, Severity::Error);
    QVERIFY2(QString::fromStdString(note.text).contains(word), note.text.c_str());
    HubSettings known;
    known.token = "hf_secret";
    QVERIFY(noteOf(fault, name, known).text.find("secret") == std::string::npos);
}

// The host that files are sent from knows no licence; and what is said of the token is so.
void HubSettingsTest::whoRefused() {
    HubName name;
    name.repository = QStringLiteral("acme/tiny");
    HubFault fault;
    fault.kind = HubFault::Kind::Status;
    fault.status = 403;
    fault.what = QStringLiteral("model.safetensors");
    fault.host = QStringLiteral("cdn.example");
    const Note other = noteOf(fault, name, {});
    QCOMPARE(other.code, std::string("hub-server"));
    QVERIFY2(other.text.find("cdn.example refused model.safetensors with the status 403") != std::string::npos, other.text.c_str());
    fault.errorCode = "GatedRepo";
    QCOMPARE(noteOf(fault, name, {}).code, std::string("hub-gated"));
    HubSettings settings;
    settings.token = "hf_x";
    for (const auto &[endpoint, sent] : {std::pair("http://127.0.0.1:8080", true), std::pair("http://hub.example", false), std::pair("https://hub.example", true)}) {
        settings.endpoint = QUrl(QString::fromLatin1(endpoint));
        const Note gated = noteOf(fault, name, settings);
        QVERIFY2((gated.text.find("was not sent") == std::string::npos) == sent, gated.text.c_str());
    }
    fault.disabled = true;
    fault.errorCode.clear();
    const Note disabled = noteOf(fault, name, {});
    QCOMPARE(disabled.code, std::string("hub-disabled"));
    QVERIFY2(disabled.text.find("acme/tiny has been disabled") != std::string::npos, disabled.text.c_str());
}

void HubSettingsTest::aDateToTryAgain() {
    HubFault fault;
    fault.kind = HubFault::Kind::Status;
    fault.status = 429;
    fault.retryAfter = QLocale::c().toString(QDateTime::currentDateTimeUtc().addSecs(595), QStringLiteral("ddd, dd MMM yyyy hh:mm:ss 'GMT'")).toLatin1();
    const Note note = noteOf(fault, {}, {});
    QVERIFY2(note.text.find("Try again in 10 minutes.") != std::string::npos, note.text.c_str());
}

void HubSettingsTest::aSlashInARevision() {
    HubFault fault;
    fault.kind = HubFault::Kind::Status;
    fault.status = 404;
    fault.errorCode = "RevisionNotFound";
    const auto name = readHubName(QStringLiteral("acme/tiny@feature/x"), {});
    QVERIFY(name);
    const Note note = noteOf(fault, *name, {});
    QVERIFY2(note.text.find("acme/tiny@feature%2Fx") != std::string::npos, note.text.c_str());
}

void HubSettingsTest::proxyThatIsNone() {
    const HubSettings settings = hubSettings(environmentOf({{"https_proxy", "http://me:secret@"}}));
    QCOMPARE(settings.notes.size(), std::size_t(1));
    QCOMPARE(settings.notes.front().code, std::string("hub-proxy"));
    QCOMPARE(settings.notes.front().severity, Severity::Warning);
    QVERIFY2(settings.notes.front().text.find("secret") == std::string::npos, settings.notes.front().text.c_str());
    QVERIFY(hubSettings(environmentOf({{"https_proxy", "http://proxy:3128"}})).notes.empty());
    QVERIFY(hubSettings(environmentOf({{"http_proxy", "http://"}})).notes.empty()); // nothing goes through it
}

KV_TEST(HubSettingsTest)
#include "hubsettingstest.moc"
