// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What can go wrong between here and a Hub, and the sentence that a person gets of it: what happened, and what to do. No sentence
// holds a token, a signed address or what a server wrote into its page.
//
// What the Hub means by a status: huggingface_hub, src/huggingface_hub/utils/_http.py, hf_raise_for_status (the header X-Error-Code: RepoNotFound,
// GatedRepo, RevisionNotFound, EntryNotFound; 401 without it is a repository that is not there, or not for this token; the X-Error-Message
// "Access to this resource is disabled." is a repository that was taken down).

#include "core/base/note.h"
#include "ui/hub/hubname.h"
#include "ui/hub/hubsettings.h"

namespace kv {

struct HubFault {
    enum class Kind {
        None,
        Cancelled,
        NoSuchHost,
        NoConnection,
        Proxy,
        Tls,
        Silence,     ///< nothing came for too long
        Slow,        ///< hardly anything came for as long
        Interrupted, ///< it ended before all was there
        TooLarge,
        BadAnswer,   ///< not what was asked for
        Redirect,    ///< one that is not followed
        Status,      ///< the server refused
    };
    Kind kind = Kind::None;
    QString host;         ///< that was asked
    QString what;         ///< the file, or "" for what the Hub says of the repository
    QString detail;       ///< of Tls, BadAnswer and Redirect: a sentence's end
    int status = 0;
    QByteArray errorCode; ///< X-Error-Code
    bool disabled = false; ///< as X-Error-Message says
    QByteArray retryAfter;

    explicit operator bool() const { return kind != Kind::None; }
    /// Whether the Hub was not reached at all, so that what is kept may stand in.
    bool isUnreachable() const { return kind == Kind::NoSuchHost || kind == Kind::NoConnection || kind == Kind::Proxy || kind == Kind::Silence || kind == Kind::Slow || status >= 500; }
};

/// Codes: "cancelled", "hub-no-network", "hub-proxy", "hub-tls", "hub-timeout", "hub-interrupted", "hub-too-large", "hub-bad-answer", "hub-redirect",
/// "hub-gated", "hub-disabled", "hub-not-found", "hub-rate-limit", "hub-server".
Note noteOf(const HubFault &fault, const HubName &name, const HubSettings &settings);

} // namespace kv
