// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hubfault.h"

#include "ui/words.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace kv {

namespace {

struct Said {
    Q_DECLARE_TR_FUNCTIONS(kv::HubFault)
};

Note noted(const char *code, const HubName &name, const QString &sentence) { return {Severity::Error, code, utf8(name.repository), utf8(sentence)}; }

QString whatOf(const HubFault &fault, const HubName &name) { return fault.what.isEmpty() ? name.repository : fault.what; }

/// Seconds, or a date as HTTP writes it.
QString whenAgain(const QByteArray &retryAfter) {
    bool number = false;
    qint64 seconds = retryAfter.trimmed().toLongLong(&number);
    if (!number) {
        // HTTP's date is RFC 2822's with a zone that Qt's reader does not know by that name (RFC 9110, 5.6.7).
        const QString text = QString::fromLatin1(retryAfter.trimmed()).replace(QLatin1String(" GMT"), QLatin1String(" +0000"));
        const QDateTime date = QDateTime::fromString(text, Qt::RFC2822Date);
        seconds = date.isValid() ? QDateTime::currentDateTimeUtc().secsTo(date) : 0;
    }
    constexpr qint64 minute = 60, hour = 60 * minute, longest = 24 * hour;
    if (seconds <= 0 || seconds > longest)
        return Said::tr("Try again in a few minutes.");
    if (seconds == 1)
        return Said::tr("Try again in a second.");
    if (seconds < 2 * minute)
        return Said::tr("Try again in %1 seconds.").arg(seconds);
    return Said::tr("Try again in %1 minutes.").arg((seconds + minute - 1) / minute);
}

QString pageOf(const HubName &name, const HubSettings &settings) { return settings.endpoint.toString(QUrl::StripTrailingSlash) + QLatin1Char('/') + name.repository; }

QString tokenHint(const HubSettings &settings) {
    if (!settings.token.isEmpty() && !settings.mayCarryToken(settings.endpoint))
        return Said::tr("The access token was not sent, because %1 is not encrypted.").arg(settings.endpoint.host());
    return settings.token.isEmpty() ? Said::tr("Set HF_TOKEN to a token of an account that may read it, and start the program anew.")
                                    : Said::tr("The account of the token that is set must have that access.");
}

Note notFound(const HubFault &fault, const HubName &name, const HubSettings &settings) {
    // "@feature/x" is read as the file x of the branch feature.
    if (fault.errorCode == "RevisionNotFound" && !name.file.isEmpty())
        return noted("hub-not-found", name, Said::tr("%1 has no revision “%2”. A slash within a revision’s name is written %3, such as %4.").arg(name.repository, name.wholeRevision(), QStringLiteral("%2F"), name.repository + QLatin1Char('@') + name.wholeRevision() + QStringLiteral("%2F") + name.file.section(QLatin1Char('/'), 0, 0)));
    if (fault.errorCode == "RevisionNotFound")
        return noted("hub-not-found", name, Said::tr("%1 has no revision “%2”. Name another branch, tag or commit behind the @.").arg(name.repository, name.wholeRevision()));
    if (fault.errorCode == "EntryNotFound" || !fault.what.isEmpty())
        return noted("hub-not-found", name, Said::tr("%1 has no file %2 at “%3”.").arg(name.repository, whatOf(fault, name), name.wholeRevision()));
    if (!name.revision.isEmpty() && fault.errorCode.isEmpty() && fault.status == 404)
        return noted("hub-not-found", name, Said::tr("%1 has no model %2, or it has no revision “%3”. Check how both are written.").arg(fault.host, name.repository, name.revision));
    return noted("hub-not-found", name, Said::tr("%1 has no model %2, or it is private. Check how it is written. %3").arg(fault.host, name.repository, settings.token.isEmpty() ? Said::tr("For a private one set HF_TOKEN, and start the program anew.") : Said::tr("The token that is set must be allowed to read it.")));
}

Note ofStatus(const HubFault &fault, const HubName &name, const HubSettings &settings) {
    const int status = fault.status;
    // A host that files are sent from knows nothing of licences: its 403 is a signed address that has run out, or a network's own.
    const bool gated = fault.errorCode == "GatedRepo", ofTheHub = fault.host.compare(settings.endpoint.host(), Qt::CaseInsensitive) == 0;
    if (fault.disabled)
        return noted("hub-disabled", name, Said::tr("%1 has been disabled, by its author or by %2: nobody can fetch it.").arg(name.repository, settings.endpoint.host()));
    if (!gated && (status == 404 || status == 410 || fault.errorCode == "RepoNotFound" || (status == 401 && fault.what.isEmpty())))
        return notFound(fault, name, settings);
    if (gated || (ofTheHub && (status == 401 || status == 403)))
        return noted("hub-gated", name, Said::tr("%1 is given out only to who has accepted its licence: do so at %2. %3").arg(name.repository, pageOf(name, settings), tokenHint(settings)));
    if (status == 429)
        return noted("hub-rate-limit", name, Said::tr("%1 takes no more requests from here for now. %2").arg(fault.host, whenAgain(fault.retryAfter)));
    if (status == 407)
        return noted("hub-proxy", name, Said::tr("The proxy asks for a name and a password. They belong into the proxy’s address, such as https_proxy=http://name:password@host:3128."));
    if (status >= 500)
        return noted("hub-server", name, Said::tr("%1 has a fault of its own (status %2). Try again later.").arg(fault.host).arg(status));
    return noted("hub-server", name, Said::tr("%1 refused %2 with the status %3.").arg(fault.host, whatOf(fault, name)).arg(status));
}

} // namespace

Note noteOf(const HubFault &fault, const HubName &name, const HubSettings &settings) {
    const QString what = whatOf(fault, name);
    switch (fault.kind) {
    case HubFault::Kind::None:
    case HubFault::Kind::Cancelled:
        return noted("cancelled", name, Said::tr("Fetching %1 was cancelled; nothing was changed.").arg(name.repository));
    case HubFault::Kind::NoSuchHost:
        return noted("hub-no-network", name, Said::tr("The host %1 was not found. Is this machine connected to the network, and is a proxy needed (https_proxy)?").arg(fault.host));
    case HubFault::Kind::NoConnection:
        return noted("hub-no-network", name, Said::tr("%1 cannot be reached. Is this machine connected to the network, and is a proxy needed (https_proxy)?").arg(fault.host));
    case HubFault::Kind::Proxy:
        return noted("hub-proxy", name, Said::tr("The proxy did not lead to %1. Check https_proxy and no_proxy, or the desktop’s settings of the network.").arg(fault.host));
    case HubFault::Kind::Tls:
        return noted("hub-tls", name, Said::tr("There is no safe connection to %1: %2 Nothing was fetched.").arg(fault.host, fault.detail));
    case HubFault::Kind::Silence:
        return noted("hub-timeout", name, Said::tr("%1 fell silent while %2 was fetched. Try again later.").arg(fault.host, what));
    case HubFault::Kind::Slow:
        return noted("hub-timeout", name, Said::tr("%1 sends %2 so slowly that it would not end. Try again later.").arg(fault.host, what));
    case HubFault::Kind::Interrupted:
        return noted("hub-interrupted", name, Said::tr("The connection to %1 broke off in the middle of %2; nothing was kept of it. Try again.").arg(fault.host, what));
    case HubFault::Kind::TooLarge:
        return noted("hub-too-large", name, Said::tr("%1 is larger than such a file can be%2; it was not fetched.").arg(what, fault.detail));
    case HubFault::Kind::BadAnswer:
        return noted("hub-bad-answer", name, Said::tr("What %1 sent for %2 is not what was asked for: %3").arg(fault.host, what, fault.detail));
    case HubFault::Kind::Redirect:
        return noted("hub-redirect", name, Said::tr("%1 leads from one address to the next: %2 Nothing was fetched.").arg(fault.host, fault.detail));
    case HubFault::Kind::Status:
        break;
    }
    return ofStatus(fault, name, settings);
}

} // namespace kv
