// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenariofile.h"
#include "core/workload/columns.h"
#include "core/workload/percentiles.h"
#include "core/workload/trace.h"
#include "tests/core/files/tempfolder.h"
#include "tests/testmain.h"

#include <QTest>

#include <cmath>

using namespace kv;

class TraceTest : public QObject {
    Q_OBJECT

private slots:
    void read_data();
    void read();
    void refused_data();
    void refused();
    void columnsAreChangeable();
    void cancelled();
    void manyLengthsStayFew();
    void throughThePercentiles();
    void classesShareTheRequests();
    void travelsWithoutItsFile();
    void previews_data();
    void previews();
    void withoutAFile();
    void tooManyColumns();
    void mediaArePartOfTheInput();
};

// The shapes that people's files have; names of columns from the projects that columns.h names.
void TraceTest::read_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("count");
    QTest::addColumn<qint64>("p50");
    QTest::addColumn<qint64>("most");
    QTest::addColumn<QString>("note"); // a word of the warning, or nothing
    const auto row = [](const char *name, const char *text, qint64 count, qint64 p50, qint64 most, const char *note = "") {
        QTest::newRow(name) << QByteArray(text) << count << p50 << most << QString::fromLatin1(note);
    };
    row("Azure", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6,374,44\n2023-11-16 18:15:50.9,396,109\n", 2, 418, 505);
    row("BurstGPT, the total not added again", "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,GPT-4,10,5,15,API log\n", 1, 15, 15);
    row("Mooncake", "{\"timestamp\": 0, \"input_length\": 6758, \"output_length\": 500, \"hash_ids\": [1, 2, 99999]}\n{\"input_length\": 1, \"output_length\": 2}\n", 2, 3, 7258);
    row("a benchmark's lists", "{\"completed\": 3, \"input_lens\": [1, 2, 3], \"output_lens\": [10, 10, 10], \"generated_texts\": [\"1,2\"]}", 3, 12, 13);
    row("a benchmark over many lines", "{\n \"input_lens\": [1,\n 2],\n \"output_lens\": [4, 4]\n}\n", 2, 5, 6);
    row("benchmarks appended", "{\"input_lens\": [1], \"output_lens\": [1]}\n{\"input_lens\": [5], \"output_lens\": [5]}\n", 2, 2, 10);
    row("a batch's answers", "{\"custom_id\": \"1\", \"response\": {\"status_code\": 200, \"body\": {\"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 3}}}}\n", 1, 10, 10);
    row("usage one object deeper", "{\"id\": 1, \"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 3, \"total_tokens\": 10}}\n", 1, 10, 10);
    row("a JSON list of requests", "[{\"prompt_tokens\": 7, \"completion_tokens\": 3},\n {\"prompt_tokens\": 1, \"completion_tokens\": 1}]", 2, 2, 10);
    row("a JSON list of lengths", "[5, 6, 7]", 3, 6, 7);
    row("one length a line", "3\n1\n2\n", 3, 2, 3);
    row("two columns without a header", "3,1\n5,5\n", 2, 4, 10, "no header");
    row("semicolons, byte order mark, CR LF", "\xEF\xBB\xBFprompt_tokens;completion_tokens\r\n1;2\r\n3;4\r\n", 2, 3, 7);
    row("carriage returns alone", "length\r5\r6\r", 2, 5, 6);
    row("quoted text with all that hurts", "prompt,prompt_tokens,completion_tokens\n\"a, \"\"b\"\"\nc\",1,2\nd,3,4", 2, 3, 7);
    row("whole numbers with a point", "length\n12.0\n", 1, 12, 12);
    row("thousands as an exponent", "length\n1.2e4\n", 1, 12'000, 12'000);
    row("counts as text", "{\"id\": \"a\", \"prompt_tokens\": \"7\", \"completion_tokens\": \"3\"}\n", 1, 10, 10);
    row("thousands between commas, in quotes", "input_length,output_length\n\"5,112\",\"1,234,567\"\n", 1, 1'239'679, 1'239'679);
    row("failed requests are told", "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,GPT-4,10,0,10,API log\n6,GPT-4,10,5,15,API log\n", 2, 10, 15, "1 request has an output of 0");
    row("an empty cell is left out", "input_length,output_length\n1,1\n,5\n2,2\n", 2, 2, 4, "line 3");
    row("a null is left out", "{\"input_length\": 1, \"output_length\": 1}\n{\"input_length\": null, \"output_length\": 1}\n", 1, 2, 2, "line 2");
    row("input alone", "prompt_tokens,latency\n5,1\n", 1, 5, 5, "as long as their input");
    row("blank lines between", "length\n\n1\n\n\n2\n", 2, 1, 2);
    // Of an API's usage: what the names say to be counted apart is added, what they say to be inside is not.
    row("Anthropic, the cache beside the input", "{\"usage\":{\"input_tokens\":100,\"cache_creation_input_tokens\":2000,\"cache_read_input_tokens\":30000,\"output_tokens\":50}}\n", 1, 32'150, 32'150,
        "usage.cache_creation_input_tokens, usage.cache_read_input_tokens");
    row("Anthropic, cached from the second request on", "{\"input_tokens\":10,\"output_tokens\":5}\n{\"input_tokens\":10,\"cache_read_input_tokens\":100,\"cache_creation_input_tokens\":null,\"output_tokens\":5}\n", 2, 15, 115,
        "cache_read_input_tokens");
    row("Anthropic as a table", "id,input_tokens,cache_creation_input_tokens,cache_read_input_tokens,output_tokens\na,100,2000,30000,50\nb,10,,,5\n", 2, 15, 32'150, "cache_read_input_tokens");
    row("Bedrock", "{\"usage\":{\"inputTokens\":9,\"outputTokens\":1,\"totalTokens\":60,\"cacheReadInputTokens\":50,\"cacheWriteInputTokens\":0}}\n", 1, 60, 60, "cacheReadInputTokens");
    row("Gemini, thoughts beside the answer", "{\"usageMetadata\":{\"promptTokenCount\":1000,\"cachedContentTokenCount\":900,\"candidatesTokenCount\":100,\"thoughtsTokenCount\":500,\"totalTokenCount\":1600}}\n", 1, 1600, 1600,
        "usageMetadata.thoughtsTokenCount");
    row("OpenAI, cached within the prompt", "{\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":50,\"total_tokens\":150,\"prompt_tokens_details\":{\"cached_tokens\":64}}}\n", 1, 150, 150);
    row("a gateway, cached within the prompt", "prompt_tokens,completion_tokens,cache_read_input_tokens,total_tokens\n100,50,64,150\n", 1, 150, 150);
    row("OpenTelemetry, cached within the input", "{\"gen_ai.usage.cache_read.input_tokens\":900,\"gen_ai.usage.input_tokens\":1000,\"gen_ai.usage.output_tokens\":50}\n", 1, 1050, 1050);
    row("Ollama", "{\"model\":\"m\",\"total_duration\":5,\"prompt_eval_count\":26,\"eval_count\":298}\n", 1, 324, 324);
    row("llama.cpp", "{\"tokens_predicted\":8,\"tokens_evaluated\":12,\"truncated\":false}\n", 1, 20, 20);
    row("a total that contradicts", "prompt_tokens,completion_tokens,total_tokens\n100,50,150\n100,50,1500\n200,60,2500\n", 3, 150, 260, "in 2 rows, the first in line 3, which says 1,500 where they come to 150");
    row("a total that contradicts, in JSON", "{\"prompt_tokens\":1,\"completion_tokens\":1,\"total_tokens\":9}\n", 1, 2, 2, "the first in line 1, which says 9 where they come to 2");
    row("a total of something else", "total,prompt_tokens,completion_tokens\n9.99,1,1\n", 1, 2, 2);
    row("points in a file of commas", "input_length,output_length\n1.000,50\n", 1, 51, 51);
    row("longer than any table", "length\n5000000\n7\n", 2, 7, 5'000'000);
}

void TraceTest::read() {
    QFETCH(QByteArray, text);
    QFETCH(QString, note);
    const test::TempFolder folder;
    const Parsed<Lengths> lengths = readTrace(folder.write("trace", std::string_view(text.data(), std::size_t(text.size()))));
    QVERIFY2(lengths, lengths.notes.empty() ? "" : lengths.notes.front().text.c_str());
    QTEST(qint64(lengths->count), "count");
    QTEST(qint64(lengths->p50), "p50");
    QTEST(qint64(lengths->most), "most");
    QCOMPARE(lengths.notes.size(), note.isEmpty() ? std::size_t(0) : std::size_t(1));
    if (!note.isEmpty())
        QVERIFY2(QString::fromStdString(lengths.notes.front().text).contains(note), lengths.notes.front().text.c_str());
}

void TraceTest::refused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, QByteArray text, const char *code, const char *words) {
        QTest::newRow(name) << text << QString::fromLatin1(code) << QString::fromUtf8(words);
    };
    row("empty", "", "no-lengths", "empty");
    row("a header alone", "input_length,output_length\n", "no-lengths", "header");
    row("a word", "length\n5\nabc\n", "bad-value", "line 3: length is \"abc\"");
    row("commas in other places", "length\n\"5,11\"\n", "bad-value", "line 2");
    row("after a quoted line break", "text,length\n\"a\nb\",1\nc,abc\n", "bad-value", "line 4");
    row("half a token", "length\n12.5\n", "bad-value", "whole");
    row("points between thousands", "prompt_tokens;completion_tokens\n1.000;50\n2.000;60\n", "bad-value", "line 2: prompt_tokens is \"1.000\", thousands set off by points, or a fraction");
    row("points in a column alone", "length\n12.500\n", "bad-value", "thousands");
    row("points between millions", "input_length\toutput_length\n1\t1.234.567\n", "bad-value", "line 2: output_length");
    row("a part that is no number", "input_tokens,cache_read_input_tokens,output_tokens\n1,x,1\n", "bad-value", "line 2: cache_read_input_tokens is \"x\"");
    row("negative", "length\n-1\n", "bad-value", "negative");
    row("wider than 64 bits", "length\n9223372036854775808\n", "out-of-range", "range");
    row("an exponent", "length\n1e300\n", "out-of-range", "1e300");
    row("a sum wider than 64 bits", "input_length,output_length\n9223372036854775807,1\n", "out-of-range", "range");
    row("more columns than the header", "a,length\n1,2,3\n", "bad-value", "3 columns");
    row("no such columns", "alpha,beta\n1,2\n", "unknown-column", "alpha, beta");
    row("sums of requests", "num_model_requests,input_tokens,output_tokens\n100,400000,100000\n", "unknown-column", "num_model_requests");
    row("three columns without a header", "1,2,3\n", "unknown-column", "--lengths-columns");
    row("a quote never closed", "text,length\n\"a,1\nb,2\n", "truncated", "line 2");
    row("all zero", "length\n0\n0\n", "no-lengths", "0");
    row("bytes of a program", QByteArray("length\n\0\1", 9), "not-utf8", "binary");
    row("UTF-16", QByteArray("\xFF\xFEl\0", 4), "not-utf8", "UTF-16");
    row("a line that breaks off", "{\"input_length\": 1, \"output_length\": 2}\n{\"input_length\": 3, \"outp\n", "not-json", "line 2");
    row("a text for a length", "{\"input_length\": \"x\", \"output_length\": 2}\n", "unknown-column", "output_length");
    row("a text further down", "{\"input_length\": 1, \"output_length\": 2}\n{\"input_length\": \"x\", \"output_length\": 2}\n", "bad-value", "line 2");
    row("half of an exponent", "length\n1.25e1\n", "bad-value", "whole");
    row("lists of unlike lengths", "{\"input_lens\": [1, 2], \"output_lens\": [1]}", "contradiction", "input_lens has 2");
    row("a result without details", "{\"completed\": 10, \"total_input_tokens\": 1000}", "unknown-column", "input_lens");
}

void TraceTest::refused() {
    QFETCH(QByteArray, text);
    QFETCH(QString, words);
    const test::TempFolder folder;
    const std::string path = folder.write("trace.csv", std::string_view(text.data(), std::size_t(text.size())));
    const Parsed<Lengths> lengths = readTrace(path);
    QVERIFY(!lengths);
    const Note &error = *firstError(lengths.notes);
    QTEST(QString::fromStdString(error.code), "code");
    QVERIFY2(QString::fromStdString(error.text).contains(words), error.text.c_str());
    QVERIFY2(error.text.find(path) != std::string::npos, error.text.c_str());
}

void TraceTest::columnsAreChangeable() {
    const test::TempFolder folder;
    const std::string path = folder.write("t.csv", "prompt_tokens,completion_tokens,cached\n10,1,7\n20,2,9\n");
    const Parsed<Lengths> lengths = readTrace(path, {{"cached", "completion_tokens", ""}, {}});
    QVERIFY(lengths);
    QCOMPARE(lengths->most, std::int64_t(11));
    QCOMPARE(lengths->columns.input, std::string("cached"));
    QCOMPARE(lengths->found.size(), std::size_t(3));
    QVERIFY(!readTrace(path, {{"catched", "", ""}, {}}));
    const std::string bare = folder.write("u.csv", "10,1,7\n20,2,9\n");
    const Parsed<LengthColumns> chosen = readColumnChoice("input=3,output=2", "--lengths-columns");
    QVERIFY(chosen);
    QCOMPARE(readTrace(bare, {*chosen, {}})->most, std::int64_t(11));
    for (const char *wrong : {"input", "in=3", "input=1,total=2", ""})
        QVERIFY2(!readColumnChoice(wrong, "--lengths-columns"), wrong);
}

void TraceTest::cancelled() {
    const test::TempFolder folder;
    std::string text = "length\n";
    for (int i = 0; i < 1'000'000; ++i)
        text += "1234\n";
    const std::string path = folder.write("t.csv", text);
    int asked = 0;
    const Parsed<Lengths> lengths = readTrace(path, {{}, [&](std::int64_t, std::int64_t) { return ++asked < 3; }});
    QVERIFY(!lengths);
    QCOMPARE(firstError(lengths.notes)->code, std::string("cancelled"));
    QCOMPARE(asked, 3);
}

// A trace of many different lengths keeps its percentiles exactly, and its mean in all the bins that are left.
void TraceTest::manyLengthsStayFew() {
    LengthCounter counter;
    for (std::int64_t i = 1; i <= 300'000; ++i)
        counter.add(i);
    for (std::int64_t i = 0; i < 200'000; ++i)
        counter.add(3'000'000 + i * 1000);
    const Lengths lengths = counter.lengths();
    QVERIFY(counter.rounded());
    QCOMPARE(lengths.count, std::int64_t(500'000));
    QCOMPARE(lengths.p50, std::int64_t(250'000));
    QVERIFY(lengths.bins.size() <= Lengths::mostBins);
    double sum = 0, weight = 0;
    for (const LengthBin &bin : lengths.bins) {
        sum += static_cast<double>(bin.tokens) * bin.weight;
        weight += bin.weight;
    }
    QCOMPARE(weight, 500'000.0);
    QVERIFY(std::abs(sum / weight / lengths.mean - 1) < 1e-4);
    QVERIFY(std::abs(static_cast<double>(lengthAt(lengths.bins, 0.9)) / static_cast<double>(lengths.p90) - 1) < 0.01);
}

void TraceTest::throughThePercentiles() {
    const Lengths lengths = lengthsThrough(1000, 8000, 32000);
    for (const auto &[share, tokens] : {std::pair(0.5, 1000.0), {0.9, 8000.0}, {0.99, 32000.0}})
        QVERIFY2(std::abs(static_cast<double>(lengthAt(lengths.bins, share)) / tokens - 1) < 0.02, std::to_string(share).c_str());
    // One log-normal of median 1,000 and sigma 1: p90 and p99 are its own, so its mean must come out, e^(1/2) times the median.
    const Lengths one = lengthsThrough(1000, std::llround(1000 * std::exp(normalScore(0.9))), std::llround(1000 * std::exp(normalScore(0.99))));
    QVERIFY2(std::abs(one.mean / (1000 * std::exp(0.5)) - 1) < 0.005, std::to_string(one.mean).c_str());
    QCOMPARE(lengthsThrough(7, 7, 7).mean, 7.0);
}

void TraceTest::classesShareTheRequests() {
    const Lengths lengths = lengthsOf({{"chat", 3, 800, 200}, {"documents", 1, 30'000, 2'000}, {"never", 0, 1, 1}});
    QCOMPARE(lengths.bins.size(), std::size_t(2));
    QCOMPARE(lengths.mean, 8750.0);
    QCOMPARE(lengths.p50, std::int64_t(1000));
    QCOMPARE(lengths.p90, std::int64_t(32'000));
}

void TraceTest::travelsWithoutItsFile() {
    const test::TempFolder folder;
    const std::string path = folder.write("t.csv", "prompt,prompt_tokens,completion_tokens\na,10,1\nb,20,2\n");
    const auto read = [](const Json &json) { return readScenario(json, {}, firstScenario()); };
    const Parsed<Json> json = parseJson(R"({"workload": {"lengths": {"file": ")" + path + R"("}}})", "test");
    const Parsed<Scenario> scenario = read(*json);
    QVERIFY(scenario);
    QCOMPARE(scenario->workload.distribution->most, std::int64_t(22));
    const Json written = writeScenario(*scenario, {});
    std::filesystem::remove(path);
    const Parsed<Scenario> again = read(written);
    QVERIFY(again);
    QVERIFY(again->workload == scenario->workload);
    QVERIFY(!read(*json));
}

// The first rows of a file, and what is guessed of its columns.
void TraceTest::previews_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("names");
    QTest::addColumn<QString>("firstRow");
    QTest::addColumn<QString>("guess"); // input, output, total
    const auto row = [](const char *name, const char *text, const char *names, const char *first, const char *guess) {
        QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(names) << QString::fromUtf8(first) << QString::fromUtf8(guess);
    };
    row("Azure", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16,374,44\n2023-11-17,396,109\n", "TIMESTAMP|ContextTokens|GeneratedTokens", "2023-11-16|374|44", "ContextTokens|GeneratedTokens|");
    row("no header", "3,1,9\n5,5,8\n", "1|2|3", "3|1|9", "||");
    row("two columns without a header", "3,1\n", "1|2", "3|1", "1|2|");
    row("names that tell nothing", "alpha;beta\n1;2\n", "alpha|beta", "1|2", "||");
    row("Mooncake", "{\"timestamp\": 0, \"input_length\": 6758, \"output_length\": 500, \"hash_ids\": [1]}\n{\"timestamp\": 1, \"input_length\": 2, \"output_length\": 1, \"hash_ids\": []}\n", "timestamp|input_length|output_length|hash_ids",
        "|||1", "input_length|output_length|");
    row("usage one object deeper", "{\"id\": \"x\", \"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 3}}\n", "usage.prompt_tokens|usage.completion_tokens", "7|3", "usage.prompt_tokens|usage.completion_tokens|");
    row("a benchmark's lists, cut off", "{\"date\": \"today\", \"input_lens\": [1, 2, 3], \"output_lens\": [10, 20, ", "input_lens|output_lens", "1|10", "input_lens|output_lens|");
    row("a JSON list of requests", "[{\"prompt_tokens\": 7, \"completion_tokens\": 3},\n {\"prompt_tokens\": 1, \"completion_tokens\": 1}]", "prompt_tokens|completion_tokens", "7|3", "prompt_tokens|completion_tokens|");
}

void TraceTest::previews() {
    QFETCH(QByteArray, text);
    const test::TempFolder folder;
    const Parsed<TracePreview> preview = previewTrace(folder.write("t", std::string_view(text.data(), std::size_t(text.size()))), 2);
    QVERIFY2(preview, preview.notes.empty() ? "" : preview.notes.front().text.c_str());
    const auto joined = [](const std::vector<std::string> &texts) {
        QStringList list;
        for (const std::string &one : texts)
            list += QString::fromStdString(one);
        return list.join(QLatin1Char('|'));
    };
    QTEST(joined(preview->names), "names");
    QVERIFY(!preview->rows.empty() && preview->rows.size() <= 2);
    QTEST(joined(preview->rows.front()), "firstRow");
    QTEST(joined({preview->guess.input, preview->guess.output, preview->guess.total}), "guess");
    for (const char *none : {"", " \n\n", "\xFF\xFE", "[]"})
        QVERIFY2(!previewTrace(folder.write("n", none)), none);
}

void TraceTest::withoutAFile() {
    const Parsed<Lengths> lengths = readTraceText("prompt_tokens,completion_tokens\n1,2\n3,4\n", "the clipboard");
    QVERIFY(lengths);
    QCOMPARE(lengths->most, std::int64_t(7));
    const Parsed<Lengths> wrong = readTraceText("length\nx\n", "the clipboard");
    QVERIFY(!wrong && firstError(wrong.notes)->text.starts_with("the clipboard: line 2"));
}

// Rows without end of columns are refused in a sentence, before they fill the memory; many keys that are no lengths cost nothing.
void TraceTest::tooManyColumns() {
    std::string header, object = "{\"input_length\": 1, \"output_length\": 1";
    for (int i = 0; i < 5000; ++i) {
        header += "c" + std::to_string(i) + ",";
        object += ", \"k" + std::to_string(i) + "\": " + std::to_string(i);
    }
    const Parsed<Lengths> wide = readTraceText("length," + header + "\n1\n", "wide.csv");
    QVERIFY2(!wide && firstError(wide.notes)->text.find("line 1: more than 4,096 columns") != std::string::npos, wide ? "read" : firstError(wide.notes)->text.c_str());
    const Parsed<Lengths> later = readTraceText("length\n1\n2" + std::string(5000, ',') + "\n", "later.csv");
    QVERIFY2(!later && firstError(later.notes)->text.find("line 3: more than 4,096 columns") != std::string::npos, later ? "read" : firstError(later.notes)->text.c_str());
    const Parsed<Lengths> keys = readTraceText(object + "}\n", "keys.jsonl");
    QVERIFY2(!keys && firstError(keys.notes)->text.find("line 1: more than 4,096 numbers") != std::string::npos, keys ? "read" : firstError(keys.notes)->text.c_str());
    const Parsed<Lengths> second = readTraceText("{\"input_length\": 1, \"output_length\": 1}\n" + object + "}\n", "second.jsonl");
    QVERIFY2(second, second.notes.empty() ? "" : second.notes.front().text.c_str());
    QCOMPARE(second->count, std::int64_t(2));
}

void TraceTest::mediaArePartOfTheInput() {
    const auto read = [](const char *text) { return readClasses(*parseJson(text, "test"), "classes"); };
    const auto classes = read(R"([{"name": "pictures", "share": 1, "input": 4000, "media": "3k", "output": 100}, {"share": 0.5, "input": 1, "output": 1}])");
    QVERIFY(classes);
    QCOMPARE(classes->front().media, std::int64_t(3072));
    QCOMPARE(lengthsOf(*classes).most, std::int64_t(4100)); // counted once
    QVERIFY(*readClasses(classesJson(*classes), "classes").value == *classes);
    for (const auto &[text, code] : {std::pair(R"([{"share": 1, "input": 1, "output": 1, "media": 2}])", "contradiction"), {R"([{"share": 1, "input": 1, "output": 1, "media": -1}])", "bad-value"},
                                     {R"([{"share": 1e308, "input": 1, "output": 1}, {"share": 1e308, "input": 1, "output": 1}])", "bad-value"}, {R"([{"share": 1, "input": 1}])", "missing-key"}, {"[]", "bad-value"}}) {
        const auto refused = read(text);
        QVERIFY2(!refused && firstError(refused.notes)->code == code, text);
    }
}

KV_TEST(TraceTest)
#include "tracetest.moc"
