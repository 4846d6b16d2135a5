// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/thismachine.h"

#include "ui/beside.h"

#include <QCoreApplication>

#include <memory>

namespace kv {

namespace {

std::optional<Bytes> &measured() {
    static std::optional<Bytes> bytes; // of the GUI thread alone
    return bytes;
}

} // namespace

void readThisMachine(QObject *context, std::function<void(const Machine &)> beside, std::function<void(const Machine &)> done) {
    QThreadPool::globalInstance()->start([context = QPointer<QObject>(context), beside = std::move(beside), done = std::move(done)] {
        const Beside others;
        auto machine = std::make_shared<const Machine>(readMachine());
        beside(*machine);
        QMetaObject::invokeMethod(qApp, [context, done, machine] {
                measured() = machine->takenByOthers();
                if (context)
                    done(*machine);
            }, Qt::QueuedConnection);
    });
}

std::optional<Bytes> measuredDisplay() { return measured(); }

} // namespace kv
