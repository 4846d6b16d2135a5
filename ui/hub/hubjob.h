// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Fetching from a Hub while the window lives on: a thread for each run, of which the last counts. Cancelled or destroyed, it ends within a
// moment, and what comes late is dropped.

#include "ui/hub/hubfetch.h"

#include <QElapsedTimer>
#include <QObject>

#include <atomic>
#include <memory>

namespace kv {

class HubJob : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    ~HubJob() override;

    void start(const HubName &name, const HubSettings &settings);
    void cancel();
    bool isBusy() const { return m_run != nullptr; }

signals:
    void progressed(const kv::HubProgress &progress);
    void finished(const kv::HubFetched &fetched);

private:
    struct Run;

    std::shared_ptr<Run> m_run;
};

} // namespace kv
