// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hubtransport.h"

#include "ui/hub/hubdownload.h"

#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkProxyFactory>
#include <QTimer>

#include <memory>

namespace kv {

namespace {

constexpr std::size_t atOnce = 6; // as browsers have it for one host
constexpr int lookInterval = 50;  // milliseconds between two looks whether anybody still waits

class Proxies : public QNetworkProxyFactory {
public:
    explicit Proxies(const HubProxies &given) : m_given(given) {}
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &query) override {
        const QList<QNetworkProxy> found = m_given.of(query.url());
        return found.isEmpty() ? systemProxyForQuery(query) : found;
    }

private:
    HubProxies m_given;
};

} // namespace

HubTransport::HubTransport(const HubSettings &settings, const HubWatch &watch) : m_settings(settings), m_watch(watch), m_manager(std::make_unique<QNetworkAccessManager>()) {
    m_manager->setProxyFactory(new Proxies(settings.proxies)); // which the manager owns
    m_manager->setAutoDeleteReplies(false);
}

HubTransport::~HubTransport() = default;

void HubTransport::received(const QString &what, qint64 bytes) {
    m_progress.file = what;
    m_progress.bytes += bytes;
    m_watch.progress(m_progress);
}

std::vector<HubAnswer> HubTransport::get(const std::vector<HubRequest> &requests) {
    std::vector<std::unique_ptr<HubDownload>> downloads;
    downloads.reserve(requests.size());
    for (const HubRequest &request : requests)
        downloads.push_back(std::make_unique<HubDownload>(*this, request));
    QEventLoop loop;
    std::size_t next = 0, running = 0;
    bool failed = false;
    const auto startMore = [&] {
        while (!failed && running < atOnce && next < downloads.size()) {
            ++running;
            downloads[next++]->start();
        }
    };
    for (const auto &download : downloads)
        QObject::connect(download.get(), &HubDownload::done, &loop, [&] { --running; }, Qt::DirectConnection);
    // What ends one request may start the next: from the event loop, so that none starts inside another's end.
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] { failed = failed || !m_watch.goOn(); });
    look.start(lookInterval);
    failed = !m_watch.goOn();
    startMore();
    while (running > 0 && !failed) {
        loop.processEvents(QEventLoop::WaitForMoreEvents);
        for (std::size_t i = 0; i < next; ++i)
            failed = failed || (downloads[i]->isDone() && downloads[i]->hasFault());
        startMore();
    }
    for (const auto &download : downloads)
        download->stop(HubFault::Kind::Cancelled);
    std::vector<HubAnswer> answers;
    answers.reserve(downloads.size());
    for (const auto &download : downloads)
        answers.push_back(download->takeAnswer());
    return answers;
}

} // namespace kv
