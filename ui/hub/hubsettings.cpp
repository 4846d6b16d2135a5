// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hubsettings.h"

#include "core/base/smallfile.h"
#include "ui/words.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QNetworkProxy>

namespace kv {

namespace {

struct Said {
    Q_DECLARE_TR_FUNCTIONS(kv::HubSettings)
};

constexpr std::int64_t maxTokenBytes = 4096;

bool isOn(const std::string &value) {
    const QString word = words(value).trimmed().toUpper();
    return word == QLatin1String("1") || word == QLatin1String("ON") || word == QLatin1String("YES") || word == QLatin1String("TRUE");
}

/// The first that is set, as curl and Python's requests read them: small letters first.
QString eitherCase(const Environment &environment, const char *name) {
    const std::string small(name);
    if (const std::string value = environment.variable(small); !value.empty())
        return words(value);
    return words(environment.variable(QString::fromLatin1(name).toUpper().toStdString()));
}

bool isThisMachine(const QUrl &url) {
    const QHostAddress address(url.host());
    return url.host() == QLatin1String("localhost") || (!address.isNull() && address.isLoopback());
}

int portOf(const QUrl &url) { return url.port(url.scheme() == QLatin1String("https") ? 443 : 80); }

void readEndpoint(HubSettings &settings, const std::string &given) {
    if (given.empty())
        return;
    QUrl url(words(given).trimmed(), QUrl::StrictMode);
    const bool web = url.scheme() == QLatin1String("https") || url.scheme() == QLatin1String("http");
    if (!url.isValid() || !web || url.host().isEmpty() || !url.userInfo().isEmpty() || url.hasQuery() || url.hasFragment()) {
        settings.notes.push_back(errorNote("hub-endpoint", "HF_ENDPOINT", utf8(Said::tr("The variable HF_ENDPOINT must hold the address of a Hub and nothing else, such as https://huggingface.co."))));
        return;
    }
    QString path = url.path();
    while (path.endsWith(QLatin1Char('/')))
        path.chop(1);
    url.setPath(path);
    settings.endpoint = url;
}

/// A token is one word of plain letters; anything else in a header could end it.
bool isToken(const QByteArray &token) {
    return std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 127; });
}

void takeToken(HubSettings &settings, const std::string &given, const std::string &from) {
    const QByteArray token = QByteArray::fromStdString(given).trimmed();
    if (isToken(token))
        settings.token = token;
    else
        settings.notes.push_back(warningNote("hub-token", from, utf8(Said::tr("What %1 holds is no access token: it has spaces or letters that no token has. It is not used.").arg(words(from)))));
}

void readToken(HubSettings &settings, const Environment &environment) {
    if (isOn(environment.variable("HF_HUB_DISABLE_IMPLICIT_TOKEN")))
        return;
    std::string given, from;
    for (const char *name : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"})
        if (given.empty()) {
            given = environment.variable(name);
            from = name;
        }
    if (!given.empty())
        return takeToken(settings, given, from);
    const std::string named = environment.variable("HF_TOKEN_PATH");
    settings.tokenFileNamed = !named.empty();
    settings.tokenFile = named.empty() ? hubHome(environment) + "/token" : expanded(named, environment);
}

/// "example.com" and ".example.com" stand for the host and all below it, "example.com:8080" for one port.
bool isDirect(const QUrl &url, const QString &pattern) {
    if (pattern == QLatin1String("*"))
        return true;
    QString name = pattern.toLower();
    if (const qsizetype colon = name.lastIndexOf(QLatin1Char(':')); colon > 0 && name.count(QLatin1Char(':')) == 1) {
        if (name.mid(colon + 1).toInt() != portOf(url))
            return false;
        name.truncate(colon);
    }
    while (name.startsWith(QLatin1Char('.')) || name.startsWith(QLatin1Char('*')))
        name.remove(0, 1);
    const QString host = url.host().toLower();
    return !name.isEmpty() && (host == name || host.endsWith(QLatin1Char('.') + name));
}

/// Without a scheme one of HTTP; not valid where the text is no address.
QUrl proxyAddress(const QString &given) {
    const QUrl address(given.contains(QLatin1String("://")) ? given : QStringLiteral("http://") + given);
    return address.host().isEmpty() ? QUrl() : address;
}

/// Else nobody would see why a proxy is not used. It may hold a password, and is not repeated.
void checkProxy(HubSettings &settings) {
    const QString &given = settings.proxies.givenFor(settings.endpoint);
    const QString variable = settings.endpoint.scheme() + QStringLiteral("_proxy");
    if (!given.isEmpty() && !proxyAddress(given).isValid())
        settings.notes.push_back(warningNote("hub-proxy", utf8(variable), utf8(Said::tr("What %1 (or all_proxy) holds is no address of a proxy, such as http://host:3128. No proxy is used.").arg(variable))));
}

} // namespace

const QString &HubProxies::givenFor(const QUrl &url) const { return url.scheme() == QLatin1String("https") ? https : http; }

QList<QNetworkProxy> HubProxies::of(const QUrl &url) const {
    if (std::any_of(direct.begin(), direct.end(), [&url](const QString &pattern) { return isDirect(url, pattern); }))
        return {QNetworkProxy(QNetworkProxy::NoProxy)};
    const QString &given = givenFor(url);
    if (given.isEmpty())
        return {};
    const QUrl address = proxyAddress(given);
    if (!address.isValid())
        return {QNetworkProxy(QNetworkProxy::NoProxy)};
    const bool socks = address.scheme().startsWith(QLatin1String("socks"));
    const int port = address.port(socks ? 1080 : address.scheme() == QLatin1String("https") ? 443 : 80);
    return {QNetworkProxy(socks ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy, address.host(), static_cast<quint16>(port), address.userName(), address.password())};
}

QByteArray HubProxies::authorization(const QUrl &url) const {
    const QList<QNetworkProxy> found = of(url);
    if (url.scheme() != QLatin1String("http") || found.isEmpty() || found.first().type() != QNetworkProxy::HttpProxy || found.first().user().isEmpty())
        return {};
    return "Basic " + (found.first().user() + QLatin1Char(':') + found.first().password()).toUtf8().toBase64();
}

bool isSameOrigin(const QUrl &a, const QUrl &b) {
    return a.scheme() == b.scheme() && a.host().compare(b.host(), Qt::CaseInsensitive) == 0 && portOf(a) == portOf(b);
}

bool HubSettings::mayCarryToken(const QUrl &url) const {
    return !token.isEmpty() && isSameOrigin(url, endpoint) && (url.scheme() == QLatin1String("https") || isThisMachine(url));
}

QUrl HubSettings::urlOf(const QStringList &segments) const {
    QByteArray path = endpoint.path(QUrl::FullyEncoded).toLatin1();
    for (const QString &segment : segments)
        path += '/' + QUrl::toPercentEncoding(segment);
    return QUrl::fromEncoded(endpoint.adjusted(QUrl::RemovePath).toEncoded() + path, QUrl::StrictMode);
}

void readTokenFile(HubSettings &settings) {
    const std::string from = std::exchange(settings.tokenFile, {});
    if (from.empty())
        return;
    if (const Parsed<std::string> file = readSmallFile(from, maxTokenBytes))
        takeToken(settings, *file, from);
    else if (settings.tokenFileNamed)
        settings.notes.push_back(warningNote("hub-token", "HF_TOKEN_PATH", utf8(Said::tr("The file that HF_TOKEN_PATH names cannot be read, so that no token is used."))));
}

HubSettings hubSettings(const Environment &environment) {
    HubSettings settings;
    settings.environment = environment;
    readEndpoint(settings, environment.variable("HF_ENDPOINT"));
    readToken(settings, environment);
    for (const char *name : {"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"})
        if (settings.offlineBy.isEmpty() && isOn(environment.variable(name)))
            settings.offlineBy = QLatin1String(name);
    const QString all = eitherCase(environment, "all_proxy");
    const QString http = eitherCase(environment, "http_proxy"), https = eitherCase(environment, "https_proxy");
    settings.proxies.http = http.isEmpty() ? all : http;
    settings.proxies.https = https.isEmpty() ? all : https;
    for (const QString &pattern : eitherCase(environment, "no_proxy").split(QLatin1Char(','), Qt::SkipEmptyParts))
        settings.proxies.direct += pattern.trimmed();
    checkProxy(settings);
    const std::string cache = environment.variable("XDG_CACHE_HOME"); // a relative one is to be ignored
    settings.keepFolder = words((cache.starts_with('/') ? cache : environment.home + "/.cache") + "/KVPlanner/hub");
    return settings;
}

} // namespace kv
