// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs.h"

#include "ui/aside.h"
#include "ui/theme.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QPointer>
#include <QPrintDialog>
#include <QPrinter>

namespace kv {

namespace {

Keep askKeepChanges(QWidget *parent, const QString &name) {
    QMessageBox box(QMessageBox::Question, QCoreApplication::applicationName(),
                    QCoreApplication::translate("kv::Dialogs", "Save the changes to “%1”?").arg(name),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(QCoreApplication::translate("kv::Dialogs", "What is not saved is lost when the window closes."));
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return Keep::Save;
    case QMessageBox::Discard:
        return Keep::Discard;
    default:
        return Keep::Cancel;
    }
}

bool askOverwrite(QWidget *parent, const QString &path) {
    QMessageBox box(QMessageBox::Question, QCoreApplication::applicationName(),
                    QCoreApplication::translate("kv::Dialogs", "“%1” exists already. Overwrite it?").arg(QFileInfo(path).fileName()),
                    QMessageBox::Yes | QMessageBox::No, parent);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(QDir::toNativeSeparators(path));
    box.setDefaultButton(QMessageBox::No);
    return box.exec() == QMessageBox::Yes;
}

} // namespace

QString askSaveName(QWidget *parent, const QString &title, const QString &start, const QString &filters, const QString &suffix) {
    QString path = dialogs().saveFile(parent, title, start, filters);
    if (path.isEmpty() || !QFileInfo(path).suffix().isEmpty())
        return path;
    path += QLatin1Char('.') + suffix;
    bool exists = false;
    const QPointer<QWidget> there(parent);
    aside([&] { exists = QFileInfo::exists(path); });
    if (parent && !there) // closed meanwhile
        return {};
    return exists && !dialogs().overwrite(parent, path) ? QString() : path;
}

Dialogs &dialogs() {
    static Dialogs current{
        [](QWidget *parent, const QString &title, const QString &folder, const QString &filters) {
            return QFileDialog::getOpenFileName(parent, title, folder, filters);
        },
        [](QWidget *parent, const QString &title, const QString &path, const QString &filters) {
            return QFileDialog::getSaveFileName(parent, title, path, filters);
        },
        [](QWidget *parent, const QString &title, const QString &label, const QString &text) -> std::optional<QString> {
            QInputDialog box(parent);
            box.setWindowTitle(title);
            box.setLabelText(label);
            box.setTextValue(text);
            box.resize(em(26), box.sizeHint().height()); // a name, and the title over it, in one line
            return box.exec() == QDialog::Accepted ? std::optional(box.textValue()) : std::nullopt;
        },
        [](QWidget *parent, QPrinter &printer) {
            QPrintDialog box(&printer, parent);
            box.setOption(QAbstractPrintDialog::PrintPageRange, false); // there is one page
            return box.exec() == QDialog::Accepted;
        },
        askKeepChanges,
        askOverwrite,
    };
    return current;
}

} // namespace kv
