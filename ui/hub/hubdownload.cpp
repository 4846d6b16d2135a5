// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hubdownload.h"

#include "core/base/units.h"
#include "core/base/version.h"
#include "ui/words.h"

#include <QCoreApplication>
#include <QNetworkAccessManager>
#include <QNetworkRequest>
#include <QSslSocket>

namespace kv {

namespace {

struct Said {
    Q_DECLARE_TR_FUNCTIONS(kv::HubDownload)
};

constexpr int mostRedirects = 5;
constexpr int mostScheme = 20; ///< letters of it that are shown
constexpr qint64 bufferBytes = 256 * kibibyte;
constexpr qint64 leastBytes = 16 * kibibyte; // in as long as a silence may be: below what any line for data carries

/// "bytes 0-99/1234": where it begins and how long the whole is; −1 where it does not say.
struct ContentRange {
    qint64 begin = -1, whole = -1;
};

ContentRange contentRange(const QByteArray &header) {
    ContentRange range;
    const QByteArray text = header.trimmed();
    const qsizetype dash = text.indexOf('-'), slash = text.indexOf('/');
    if (!text.startsWith("bytes ") || dash < 0 || slash < dash)
        return range;
    bool read = false;
    range.begin = text.mid(6, dash - 6).trimmed().toLongLong(&read);
    if (!read || range.begin < 0)
        range.begin = -1;
    range.whole = text.mid(slash + 1).trimmed().toLongLong(&read);
    if (!read || range.whole < 0)
        range.whole = -1;
    return range;
}

} // namespace

HubRedirect redirectFrom(const QUrl &url, const QByteArray &location) {
    QUrl target = url.resolved(QUrl::fromEncoded(location, QUrl::StrictMode));
    const QString scheme = target.scheme();
    const bool web = scheme == QLatin1String("https") || scheme == QLatin1String("http");
    if (!location.isEmpty() && target.isValid() && !web && !scheme.isEmpty())
        return {{}, Said::tr("the next is a %1: address, which is not followed.").arg(scheme.left(mostScheme))};
    if (location.isEmpty() || !target.isValid() || target.host().isEmpty() || !web)
        return {{}, Said::tr("the next is no address.")};
    if (url.scheme() == QLatin1String("https") && scheme == QLatin1String("http"))
        return {{}, Said::tr("the next is not encrypted, which is not followed.")};
    target.setUserInfo({}); // which would make an Authorization header of its own
    return {target, {}};
}

HubDownload::HubDownload(HubTransport &transport, const HubRequest &request) : m_transport(transport), m_request(request), m_url(request.url) {
    m_silence.setSingleShot(true);
    m_silence.setInterval(transport.m_settings.silence);
    connect(&m_silence, &QTimer::timeout, this, [this] { isRefusal() ? takeFault() : stop(m_sinceLooked > 0 ? HubFault::Kind::Slow : HubFault::Kind::Silence); });
}

HubDownload::~HubDownload() { drop(); }

void HubDownload::start() { send(); }

int HubDownload::status() const { return m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(); }

bool HubDownload::isRedirect() const {
    const int code = status();
    return code == 301 || code == 302 || code == 303 || code == 307 || code == 308;
}

bool HubDownload::isRefusal() const { return m_reply && status() >= 300 && !isRedirect(); }

void HubDownload::send() {
    if (m_url.scheme() == QLatin1String("https") && !QSslSocket::supportsSsl())
        return stop(HubFault::Kind::Tls, Said::tr("this system has no TLS library that Qt can use."));
    QNetworkRequest request(m_url);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setRawHeader("User-Agent", "kvplanner/" + QByteArray::fromStdString(std::string(version())));
    request.setRawHeader("Accept-Encoding", "identity"); // what is counted is what is kept
    if (m_transport.m_settings.mayCarryToken(m_url))
        request.setRawHeader("Authorization", "Bearer " + m_transport.m_settings.token);
    // Qt gives the name and the password of a proxy's address to tunnels alone.
    if (const QByteArray toProxy = m_transport.m_settings.proxies.authorization(m_url); !toProxy.isEmpty())
        request.setRawHeader("Proxy-Authorization", toProxy);
    if (isPart())
        request.setRawHeader("Range", "bytes=" + QByteArray::number(m_request.from) + '-' + QByteArray::number(m_request.from + m_request.count - 1));
    m_reply = m_transport.m_manager->get(request);
    m_reply->setReadBufferSize(bufferBytes);
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &HubDownload::headersCame);
    connect(m_reply, &QNetworkReply::readyRead, this, &HubDownload::bytesCame);
    connect(m_reply, &QNetworkReply::finished, this, &HubDownload::ended);
    m_sinceLooked = 0;
    m_silence.start();
}

void HubDownload::drop() {
    m_silence.stop();
    if (!m_reply)
        return;
    m_reply->disconnect(this);
    // Not at once: Qt stumbles where its own signal ends a reply.
    QMetaObject::invokeMethod(m_reply, &QNetworkReply::abort, Qt::QueuedConnection);
    m_reply->deleteLater();
    m_reply = nullptr;
}

void HubDownload::finish() {
    drop();
    m_done = true;
    emit done();
}

void HubDownload::stop(HubFault::Kind why, const QString &detail) {
    if (m_done)
        return;
    HubFault &fault = m_answer.fault;
    fault.kind = why;
    fault.host = m_url.host();
    fault.what = m_request.what;
    fault.detail = detail;
    m_answer.body.clear();
    finish();
}

void HubDownload::headersCame() {
    m_silence.start();
    if (m_answer.commit.isEmpty() && isSameOrigin(m_url, m_transport.m_settings.endpoint))
        m_answer.commit = m_reply->rawHeader("X-Repo-Commit").trimmed();
    const int code = status();
    if (code != 200 && code != 206)
        return;
    bool given = false;
    const qint64 length = m_reply->rawHeader("Content-Length").trimmed().toLongLong(&given);
    if (!isPart()) {
        m_answer.whole = given ? length : -1;
        if (given && length > m_request.most)
            stop(HubFault::Kind::TooLarge, Said::tr(" (%1 bytes, at most %2 are read)").arg(length).arg(m_request.most));
        return;
    }
    if (code == 200) { // the server has no ranges and sends the whole: it is read as far as is needed
        m_skip = m_request.from;
        m_answer.whole = given ? length : -1;
    } else {
        const ContentRange range = contentRange(m_reply->rawHeader("Content-Range"));
        if (range.begin != m_request.from)
            return stop(HubFault::Kind::BadAnswer, Said::tr("another part of the file."));
        m_skip = 0;
        m_answer.whole = range.whole;
    }
    m_enough = m_skip + m_request.count;
    if (m_enough > m_request.most)
        stop(HubFault::Kind::TooLarge, Said::tr(", and the server sends no parts of files"));
}

void HubDownload::bytesCame() {
    const QByteArray bytes = m_reply->readAll();
    const int code = status();
    // The page of an error or a redirect is not for us and need not have an end: it gets no more bytes than a page has, and no more time than
    // silence does. What it is about stands in its headers.
    if (code != 200 && code != 206) {
        constexpr qint64 mostDiscarded = 256 * kibibyte;
        m_discarded += bytes.size();
        if (m_discarded > mostDiscarded && !m_done)
            isRefusal() ? takeFault() : stop(HubFault::Kind::BadAnswer, Said::tr("a page without an end."));
        return;
    }
    // A byte now and then is no sign of an end.
    if (m_sinceLooked += bytes.size(); m_sinceLooked >= leastBytes) {
        m_sinceLooked = 0;
        m_silence.start();
    }
    m_answer.body += bytes;
    m_transport.received(m_request.what, bytes.size());
    if (m_done) // whoever watches may have ended it
        return;
    if (m_enough >= 0 && m_answer.body.size() >= m_enough) {
        m_answer.body = m_answer.body.mid(m_skip, m_request.count);
        return finish();
    }
    if (m_answer.body.size() > m_request.most)
        stop(HubFault::Kind::TooLarge, Said::tr(" (at most %1 bytes are read)").arg(m_request.most));
}

void HubDownload::ended() {
    if (isRedirect())
        return followRedirect();
    bytesCame();
    if (m_done)
        return;
    const int code = status();
    if (m_reply->error() != QNetworkReply::NoError || (code != 200 && code != 206))
        return takeFault();
    const bool whole = m_answer.whole >= 0;
    const qint64 expected = isPart() && whole ? std::min(m_enough, code == 206 ? m_answer.whole - m_request.from : m_answer.whole) : m_answer.whole;
    if (whole && m_answer.body.size() < expected)
        return stop(HubFault::Kind::Interrupted);
    if (isPart())
        m_answer.body = m_answer.body.mid(m_skip, m_request.count);
    if (!whole && !isPart())
        m_answer.whole = m_answer.body.size();
    finish();
}

void HubDownload::followRedirect() {
    const auto [target, refused] = redirectFrom(m_url, m_reply->rawHeader("Location").trimmed());
    if (!refused.isEmpty())
        return stop(HubFault::Kind::Redirect, refused);
    if (++m_redirects > mostRedirects)
        return stop(HubFault::Kind::Redirect, Said::tr("more than five times."));
    const QUrl &endpoint = m_transport.m_settings.endpoint;
    if (isSameOrigin(m_url, endpoint) && isSameOrigin(target, endpoint) && target.path() != m_url.path())
        m_answer.movedTo = target;
    drop();
    m_url = target;
    send();
}

void HubDownload::takeFault() {
    using Kind = HubFault::Kind;
    const int code = status();
    if (code >= 300) {
        HubFault &fault = m_answer.fault;
        fault.status = code;
        fault.errorCode = m_reply->rawHeader("X-Error-Code").trimmed();
        fault.disabled = m_reply->rawHeader("X-Error-Message").trimmed() == "Access to this resource is disabled.";
        fault.retryAfter = m_reply->rawHeader("Retry-After");
        return stop(Kind::Status);
    }
    switch (m_reply->error()) {
    case QNetworkReply::HostNotFoundError:
        return stop(Kind::NoSuchHost);
    case QNetworkReply::SslHandshakeFailedError: {
        const QString reason = m_reply->errorString();
        return stop(Kind::Tls, reason.endsWith(QLatin1Char('.')) ? reason : reason + QLatin1Char('.'));
    }
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyConnectionClosedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyTimeoutError:
    case QNetworkReply::ProxyAuthenticationRequiredError:
    case QNetworkReply::UnknownProxyError:
        return stop(Kind::Proxy);
    default:
        return stop(code > 0 ? Kind::Interrupted : Kind::NoConnection);
    }
}

} // namespace kv
