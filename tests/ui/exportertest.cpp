// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/dialogs.h"
#include "ui/exporter.h"
#include "ui/helpdialogs.h"
#include "ui/language/language.h"
#include "ui/latest.h"
#include "ui/loader.h"
#include "ui/printing.h"

#include <QPrinter>
#include <QProcess>
#include <QProgressDialog>
#include <QTextBrowser>

#include <atomic>
#include <memory>
#include <vector>

using namespace kv;
using namespace kv::test;

namespace {

/// A window whose dialogs are answered with files of one folder.
struct ExportFixture : WindowFixture {
    ExportFixture() : before(dialogs()) {
        dialogs().saveFile = [this](QWidget *, const QString &, const QString &start, const QString &) {
            offered = start;
            return answer.isEmpty() ? QString() : path();
        };
        dialogs().print = [this](QWidget *, QPrinter &printer) {
            printer.setOutputFormat(QPrinter::PdfFormat);
            printer.setOutputFileName(folder.filePath(QStringLiteral("printed.pdf")));
            return prints;
        };
    }
    ~ExportFixture() { dialogs() = before; }
    void start(const char *action) const { window->findChild<QAction *>(QLatin1String(action))->trigger(); }
    void trigger(const char *action) const {
        start(action);
        window->exporter()->finish();
        settle();
    }
    QString path() const { return folder.filePath(answer); }
    QByteArray content() const {
        QFile file(path());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir folder;
    QString answer, offered;
    bool prints = true;
    Dialogs before;
};

} // namespace

class ExporterTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void picturesInEachSize_data();
    void picturesInEachSize();
    void darkWhereAsked();
    void reports_data();
    void reports();
    void wrongNames_data();
    void wrongNames();
    void leavingFinishes_data();
    void leavingFinishes();
    void leavingSaysWhatFailed();
    void windowGoesOn();
    void waitsForNobodyElse();
    void cancelled();
    void headsInCapitals();
    void newOneTakesItsPlace();
    void clipboard();
    void printed_data();
    void printed();
    void everyPageOffersTheSame_data();
    void everyPageOffersTheSame();
    void refusedScenario();
    void accuracyPage();
};

void ExporterTest::picturesInEachSize_data() {
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<int>("scale");
    QTest::newRow("1x") << QByteArray("pictureSize1Action") << 1;
    QTest::newRow("2x") << QByteArray("pictureSize2Action") << 2;
    QTest::newRow("3x") << QByteArray("pictureSize3Action") << 3;
}

void ExporterTest::picturesInEachSize() {
    QFETCH(QByteArray, action);
    QFETCH(int, scale);
    ExportFixture w;
    w.window->resize(1024, 700); // of the window a picture knows nothing
    w.answer = QStringLiteral("a.png");
    w.start(action.constData());
    w.trigger("exportAction");
    QCOMPARE(QImage(w.path()).size(), QSize(1440, 900) * scale);
    QVERIFY(w.message().contains(QStringLiteral("a.png")));
    const Loaded loaded = loadFile(w.path());
    QVERIFY(loaded.document && loaded.document->scenarios == w.window->document()->value().scenarios);
}

void ExporterTest::darkWhereAsked() {
    ExportFixture w;
    w.answer = QStringLiteral("a.png");
    w.trigger("exportAction");
    QVERIFY(QImage(w.path()).pixelColor(2, 2).lightness() > 128);
    w.start("darkPicturesAction");
    w.trigger("exportAction");
    QVERIFY(QImage(w.path()).pixelColor(2, 2).lightness() < 128);
}

void ExporterTest::reports_data() {
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("HTML") << QByteArray("exportReportAction") << QStringLiteral("r.html") << QByteArray("<td class=\"n\">429,496,729,600</td>");
    QTest::newRow("HTML with its charts") << QByteArray("exportReportAction") << QStringLiteral("r.html") << QByteArray("you are here");
    QTest::newRow("Markdown") << QByteArray("exportReportAction") << QStringLiteral("r.md") << QByteArray("# Llama 3.1 70B Instruct\n");
    QTest::newRow("LaTeX") << QByteArray("exportReportAction") << QStringLiteral("r.tex") << QByteArray("\\begin{align*}");
    QTest::newRow("no suffix") << QByteArray("exportReportAction") << QStringLiteral("report") << QByteArray();
    QTest::newRow("CSV") << QByteArray("exportDataAction") << QStringLiteral("d.csv") << QByteArray("kv.total_bytes");
    QTest::newRow("JSON") << QByteArray("exportDataAction") << QStringLiteral("d.json") << QByteArray("\"total_bytes\": 429496729600");
}

void ExporterTest::reports() {
    QFETCH(QByteArray, action);
    QFETCH(QString, name);
    QFETCH(QByteArray, word);
    ExportFixture w;
    w.answer = name;
    w.trigger(action.constData());
    if (word.isEmpty()) {
        QVERIFY(QFile::exists(w.path() + QStringLiteral(".html")));
        return;
    }
    QVERIFY2(w.content().contains(word), w.content().left(400).constData());
    QVERIFY(w.message().contains(name));
}

void ExporterTest::wrongNames_data() {
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("word");
    QTest::newRow("a picture's suffix") << QByteArray("exportAction") << QStringLiteral("a.gif") << QStringLiteral(".gif");
    QTest::newRow("a report's suffix") << QByteArray("exportReportAction") << QStringLiteral("a.doc") << QStringLiteral(".doc");
    QTest::newRow("a folder that is none") << QByteArray("exportAction") << QStringLiteral("no/such/a.png") << QStringLiteral("could not be written");
    QTest::newRow("data to such a folder") << QByteArray("exportDataAction") << QStringLiteral("no/such/a.csv") << QStringLiteral("could not be written");
}

void ExporterTest::wrongNames() {
    QFETCH(QByteArray, action);
    QFETCH(QString, name);
    QFETCH(QString, word);
    ExportFixture w;
    w.answer = name;
    w.trigger(action.constData());
    QVERIFY2(w.message().contains(word), qPrintable(w.message()));
    QVERIFY(!QFile::exists(w.path()));
}

void ExporterTest::leavingFinishes_data() {
    QTest::addColumn<bool>("quits");
    QTest::newRow("the window is closed") << false;
    QTest::newRow("the program is quit") << true;
}

void ExporterTest::leavingFinishes() {
    QFETCH(bool, quits);
    ExportFixture w;
    w.answer = QStringLiteral("a.png");
    w.start("exportAction");
    QVERIFY(w.window->exporter()->isBusy());
    QVERIFY(quits ? w.program.quit() : w.window->close());
    QCOMPARE(QImage(w.path()).size(), QSize(2880, 1800));
}

void ExporterTest::leavingSaysWhatFailed() {
    ExportFixture w;
    w.answer = QStringLiteral("no/such/a.png");
    w.start("exportAction");
    QVERIFY(!w.window->close());
    QVERIFY(w.window->isVisible());
    QVERIFY2(w.message().contains(QStringLiteral("could not be written")), qPrintable(w.message()));
    QVERIFY(w.window->close()); // it has been said
}

// While a picture is painted and packed elsewhere, sliders still move and count.
void ExporterTest::windowGoesOn() {
    ExportFixture w;
    w.answer = QStringLiteral("a.png");
    w.start("pictureSize3Action");
    w.start("exportAction");
    QVERIFY(w.window->exporter()->isBusy());
    QCoreApplication::processEvents(); // recorded, as it is now
    w.window->document()->edit(QStringLiteral("Context"), 0, [](Scenario &s) { s.workload.context = Tokens(4096); });
    w.settle();
    QVERIFY(w.headline().contains(QStringLiteral("4,096 tokens")));
    w.window->exporter()->finish();
    const Loaded loaded = loadFile(w.path());
    QCOMPARE(loaded.document->scenarios[0].workload.context.value, 131072);
}

/// Work of others that hangs is no reason for a picture not to be made; nor for the window not to be painted, which Qt does on the same pool.
void ExporterTest::waitsForNobodyElse() {
    ExportFixture w;
    w.start("fitMapAction");
    w.settle();
    w.answer = QStringLiteral("a.png");
    QSemaphore hang;
    std::atomic<bool> gaveUp{false};
    std::vector<std::unique_ptr<Latest>> others;
    for (int i = 0; i < 2 * QThreadPool::globalInstance()->maxThreadCount(); ++i) {
        others.push_back(std::make_unique<Latest>(nullptr));
        others.back()->ask([&](const Latest::GoOn &) -> Latest::Answer {
            gaveUp = !hang.tryAcquire(1, 20'000) || gaveUp;
            return {};
        });
    }
    w.start("exportAction");
    w.window->exporter()->finish();
    hang.release(static_cast<int>(others.size()));
    QThreadPool::globalInstance()->waitForDone();
    w.settle();
    QVERIFY(!gaveUp);
    QVERIFY2(w.message().contains(QStringLiteral("a.png")), qPrintable(w.message()));
    QVERIFY(QImage(w.path()).width() > 0);
}

/// On screen they are capitals; so they are in a file that another program draws.
void ExporterTest::headsInCapitals() {
    ExportFixture w;
    w.answer = QStringLiteral("a.svg");
    w.trigger("exportAction");
    const QByteArray svg = w.content();
    for (const char *head : {">WORKLOAD<", ">MODEL<", ">HARDWARE<", ">COUNT LIKE<"})
        QVERIFY2(svg.contains(head), head);
    QVERIFY(!svg.contains(">Workload<"));
    // Read aloud they are words.
    bool found = false;
    for (const QLabel *label : w.window->findChildren<QLabel *>())
        found |= label->text() == QLatin1String("WORKLOAD") && label->accessibleName() == QLatin1String("Workload");
    QVERIFY(found);
}

void ExporterTest::cancelled() {
    ExportFixture w;
    w.answer = QStringLiteral("a.png");
    QFile old(w.path());
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("as it was") > 0);
    old.close();
    w.start("exportAction");
    w.window->exporter()->cancel();
    QVERIFY(!w.window->exporter()->isBusy());
    QThreadPool::globalInstance()->waitForDone();
    w.settle();
    QCOMPARE(w.content(), QByteArray("as it was"));
    QVERIFY(!w.message().contains(QStringLiteral("a.png")));
    QCOMPARE(QDir(w.folder.path()).entryList(QDir::Files).size(), 1); // and nothing half done beside it
    // What takes long says so, with a way out.
    w.start("exportAction");
    QMetaObject::invokeMethod(w.window->exporter(), "showProgress");
    auto *progress = w.window->findChild<QProgressDialog *>(QStringLiteral("exportProgress"));
    QVERIFY(progress && progress->isVisible());
    QTest::mouseClick(progress->findChild<QPushButton *>(), Qt::LeftButton);
    QVERIFY(!w.window->exporter()->isBusy());
    QThreadPool::globalInstance()->waitForDone();
    w.settle();
    QCOMPARE(w.content(), QByteArray("as it was"));
}

void ExporterTest::newOneTakesItsPlace() {
    ExportFixture w;
    w.answer = QStringLiteral("first.png");
    w.start("exportAction");
    w.answer = QStringLiteral("second.svg");
    w.trigger("exportAction");
    QThreadPool::globalInstance()->waitForDone();
    QVERIFY(!w.content().isEmpty());
    QVERIFY(!QFile::exists(w.folder.filePath(QStringLiteral("first.png"))));
}

void ExporterTest::clipboard() {
    ExportFixture w;
    w.trigger("copyImageAction");
    const QMimeData *mime = QGuiApplication::clipboard()->mimeData();
    QCOMPARE(qvariant_cast<QImage>(mime->imageData()).size(), QSize(2880, 1800));
    QVERIFY(pictureDocument(mime->data(QStringLiteral("image/png"))).contains("llama-3.1-70b"));
    w.trigger("copyLatexAction");
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("&= 2 \\times 80 \\times 8")));
    w.trigger("copyReportAction");
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("# Llama 3.1 70B Instruct")));
}

void ExporterTest::printed_data() {
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<QStringList>("words"); ///< from all corners
    QTest::newRow("the dashboard") << QByteArray("printAction")
                                   << QStringList{QStringLiteral("Llama 3.1 70B Instruct"), QStringLiteral("KV bytes of one token"), QStringLiteral("256k"), QStringLiteral("Count like").toUpper(), QStringLiteral("KV Planner ")};
    QTest::newRow("a chart") << QByteArray("growthPrint") << QStringList{QStringLiteral("Growth with context"), QStringLiteral("800 GB"), QStringLiteral("256k"), QStringLiteral("INT4"), QStringLiteral("KV Planner ")};
}

void ExporterTest::printed() {
    QFETCH(QByteArray, action);
    ExportFixture w;
    w.answer = QStringLiteral("printed.pdf");
    w.prints = false;
    w.trigger(action.constData());
    QVERIFY(w.content().isEmpty());
    w.prints = true;
    w.trigger(action.constData());
    const QByteArray pdf = w.content();
    QVERIFY(pdf.startsWith("%PDF"));
    QCOMPARE(pdf.count("/Type /Page\n"), 1);
    QVERIFY(pdf.contains("/FontFile2")); // letters, not a picture of letters
    QFETCH(QStringList, words);
    QProcess reader;
    reader.start(QStringLiteral("pdftotext"), {QStringLiteral("-raw"), w.path(), QStringLiteral("-")}); // what lies on the page
    QVERIFY(reader.waitForFinished());
    const QString text = QString::fromUtf8(reader.readAllStandardOutput()).simplified();
    for (const QString &word : std::as_const(words))
        QVERIFY2(text.contains(word), qPrintable(word + QStringLiteral(" in: ") + text));
    QVERIFY2(w.message().contains(w.path()), qPrintable(w.message())); // printed to a file: where it is
}

void ExporterTest::everyPageOffersTheSame_data() {
    QTest::addColumn<QString>("name");
    for (const char *name : {"gpus", "growth", "table", "explain", "fitMap", "lengths", "mistakes", "capacity", "levers", "compare"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void ExporterTest::everyPageOffersTheSame() {
    QFETCH(QString, name);
    ExportFixture w;
    const auto *dots = w.window->findChild<QToolButton *>(name + QStringLiteral("Export"));
    QVERIFY(dots);
    for (const char *entry : {"CopyMarkdown", "CopyCsv", "CopyImage", "SaveMarkdown", "SaveCsv", "SaveImage", "Print"}) {
        QAction *action = w.window->findChild<QAction *>(name + QLatin1String(entry));
        QVERIFY2(action, entry);
        QVERIFY2(!action->statusTip().isEmpty(), entry);
    }
}

// A picture is of the last plan that could be made.
void ExporterTest::refusedScenario() {
    ExportFixture w;
    w.answer = QStringLiteral("a.svg");
    w.window->document()->edit(QStringLiteral("TP"), 0, [](Scenario &s) { s.parallel.tp = Count(7); });
    w.settle();
    QVERIFY(w.window->document()->isRefused());
    w.trigger("exportAction");
    QVERIFY(w.content().contains("10 sequences of 131,072 tokens fit on"));
}

void ExporterTest::accuracyPage() {
    ExportFixture w;
    w.start("accuracyAction");
    auto *page = w.window->findChild<QTextBrowser *>(QStringLiteral("accuracyPage"));
    QVERIFY(page && page->isVisible());
    for (const char *part : {"Exact, and by which source", "activation_bytes", "Not modelled", "llama-cpp"})
        QVERIFY2(page->toPlainText().contains(QLatin1String(part)), part);
    speak(QStringLiteral("zh_CN"));
    const QString chinese = kv::accuracyPage();
    speak(QStringLiteral("en"));
    for (const char *part : {"准确性与局限", "activation_bytes", "| llama-cpp |", "| 引擎 | "})
        QVERIFY2(chinese.contains(QString::fromUtf8(part)), part);
    QVERIFY(!chinese.contains(QLatin1Char('{')));
}

KV_TEST(ExporterTest)
#include "exportertest.moc"
