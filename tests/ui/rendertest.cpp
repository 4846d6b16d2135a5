// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/testpaths.h"

#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace kv::test;

namespace {

struct Ran {
    int exit = -1;
    QString fault;
};

/// Without any display.
Ran run(const QStringList &arguments) {
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QLatin1String(variable));
    program.setProcessEnvironment(environment);
    program.start(QString::fromLocal8Bit(programPath()), QStringList{QStringLiteral("render")} + arguments);
    program.waitForFinished(60000);
    return {program.exitCode(), QString::fromUtf8(program.readAllStandardError())};
}

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class RenderTest : public QObject {
    Q_OBJECT

private slots:
    void pngOfTheSizeAskedFor();
    void themes();
    void svgHasWords();
    void pdfIsOne();
    void oneChart_data();
    void oneChart();
    void refuses_data();
    void refuses();
    void noDisplayNoWindow();

private:
    QTemporaryDir m_folder;
    QString path(const char *name) const { return m_folder.filePath(QLatin1String(name)); }
};

void RenderTest::pngOfTheSizeAskedFor() {
    const Ran ran = run({QStringLiteral("--size"), QStringLiteral("1024x700"), QStringLiteral("--scale"), QStringLiteral("2"), QStringLiteral("-o"), path("a.png")});
    QVERIFY2(ran.exit == 0 && ran.fault.isEmpty(), qPrintable(ran.fault));
    QCOMPARE(QImage(path("a.png")).size(), QSize(2048, 1400));
}

void RenderTest::themes() {
    for (const char *theme : {"light", "dark"}) {
        const QString file = path(theme) + QStringLiteral(".png");
        QCOMPARE(run({QStringLiteral("--theme"), QLatin1String(theme), QStringLiteral("-o"), file}).exit, 0);
        QCOMPARE(QImage(file).pixelColor(2, 2).lightness() < 128, qstrcmp(theme, "dark") == 0);
    }
}

void RenderTest::svgHasWords() {
    QCOMPARE(run({QStringLiteral("--units"), QStringLiteral("gib"), QStringLiteral("-o"), path("a.svg")}).exit, 0);
    const QString svg = QString::fromUtf8(contentOf(path("a.svg")));
    QVERIFY(svg.contains(QStringLiteral("<svg")));
    QVERIFY(svg.contains(QStringLiteral("400 GiB")));
    QVERIFY(svg.contains(QStringLiteral("10 sequences of 131,072 tokens fit on 8 × H100 SXM 80 GB")));
    QVERIFY(svg.contains(QStringLiteral("viewBox=\"0 0 1440 900\"")));
}

void RenderTest::pdfIsOne() {
    QCOMPARE(run({QStringLiteral("-o"), path("a.pdf")}).exit, 0);
    QVERIFY(contentOf(path("a.pdf")).startsWith("%PDF"));
}

void RenderTest::oneChart_data() {
    QTest::addColumn<QString>("view");
    QTest::newRow("gpus") << QStringLiteral("gpus");
    QTest::newRow("growth") << QStringLiteral("growth");
}

void RenderTest::oneChart() {
    QFETCH(QString, view);
    const QString file = path("chart.svg");
    QCOMPARE(run({QStringLiteral("--view"), view, QStringLiteral("--size"), QStringLiteral("800x400"), QStringLiteral("-o"), file}).exit, 0);
    const QString svg = QString::fromUtf8(contentOf(file));
    QCOMPARE(svg.contains(QStringLiteral("GPU 7")), view == QLatin1String("gpus"));
    QCOMPARE(svg.contains(QStringLiteral("you are here")), view == QLatin1String("growth"));
    QVERIFY(!svg.contains(QStringLiteral("Open config.json")));
}

void RenderTest::refuses_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("word");
    QTest::newRow("no file") << QStringList{} << QStringLiteral("-o");
    QTest::newRow("a suffix that is none") << QStringList{QStringLiteral("-o"), QStringLiteral("x.gif")} << QStringLiteral("gif");
    QTest::newRow("a size that is none") << QStringList{QStringLiteral("--size"), QStringLiteral("big"), QStringLiteral("-o"), QStringLiteral("x.png")} << QStringLiteral("big");
    QTest::newRow("a view that is none") << QStringList{QStringLiteral("--view"), QStringLiteral("pie"), QStringLiteral("-o"), QStringLiteral("x.png")} << QStringLiteral("pie");
    QTest::newRow("a model that is none") << QStringList{QStringLiteral("--model"), QStringLiteral("lama"), QStringLiteral("-o"), QStringLiteral("x.png")} << QStringLiteral("lama");
    QTest::newRow("a folder that is none") << QStringList{QStringLiteral("-o"), QStringLiteral("/nowhere/x.png")} << QStringLiteral("/nowhere/x.png");
}

void RenderTest::refuses() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, word);
    const Ran ran = run(arguments);
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.fault.contains(word), qPrintable(ran.fault));
    QCOMPARE(ran.fault.count(QLatin1Char('\n')), 1);
}

void RenderTest::noDisplayNoWindow() {
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QLatin1String(variable));
    program.setProcessEnvironment(environment);
    program.start(QString::fromLocal8Bit(programPath()), QStringList());
    QVERIFY(program.waitForFinished(30000));
    QCOMPARE(program.exitCode(), 2);
    QVERIFY(program.readAllStandardError().contains("no display"));
}

KV_TEST(RenderTest)
#include "rendertest.moc"
