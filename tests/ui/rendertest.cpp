// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/testpaths.h"
#include "ui/loader.h"
#include "ui/picture.h"

#include <QImage>
#include <QProcess>
#include <QRegularExpression>
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
    void pdfHasWords();
    void sameBytesTwice_data();
    void sameBytesTwice();
    void captionSaysWhatItIs();
    void planRidesInside_data();
    void planRidesInside();
    void noPlanInside_data();
    void noPlanInside();
    void oneChart_data();
    void oneChart();
    void refuses_data();
    void refuses();
    void noDisplayNoWindow();
    void leastSizeIsTaken_data();
    void leastSizeIsTaken();
    void lessonInUnits_data();
    void lessonInUnits();

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
    QVERIFY(svg.contains(QStringLiteral("num_hidden_layers")) && !svg.contains(QChar(0x200b)));
}

void RenderTest::pdfIsOne() {
    QCOMPARE(run({QStringLiteral("-o"), path("a.pdf")}).exit, 0);
    QVERIFY(contentOf(path("a.pdf")).startsWith("%PDF"));
}

// Copied from the file, or searched for in it: also what a type face has a nicer glyph for between digits and capitals.
void RenderTest::pdfHasWords() {
    QCOMPARE(run({QStringLiteral("-o"), path("a.pdf")}).exit, 0);
    QProcess reader;
    reader.start(QStringLiteral("pdftotext"), {QStringLiteral("-raw"), path("a.pdf"), QStringLiteral("-")});
    QVERIFY(reader.waitForFinished());
    const QString text = QString::fromUtf8(reader.readAllStandardOutput()).simplified();
    for (const QString &words : {QStringLiteral("10 sequences of 131,072 tokens fit on 8 × H100 SXM 80 GB"), QStringLiteral("GQA 8:1"), QStringLiteral("(85.0 GB)"), QStringLiteral("8,192 ÷ 64"),
                                 QStringLiteral("HARDWARE"), QStringLiteral("320 KiB · 327,680 B")})
        QVERIFY2(text.contains(words), qPrintable(words + QStringLiteral(" in: ") + text));
}

void RenderTest::sameBytesTwice_data() {
    QTest::addColumn<QString>("suffix");
    QTest::newRow("png") << QStringLiteral("png");
    QTest::newRow("svg") << QStringLiteral("svg");
    QTest::newRow("pdf") << QStringLiteral("pdf");
}

// By two processes: what goes by chance differs between them alone. A PDF holds its time of making, which is given here.
void RenderTest::sameBytesTwice() {
    QFETCH(QString, suffix);
    qputenv("SOURCE_DATE_EPOCH", "1700000000");
    for (const char *name : {"once.", "again."})
        QCOMPARE(run({QStringLiteral("-o"), path(name) + suffix}).exit, 0);
    qunsetenv("SOURCE_DATE_EPOCH");
    QVERIFY(!contentOf(path("once.") + suffix).isEmpty());
    QCOMPARE(contentOf(path("once.") + suffix), contentOf(path("again.") + suffix));
    if (suffix == QLatin1String("pdf"))
        QVERIFY(contentOf(path("once.pdf")).contains("/CreationDate (D:20231114221320"));
}

void RenderTest::captionSaysWhatItIs() {
    qputenv("SOURCE_DATE_EPOCH", "1700000000");
    QCOMPARE(run({QStringLiteral("--engine"), QStringLiteral("vllm"), QStringLiteral("--kv-dtype"), QStringLiteral("fp8"), QStringLiteral("--tp"), QStringLiteral("4"),
                  QStringLiteral("--dp"), QStringLiteral("2"), QStringLiteral("-o"), path("caption.svg")}).exit, 0);
    qunsetenv("SOURCE_DATE_EPOCH");
    const QString svg = QString::fromUtf8(contentOf(path("caption.svg")));
    for (const char *item : {"Llama 3.1 70B Instruct · vLLM 0.", " · weights BF16 · KV cache FP8", " · 10 sequences of 131,072 tokens · ", "8 × H100 SXM 80 GB, tp 4 × pp 1 × dp 2",
                             "2023-11-14", "KV Planner 0."})
        QVERIFY2(svg.contains(QString::fromUtf8(item)), item);
    QVERIFY(svg.contains(QStringLiteral("viewBox=\"0 0 1440 900\"")));
}

void RenderTest::planRidesInside_data() {
    QTest::addColumn<QString>("suffix");
    QTest::newRow("png") << QStringLiteral("png");
    QTest::newRow("pdf") << QStringLiteral("pdf");
}

void RenderTest::planRidesInside() {
    QFETCH(QString, suffix);
    const QString file = path("inside.") + suffix;
    QCOMPARE(run({QStringLiteral("--model"), QStringLiteral("gemma-3-27b"), QStringLiteral("--context"), QStringLiteral("12345"), QStringLiteral("-o"), file}).exit, 0);
    const kv::Loaded loaded = kv::loadFile(file);
    QVERIFY(loaded.document.has_value());
    QVERIFY(loaded.path.isEmpty()); // or saving would write over the picture
    const kv::Scenario &scenario = loaded.document->scenarios.at(0);
    QCOMPARE(scenario.workload.context.value, 12345);
    QCOMPARE(QString::fromStdString(scenario.model.preset), QStringLiteral("gemma-3-27b"));
}

void RenderTest::noPlanInside_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("name");
    QTest::newRow("a png of another program") << QByteArray::fromBase64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==") << "a.png";
    QTest::newRow("no png at all") << QByteArray("kvplan") << "b.png";
    QTest::newRow("an empty pdf") << QByteArray("%PDF-1.4\n") << "c.pdf";
    QTest::newRow("a stream that never ends") << QByteArray("%PDF-1.4\nstream\nx\x9c") << "d.pdf";
    QTest::newRow("a stream that is no deflate") << QByteArray("%PDF-1.4\nstream\nxyz\nendstream\nstream\n\nendstream\n") << "e.pdf";
}

void RenderTest::noPlanInside() {
    QFETCH(QByteArray, content);
    QFETCH(QString, name);
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    file.close();
    const kv::Loaded loaded = kv::loadFile(file.fileName());
    QVERIFY(!loaded.document);
    QVERIFY(kv::firstError(loaded.notes));
    QCOMPARE(kv::firstError(loaded.notes)->code, std::string("no-plan-inside"));
}

void RenderTest::oneChart_data() {
    QTest::addColumn<QString>("view");
    QTest::newRow("gpus") << QStringLiteral("gpus");
    QTest::newRow("growth") << QStringLiteral("growth");
    for (const char *name : {"fit-map", "fitMap", "fitmap", "FIT-MAP", "settings-map", "settingsMap"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void RenderTest::oneChart() {
    QFETCH(QString, view);
    const QString file = path("chart.svg");
    QCOMPARE(run({QStringLiteral("--view"), view, QStringLiteral("--size"), QStringLiteral("800x400"), QStringLiteral("-o"), file}).exit, 0);
    const QString svg = QString::fromUtf8(contentOf(file));
    QCOMPARE(svg.contains(QStringLiteral("GPU 7")), view == QLatin1String("gpus"));
    QCOMPARE(svg.contains(QStringLiteral("you are here")), view == QLatin1String("growth"));
    QCOMPARE(svg.contains(QStringLiteral("10 × 131,072 · 99 %")), QString(view).remove(QLatin1Char('-')).toLower() == QLatin1String("fitmap"));
    QCOMPARE(svg.contains(QStringLiteral("Cheapest that fits")), view.startsWith(QLatin1String("settings")));
    QVERIFY(!svg.contains(QStringLiteral("From the Hub")));
}

void RenderTest::refuses_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("word");
    QTest::newRow("no file") << QStringList{} << QStringLiteral("-o");
    QTest::newRow("no suffix") << QStringList{QStringLiteral("-o"), QStringLiteral("x")} << QStringLiteral("expected the name of a file with its ending, such as plan.png, found \"x\"");
    QTest::newRow("standard output") << QStringList{QStringLiteral("-o"), QStringLiteral("-")} << QStringLiteral("plan.png, found \"-\"; standard output takes no picture");
    const auto small = [](const char *name, const char *size, const char *view, const char *word) {
        QTest::newRow(name) << QStringList{QStringLiteral("--size"), QLatin1String(size), QStringLiteral("--view"), QLatin1String(view), QStringLiteral("-o"), QStringLiteral("x.svg")} << QString::fromLatin1(word);
    };
    small("a dashboard too small", "400x300", "all", "--size: 400x300 would cut this picture, which takes ");
    small("a page too low", "680x200", "levers", "--size: 680x200 would cut this picture, which takes 680x");
    small("a page too narrow", "200x900", "table", "--size: 200x900 would cut this picture, which takes ");
    small("a chart too small", "400x200", "growth", "which takes 560x3");
    const auto guess = [](const char *name, const char *lesson, const char *given, const char *word) {
        QTest::newRow(name) << QStringList{QStringLiteral("--view"), QStringLiteral("lesson"), QStringLiteral("--lesson"), QLatin1String(lesson), QStringLiteral("--guess"), QLatin1String(given),
                                           QStringLiteral("-o"), QStringLiteral("x.svg")} << QString::fromLatin1(word);
    };
    guess("no guess", "01-one-token", "0", "--guess: expected from 1 MB (1,000,000 bytes) to 100 GB (100,000,000,000 bytes), the range of this lesson, found \"0\"");
    guess("a guess beyond", "05-where-users-begin", "1000000", "the range of this lesson");
    QTest::newRow("a suffix that is none") << QStringList{QStringLiteral("-o"), QStringLiteral("x.gif")} << QStringLiteral("gif");
    QTest::newRow("a size that is none") << QStringList{QStringLiteral("--size"), QStringLiteral("big"), QStringLiteral("-o"), QStringLiteral("x.png")} << QStringLiteral("big");
    QTest::newRow("a scale that is no number") << QStringList{QStringLiteral("--scale"), QStringLiteral("NaN"), QStringLiteral("-o"), path("x.png")} << QStringLiteral("--scale");
    QTest::newRow("more pixels than fit") << QStringList{QStringLiteral("--size"), QStringLiteral("16384x16384"), QStringLiteral("--scale"), QStringLiteral("8"), QStringLiteral("-o"), path("x.png")} << QStringLiteral("million pixels");
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

void RenderTest::leastSizeIsTaken_data() {
    QTest::addColumn<QString>("view");
    for (const char *view : {"all", "levers", "table", "explain", "capacity", "growth", "fit-map", "compare"})
        QTest::newRow(view) << QString::fromLatin1(view);
}

// What a refusal names is taken, in that size exactly.
void RenderTest::leastSizeIsTaken() {
    QFETCH(QString, view);
    const auto at = [&](const QString &size) { return run({QStringLiteral("--view"), view, QStringLiteral("--size"), size, QStringLiteral("-o"), path("least.png")}); };
    const Ran refused = at(QStringLiteral("240x200"));
    QCOMPARE(refused.exit, 2);
    const auto named = QRegularExpression(QStringLiteral("takes (\\d+)x(\\d+) or more")).match(refused.fault);
    QVERIFY2(named.hasMatch(), qPrintable(refused.fault));
    const QSize size(named.captured(1).toInt(), named.captured(2).toInt());
    const Ran taken = at(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()));
    QVERIFY2(taken.exit == 0, qPrintable(taken.fault));
    QCOMPARE(QImage(path("least.png")).size(), size);
}

void RenderTest::lessonInUnits_data() {
    QTest::addColumn<QString>("lesson");
    QTest::addColumn<QString>("guess");
    QTest::addColumn<QString>("answer");
    QTest::newRow("about the units") << QStringLiteral("04-gb-and-gib") << QStringLiteral("400GB") << QStringLiteral("It is 429.5 GB. Your guess: 6.9 % too little.");
    QTest::newRow("as chosen") << QStringLiteral("03-eight-fold") << QStringLiteral("320KiB") << QStringLiteral("It is 320 KiB. Your guess: right.");
    QTest::newRow("far off") << QStringLiteral("01-one-token") << QStringLiteral("1MB") << QStringLiteral("It is 1 GiB. Your guess: the right value is 1,074 times this.");
}

void RenderTest::lessonInUnits() {
    QFETCH(QString, lesson);
    QFETCH(QString, guess);
    QFETCH(QString, answer);
    const Ran ran = run({QStringLiteral("--units"), QStringLiteral("gib"), QStringLiteral("--view"), QStringLiteral("lesson"), QStringLiteral("--lesson"), lesson, QStringLiteral("--guess"), guess,
                         QStringLiteral("-o"), path("lesson.svg")});
    QVERIFY2(ran.exit == 0, qPrintable(ran.fault));
    const QString svg = QString::fromUtf8(contentOf(path("lesson.svg")));
    QVERIFY2(svg.contains(answer), qPrintable(svg.mid(svg.indexOf(QStringLiteral("It is")), 120)));
}

KV_TEST(RenderTest)
#include "rendertest.moc"
