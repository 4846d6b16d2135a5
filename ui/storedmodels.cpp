// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/storedmodels.h"

#include "core/base/quantity.h"
#include "core/files/stores.h"
#include "ui/beside.h"
#include "ui/hub/hubkeep.h"
#include "ui/language/translate.h"
#include "ui/words.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>

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

/// What this program fetched itself (ui/hub/hubkeep.h).
QList<Choice> keptChoices() {
    QList<Choice> choices;
    for (const KeptModel &model : keptModels(hubSettings(systemEnvironment()).keepFolder)) {
        Choice c;
        c.id = storedIdBegin + model.folder;
        c.group = Stored::tr("On this machine · fetched from the Hub");
        c.title = model.repository;
        if (!model.revision.isEmpty() && model.revision != QLatin1String("main"))
            c.title += QLatin1Char('@') + model.revision;
        c.detail = model.file.isEmpty() ? Stored::tr("config and headers") : QFileInfo(model.file).fileName();
        c.more = model.file;
        c.tip = model.file.isEmpty() ? model.repository : model.repository + QStringLiteral(" · ") + model.file;
        choices += c;
    }
    return choices;
}

} // namespace

void findStoredModels(QObject *receiver, const std::function<void(const QList<Choice> &)> &ready) {
    const QPointer<QObject> waiting(receiver);
    QThreadPool::globalInstance()->start([waiting, ready] {
        const Beside others;
        const QList<Choice> found = keptChoices() + choicesOf(listStores(systemEnvironment()));
        if (QCoreApplication *application = found.isEmpty() ? nullptr : QCoreApplication::instance())
            QMetaObject::invokeMethod(application, [waiting, ready, found] {
                if (waiting)
                    ready(found);
            }, Qt::QueuedConnection);
    });
}

} // namespace kv
