// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How the Hub is reached, as the environment says, by the names that huggingface_hub reads (src/huggingface_hub/constants.py and utils/_auth.py):
// HF_ENDPOINT, HF_TOKEN or HUGGING_FACE_HUB_TOKEN, else the file HF_TOKEN_PATH, else $HF_HOME/token; HF_HUB_DISABLE_IMPLICIT_TOKEN; HF_HUB_OFFLINE and
// TRANSFORMERS_OFFLINE; http_proxy, https_proxy, all_proxy and no_proxy, else the desktop's proxies.
//
// The token is held here for as long as something is fetched, and leaves in one header to one host. It is not sent unencrypted, unless to
// this machine itself.

#include "core/base/note.h"
#include "core/files/stores.h"

#include <QByteArray>
#include <QList>
#include <QStringList>
#include <QUrl>

class QNetworkProxy;

namespace kv {

struct HubProxies {
    QString http, https; ///< addresses; empty: as the desktop has it
    QStringList direct;  ///< of no_proxy; "*": never any proxy

    const QString &givenFor(const QUrl &url) const;
    /// The proxies for a URL; nothing: as the desktop has it. An address that is none stands for no proxy.
    QList<QNetworkProxy> of(const QUrl &url) const;
    /// What a plain request tells a proxy of HTTP whose address has a name and a password; empty: nothing.
    QByteArray authorization(const QUrl &url) const;
};

struct HubSettings {
    QUrl endpoint{QStringLiteral("https://huggingface.co")};
    QByteArray token;
    std::string tokenFile;      ///< where the token is kept that is still to be read; empty: nowhere
    bool tokenFileNamed = false; ///< by a variable: it must be there
    QString offlineBy;  ///< the variable that forbids the network; empty: none does
    QString keepFolder; ///< where what was fetched is kept
    Environment environment;
    HubProxies proxies;
    int silence = 30'000; ///< milliseconds without a byte, or with hardly any, after which a server is given up
    Notes notes;          ///< an Error among them: nothing can be fetched

    /// Whether the token may go along with a request for this.
    bool mayCarryToken(const QUrl &url) const;
    /// An address at the Hub; the parts are encoded here.
    QUrl urlOf(const QStringList &segments) const;
};

/// Scheme, host and port are the same.
bool isSameOrigin(const QUrl &a, const QUrl &b);

/// As the variables say; no file is touched. Codes: "hub-endpoint" (an error), "hub-token" (a warning: it is none, or cannot be read), "hub-proxy" (a
/// warning: what is given is no address).
HubSettings hubSettings(const Environment &environment);
/// Reads the token's file, where no variable holds a token; once.
void readTokenFile(HubSettings &settings);

} // namespace kv
