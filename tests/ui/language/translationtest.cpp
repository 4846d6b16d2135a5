// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/gpu.h"
#include "core/lesson/lesson.h"
#include "core/plan/evaluate.h"
#include "tests/app/program.h"
#include "tests/testmain.h"
#include "tests/testpaths.h"
#include "tests/ui/charts/textrecorder.h"
#include "tests/ui/windowfixture.h"
#include "ui/compare/compared.h"
#include "ui/compare/comparetable.h"
#include "ui/language/language.h"
#include "ui/language/translate.h"
#include "ui/paper.h"
#include "ui/view.h"
#include "ui/words.h"

#include <QToolBar>
#include <QXmlStreamReader>

using namespace kv;
using namespace kv::test;

namespace {

const Lesson *lesson(std::string_view id) {
    const auto found = std::ranges::find(lessons(), id, &Lesson::id);
    return found == lessons().end() ? nullptr : &*found;
}

struct Message {
    QString context, source, type;
    QStringList forms;
};

QList<Message> messagesOf(const QString &path) {
    QFile file(path);
    QList<Message> all;
    if (!file.open(QIODevice::ReadOnly))
        return all;
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (xml.name() == QLatin1String("message")) {
            all.append({context, {}, {}, {}});
        } else if (xml.name() == QLatin1String("source")) {
            all.last().source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            all.last().type = xml.attributes().value(QLatin1String("type")).toString();
            all.last().forms += xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
        }
    }
    return all;
}

QStringList placesOf(const QString &text) {
    static const QRegularExpression place(QStringLiteral("%(?:L?\\d|n)"));
    QSet<QString> found;
    for (auto matches = place.globalMatch(text); matches.hasNext();)
        found.insert(matches.next().captured());
    QStringList sorted(found.begin(), found.end());
    sorted.sort();
    return sorted;
}

/// A sentence that nobody translated: more than three words in a row, of which two are small. Names, commands and paths are none.
QString englishIn(const QString &text) {
    static const QRegularExpression skipped(QStringLiteral("“[^”]*”|\"[^\"]*\"|\\S*[/_=.]\\S+|gated delta net|Kimi delta attention|Hugging Face Hub"));
    static const QRegularExpression run(QStringLiteral("[A-Za-z’']+(?:[ ,]+[A-Za-z’']+){3,}")), small(QStringLiteral("\\b[a-z]{2,}\\b"));
    static const QRegularExpression markup(QStringLiteral("<[^>]*>"));
    const QString bare = QString(text).remove(markup).remove(skipped);
    for (auto matches = run.globalMatch(bare); matches.hasNext();) {
        const QString found = matches.next().captured();
        qsizetype count = 0;
        for (auto words = small.globalMatch(found); words.hasNext(); words.next())
            ++count;
        if (count >= 2)
            return found;
    }
    return {};
}

void addModel(const QAbstractItemModel *model, QStringList &texts) {
    for (int row = 0; row < std::min(model->rowCount(), 400); ++row)
        for (int column = 0; column < model->columnCount(); ++column)
            for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole)})
                texts += model->index(row, column).data(role).toString();
    for (int column = 0; column < model->columnCount(); ++column)
        texts += model->headerData(column, Qt::Horizontal).toString();
}

/// Everything that the window says: by its widgets, by its actions, and as it is painted.
QStringList textsOf(QWidget *window) {
    QStringList texts;
    QList<QWidget *> widgets = window->findChildren<QWidget *>();
    for (QWidget *widget : std::as_const(widgets)) {
        if (widget->objectName() == QLatin1String("launchLine"))
            continue; // a command is no sentence
        for (const char *property : {"text", "wholeText", "title", "placeholderText", "plainText", "accessibleName", "accessibleDescription", "toolTip", "statusTip", "whatsThis", "windowTitle"})
            if (const QVariant value = widget->property(property); value.typeId() == QMetaType::QString)
                texts += value.toString();
        if (const auto *combo = qobject_cast<QComboBox *>(widget))
            for (int i = 0; i < combo->count(); ++i)
                texts += combo->itemText(i);
        if (const auto *bar = qobject_cast<QTabBar *>(widget))
            for (int i = 0; i < bar->count(); ++i)
                texts += bar->tabText(i);
        if (const auto *view = qobject_cast<QAbstractItemView *>(widget); view && view->model())
            addModel(view->model(), texts);
    }
    for (const QAction *action : window->findChildren<QAction *>())
        texts += {action->text(), action->toolTip(), action->statusTip(), action->whatsThis(), action->iconText()};
    TextRecorder recorder(window->size());
    window->render(&recorder);
    texts += recorder.texts().texts();
    return texts;
}

QStringList englishOf(QWidget *window) {
    QSet<QString> faults;
    for (const QString &text : textsOf(window))
        for (const QString &line : text.split(QLatin1Char('\n')))
            if (const QString found = englishIn(line); !found.isEmpty())
                faults.insert(found + QLatin1String(" | ") + line);
    return {faults.begin(), faults.end()};
}

} // namespace

// The language files as they are, and the window in the languages.
class TranslationTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void cleanup() { speak(QStringLiteral("en")); }
    void files_data();
    void files();
    void languagesAreFound();
    void unknownIsRefused_data();
    void unknownIsRefused();
    void windowIsWhole_data();
    void windowIsWhole();
    void pagesAreWhole();
    void toolbarHasNoKeys();
    void chosenAtOnce();
    void qtSpeaksToo();
    void namesStay();
    void picturesHaveNoKeys();
    void rowsAreToldApart();
};

void TranslationTest::files_data() {
    QTest::addColumn<QString>("path");
    for (const QFileInfo &file : QDir(QLatin1String(resourcesFolder()) + QLatin1String("/translations")).entryInfoList({QStringLiteral("kvplanner_*.ts")}))
        QTest::newRow(qPrintable(file.baseName())) << file.absoluteFilePath();
}

void TranslationTest::files() {
    QFETCH(QString, path);
    const QList<Message> messages = messagesOf(path);
    QVERIFY(messages.size() > 2000);
    QStringList faults;
    bool named = false;
    for (const Message &message : messages) {
        named = named || message.context == QLatin1String("kv::Language");
        if (!message.type.isEmpty() || message.forms.isEmpty())
            faults += QStringLiteral("%1: %2").arg(message.type, message.source);
        for (const QString &form : message.forms) {
            if (form.isEmpty())
                faults += QStringLiteral("empty: ") + message.source;
            if (placesOf(form) != placesOf(message.source))
                faults += QStringLiteral("other places: %1 | %2").arg(message.source, form);
        }
    }
    QVERIFY(named);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
}

void TranslationTest::languagesAreFound() {
    QCOMPARE(languages().first().name, QStringLiteral("English"));
    const qsizetype files = QDir(QLatin1String(resourcesFolder()) + QLatin1String("/translations")).entryList({QStringLiteral("kvplanner_*.ts")}).size();
    QCOMPARE(languages().size(), files + 1);
    for (const char *name : {"zh", "zh-CN", "zh_CN.UTF-8", "ZH_cn", "zh-Hans-CN"})
        QCOMPARE(languageFor(QLatin1String(name)), QStringLiteral("zh_CN"));
    for (const char *name : {"en", "en_GB", "en-US"})
        QCOMPARE(languageFor(QLatin1String(name)), QStringLiteral("en"));
    for (const char *name : {"", "C", "zz", "zh_TW", "chinese", "../en"})
        QCOMPARE(languageFor(QLatin1String(name)), QString());
    QCOMPARE(systemLanguage(), QStringLiteral("en")); // of C.UTF-8
}

void TranslationTest::unknownIsRefused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    QTest::newRow("window") << QStringList{QStringLiteral("--lang"), QStringLiteral("zz")} << QStringLiteral("there are en, zh_CN");
    QTest::newRow("window, =") << QStringList{QStringLiteral("--lang=zz")} << QStringLiteral("there are en, zh_CN");
    QTest::newRow("window, none") << QStringList{QStringLiteral("--lang")} << QStringLiteral("expected a code");
    QTest::newRow("render") << QStringList{QStringLiteral("render"), QStringLiteral("-o"), QStringLiteral("x.png"), QStringLiteral("--lang"), QStringLiteral("zz")} << QStringLiteral("there are en, zh_CN");
    QTest::newRow("before the command") << QStringList{QStringLiteral("--lang"), QStringLiteral("zz"), QStringLiteral("render"), QStringLiteral("-o"), QStringLiteral("x.png")} << QStringLiteral("there are en, zh_CN");
    QTest::newRow("plan") << QStringList{QStringLiteral("plan"), QStringLiteral("--lang"), QStringLiteral("zh_CN")} << QStringLiteral("has no option \"--lang\"");
}

void TranslationTest::unknownIsRefused() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    const Answer answer = runProgram(arguments);
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.errorLines(), 1);
    QVERIFY2(QString::fromUtf8(answer.err).contains(said), answer.err.constData());
}

void TranslationTest::windowIsWhole_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("engine");
    QTest::addColumn<QString>("gpus");
    QTest::addColumn<QString>("sequences");
    const auto row = [](const char *name, const char *model, const char *engine, const char *gpus, const char *sequences) {
        QTest::newRow(name) << QString::fromLatin1(model) << QString::fromLatin1(engine) << QString::fromLatin1(gpus) << QString::fromLatin1(sequences);
    };
    row("textbook", "llama-3.1-70b", "textbook", "8", "10");
    row("hybrid in vLLM", "qwen3-next-80b-a3b", "vllm", "8", "10");
    row("llama.cpp", "qwen3-8b", "llama-cpp", "1", "4");
    row("windows in TensorRT-LLM", "gemma-3-27b", "tensorrt-llm", "8", "10");
    row("latent in SGLang", "deepseek-v3", "sglang", "8", "10");
    row("does not fit", "llama-3.1-70b", "vllm", "8", "500");
    row("weights do not fit", "llama-3.1-70b", "transformers", "1", "1");
    row("refused", "llama-3.1-70b", "vllm", "7", "10");
}

void TranslationTest::windowIsWhole() {
    QFETCH(QString, model);
    QFETCH(QString, engine);
    QFETCH(QString, gpus);
    QFETCH(QString, sequences);
    QSettings().setValue(QStringLiteral("view/language"), QStringLiteral("zh_CN"));
    WindowFixture w;
    const auto read = readDocument("{\"kvplan\": 1, \"model\": {\"preset\": \"" + utf8(model) + "\"}, \"workload\": {\"context\": 131072, \"sequences\": " + utf8(sequences) +
                                       "}, \"hardware\": {\"gpu\": \"h100-sxm-80gb\", \"count\": " + utf8(gpus) + "}, \"engine\": {\"id\": \"" + utf8(engine) + "\"}}",
                                   "test", {});
    QVERIFY(read);
    w.window->document()->edit(QStringLiteral("test"), 0, [&](Scenario &s) { s = read->scenarios.front(); });
    w.settle();
    for (const char *action : {"growthTableAction", "explainAction", "leversAction", "mistakesAction", "capacityAction", "fitMapAction"}) {
        w.window->findChild<QAction *>(QLatin1String(action))->trigger();
        w.settle();
        w.window->dashboard()->settle();
        const QStringList faults = englishOf(w.window);
        QVERIFY2(faults.isEmpty(), qPrintable(QLatin1String(action) + QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
    }
}

// A key that is the only thing in brackets belongs to a menu.
void TranslationTest::toolbarHasNoKeys() {
    QSettings().setValue(QStringLiteral("view/language"), QStringLiteral("zh_CN"));
    WindowFixture w;
    const auto *bar = w.find<QToolBar>("toolBar");
    const QAction *open = w.window->findChild<QAction *>(QStringLiteral("openAction"));
    QVERIFY(open && bar->actions().contains(const_cast<QAction *>(open)) && open->text().contains(QStringLiteral("(&")));
    for (const QAction *action : bar->actions())
        QVERIFY2(!action->iconText().contains(QLatin1Char('(')), qPrintable(action->iconText()));
}

void TranslationTest::pagesAreWhole() {
    QSettings().setValue(QStringLiteral("view/language"), QStringLiteral("zh_CN"));
    WindowFixture w;
    // Compared, with lengths, and a lesson open.
    w.window->findChild<QAction *>(QStringLiteral("pinAction"))->trigger();
    w.type("sequencesEdit", QStringLiteral("40"));
    w.window->document()->edit(QStringLiteral("test"), 0, [](Scenario &s) { s.workload.distribution = lesson("14-p99-and-average")->scenario.workload.distribution; });
    for (const char *action : {"compareAction", "lengthsAction", "lessonAction"}) {
        w.window->findChild<QAction *>(QLatin1String(action))->trigger();
        w.settle();
        w.window->dashboard()->settle();
        if (qstrcmp(action, "lessonAction") == 0) {
            QTRY_COMPARE(w.find<QListWidget>("lessons")->count(), static_cast<int>(lessons().size()));
            w.click("lessonStart");
            w.click("lessonReveal");
        }
        const QStringList faults = englishOf(w.window);
        QVERIFY2(faults.isEmpty(), qPrintable(QLatin1String(action) + QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
    }
    QVERIFY(!w.headline().contains(QLatin1String("sequences")));
}

void TranslationTest::chosenAtOnce() {
    WindowFixture w;
    w.type("sequencesEdit", QStringLiteral("7"));
    const ScenarioDocument before = w.window->document()->value();
    QVERIFY(w.headline().startsWith(QLatin1String("7 sequences")));
    w.window->findChild<QAction *>(QStringLiteral("language_zh_CN"))->trigger();
    QCoreApplication::processEvents();
    QCOMPARE(w.program.windows().size(), 1);
    w.window = w.program.windows().constFirst();
    w.settle();
    QVERIFY(w.headline().startsWith(QStringLiteral("7 个序列")));
    QVERIFY(w.window->document()->value() == before);
    QVERIFY(w.window->document()->isModified());
    QVERIFY(w.window->findChild<QAction *>(QStringLiteral("language_zh_CN"))->isChecked());
    QCOMPARE(QSettings().value(QStringLiteral("view/language")).toString(), QStringLiteral("zh_CN"));
    w.window->findChild<QAction *>(QStringLiteral("language_system"))->trigger();
    QCoreApplication::processEvents();
    w.window = w.program.windows().constFirst();
    w.settle();
    QVERIFY(w.headline().startsWith(QLatin1String("7 sequences")));
}

// What people call their cards and scenarios is no word of ours, even where it is spelt like one.
void TranslationTest::namesStay() {
    Gpu own;
    own.id = own.name = "Weights";
    own.marketed = Bytes(24'000'000'000);
    QVERIFY(!adoptGpu(own).empty());
    speak(QStringLiteral("zh_CN"));
    QVERIFY(translated("Weights") != QStringLiteral("Weights"));
    QCOMPARE(translated("2 × Weights"), QStringLiteral("2 × Weights"));
    QVERIFY(translated("The weights alone do not fit on 1 × Weights").contains(QStringLiteral("1 × Weights")));
    ScenarioDocument document{{firstScenario(), firstScenario(), firstScenario()}, 0, {}};
    document.scenarios[0].name = "Weights";
    document.scenarios[1].name = "free";
    document.scenarios[0].hardware.gpu = "Weights";
    std::vector<Plan> plans;
    for (const Scenario &scenario : document.scenarios)
        plans.push_back(evaluate(scenario));
    CompareTable table;
    const Compared all = compared(document, {&plans[0], &plans[1], &plans[2]}, 0, SizeUnit::Decimal);
    table.show(all, {0, 1, 2}, true);
    const auto header = [&](int column) { return table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); };
    QCOMPARE(header(1), QStringLiteral("Weights"));
    QCOMPARE(header(2), QStringLiteral("free"));
    QVERIFY(header(3) != QStringLiteral("Scenario 3"));
    QStringList cells;
    for (int row = 0; row < table.rowCount(); ++row) {
        const QString name = table.index(row, 0).data().toString();
        QVERIFY2(name == QStringLiteral("GPU") || !QRegularExpression(QStringLiteral("^[A-Za-z ,]+$")).match(name).hasMatch(), qPrintable(name));
        cells += table.index(row, 1).data().toString();
    }
    QVERIFY(cells.contains(QStringLiteral("Weights")));
}

void TranslationTest::qtSpeaksToo() {
    speak(QStringLiteral("zh_CN"));
    const QString cancel = QCoreApplication::translate("QPlatformTheme", "Cancel");
    QVERIFY2(cancel == QStringLiteral("取消"), "\"Cancel\" stays: are Qt's own translations installed (qt6-translations-l10n)?");
}

void TranslationTest::picturesHaveNoKeys() {
    for (const char *code : {"en", "zh_CN"}) {
        speak(QLatin1String(code));
        PaperOrder order;
        order.page = QStringLiteral("all");
        Paper paper(ScenarioDocument{{firstScenario()}, 0, {}}, order);
        const Recording recording = paper.record();
        TextRecorder recorder(recording.size());
        QPainter painter(&recorder);
        recording.paint(painter);
        painter.end();
        static const QRegularExpression key(QStringLiteral("\\([A-Z]\\)|&|⋯"));
        QVERIFY2(recorder.texts().texts().size() > 50 && recorder.texts().texts().filter(key).isEmpty(), qPrintable(recorder.texts().texts().filter(key).join(QLatin1Char('|'))));
    }
}

// Two rows of one name say nothing.
void TranslationTest::rowsAreToldApart() {
    speak(QStringLiteral("zh_CN"));
    ScenarioDocument document{{firstScenario(), firstScenario()}, 0, {}};
    const Plan plan = evaluate(firstScenario());
    const Compared all = compared(document, {&plan, &plan}, 0, SizeUnit::Decimal);
    CompareTable table;
    table.show(all, {0, 1}, true);
    QStringList names;
    for (int row = 0; row < table.rowCount(); ++row)
        names += table.index(row, 0).data().toString();
    QVERIFY(names.size() > 10);
    QCOMPARE(names.removeDuplicates(), 0);
    QVERIFY2(!translated("hidden_size 8,192 ÷ 64 heads").contains(QStringLiteral("heads")), qPrintable(translated("hidden_size 8,192 ÷ 64 heads")));
}

KV_TEST(TranslationTest)
#include "translationtest.moc"
