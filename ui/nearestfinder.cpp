// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/nearestfinder.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace kv {

void NearestFinder::ask(const Scenario &refused) {
    if (m_scenario == refused)
        return;
    m_scenario = refused;
    m_found.clear();
    const int asked = ++m_asked;
    // The worker knows this object by name only; whether it still lives is asked on its own thread.
    QThreadPool::globalInstance()->start([self = QPointer<NearestFinder>(this), asked, refused] {
        auto result = std::make_shared<std::vector<Alternative>>(nearestThatWork(refused));
        QMetaObject::invokeMethod(qApp, [self, asked, result] {
                if (!self || self->m_asked != asked)
                    return;
                self->m_found = std::move(*result);
                emit self->found();
            }, Qt::QueuedConnection);
    });
}

void NearestFinder::forget() {
    ++m_asked;
    m_scenario.reset();
    m_found.clear();
}

} // namespace kv
