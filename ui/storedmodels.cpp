// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/storedmodels.h"

#include "core/base/quantity.h"
#include "core/files/stores.h"
#include "ui/language/translate.h"
#include "ui/words.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace kv {

namespace {

struct Stored {
    Q_DECLARE_TR_FUNCTIONS(kv::Stored)
};

QList<Choice> choicesOf(const std::vector<StoredModel> &models) {
    QList<Choice> choices;
    for (const StoredModel &model : models) {
        Choice c;
        c.id = storedIdBegin + words(model.path);
        c.group = Stored::tr("On this machine · %1").arg(translated(storeName(model.store)));
        c.title = words(model.name);
        c.detail = model.size > Bytes(0) ? translated(writeBytes(model.size, SizeUnit::Decimal)) : Stored::tr("config only");
        c.more = words(model.path);
        c.tip = words(model.path);
        choices += c;
    }
    return choices;
}

} // namespace

void findStoredModels(QObject *receiver, const std::function<void(const QList<Choice> &)> &ready) {
    const QPointer<QObject> waiting(receiver);
    QThreadPool::globalInstance()->start([waiting, ready] {
        const QList<Choice> found = choicesOf(listStores(systemEnvironment()));
        if (QCoreApplication *application = found.isEmpty() ? nullptr : QCoreApplication::instance())
            QMetaObject::invokeMethod(application, [waiting, ready, found] {
                if (waiting)
                    ready(found);
            }, Qt::QueuedConnection);
    });
}

} // namespace kv
