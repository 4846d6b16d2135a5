// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson.h"
#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "core/plan/mistakes.h"
#include "core/report/refusal.h"
#include "tests/testmain.h"

#include <QTest>

#include <algorithm>

using namespace kv;

// The lessons that are built in, each with its right answer worked out by hand, and files that are none.
class LessonTest : public QObject {
    Q_OBJECT

private slots:
    void answers_data();
    void answers();
    void eachCanBePlayed();
    void mistakes_data();
    void mistakes();
    void mistakenPlans();
    void refuses_data();
    void refuses();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void unitsStay();
};

namespace {

const Lesson *lesson(const QString &id) {
    const auto found = std::ranges::find(lessons(), id.toStdString(), &Lesson::id);
    return found == lessons().end() ? nullptr : &*found;
}

std::string lessonText(const char *changed) {
    return std::string("{\"lesson\": 1, \"title\": \"t\", \"question\": \"q\", \"reason\": \"r\", \"guess\": {\"unit\": \"bytes\", \"from\": 1, \"to\": 9}, "
                       "\"bars\": [{\"label\": \"l\", \"of\": \"kv.bytes_per_token\"}]") +
           changed + "}";
}

} // namespace

void LessonTest::answers_data() {
    QTest::addColumn<QList<qint64>>("bars");
    QTest::newRow("01-one-token") << QList<qint64>{qint64(8192) * 131072, 2 * 32 * 8 * 128 * 2, 10 * qint64(8192) * 131072};
    QTest::newRow("02-factor-two") << QList<qint64>{2 * 80 * 8 * 128 * 2, 80 * 8 * 128 * 2};
    QTest::newRow("03-eight-fold") << QList<qint64>{2 * 80 * 8 * 128 * 2, 2 * 80 * 64 * 128 * 2};
    QTest::newRow("04-gb-and-gib") << QList<qint64>{qint64(400) << 30, 400'000'000'000, qint64(122'070) * 327680 * 10};
    QTest::newRow("05-where-users-begin") << QList<qint64>{23, 10, 20};
    QTest::newRow("06-fp8-cache") << QList<qint64>{20, 10};
    QTest::newRow("07-mla") << QList<qint64>{61 * (512 + 64) * 2, 61 * 128 * (192 + 128) * 2};
    QTest::newRow("08-windows") << QList<qint64>{(qint64(52) * 1024 + qint64(10) * 131072) * 2 * 16 * 128 * 2, qint64(62) * 131072 * 2 * 16 * 128 * 2};
    QTest::newRow("09-hybrids") << QList<qint64>{12 * 2 * 2 * 256 * 2, 48 * 2 * 2 * 256 * 2};
    QTest::newRow("10-tp-beyond-heads") << QList<qint64>{94 * 2 * 128 * 2, 94 * 2 * 128 * 2};
    QTest::newRow("11-bigger-smaller") << QList<qint64>{61 * (512 + 64) * 2, 2 * 80 * 8 * 128 * 2};
    QTest::newRow("12-shared-prefix") << QList<qint64>{qint64(327680) * (16384 + 32 * 16384), qint64(327680) * 32 * 32768};
    // By hand: a chat holds 4,000 × 40,960 B on each of 8 GPUs, a document 25 times that; of 57, at most 11 documents fit the room of 54.36 GB, which
    // holds with 99.1 % (binomial, 57 draws of 1 in 10), of 58 with less than 99 %. The mean length of 13,600 tokens makes it 97, the longest, of 100,000 at 327,680 B,
    // 434.9 GB ÷ 32.77 GB = 13.
    QTest::newRow("14-p99-and-average") << QList<qint64>{57, 97, 13};
    QTest::newRow("13-paging") << QList<qint64>{qint64(131072) * 131072 * 16, qint64(2048) * 131072 * 16};
}

void LessonTest::answers() {
    QFETCH(QList<qint64>, bars);
    const Lesson *one = lesson(QLatin1String(QTest::currentDataTag()));
    QVERIFY(one);
    QCOMPARE(static_cast<qsizetype>(one->bars.size()), bars.size());
    for (qsizetype i = 0; i < bars.size(); ++i)
        QCOMPARE(qint64(one->bars[static_cast<std::size_t>(i)].value), bars.at(i));
}

void LessonTest::eachCanBePlayed() {
    QVERIFY(lessons().size() >= 10);
    for (const Lesson &one : lessons()) {
        QVERIFY2(evaluate(one.scenario).ok(), one.id.c_str());
        // The answer lies well inside the guess, away from both ends, which would give it away.
        QVERIFY2(one.right() > one.from + one.from / 10 && one.right() < one.to - one.to / 10, one.id.c_str());
        QVERIFY2(!one.next.empty(), one.id.c_str());
    }
}

void LessonTest::mistakes_data() {
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("mistake");
    QTest::addColumn<qint64>("perToken"); // 0: makes no difference
    QTest::newRow("heads of a model that shares them") << "llama-3.1-8b" << "query-heads" << qint64(2 * 32 * 32 * 128 * 2);
    QTest::newRow("heads of a model that shares none") << "llama-2-7b" << "query-heads" << qint64(0);
    QTest::newRow("a head dim that is stated") << "qwen3-0.6b" << "hidden-over-heads" << qint64(2 * 28 * 8 * 64 * 2);
    QTest::newRow("a head dim that follows") << "llama-3.1-8b" << "hidden-over-heads" << qint64(0);
    QTest::newRow("no windows to ignore") << "llama-3.1-8b" << "windows-in-full" << qint64(0);
    QTest::newRow("no states") << "llama-3.1-8b" << "states-as-attention" << qint64(0);
    QTest::newRow("keys of a latent are no half") << "deepseek-v3" << "keys-only" << qint64(0);
}

void LessonTest::mistakes() {
    QFETCH(QString, preset);
    QFETCH(QString, mistake);
    QFETCH(qint64, perToken);
    Scenario scenario = firstScenario();
    scenario.model = {preset.toStdString(), {}, {}, presetModel(preset.toStdString()).value.value_or(nullptr)};
    const Plan plan = evaluate(scenario);
    QVERIFY(plan.ok());
    const MistakeSheet sheet = mistakesOf(scenario, plan);
    QCOMPARE(qint64(sheet.right.perToken.value), qint64(plan.kv.perToken.value));
    const Mistake *made = sheet.find(mistake.toStdString());
    QCOMPARE(made != nullptr, perToken != 0);
    if (made)
        QCOMPARE(qint64(made->count.perToken.value), perToken);
}

// A mistake as a whole plan, as its maker would see it.
void LessonTest::mistakenPlans() {
    Scenario scenario = firstScenario();
    for (const char *preset : {"llama-3.1-70b", "gemma-3-27b", "deepseek-v3", "qwen3-next-80b-a3b"}) {
        scenario.model = {preset, {}, {}, presetModel(preset).value.value_or(nullptr)};
        const Plan plan = evaluate(scenario);
        QVERIFY2(plan.ok(), preset);
        int drawn = 0;
        for (const Mistake &mistake : mistakesOf(scenario, plan).mistakes) {
            const auto mistaken = asMistaken(scenario, plan, mistake);
            QCOMPARE(mistaken.has_value(), mistake.id != "gib-as-gb"); // which is not about the layers
            if (!mistaken)
                continue;
            const Plan wrong = evaluate(*mistaken);
            QVERIFY(wrong.ok());
            QCOMPARE(qint64(wrong.kv.total.value), qint64(mistake.count.total.value));
            QCOMPARE(qint64(wrong.weights.total.value), qint64(plan.weights.total.value));
            ++drawn;
        }
        QVERIFY2(drawn > 0, preset);
    }
}

void LessonTest::refuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("where");
    const auto row = [](const char *name, const std::string &text, const char *where) { QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(where); };
    row("no json", "{", "own.json");
    row("a list", "[]", "own.json: lesson");
    row("no version", "{}", "own.json: lesson");
    row("another version", "{\"lesson\": 2}", "own.json: lesson");
    row("a title that is a number", lessonText(", \"title\": 3"), "own.json: title");
    row("a unit that is none", lessonText(", \"guess\": {\"unit\": \"metres\", \"from\": 1, \"to\": 2}"), "own.json: guess.unit");
    row("ends the wrong way round", lessonText(", \"guess\": {\"unit\": \"count\", \"from\": 2, \"to\": 2}"), "own.json: guess.from");
    row("no bars", lessonText(", \"bars\": []"), "own.json: bars");
    row("a number that the plan lacks", lessonText(", \"bars\": [{\"label\": \"l\", \"of\": \"kv.weight\"}]"), "own.json: bars[0].of");
    row("a mistake that is none", lessonText(", \"bars\": [{\"label\": \"l\", \"mistake\": \"typo\"}]"), "own.json: bars[0].mistake");
    row("a mistake without a difference", lessonText(", \"bars\": [{\"label\": \"l\", \"mistake\": \"windows-in-full\"}]"), "own.json: bars[0].mistake");
    row("a model that is none", lessonText(", \"scenario\": {\"model\": {\"preset\": \"llama-9\"}}"), "scenario.model.preset");
    row("a key of what was not asked for", lessonText(", \"bars\": [{\"label\": \"l\", \"of\": \"lengths.in_flight.max_sequences_p99\"}]"), "own.json: bars[0].of");
    const auto between = [](const char *ends) { return lessonText((std::string(", \"guess\": {\"unit\": \"bytes\", ") + ends + "}").c_str()); };
    row("an answer below the guess", between("\"from\": 327681, \"to\": 900000"), "own.json: guess.from");
    row("an answer above the guess", between("\"from\": 1, \"to\": 327679"), "own.json: guess.to");
    row("units that are none", lessonText(", \"units\": \"kb\""), "own.json: units");
    row("units of what is no size", lessonText(", \"units\": \"gb\", \"guess\": {\"unit\": \"count\", \"from\": 1, \"to\": 900000}"), "own.json: units");
    row("a view that is none", lessonText(", \"show\": \"pie\""), "own.json: show");
}

void LessonTest::refuses() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, where);
    const auto read = readLesson(text.toStdString(), "own.json", {});
    QVERIFY(!read);
    QVERIFY(firstError(read.notes));
    QVERIFY2(QByteArray::fromStdString(firstError(read.notes)->where).contains(where), firstError(read.notes)->where.c_str());
}

void LessonTest::saysWhatIsWrong_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("sentence");
    const auto row = [](const char *name, const char *changed, const char *sentence) { QTest::newRow(name) << QByteArray::fromStdString(lessonText(changed)) << QByteArray(sentence); };
    row("an answer that nobody can guess", "", "own.json: guess.to: the right answer, 327,680, lies above the largest guess, 9");
    row("a mistake that is none", ", \"bars\": [{\"label\": \"l\", \"mistake\": \"typo\"}]",
        "own.json: bars[0].mistake: no mistake is called \"typo\"; there are query-heads, keys-only, hidden-over-heads, windows-in-full, states-as-attention, latent-as-heads and gib-as-gb");
    row("a place in full and once", ", \"scenario\": {\"model\": {\"preset\": \"llama-9\"}}", "own.json: scenario.model.preset: there is no preset");
    row("a place of a bar", ", \"bars\": [{\"label\": \"l\", \"of\": \"kv.total_bytes\", \"scenario\": {\"workload\": {\"context\": \"x\"}}}]", "own.json: bars[0].scenario.workload.context: expected");
}

void LessonTest::saysWhatIsWrong() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, sentence);
    const auto read = readLesson(text.toStdString(), "own.json", {});
    QVERIFY(firstError(read.notes));
    const QByteArray said = QByteArray::fromStdString(refusalSentence(*firstError(read.notes)));
    QVERIFY2(said.startsWith(sentence), said.constData());
}

void LessonTest::unitsStay() {
    QCOMPARE(lesson(QStringLiteral("04-gb-and-gib"))->sizes, std::optional(SizeUnit::Decimal));
    QCOMPARE(lesson(QStringLiteral("03-eight-fold"))->sizes, std::nullopt);
}

KV_TEST(LessonTest)
#include "lessontest.moc"
