// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/logreader.h"
#include "core/log/logsettings.h"
#include "core/report/logjson.h"
#include "tests/testmain.h"
#include "tests/testpaths.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

using namespace kv;

namespace {

QString logs() { return QString::fromUtf8(test::dataFolder()) + QStringLiteral("/logs/"); }

QByteArray content(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QJsonObject asJson(const ServerLog &log) {
    std::string text;
    appendLogJson(text, log, {}, false);
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object().value(QStringLiteral("log")).toObject();
}

constexpr const char *start = "INFO 06-20 10:00:12 [core.py:70] Initializing a V1 LLM engine (v0.9.2) with config: model='m', max_seq_len=4096, tensor_parallel_size=1, pipeline_parallel_size=1\n";

} // namespace

class LogReaderTest : public QObject {
    Q_OBJECT

private slots:
    void files_data();
    void files();
    void everyFileHasARow();
    void anyCutGivesTheSame();
    void numbers_data();
    void numbers();
    void sizes_data();
    void sizes();
    void badFigures_data();
    void badFigures();
    void blocksOfNoTokens();
    void notRecognised_data();
    void notRecognised();
    void quotedSentences_data();
    void quotedSentences();
    void otherBytes_data();
    void otherBytes();
    void settings_data();
    void settings();
    void ranks_data();
    void ranks();
    void largeInput();
    void saidAgain_data();
    void saidAgain();
    void graphsEstimated_data();
    void graphsEstimated();
};

void LogReaderTest::files_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QJsonObject>("wanted");
    const QJsonArray rows = QJsonDocument::fromJson(content(logs() + QStringLiteral("expect.json"))).array();
    QVERIFY(rows.size() >= 10);
    for (const QJsonValue &row : rows) {
        const QString file = row[u"file"].toString();
        QTest::addRow("%s", qPrintable(file)) << file << row[u"log"].toObject();
    }
}

void LogReaderTest::files() {
    QFETCH(QString, file);
    QFETCH(QJsonObject, wanted);
    const Parsed<ServerLog> log = readServerLog((logs() + file).toStdString());
    QVERIFY(log);
    QVERIFY2(std::ranges::none_of(log->notes, [](const Note &note) { return note.severity != Severity::Info; }), log->notes.empty() ? "" : log->notes.front().text.c_str());
    const QJsonObject said = asJson(*log);
    for (auto field = wanted.begin(); field != wanted.end(); ++field)
        QVERIFY2(said.value(field.key()) == field.value(), qPrintable(field.key() + QStringLiteral(" is ") + said.value(field.key()).toVariant().toString() +
                                                                      QStringLiteral(", should be ") + field.value().toVariant().toString()));
}

void LogReaderTest::everyFileHasARow() {
    QStringList named;
    for (const QJsonValue &row : QJsonDocument::fromJson(content(logs() + QStringLiteral("expect.json"))).array())
        named.append(row[u"file"].toString());
    named.sort();
    QCOMPARE(QDir(logs()).entryList({QStringLiteral("*.log")}, QDir::Files, QDir::Name), named);
}

void LogReaderTest::anyCutGivesTheSame() {
    const QByteArray text = content(logs() + QStringLiteral("vllm-ranks-and-colours.log"));
    const Parsed<ServerLog> whole = readServerLogText({text.constData(), std::size_t(text.size())}, "log");
    QVERIFY(whole);
    for (const std::size_t piece : {std::size_t(1), std::size_t(7), std::size_t(1000)}) {
        ServerLogReader reader;
        const std::string_view all(text.constData(), std::size_t(text.size()));
        for (std::size_t at = 0; at < all.size(); at += piece)
            reader.feed(all.substr(at, piece));
        QVERIFY2(reader.finish("log").value == whole.value, qPrintable(QString::number(piece)));
    }
}

void LogReaderTest::numbers_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isNumber");
    QTest::addColumn<qint64>("times1000");
    QTest::newRow("whole") << QByteArray("136080 tokens") << true << qint64(136'080'000);
    QTest::newRow("thousands") << QByteArray(" 1,215,552 tokens") << true << qint64(1'215'552'000);
    QTest::newRow("underscores") << QByteArray("136_080") << true << qint64(136'080'000);
    QTest::newRow("end of a sentence") << QByteArray("64.") << true << qint64(64'000);
    QTest::newRow("fraction") << QByteArray("(0.8999999761581421)") << true << qint64(900);
    QTest::newRow("half a thousandth, up") << QByteArray("0.0005") << true << qint64(1);
    QTest::newRow("negative") << QByteArray("-23.55 GiB") << true << qint64(-23'550);
    QTest::newRow("groups of one") << QByteArray("1,1,1") << false << qint64(0);
    QTest::newRow("group of two") << QByteArray("1,00") << false << qint64(0);
    QTest::newRow("first group of four") << QByteArray("1000,000") << false << qint64(0);
    QTest::newRow("two points") << QByteArray("1.2.3") << false << qint64(0);
    QTest::newRow("nan") << QByteArray("nan GiB") << false << qint64(0);
    QTest::newRow("inf") << QByteArray("inf") << false << qint64(0);
    QTest::newRow("exponent") << QByteArray("1e400") << false << qint64(0);
    QTest::newRow("twenty digits") << QByteArray("99999999999999999999") << false << qint64(0);
    QTest::newRow("nothing") << QByteArray("") << false << qint64(0);
}

void LogReaderTest::numbers() {
    QFETCH(QByteArray, text);
    QFETCH(bool, isNumber);
    QFETCH(qint64, times1000);
    const FoundNumber found = numberAt({text.constData(), std::size_t(text.size())});
    QCOMPARE(found.value.has_value(), isNumber);
    if (isNumber)
        QCOMPARE(qint64(*found.value->times(1000)), times1000);
}

void LogReaderTest::sizes_data() {
    QTest::addColumn<QByteArray>("unit");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("GiB") << QByteArray(" GiB and") << (qint64(1) << 30);
    QTest::newRow("GB is 2^30 in logs") << QByteArray("GB.") << (qint64(1) << 30);
    QTest::newRow("MB is 2^20 in logs") << QByteArray(" MB (+") << (qint64(1) << 20);
    QTest::newRow("KiB") << QByteArray(" KiB") << qint64(1024);
    QTest::newRow("B") << QByteArray(" B\"") << qint64(1);
    QTest::newRow("bytes") << QByteArray(" bytes.") << qint64(1);
    QTest::newRow("no unit") << QByteArray(" tokens") << qint64(0);
    QTest::newRow("a word that begins alike") << QByteArray(" Bananas") << qint64(0);
}

void LogReaderTest::sizes() {
    QFETCH(QByteArray, unit);
    QFETCH(qint64, bytes);
    QCOMPARE(qint64(unitAt({unit.constData(), std::size_t(unit.size())}).value_or(0)), bytes);
}

void LogReaderTest::badFigures_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("nan") << QByteArray("INFO [gpu_worker.py:1] Available KV cache memory: nan GiB") << QByteArray("nan");
    QTest::newRow("no unit") << QByteArray("INFO [gpu_worker.py:1] Available KV cache memory: 18.69") << QByteArray("unit");
    QTest::newRow("negative tokens") << QByteArray("INFO [kv_cache_utils.py:1] GPU KV cache size: -5 tokens") << QByteArray("-5");
    QTest::newRow("beyond 64 bits") << QByteArray("INFO [kv_cache_utils.py:1] GPU KV cache size: 99999999999999999999 tokens") << QByteArray("range");
    QTest::newRow("a size beyond 64 bits") << QByteArray("INFO [gpu_worker.py:1] Available KV cache memory: 99999999999 GiB") << QByteArray("range");
    QTest::newRow("a line that is cut off") << QByteArray("INFO [kv_cache_utils.py:1] GPU KV cache size: 13") << QByteArray("13");
    QTest::newRow("weights below zero") << QByteArray("INFO [gpu_model_runner.py:1] Model loading took -5.00 GiB memory and 3.1 seconds") << QByteArray("below zero");
    QTest::newRow("a GPU below zero") << QByteArray("INFO x total_gpu_memory (-80.00GiB)") << QByteArray("below zero");
    QTest::newRow("a share above one") << QByteArray("INFO x total_gpu_memory (80.00GiB) x gpu_memory_utilization (1.90)") << QByteArray("between 0 and 1");
}

void LogReaderTest::badFigures() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, word);
    const Parsed<ServerLog> log = readServerLogText(start + line.toStdString() + "\n", "log");
    QVERIFY(log);
    QVERIFY(!log->availableKv && !log->tokens && !log->gpuMemoryUtilization);
    QCOMPARE(log->notes.size(), std::size_t(1));
    QCOMPARE(log->notes.front().code, std::string("log-figure-unreadable"));
    QVERIFY2(QByteArray::fromStdString(log->notes.front().text).contains(word), log->notes.front().text.c_str());
    QVERIFY(log->notes.front().text.find("Line 2") == 0);
}

void LogReaderTest::blocksOfNoTokens() {
    const auto blocksOf = [](const char *tokens) {
        return readServerLogText(std::string("[TRT-LLM] [I] TensorRT-LLM version: 1.1.0\n[TensorRT-LLM][INFO] Max KV cache blocks per sequence: 65 [window size=2049], tokens per block=") + tokens +
                                     ", primary blocks=13189, max sequence length=2049\n", "log");
    };
    QVERIFY(blocksOf("32") && blocksOf("32")->blockSize == std::int64_t{32});
    const Parsed<ServerLog> none = blocksOf("0");
    QVERIFY(none && !none->blockSize);
    QVERIFY(std::ranges::any_of(none->notes, [](const Note &note) { return note.code == "log-figure-unreadable"; }));
}

void LogReaderTest::notRecognised_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("empty") << QByteArray() << QByteArray("empty");
    QTest::newRow("prose") << QByteArray("# Notes\n\nThe model size = 7 B, the blocks: 5.\n") << QByteArray("in 3 lines");
    QTest::newRow("a sentence quoted in prose") << QByteArray("vLLM prints GPU KV cache size: 136,080 tokens at its start.\n") << QByteArray("no start-up line");
    QTest::newRow("another server") << QByteArray("[INFO] Launching text-generation-launcher 3.0\n") << QByteArray("TGI");
    QTest::newRow("bytes") << QByteArray(70000, '\xff') << QByteArray("in 1 line");
    QTest::newRow("zeros") << QByteArray(70000, '\0') << QByteArray("no start-up line");
}

void LogReaderTest::notRecognised() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, word);
    const Parsed<ServerLog> log = readServerLogText({text.constData(), std::size_t(text.size())}, "some.log");
    QVERIFY(!log);
    QCOMPARE(log.notes.front().code, std::string("log-not-recognised"));
    QVERIFY2(QByteArray::fromStdString(log.notes.front().text).contains(word), log.notes.front().text.c_str());
}

void LogReaderTest::quotedSentences_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<bool>("counts");
    QTest::newRow("bare") << QByteArray("GPU KV cache size: 77 tokens") << true;
    QTest::newRow("compose") << QByteArray("vllm-1  | INFO 01-01 [kv.py:1] GPU KV cache size: 77 tokens") << true;
    QTest::newRow("a level before") << QByteArray("2026-01-01 INFO GPU KV cache size: 77 tokens") << true;
    QTest::newRow("JSON") << QByteArray("{\"message\": \"GPU KV cache size: 77 tokens\"}") << true;
    QTest::newRow("a colour without its escape") << QByteArray("[0;36mGPU KV cache size: 77 tokens") << true;
    QTest::newRow("prose") << QByteArray("the line GPU KV cache size: 77 tokens means") << false;
    QTest::newRow("code in prose") << QByteArray("`GPU KV cache size: 77 tokens`") << false;
    QTest::newRow("a prompt") << QByteArray("INFO [logger.py:1] Received request a: prompt: '[x] GPU KV cache size: 77 tokens'") << false;
    QTest::newRow("usage is no size") << QByteArray("INFO Engine 000: GPU KV cache usage: 0.77%") << false;
}

void LogReaderTest::quotedSentences() {
    QFETCH(QByteArray, line);
    QFETCH(bool, counts);
    const Parsed<ServerLog> log = readServerLogText(start + line.toStdString() + "\n", "log");
    QVERIFY(log);
    QCOMPARE(log->tokens.has_value(), counts);
    if (counts)
        QCOMPARE(qint64(log->tokens->value), qint64(77));
}

void LogReaderTest::otherBytes_data() {
    QTest::addColumn<QByteArray>("text");
    const QByteArray lines = QByteArray(start) + "INFO [kv.py:1] GPU KV cache size: 4,096 tokens";
    QByteArray wide("\xff\xfe");
    for (const char c : lines)
        wide.append(c).append('\0');
    QTest::newRow("no line feed at the end") << lines;
    QTest::newRow("carriage returns") << QByteArray(lines).replace('\n', "\r\n");
    QTest::newRow("UTF-16 of Windows") << wide;
    QTest::newRow("colour in the middle") << QByteArray(lines).replace("GPU KV", "\x1b[1mGPU\x1b[0m KV");
    QTest::newRow("a link sequence") << QByteArray(lines).replace("[kv.py:1]", "\x1b]8;;file:x\x07[kv.py:1]\x1b]8;;\x07");
    QTest::newRow("binary before") << QByteArray(5000, '\x80') + '\n' + lines;
    QTest::newRow("progress bars before") << QByteArray("Loading: 1%|x|\rLoading: 99%|x|\r").repeated(1000) + lines;
    QTest::newRow("a very long line before") << QByteArray(3'000'000, 'x') + '\n' + lines;
}

void LogReaderTest::otherBytes() {
    QFETCH(QByteArray, text);
    const Parsed<ServerLog> log = readServerLogText({text.constData(), std::size_t(text.size())}, "log");
    QVERIFY(log);
    QCOMPARE(log->version, std::optional<std::string>("0.9.2"));
    QCOMPARE(log->tokens, std::optional(Tokens(4096)));
}

void LogReaderTest::settings_data() {
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("config") << QByteArray("model='a b', dtype=torch.bfloat16, max_seq_len=8") << QByteArray("max_seq_len") << QByteArray("8");
    QTest::newRow("text with a comma") << QByteArray("model='a, tp=7', tp=2") << QByteArray("tp") << QByteArray("2");
    QTest::newRow("the first of two") << QByteArray("tp=2, tp=3") << QByteArray("tp") << QByteArray("2");
    QTest::newRow("inside brackets") << QByteArray("spec=Spec(tp=7, x={'tp': 9}), tp=2") << QByteArray("tp") << QByteArray("2");
    QTest::newRow("an enumeration") << QByteArray("mode=<Mode.FULL: 3>, tp=2") << QByteArray("tp") << QByteArray("2");
    QTest::newRow("the tail of a key") << QByteArray("draft_tp=7, tp=2") << QByteArray("tp") << QByteArray("2");
    QTest::newRow("dictionary") << QByteArray("{'tp_x': 7, 'tp': 2, 'model': 'm'}") << QByteArray("tp") << QByteArray("2");
    QTest::newRow("logfmt") << QByteArray("msg=\"tp=7 here\" tp=2 size=\"1.0 GiB\"") << QByteArray("size") << QByteArray("1.0 GiB");
    QTest::newRow("closing bracket") << QByteArray("Namespace(a=1, tp=2)") << QByteArray("tp") << QByteArray("2");
    QTest::newRow("in JSON") << QByteArray("a=1, tp=2\\n\",\"stream\":\"stderr\"}") << QByteArray("tp") << QByteArray("2");
    QTest::newRow("never closed") << QByteArray("a='x, tp=2") << QByteArray("tp") << QByteArray("");
    QTest::newRow("not there") << QByteArray("a=1") << QByteArray("tp") << QByteArray("");
}

void LogReaderTest::settings() {
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    QCOMPARE(settingOf(list.toStdString(), key.toStdString()), std::string_view(value.constData(), std::size_t(value.size())));
}

void LogReaderTest::ranks_data() {
    QTest::addColumn<QByteArray>("prefix");
    QTest::addColumn<QList<int>>("rank"); // tp, pp, dp, process
    QTest::newRow("vLLM worker") << QByteArray("(Worker_DP1_PP0_TP3_EP3 pid=103) INFO") << QList<int>{3, 0, 1, -1};
    QTest::newRow("vLLM core") << QByteArray("(EngineCore_DP1 pid=9) INFO") << QList<int>{-1, -1, 1, 9};
    QTest::newRow("vLLM first engine") << QByteArray("(VllmWorkerProcess pid=411) INFO") << QList<int>{-1, -1, -1, 411};
    QTest::newRow("SGLang") << QByteArray("[2026-01-01 10:00:00 DP2 TP5] ") << QList<int>{5, -1, 2, -1};
    QTest::newRow("TensorRT-LLM") << QByteArray("[TRT-LLM] [RANK 2] [I] ") << QList<int>{-1, -1, -1, 2};
    QTest::newRow("two processes in one line") << QByteArray("(Worker_TP0 pid=1) INFO x: 1 GiB(Worker_TP1 pid=2) INFO") << QList<int>{1, -1, -1, -1};
    QTest::newRow("another word") << QByteArray("HTTP1 INFO") << QList<int>{-1, -1, -1, -1};
    QTest::newRow("nothing") << QByteArray() << QList<int>{-1, -1, -1, -1};
}

void LogReaderTest::ranks() {
    QFETCH(QByteArray, prefix);
    QFETCH(QList<int>, rank);
    const LogRank found = rankOf({prefix.constData(), std::size_t(prefix.size())});
    const LogRank wanted{rank[0], rank[1], rank[2], rank[3]};
    QVERIFY(found == wanted);
}

// One process says its weights twice: two models where the first engine drafts, a restart where a start stands between, else it is told.
void LogReaderTest::saidAgain_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("weights");
    QTest::addColumn<QByteArray>("codes");
    constexpr qint64 gib = qint64{1} << 30;
    const QByteArray first = "INFO [llm_engine.py:1] Initializing an LLM engine (v0.6.6) with config: model='m', speculative_config=%1, max_seq_len=4096\n";
    const QByteArray second = "INFO [core.py:1] Initializing a V1 LLM engine (v0.9.2) with config: model='m', speculative_config=%1, max_seq_len=4096\n";
    const QByteArray four = "INFO [model_runner.py:1] Loading model weights took 4.0000 GB\n", one = "INFO [model_runner.py:1] Loading model weights took 1.0000 GB\n";
    const auto with = [](QByteArray line, const char *config) { return line.replace("%1", config); };
    QTest::newRow("a drafter of the first engine") << with(first, "SpeculativeConfig(draft_model='d', num_spec_tokens=3)") + four + one << 5 * gib << QByteArray();
    QTest::newRow("a restart of it") << with(first, "SpeculativeConfig(draft_model='d')") + four + one + with(first, "SpeculativeConfig(draft_model='d')") + four + one << 5 * gib << QByteArray("log-several-starts");
    QTest::newRow("none that drafts") << with(first, "None") + four + one << gib << QByteArray("log-figure-twice");
    QTest::newRow("the same twice") << with(first, "None") + four + four << 4 * gib << QByteArray();
    QTest::newRow("the second engine says one sum") << with(second, "SpeculativeConfig(method='eagle')") + four + one << gib << QByteArray("log-figure-twice");
    QTest::newRow("two processes") << with(first, "None") + four + "(VllmWorkerProcess pid=7) " + one << 4 * gib << QByteArray();
}

void LogReaderTest::saidAgain() {
    QFETCH(QByteArray, text);
    const Parsed<ServerLog> log = readServerLogText(text.toStdString(), "log");
    QVERIFY(log && log->weights);
    QTEST(qint64(log->weights->value), "weights");
    QByteArray codes;
    for (const Note &note : log->notes)
        codes += (codes.isEmpty() ? "" : " ") + QByteArray::fromStdString(note.code);
    QTEST(codes, "codes");
}

// The estimate of the graphs is part of the overhead only where the log says that the budget is less by it.
void LogReaderTest::graphsEstimated_data() {
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<qint64>("estimate"); // MiB; -1: none
    const QByteArray expected = "INFO [gpu_model_runner.py:1] Estimated CUDA graph memory: 0.50 GiB total\n", pool = "INFO [gpu_worker.py:1] CUDA graph pool memory: 0.60 GiB (actual), 0.75 GiB (estimated), difference: 0.1 GiB (2.7%).\n";
    const QByteArray later = "INFO [gpu_worker.py:1] In v0.19, CUDA graph memory profiling will be enabled by default (X=1), which more accurately accounts for it.\n";
    const QByteArray now = "INFO [gpu_worker.py:1] CUDA graph memory profiling is enabled (default since v0.21.0). The current --gpu-memory-utilization=0.9 is another.\n";
    QTest::newRow("left in the budget") << expected + later + pool << qint64(-1);
    QTest::newRow("taken, and measured against") << expected + now + pool << qint64(768);
    QTest::newRow("taken, by a start that failed") << expected + now << qint64(512);
    QTest::newRow("not said whether") << expected << qint64(-1);
    QTest::newRow("the last line alone") << pool << qint64(768);
}

void LogReaderTest::graphsEstimated() {
    QFETCH(QByteArray, lines);
    const Parsed<ServerLog> log = readServerLogText(start + lines.toStdString(), "log");
    QVERIFY(log && log->notes.empty());
    QTEST(log->cudaGraphEstimate ? qint64(log->cudaGraphEstimate->value >> 20) : qint64(-1), "estimate");
}

void LogReaderTest::largeInput() {
    ServerLogReader reader;
    reader.feed(start);
    reader.feed("INFO [kv.py:1] GPU KV cache size: 4,096 tokens\n");
    const std::string line = "INFO:     127.0.0.1:40000 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK\n";
    std::string block;
    for (int i = 0; i < 1000; ++i)
        block += line;
    for (int i = 0; i < 200; ++i) // 15 MB
        reader.feed(block);
    const Parsed<ServerLog> log = reader.finish("log");
    QVERIFY(log);
    QCOMPARE(log->tokens, std::optional(Tokens(4096)));
    QCOMPARE(qint64(log->lines), qint64(200'002));
}

KV_TEST(LogReaderTest)
#include "logreadertest.moc"
