// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain.h"
#include "core/report/html.h"
#include "core/report/latex.h"
#include "core/report/pagenumbers.h"
#include "core/report/texttable.h"
#include "tests/testmain.h"

#include <QHash>
#include <QRegularExpression>
#include <QTest>

using namespace kv;

namespace {

/// A scenario whose names try to break every form.
Scenario hostileNames() {
    Scenario scenario = firstScenario();
    scenario.name = "<script>alert('x')</script> & \"q\" $x_1^2$ \\input{secret} 100% #1 ~ {\n中文 é";
    scenario.model.name = "</table>|</style>";
    return scenario;
}

/// What TeX would stumble over: braces, dollars and environments that do not match, or a bare special character.
QString faultOfTex(const QString &tex) {
    int braces = 0, dollars = 0;
    QStringList open;
    for (const QString &line : tex.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1Char('%')))
            continue;
        for (qsizetype i = 0; i < line.size(); ++i) {
            const QChar c = line.at(i);
            if (c == QLatin1Char('\\')) {
                ++i;
                continue;
            }
            braces += c == QLatin1Char('{') ? 1 : c == QLatin1Char('}') ? -1 : 0;
            dollars += c == QLatin1Char('$');
            if (braces < 0 || c == QLatin1Char('#') || c == QLatin1Char('%') || c == QLatin1Char('~') || c.unicode() > 0xff)
                return line;
            if ((c == QLatin1Char('_') || c == QLatin1Char('^')) && dollars % 2 == 0)
                return line;
        }
        static const QRegularExpression environment(QStringLiteral("\\\\(begin|end)\\{(\\w+\\*?)\\}"));
        for (auto found = environment.globalMatch(line); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            if (match.captured(1) == QLatin1String("begin"))
                open += match.captured(2);
            else if (open.isEmpty() || open.takeLast() != match.captured(2))
                return line;
        }
        if (braces != 0 || dollars % 2 != 0)
            return line;
    }
    return open.join(QLatin1Char(' '));
}

QByteArray bytes(const std::string &text) { return QByteArray::fromStdString(text); }

} // namespace

class LatexTest : public QObject {
    Q_OBJECT

private slots:
    void lines_data();
    void lines();
    void words_data();
    void words();
    void everyPresetIsWellFormed();
    void saysTheDerivation();
    void hostileNames_data();
    void hostileNames();
    void htmlIsOneFile();
    void htmlEscapes_data();
    void htmlEscapes();
    void tables();
    void pages_data();
    void pages();
    void pagesOfNothing();
};

void LatexTest::lines_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("named") << QByteArray("2 × layers × KV heads") << QByteArray(R"(2 \times \text{layers} \times \text{KV heads})");
    QTest::newRow("substituted") << QByteArray("2 × 80 × 131,072") << QByteArray(R"(2 \times 80 \times 131{,}072)");
    QTest::newRow("a fraction of a byte") << QByteArray("8 × 1/2") << QByteArray(R"(8 \times \tfrac{1}{2})");
    QTest::newRow("a sum") << QByteArray("layers × (latent rank + rope size)") << QByteArray(R"(\text{layers} \times (\text{latent rank} + \text{rope size}))");
    QTest::newRow("units and brackets") << QByteArray("327,680 B = 327.7 kB (320 KiB)") << QByteArray(R"(327{,}680\ \text{B} = 327.7\ \text{kB}\ (320\ \text{KiB}))");
    QTest::newRow("an arrow") << QByteArray("434.9 GB → 10 sequences") << QByteArray(R"(434.9\ \text{GB} \rightarrow 10\ \text{sequences})");
    QTest::newRow("a number in a word") << QByteArray("Q8_0 bytes") << QByteArray(R"(\text{Q8\_0 bytes})");
    QTest::newRow("a true minus") << QByteArray("8 GB − 1 GB") << QByteArray(R"(8\ \text{GB} - 1\ \text{GB})");
}

void LatexTest::lines() {
    QFETCH(QByteArray, line);
    QTEST(bytes(latexMath(line.toStdString())), "wanted");
}

void LatexTest::words_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("specials") << QByteArray("a_b & 5 % of #1, {x} ~ ^ \\ $") << QByteArray(R"(a\_b \& 5 \% of \#1, \{x\} \textasciitilde{} \textasciicircum{} \textbackslash{} \$)");
    QTest::newRow("brackets of code") << QByteArray("<a|b>") << QByteArray(R"(\textless{}a\textbar{}b\textgreater{})");
    QTest::newRow("signs") << QByteArray("8,192 ÷ 64 … ’") << QByteArray(R"(8,192 $\div$ 64 \ldots{} ')");
    QTest::newRow("letters that fonts have") << QByteArray("é ü ß") << QByteArray("é ü ß");
    QTest::newRow("letters that they lack") << QByteArray("中🚀") << QByteArray("[U+4E2D][U+1F680]");
    QTest::newRow("line ends") << QByteArray("a\nb") << QByteArray("a b");
}

void LatexTest::words() {
    QFETCH(QByteArray, text);
    QTEST(bytes(latexText(text.toStdString())), "wanted");
}

void LatexTest::everyPresetIsWellFormed() {
    for (const Preset &preset : presets())
        for (const char *engine : {"textbook", "vllm", "llama-cpp"}) {
            Scenario scenario = firstScenario();
            scenario.model.preset = preset.id;
            scenario.model.spec = *presetModel(preset.id).value;
            scenario.engine.id = engine;
            scenario.workload.context = Tokens(4096);
            const Plan plan = evaluate(scenario);
            if (!plan.ok())
                continue;
            const QString fault = faultOfTex(QString::fromStdString(planLatex(scenario, plan, SizeUnit::Decimal)));
            QVERIFY2(fault.isEmpty(), qPrintable(QString::fromStdString(preset.id) + QStringLiteral(": ") + fault));
        }
}

void LatexTest::saysTheDerivation() {
    const Scenario scenario = firstScenario();
    const Plan plan = evaluate(scenario);
    const QByteArray tex = bytes(planLatex(scenario, plan, SizeUnit::Decimal));
    for (const char *part : {"\\paragraph{KV bytes of one token}", "  &= 2 \\times 80 \\times 8 \\times 128 \\times 2 \\\\\n", "327{,}680\\ \\text{B}", "\\texttt{num\\_key\\_value\\_heads}",
                             "429{,}496{,}729{,}600\\ \\text{B} = 429.5\\ \\text{GB}", "\\usepackage{amsmath,array}"})
        QVERIFY2(tex.contains(part), part);
}

void LatexTest::hostileNames_data() {
    QTest::addColumn<SizeUnit>("unit");
    QTest::newRow("GB") << SizeUnit::Decimal;
    QTest::newRow("GiB") << SizeUnit::Binary;
}

void LatexTest::hostileNames() {
    QFETCH(SizeUnit, unit);
    const Scenario scenario = ::hostileNames();
    const Plan plan = evaluate(scenario);
    QVERIFY(plan.ok());
    const QString fault = faultOfTex(QString::fromStdString(planLatex(scenario, plan, unit)));
    QVERIFY2(fault.isEmpty(), qPrintable(fault));
    const QByteArray html = bytes(planHtml(scenario, plan, unit, nullptr, {}, "2026-11-29"));
    QVERIFY(!html.contains("<script"));
    QCOMPARE(html.count("</table>"), html.count("<table>"));
    QCOMPARE(html.count("</style>"), 1);
    QVERIFY(html.contains("&lt;script&gt;alert(&#39;x&#39;)"));
}

void LatexTest::htmlIsOneFile() {
    const Scenario scenario = firstScenario();
    const Plan plan = evaluate(scenario);
    const QByteArray html = bytes(planHtml(scenario, plan, SizeUnit::Decimal, nullptr, {{"A <figure>", "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg viewBox=\"0 0 1 1\"/>\n"}}, "2026-11-29"));
    QVERIFY(html.startsWith("<!DOCTYPE html>"));
    QVERIFY(html.endsWith("</html>\n"));
    for (const char *outside : {"http:", "https:", "src=", "href=", "<script", "<?xml", "@import", "url("})
        QVERIFY2(!html.contains(outside), outside);
    QCOMPARE(html.count("<!DOCTYPE"), 1);
    QVERIFY(html.contains("<figure>\n<svg viewBox=\"0 0 1 1\"/>\n<figcaption>A &lt;figure&gt;</figcaption>"));
    // The figures are the plan's.
    QVERIFY(html.contains("<td class=\"n\">429,496,729,600</td>"));
    QVERIFY(html.contains("10 sequences of 131,072 tokens fit on 8 × H100 SXM 80 GB"));
    QVERIFY(html.contains("= 2 × 80 × 8 × 128 × 2"));
    QVERIFY(html.contains("2026-11-29"));
}

void LatexTest::htmlEscapes_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("markup") << QByteArray("<b>&amp;") << QByteArray("&lt;b&gt;&amp;amp;");
    QTest::newRow("quotes") << QByteArray("\"'") << QByteArray("&quot;&#39;");
    QTest::newRow("controls") << QByteArray("a\x01\nb\xFF") << QByteArray("a  b\xEF\xBF\xBD");
}

void LatexTest::htmlEscapes() {
    QFETCH(QByteArray, text);
    QTEST(bytes(htmlText(text.toStdString())), "wanted");
}

void LatexTest::tables() {
    TextTable table;
    table.column("Name").column("N", TextTable::Align::Right);
    table.row({"a,\"b\"", "<1>"});
    QCOMPARE(bytes(table.csv()), QByteArray("Name,N\n\"a,\"\"b\"\"\",<1>\n"));
    QCOMPARE(bytes(table.html()), QByteArray("<table>\n<tr><th>Name</th><th class=\"n\">N</th></tr>\n<tr><td>a,&quot;b&quot;</td><td class=\"n\">&lt;1&gt;</td></tr>\n</table>\n"));
    QVERIFY(!bytes(table.html(false)).contains("<th"));
}

void LatexTest::pages_data() {
    QTest::addColumn<QByteArray>("page");
    QTest::addColumn<QByteArray>("csv");
    QTest::addColumn<QByteArray>("markdown");
    QTest::newRow("explain") << QByteArray("explain") << QByteArray("KV bytes of one token,KV heads,8,num_key_value_heads,not the 64 of num_attention_heads") << QByteArray("= 2 × 80 × 8 × 128 × 2");
    QTest::newRow("mistakes") << QByteArray("mistakes") << QByteArray("none: the right value,327680,42949672960,429496729600,") << QByteArray("| none: the right value | 327.7 kB | 42.9 GB | 429.5 GB |");
    QTest::newRow("levers") << QByteArray("levers") << QByteArray("\nkv.fp8,FP8 cache: 10 → 20 users (a small quality risk),quality,") << QByteArray("FP8 cache: 10 → 20 users");
    QTest::newRow("capacity") << QByteArray("capacity") << QByteArray("\nmost sequences,10,") << QByteArray("| fewest GPUs | 8 |");
}

void LatexTest::pages() {
    QFETCH(QByteArray, page);
    QFETCH(QByteArray, csv);
    QFETCH(QByteArray, markdown);
    const Scenario scenario = firstScenario();
    const auto numbers = pageNumbers(page.toStdString(), scenario, evaluate(scenario), SizeUnit::Decimal);
    QVERIFY(numbers);
    QVERIFY2(bytes(numbers->csv).contains(csv), numbers->csv.c_str());
    QVERIFY2(bytes(numbers->markdown).contains(markdown), numbers->markdown.c_str());
}

void LatexTest::pagesOfNothing() {
    QVERIFY(!pageNumbers("gpus", firstScenario(), evaluate(firstScenario()), SizeUnit::Decimal));
    for (const char *page : {"explain", "mistakes", "capacity"})
        QVERIFY(pageNumbers(page, firstScenario(), Plan{}, SizeUnit::Decimal)->csv.empty());
}

KV_TEST(LatexTest)
#include "latextest.moc"
