// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One request with all that follows from it: its redirects, its limits, its end. See ui/hub/hubtransport.h.

#include "ui/hub/hubtransport.h"

#include <QNetworkReply>
#include <QObject>
#include <QTimer>

namespace kv {

/// Where a redirect leads, or why it is not followed, as the end of a sentence.
struct HubRedirect {
    QUrl target;
    QString refused;
};
HubRedirect redirectFrom(const QUrl &url, const QByteArray &location);

class HubDownload : public QObject {
    Q_OBJECT

public:
    HubDownload(HubTransport &transport, const HubRequest &request);
    ~HubDownload() override;

    void start();
    /// Ends it now, for this reason; nothing happens where it has ended.
    void stop(HubFault::Kind why, const QString &detail = {});
    bool isDone() const { return m_done; }
    bool hasFault() const { return static_cast<bool>(m_answer.fault); }
    HubAnswer takeAnswer() { return std::move(m_answer); }

signals:
    void done();

private:
    bool isPart() const { return m_request.count >= 0; }
    int status() const;
    bool isRedirect() const;
    bool isRefusal() const;
    void send();
    void drop();
    void headersCame();
    void bytesCame();
    void ended();
    void followRedirect();
    void takeFault();
    void finish();

    HubTransport &m_transport;
    HubRequest m_request;
    QUrl m_url;
    QNetworkReply *m_reply = nullptr;
    QTimer m_silence;
    HubAnswer m_answer;
    qint64 m_enough = -1; ///< bytes of the body behind which nothing more is needed
    qint64 m_sinceLooked = 0; ///< bytes since the silence was counted anew
    qint64 m_discarded = 0; ///< of a page that is not for us
    qint64 m_skip = 0;    ///< bytes in front that were not asked for
    int m_redirects = 0;
    bool m_done = false;
};

} // namespace kv
