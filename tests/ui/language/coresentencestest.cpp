// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engines.h"
#include "core/lesson/lesson.h"
#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain.h"
#include "core/plan/inflight.h"
#include "core/plan/layerwords.h"
#include "core/plan/levers.h"
#include "core/plan/mistakes.h"
#include "core/plan/solve.h"
#include "core/report/inwords.h"
#include "core/scenario/scenariofile.h"
#include "tests/testmain.h"
#include "ui/language/language.h"
#include "ui/language/translate.h"
#include "ui/words.h"

#include <QRegularExpression>
#include <QTest>

#include <set>

using namespace kv;

namespace {

/// The numbers of a text, in any order: no translation may lose or change one.
QStringList numbersOf(const QString &text) {
    static const QRegularExpression number(QStringLiteral("\\d[\\d,.]*\\d|\\d"));
    QStringList found;
    for (auto matches = number.globalMatch(text); matches.hasNext();)
        found += matches.next().captured().remove(QLatin1Char(','));
    found.sort();
    return found;
}

using Texts = std::set<std::string>;

void collectPlan(const Scenario &scenario, const Plan &plan, Texts &out) {
    const Verdict v = verdict(scenario, plan, SizeUnit::Decimal);
    out.insert({v.headline, v.detail});
    if (plan.refusal)
        out.insert(plan.refusal->text);
    for (const Note &note : plan.warnings)
        out.insert(note.text);
    for (const ExplainSection &section : explain(scenario, plan, SizeUnit::Binary)) {
        out.insert(section.title);
        out.insert(section.lines.begin(), section.lines.end());
        for (const ExplainTerm &term : section.terms)
            out.insert({term.name, term.value, term.from, term.note});
    }
    if (!plan.ok())
        return;
    for (const std::string &item : captionOf(scenario, plan, "2026-11-30"))
        out.insert(item);
    if (plan.model)
        for (std::size_t layer = 0; layer < plan.model->layers.size(); layer += 3)
            out.insert(layerSentence(*plan.model, layer, plan.kv.types, scenario.workload.context, SizeUnit::Decimal));
    for (const Mistake &mistake : mistakesOf(scenario, plan).mistakes)
        out.insert({std::string(mistake.name), std::string(mistake.why)});
}

/// Lengths that go beyond the context.
SharedLengths unlike() {
    const auto read = readDocument(R"({"kvplan": 1, "model": {"preset": "llama-3.1-70b"}, "workload": {"lengths": {"p50": 2000, "p90": 8000, "p99": 60000}}})", "test", {});
    return read ? read->scenarios.front().workload.distribution : SharedLengths();
}

void collectAnswers(const Scenario &scenario, Texts &out) {
    for (const Question question : {Question::Users, Question::Context, Question::Gpus, Question::Utilization}) {
        const Solution solution = solve(scenario, question);
        out.insert(solution.refusal ? solution.refusal->text : solution.sentence);
    }
    for (const Lever &lever : levers(scenario).list)
        out.insert({lever.sentence, lever.idea.name, lever.idea.caveat});
}

} // namespace

// Core's own sentences in Simplified Chinese, for every preset and engine: nothing English is left in them, and every number is there.
class CoreSentencesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { speak(QStringLiteral("en")); }
    void exactly_data();
    void exactly();
    void plans_data();
    void plans();
    void answers_data();
    void answers();
    void lessons();
    void notesHaveAtLeastTheirCode();
    void english();

private:
    static void check(const Texts &texts);
};

void CoreSentencesTest::initTestCase() {
    QCOMPARE(languageFor(QStringLiteral("zh_CN")), QStringLiteral("zh_CN"));
    speak(QStringLiteral("zh_CN"));
}

void CoreSentencesTest::check(const Texts &texts) {
    QStringList faults;
    for (const std::string &text : texts) {
        const Rendering made = rendered(words(text));
        if (!made.whole)
            faults += QStringLiteral("English is left: %1 | %2").arg(words(text), made.text);
        // An ordinal is the same number without its ending.
        if (numbersOf(words(text)) != numbersOf(made.text))
            faults += QStringLiteral("other numbers: %1 | %2").arg(words(text), made.text);
    }
    for (const QString &fault : faults.mid(0, 60))
        qWarning("%s", qPrintable(fault));
    QVERIFY2(faults.isEmpty(), qPrintable(QStringLiteral("%1 of %2").arg(faults.size()).arg(texts.size())));
}

void CoreSentencesTest::exactly_data() {
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("chinese");
    const auto row = [](const char *english, const char *chinese) { QTest::newRow(english) << QString::fromUtf8(english) << QString::fromUtf8(chinese); };
    row("10 sequences of 131,072 tokens fit on 8 × H100 SXM 80 GB", "10 个序列（每个 131,072 个 token）在 8 × H100 SXM 80 GB 上放得下");
    row("500 sequences of 131,072 tokens do not fit: 10 do", "500 个序列（每个 131,072 个 token）放不下：最多放得下 10 个");
    row("5.4 GB stays free. An 11th sequence needs 37.6 GB more; an FP8 cache would hold 20.", "剩余 5.4 GB。第 11 个序列还需要 37.6 GB；改用 FP8 缓存可放 20 个。");
    row("2 × layers × KV heads × head dim × bytes", "2 × 层数 × KV 头 × 头维度 × 字节");
    row("FP8 cache on 16 GPUs, TP 16: 10 → 47 users (a small quality risk; 8 more GPUs)", "16 个 GPU 上用 FP8 缓存，TP 16：10 → 47 个用户（质量风险较小；增加 8 个 GPU）");
    row("in 3 of 100 cases", "每 100 次有 3 次");
    row("Llama 3.1 70B Instruct", "Llama 3.1 70B Instruct");
    row("", "");
}

void CoreSentencesTest::exactly() {
    QFETCH(QString, english);
    QFETCH(QString, chinese);
    QCOMPARE(rendered(english).text, chinese);
}

void CoreSentencesTest::plans_data() {
    QTest::addColumn<QString>("engine");
    for (const Engine *engine : engines())
        QTest::newRow(std::string(engine->id()).c_str()) << words(engine->id());
}

void CoreSentencesTest::plans() {
    QFETCH(QString, engine);
    Texts texts;
    for (const Preset &preset : presets()) {
        const auto model = presetModel(preset.id);
        if (!model)
            continue;
        for (const auto &[context, sequences, gpus] : {std::tuple<std::int64_t, std::int64_t, std::int64_t>{32768, 10, 8}, {1'000'000, 300, 2}}) {
            Scenario scenario = firstScenario();
            scenario.model = {};
            scenario.model.preset = preset.id;
            scenario.model.spec = *model;
            scenario.workload.context = Tokens(context);
            scenario.workload.sequences = Count(sequences);
            scenario.hardware.count = Count(gpus);
            scenario.engine.id = utf8(engine);
            collectPlan(scenario, evaluate(scenario), texts);
        }
    }
    QVERIFY(texts.size() > 500);
    check(texts);
}

void CoreSentencesTest::answers_data() { plans_data(); }

void CoreSentencesTest::answers() {
    QFETCH(QString, engine);
    Texts texts;
    for (const std::int64_t sequences : {1, 10, 200}) {
        Scenario scenario = firstScenario();
        scenario.workload.sequences = Count(sequences);
        scenario.engine.id = utf8(engine);
        collectAnswers(scenario, texts);
        collectPlan(scenario, evaluate(scenario), texts);
        scenario.workload.distribution = unlike();
        const Plan plan = evaluate(scenario);
        if (const std::optional<InFlight> flight = inFlight(scenario, plan)) {
            const InFlightWords said = inFlightWords(*flight);
            texts.insert({said.fit, said.most, said.mean, said.method});
            const Verdict v = verdict(scenario, plan, SizeUnit::Decimal, &*flight);
            texts.insert({v.headline, v.detail});
        }
    }
    check(texts);
}

void CoreSentencesTest::lessons() {
    Texts texts;
    for (const Lesson &lesson : kv::lessons()) {
        texts.insert({lesson.title, lesson.question, lesson.reason, lesson.next});
        for (const LessonBar &bar : lesson.bars)
            texts.insert(bar.label);
    }
    QVERIFY(texts.size() > 60);
    QStringList faults;
    for (const std::string &text : texts)
        if (const Rendering made = rendered(words(text)); !made.whole)
            faults += words(text);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
}

void CoreSentencesTest::notesHaveAtLeastTheirCode() {
    for (const NoteCode &code : noteCodes())
        QVERIFY2(rendered(words(code.meaning)).whole, std::string(code.meaning).c_str());
    const Note odd = errorNote("bad-header", "x.gguf", "the third of the headers is not at all what it was to be");
    QCOMPARE(translated(odd), QStringLiteral("文件头自相矛盾 (the third of the headers is not at all what it was to be)"));
}

void CoreSentencesTest::english() {
    speak(QStringLiteral("en"));
    const std::string text = "10 sequences of 131,072 tokens fit on 8 × H100 SXM 80 GB";
    QCOMPARE(translated(text), words(text));
    speak(QStringLiteral("zh_CN"));
}

KV_TEST(CoreSentencesTest)
#include "coresentencestest.moc"
