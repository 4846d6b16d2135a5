// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"

#include <QTest>
#include <QApplication>
#include <QSettings>

class ApplicationTest : public QObject {
    Q_OBJECT

private slots:
    void identity();
};

void ApplicationTest::identity() {
    QCOMPARE(QGuiApplication::desktopFileName(), QStringLiteral("io.github.kvplanner.KVPlanner"));
    QCOMPARE(QCoreApplication::applicationVersion(), QStringLiteral("0.1.0"));
    QVERIFY(QSettings().fileName().startsWith(qEnvironmentVariable("XDG_CONFIG_HOME")));
}

KV_TEST(ApplicationTest)
#include "applicationtest.moc"
