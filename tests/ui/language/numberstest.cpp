// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "core/plan/evaluate.h"
#include "tests/core/files/tempfolder.h"
#include "tests/ui/charts/textrecorder.h"
#include "tests/ui/windowfixture.h"
#include "ui/charts/charttables.h"
#include "ui/charts/gpuchart.h"
#include "ui/charts/growthchart.h"
#include "ui/language/language.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/dialogs.h"
#include "ui/exporter.h"
#include "ui/learn/timesoff.h"
#include "ui/paper.h"
#include "ui/reportfile.h"

#include <QLocale>

using namespace kv;
using namespace kv::test;

// Numbers in the marks of the locale, shown and typed; and plain where they go into a file.
class NumbersTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void cleanup() { speak(QStringLiteral("en")); }
    void shown_data();
    void shown();
    void typed_data();
    void typed();
    void germanWindow();
    void copiedStaysPlain();
    void reportsAreOfOneStyle();
    void picturesArePlain_data();
    void picturesArePlain();
};

void NumbersTest::shown_data() {
    QTest::addColumn<QString>("locale");
    QTest::addColumn<QString>("plain");
    QTest::addColumn<QString>("local");
    const auto row = [](const char *locale, const char *plain, const char *local) {
        QTest::addRow("%s: %s", locale, plain) << QString::fromUtf8(locale) << QString::fromUtf8(plain) << QString::fromUtf8(local);
    };
    row("C", "1,327,186", "1,327,186");
    row("zh_CN", "42.9 GB", "42.9 GB");
    row("de_DE", "1,327,186", "1.327.186");
    row("de_DE", "42.9 GB", "42,9 GB");
    row("de_DE", "−1,283.1 GB", "−1.283,1 GB");
    row("de_DE", "10.8 %", "10,8 %");
    row("de_DE", "512 B", "512 B");
    row("de_DE", "2.5", "2,5");
    row("de_DE", "10 sequences of 131,072 tokens fit", "10 sequences of 131.072 tokens fit");
    row("de_DE", "5.4 GB stays free.", "5,4 GB stays free.");
    row("de_DE", "Llama 3.1 70B Instruct", "Llama 3.1 70B Instruct");
    row("de_DE", "vLLM 0.24 · as stored", "vLLM 0.24 · as stored");
    row("de_DE", "KV Planner 0.1.0", "KV Planner 0.1.0");
    row("de_DE", "8 × 80 GB × 0.90 − 141.1 GB", "8 × 80 GB × 0,90 − 141,1 GB");
    row("de_DE", "≈1.5", "≈1,5");
    row("de_DE", "8 × Llama 3.1 8B", "8 × Llama 3.1 8B");
    row("de_CH", "131,072", "131’072");
    row("fr_FR", "131,072", "131\u202f072");
}

void NumbersTest::shown() {
    QFETCH(QString, locale);
    QFETCH(QString, plain);
    QFETCH(QString, local);
    writeNumbersLike(locale == QLatin1String("C") ? QLocale::c() : QLocale(locale));
    QCOMPARE(localNumbers(plain), local);
}

void NumbersTest::typed_data() {
    QTest::addColumn<QString>("locale");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("plain");
    const auto row = [](const char *locale, const char *text, const char *plain) {
        QTest::addRow("%s: %s", locale, text) << QString::fromUtf8(locale) << QString::fromUtf8(text) << QString::fromUtf8(plain);
    };
    row("C", "131,072", "131,072");
    row("C", "1.5", "1.5");
    row("de_DE", "1,5", "1.5");
    row("de_DE", "1.5", "1.5");
    row("de_DE", "131.072", "131072");
    row("de_DE", "1.327.186", "1327186");
    row("de_DE", "131,072", "131.072");
    row("de_DE", "0.125", "0.125");
    row("de_DE", "0,5M", "0.5M");
    row("de_DE", "128k", "128k");
    row("de_DE", "42,9 GB", "42.9 GB");
    row("de_DE", "1.283,1 GB", "1283.1 GB");
    row("de_DE", "1,2,3", "1,2,3");
    row("de_DE", "12.34,5", "12.34,5");
    row("fr_FR", "131\u202f072", "131072");
    row("de_CH", "131’072", "131072");
    row("ar_EG", "١٠", "10");
}

void NumbersTest::typed() {
    QFETCH(QString, locale);
    QFETCH(QString, text);
    QFETCH(QString, plain);
    writeNumbersLike(locale == QLatin1String("C") ? QLocale::c() : QLocale(locale));
    QCOMPARE(plainNumber(text), plain);
}

void NumbersTest::germanWindow() {
    WindowFixture w;
    writeNumbersLike(QLocale(QStringLiteral("de_DE")));
    w.type("contextEdit", QStringLiteral("65.536"));
    QCOMPARE(w.window->document()->scenario().workload.context, Tokens(65536));
    QCOMPARE(w.shown("contextEdit"), QStringLiteral("65.536"));
    w.type("contextEdit", QStringLiteral("0,125M"));
    QCOMPARE(w.window->document()->scenario().workload.context, Tokens(131072));
    w.type("contextEdit", QStringLiteral("0.5M"));
    QCOMPARE(w.window->document()->scenario().workload.context, Tokens(524288));
    QVERIFY2(w.headline().contains(QLatin1String("524.288 tokens")), qPrintable(w.headline()));
    w.type("contextEdit", QStringLiteral("131,072")); // no whole number of tokens there
    QCOMPARE(w.window->document()->scenario().workload.context, Tokens(524288));
    w.type("contextEdit", QStringLiteral("128k"));
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("429,5 GB"));
    // The charts, what explains them, and the table in the place of one; what is copied of it is as files are.
    const auto *bars = w.find<GpuChart>("gpuChart");
    QVERIFY2(bars->description().contains(QStringLiteral("53,7 GB")) && !bars->description().contains(QStringLiteral("53.7")), qPrintable(bars->description()));
    QVERIFY2(w.find<QTextBrowser>("explainPanel")->toPlainText().contains(QStringLiteral("× 0,90 −")), qPrintable(w.find<QTextBrowser>("explainPanel")->toPlainText()));
    TextRecorder recorder({900, 400});
    QPainter painter(&recorder);
    bars->paintTo(painter, {0, 0, 900, 400});
    w.find<GrowthChart>("growthChart")->paintTo(painter, {0, 0, 900, 400});
    painter.end();
    static const QRegularExpression point(QStringLiteral("\\d\\.\\d(?!\\d\\d)"));
    QVERIFY2(recorder.texts().texts().filter(point).isEmpty(), qPrintable(recorder.texts().texts().filter(point).join(QLatin1Char('|'))));
    QVERIFY(!recorder.texts().texts().filter(QStringLiteral("53,7")).isEmpty());
    QVERIFY(tableAsMarkdown(*bars->table()).contains(QStringLiteral("| 53.7 GB |")));
    QCOMPARE(timesOff(26, 10), QStringLiteral("2,6 times the right value"));
}

void NumbersTest::copiedStaysPlain() {
    WindowFixture w;
    writeNumbersLike(QLocale(QStringLiteral("de_DE")));
    w.type("sequencesEdit", QStringLiteral("1.000"));
    QCOMPARE(w.window->document()->scenario().workload.sequences, Count(1000));
    const std::string file = writeDocument(w.window->document()->value(), {});
    QVERIFY(file.find("\"sequences\": 1000") != std::string::npos);
}

// The charts inside are worded as the report around them, whatever the window speaks.
void NumbersTest::reportsAreOfOneStyle() {
    static const QRegularExpression chinese(QStringLiteral("[\\x{4e00}-\\x{9fff}]"));
    const ScenarioDocument document{{firstScenario()}, 0, {}};
    const auto report = [&document] {
        const Scenario &scenario = document.scenarios.front();
        return QString::fromUtf8(reportFile(QStringLiteral("html"), scenario, evaluate(scenario), SizeUnit::Decimal, reportFigures(document, SizeUnit::Decimal)));
    };
    const QString plain = report();
    writeNumbersLike(QLocale(QStringLiteral("de_DE")));
    QCOMPARE(report(), plain);
    QCOMPARE(localNumbers(QStringLiteral("53.7 GB")), QStringLiteral("53,7 GB")); // and the window goes on as before
    speak(QStringLiteral("zh_CN"));
    QCOMPARE(report(), plain);
    QVERIFY(translated("Weights").contains(chinese));
    QVERIFY(plain.contains(QStringLiteral("53.7 GB")) && !plain.contains(chinese));
}

void NumbersTest::picturesArePlain_data() {
    QTest::addColumn<QString>("page");
    for (const char *page : {"all", "gpus", "capacity", "levers", "fitMap"})
        QTest::newRow(page) << QString::fromLatin1(page);
}

void NumbersTest::picturesArePlain() {
    QFETCH(QString, page);
    const TempFolder folder;
    const QString path = QString::fromStdString(folder.path("a.svg"));
    WindowFixture w;
    writeNumbersLike(QLocale(QStringLiteral("de_DE")));
    const auto before = dialogs();
    dialogs().saveFile = [&](QWidget *, const QString &, const QString &, const QString &) { return path; };
    PaperOrder order;
    order.page = page;
    w.window->exporter()->savePicture(w.window->document()->value(), order, QStringLiteral("a"));
    w.settle(); // what is counted on other threads comes in a turn of its own
    w.window->exporter()->finish();
    dialogs() = before;
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString svg = QString::fromUtf8(file.readAll());
    QStringList wrong;
    static const QRegularExpression text(QStringLiteral(">([^<>]+)</text>")), comma(QStringLiteral("\\d,\\d(?!\\d\\d)"));
    for (auto matches = text.globalMatch(svg); matches.hasNext();)
        if (const QString words = matches.next().captured(1); words.contains(comma))
            wrong += words;
    QVERIFY2(svg.contains(QStringLiteral("</text>")) && wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('|'))));
}

KV_TEST(NumbersTest)
#include "numberstest.moc"
