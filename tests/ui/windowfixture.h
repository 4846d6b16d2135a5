// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A real window on the offscreen platform with settings and a session of its own, driven by the object names of its controls.

#include "ui/dashboard.h"
#include "ui/mainwindow.h"
#include "ui/program.h"

#include <QTest>
#include <QtWidgets/QtWidgets>

namespace kv::test {

/// Leaves no settings and no session of an earlier test.
inline void forgetEverything() {
    QSettings().clear();
    QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/session")).removeRecursively();
}

class WindowFixture {
public:
    explicit WindowFixture(const QSize &size = {1440, 900}) {
        program.start({});
        window = program.windows().constFirst();
        window->resize(size);
        settle();
    }

    template <typename T>
    T *find(const char *name) const {
        T *found = window->findChild<T *>(QLatin1String(name));
        if (!found)
            qWarning("no %s here", name);
        return found;
    }
    QString shown(const char *name) const {
        auto *widget = find<QWidget>(name);
        if (!widget)
            return {};
        for (const char *property : {"value", "wholeText", "text"})
            if (const QVariant v = widget->property(property); v.isValid())
                return v.toString();
        return {};
    }
    QString headline() const { return shown("verdictHeadline"); }
    QString message() const { return window->findChild<QWidget *>(QStringLiteral("messageStrip"))->property("text").toString(); }

    void settle() const {
        window->document()->flush();
        QCoreApplication::processEvents();
    }
    void type(const char *name, const QString &text) const {
        auto *edit = find<QLineEdit>(name);
        edit->setFocus(Qt::TabFocusReason);
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
        settle();
    }
    void click(const char *name) const {
        QTest::mouseClick(find<QWidget>(name), Qt::LeftButton);
        settle();
    }
    /// Chooses the entry of a combo box as a user does.
    void choose(const char *name, const QVariant &data) const {
        auto *combo = find<QComboBox>(name);
        const int row = combo->findData(data);
        QVERIFY2(row >= 0, name);
        combo->setCurrentIndex(row);
        emit combo->activated(row);
        settle();
    }
    void drop(const QString &path) const {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        const QPoint middle = window->rect().center();
        QDragEnterEvent enter(middle, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent fall(middle, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window, &fall);
        waitForFile();
    }
    void waitForFile() const {
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        settle();
    }

    mutable Program program; // a fixture is const by habit, what it drives is not
    MainWindow *window = nullptr;
};

} // namespace kv::test
