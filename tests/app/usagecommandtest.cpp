// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/testmain.h"
#include "tests/testpaths.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace kv::test;

namespace {

QStringList words(const QString &line) { return line.split(QLatin1Char(' '), Qt::SkipEmptyParts); }

/// A folder of the user's own data with one lesson that is broken and one that is not.
struct OwnLessons {
    OwnLessons() {
        QDir(home.path()).mkpath(QStringLiteral("KVPlanner/lessons"));
        write("15-ours.json", "\"reason\": \"So.\"");
        write("16-typo.json", "\"because\": \"So.\"");
    }
    void write(const char *name, const char *reason) const {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray(R"({"lesson": 1, "title": "Ours", "question": "How much?", "guess": {"unit": "bytes", "from": 1000, "to": 900000}, "bars": [{"label": "it", "of": "kv.bytes_per_token"}], )") +
                       reason + "}");
    }
    QString path(const char *name) const { return home.filePath(QLatin1String("KVPlanner/lessons/") + QLatin1String(name)); }
    Answer run(const QStringList &arguments) const { return runProgram(arguments, {}, {QLatin1String("XDG_DATA_HOME=") + home.path()}); }
    QTemporaryDir home;
};

} // namespace

// What is asked for in words that are none, and what the program offers instead.
class UsageCommandTest : public QObject {
    Q_OBJECT

private slots:
    void refusals_data();
    void refusals();
    void namesThatAreOdd();
    void helpIsThere_data();
    void helpIsThere();
    void qtsOwnOptions_data();
    void qtsOwnOptions();
    void completions_data();
    void completions();
    void filesAreCompleted_data();
    void filesAreCompleted();
    void brokenLesson();
    void tightEverywhere_data();
    void tightEverywhere();
    void planInPicture_data();
    void planInPicture();
};

void UsageCommandTest::refusals_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char *line, const char *said) { QTest::newRow(line) << QString::fromUtf8(line) << QByteArray(said); };
    row("help nonsense", "there is no help on \"nonsense\"; kvplanner --help lists the commands");
    row("help plam", "there is no help on \"plam\"; did you mean kvplanner help plan?");
    row("--help errrors", "there is no help on \"errrors\"; did you mean kvplanner help errors?");
    row("-h gpu", "there is no help on \"gpu\"; did you mean kvplanner help gpus?");
    row("--nonsense", "kvplanner has no option \"--nonsense\" without a command; kvplanner --help lists what there is");
    row("--vresion", "did you mean kvplanner --version?");
    row("--model llama-3.1-8b", "kvplanner has no option \"--model\" without a command; did you mean kvplanner plan --model?");
    row("--modle=x", "did you mean kvplanner plan --model?");
    row("--lang zh_CN --nonsense", "\"--nonsense\"");
    row("-platform offscreen --nonsense", "\"--nonsense\"");
    // What was typed is to blame, each thing is said once, and a name that is none has a place as well.
    row("plan --engine vllm --engine-option available_kv_bytes=9000000000000000000", "(engine.options.available_kv_bytes is 9,000,000,000,000,000,000)");
    row("plan --dp 100000 --tp 1", "--dp: 100,000 GPUs are out of range");
    row("plan --gpus 100000", "--gpus: 100,000 GPUs are out of range");
    row("-reverse nosuchfile.kvplan", "there is no file and no command \"nosuchfile.kvplan\"");
}

void UsageCommandTest::refusals() {
    QFETCH(QString, line);
    QFETCH(QByteArray, said);
    const Answer answer = runProgram(words(line));
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.out, QByteArray());
    QCOMPARE(answer.errorLines(), qsizetype(1));
    QVERIFY2(answer.err.contains(said), answer.err.constData());
}

void UsageCommandTest::namesThatAreOdd() {
    QVERIFY(runProgram({QStringLiteral("plan"), QStringLiteral("--scenario"), QString()}).err.contains("\"\": there is no such file"));
    const Answer twoLines = runProgram({QStringLiteral("log"), QStringLiteral("new\nline")});
    QCOMPARE(twoLines.errorLines(), qsizetype(1));
    QCOMPARE(twoLines.err.count("new line"), qsizetype(1)); // once, though it cannot be written as it is
}

void UsageCommandTest::helpIsThere_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("inside");
    const auto row = [](const char *line, const char *inside) { QTest::newRow(line) << QString::fromUtf8(line) << QByteArray(inside); };
    row("help", "kvplanner plan [OPTIONS]");
    row("help help", "kvplanner plan [OPTIONS]");
    row("--lang zh_CN --help", "kvplanner plan [OPTIONS]");
    row("help errors", "bad-lesson");
    row("plan --help", "--weights-dtype");
    row("--help plan", "--weights-dtype");
    row("plan --model x --help", "--weights-dtype");
    row("help man", ".TH KVPLANNER");
    for (const char *name : {"HF_TOKEN", "HF_ENDPOINT", "HF_HOME", "HF_HUB_OFFLINE"}) {
        QTest::addRow("hub --help says %s", name) << QStringLiteral("hub --help") << QByteArray(name);
        QTest::addRow("help man says %s", name) << QStringLiteral("help man") << QByteArray(name);
    }
    row("render --help", "fit-map");
    row("lessons --json", "\"warnings\": []");
}

void UsageCommandTest::helpIsThere() {
    QFETCH(QString, line);
    QFETCH(QByteArray, inside);
    const Answer answer = runProgram(words(line));
    QCOMPARE(answer.status, 0);
    QVERIFY2(answer.out.contains(inside), answer.out.left(400).constData());
}

void UsageCommandTest::qtsOwnOptions_data() {
    QTest::addColumn<QString>("line");
    for (const char *line : {"-style fusion", "--style=fusion", "-reverse", "-name x", "-qwindowtitle x", "--lang en -reverse"})
        QTest::newRow(line) << QString::fromLatin1(line);
}

// They come as far as the window, which has no display here.
void UsageCommandTest::qtsOwnOptions() {
    QFETCH(QString, line);
    const Answer answer = runProgram(words(line), {}, {QStringLiteral("DISPLAY="), QStringLiteral("WAYLAND_DISPLAY="), QStringLiteral("QT_QPA_PLATFORM=nosuchplatform")});
    QVERIFY2(!answer.err.contains("no option"), answer.err.constData());
    QVERIFY2(answer.err.contains("nosuchplatform"), answer.err.constData());
}

void UsageCommandTest::completions_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("offered");
    const auto row = [](const char *line, const char *offered) { QTest::newRow(qPrintable(QStringLiteral("“%1”").arg(QLatin1String(line)))) << QString::fromUtf8(line) << QByteArray(offered); };
    row("", "--lang");
    row("--lang", "zh_CN");
    row("--lang zh_CN", "render");
    row("--lang zh_CN render --theme", "dark");
    row("solve", "utilization");
    row("solve", "--model");
    row("solve users", "--model");
    row("render --lesson", "05-where-users-begin");
    row("render --view", "fit-map");
}

void UsageCommandTest::completions() {
    QFETCH(QString, line);
    QFETCH(QByteArray, offered);
    const Answer answer = runProgram(QStringList{QStringLiteral("complete")} + words(line));
    QVERIFY2(answer.out.split('\n').contains(offered), answer.out.constData());
}

void UsageCommandTest::filesAreCompleted_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("files"); ///< nothing is offered, so that the shell offers files
    const auto row = [](const char *line, bool files) { QTest::newRow(line) << QString::fromUtf8(line) << files; };
    row("log", true);
    row("compare", true);
    row("log --json", true);
    row("log --model llama-3.1-8b", true);
    row("log a.log", false);
    row("log -", false); // a dash that is begun: an option
    row("plan", false);
    row("-", false);
}

void UsageCommandTest::filesAreCompleted() {
    QFETCH(QString, line);
    const Answer answer = runProgram(QStringList{QStringLiteral("complete")} + words(line));
    QTEST(answer.out.trimmed().isEmpty(), "files");
}

void UsageCommandTest::brokenLesson() {
    const OwnLessons own;
    const QByteArray fault = "16-typo.json: reason: expected a text of 1 to 600 bytes, found no such key";
    const Answer list = own.run({QStringLiteral("lessons")});
    QCOMPARE(list.status, 0);
    QVERIFY2(list.out.contains("15-ours") && list.out.contains("01-one-token") && !list.out.contains("16-typo"), list.out.constData());
    QCOMPARE(list.err, "kvplanner: warning: " + fault + "\n");
    QCOMPARE(own.run({QStringLiteral("lessons"), QStringLiteral("--check"), own.path("16-typo.json")}).err, "kvplanner: " + fault + "\n"); // the same words
    const Answer json = own.run({QStringLiteral("lessons"), QStringLiteral("--json")});
    QCOMPARE(json.err, QByteArray());
    const QJsonArray warnings = QJsonDocument::fromJson(json.out).object().value(QLatin1String("warnings")).toArray();
    QCOMPARE(warnings.size(), 1);
    QCOMPARE(warnings.at(0).toObject().value(QLatin1String("code")).toString(), QStringLiteral("lesson-left-out"));
    QCOMPARE(warnings.at(0).toObject().value(QLatin1String("text")).toString().toUtf8(), fault);
    const Answer drawn = own.run(words(QStringLiteral("render --view lesson --lesson 16-typo -o x.png")));
    QCOMPARE(drawn.status, 2);
    QVERIFY2(drawn.err.contains(fault), drawn.err.constData());
}

void UsageCommandTest::tightEverywhere_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QByteArray>("inside");
    const auto row = [](const char *options, const char *inside) { QTest::newRow(options) << QString::fromUtf8(options) << QByteArray(inside); };
    row("", "TIGHT: 10 sequences");
    row("--markdown", "**Tight: 10 sequences of 131,072 tokens fit on 8 × H100 SXM 80 GB.**");
    row("--html", "<strong>Tight: 10 sequences");
    row("--markdown --sequences 1", "**Fits: 1 sequence");
    row("--markdown --sequences 11", "**Does not fit: ");
}

void UsageCommandTest::tightEverywhere() {
    QFETCH(QString, options);
    QFETCH(QByteArray, inside);
    const Answer answer = runProgram(QStringList{QStringLiteral("plan")} + words(options));
    QVERIFY2(answer.out.contains(inside), answer.out.left(300).constData());
}

void UsageCommandTest::planInPicture_data() {
    QTest::addColumn<QString>("suffix");
    QTest::newRow("png") << QStringLiteral("png");
    QTest::newRow("pdf") << QStringLiteral("pdf");
}

void UsageCommandTest::planInPicture() {
    QFETCH(QString, suffix);
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("plan.") + suffix);
    QCOMPARE(runProgram({QStringLiteral("render"), QStringLiteral("--model"), QStringLiteral("llama-3.1-8b"), QStringLiteral("--context"), QStringLiteral("12345"), QStringLiteral("-o"), file}).status, 0);
    const Answer plan = runProgram({QStringLiteral("plan"), QStringLiteral("--json"), QStringLiteral("--scenario"), file});
    QVERIFY2(plan.status == 0, plan.err.constData());
    QVERIFY(plan.out.contains("\"bytes_per_sequence\": 1618083840")); // 12,345 × 131,072
    QCOMPARE(runProgram({QStringLiteral("compare"), file}).status, 0);
    QFile other(file);
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write(suffix == QLatin1String("png") ? "\x89PNG\r\n\x1a\n" : "%PDF-1.4\n");
    other.close();
    const Answer none = runProgram({QStringLiteral("plan"), QStringLiteral("--json"), QStringLiteral("--scenario"), file});
    QCOMPARE(none.status, 2);
    QVERIFY2(none.out.contains("no-plan-inside") && none.err.contains("is a picture without a plan"), none.err.constData());
}

KV_TEST(UsageCommandTest)
#include "usagecommandtest.moc"
