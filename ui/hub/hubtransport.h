// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Requests to a Hub over HTTP, several at a time, with limits on everything. It waits in an event loop of its own and therefore belongs
// on a thread that may wait: ui/hub/hubjob.h.
//
// Redirects are followed here, not by Qt, which in 6.4 hands the Authorization header on to whatever host is named: at most five, from https
// never to http, the token only for the endpoint's own origin. TLS errors end a request. A part of a file is asked for by Range; a server
// that sends the whole all the same is stopped behind what was asked for. Nothing is stored: no cookies, no cache.

#include "ui/hub/hubfault.h"
#include "ui/hub/hubsettings.h"

#include <QByteArray>

#include <functional>
#include <memory>
#include <vector>

class QNetworkAccessManager;

namespace kv {

struct HubRequest {
    QUrl url;
    QString what;      ///< in messages and for the progress
    qint64 from = 0;
    qint64 count = -1; ///< −1: the whole file, of at most `most` bytes
    qint64 most = 0;
};

struct HubAnswer {
    HubFault fault;
    QByteArray body;
    qint64 whole = -1; ///< length of the file that the body is a part of
    QByteArray commit; ///< X-Repo-Commit
    QUrl movedTo;      ///< where another address of the same Hub was named: a repository under a new name
};

struct HubProgress {
    QString file;
    qint64 bytes = 0; ///< of all that was fetched so far
    int done = 0;
    int files = 0;    ///< 0: not known yet
};

/// How whoever waits takes part; called on the thread that fetches.
struct HubWatch {
    std::function<bool()> goOn = [] { return true; };
    std::function<void(const HubProgress &)> progress = [](const HubProgress &) {};
};

class HubTransport {
public:
    HubTransport(const HubSettings &settings, const HubWatch &watch);
    ~HubTransport();

    /// The answers in the order of the requests. The first fault ends the others, which then are Cancelled.
    std::vector<HubAnswer> get(const std::vector<HubRequest> &requests);
    HubAnswer get(const HubRequest &request) { return std::move(get(std::vector{request}).front()); }

    void expect(int files) { m_progress.files = files; }
    void fileDone() {
        ++m_progress.done;
        m_watch.progress(m_progress);
    }
    qint64 bytes() const { return m_progress.bytes; }

private:
    friend class HubDownload;
    void received(const QString &what, qint64 bytes);

    const HubSettings &m_settings;
    const HubWatch &m_watch;
    HubProgress m_progress;
    std::unique_ptr<QNetworkAccessManager> m_manager;
};

} // namespace kv
