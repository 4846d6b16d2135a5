// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/embedded.h"
#include "tests/testmain.h"
#include "tests/testpaths.h"

#include <QDir>
#include <QFile>
#include <QTest>

class EmbeddedTest : public QObject {
    Q_OBJECT

private slots:
    void sameBytesAsTheFiles();
};

// The files are cut into literals and joined again: each must come back byte for byte.
void EmbeddedTest::sameBytesAsTheFiles() {
    const QDir resources(QString::fromUtf8(kv::test::resourcesFolder()));
    for (const kv::EmbeddedFile &embedded : kv::embeddedFiles()) {
        QFile file(resources.filePath(QString::fromUtf8(embedded.path.data(), qsizetype(embedded.path.size()))));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        QCOMPARE(file.readAll(), QByteArray(embedded.content.data(), qsizetype(embedded.content.size())));
    }
}

KV_TEST(EmbeddedTest)
#include "embeddedtest.moc"
