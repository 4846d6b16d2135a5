// SPDX-License-Identifier: GPL-3.0-or-later
//
// Headers of safetensors files and the indexes over several of them.
#include "core/files/safetensors.h"
#include "core/files/safetensorsindex.h"
#include "tests/core/files/checkpointbuilder.h"
#include "tests/core/files/tempfolder.h"
#include "tests/testmain.h"

#include <QElapsedTimer>

using namespace kv;
using kv::test::safetensors;

class SafetensorsTest : public QObject {
    Q_OBJECT

private slots:
    void readsTensors();
    void everyDtypeHasItsBits_data();
    void everyDtypeHasItsBits();
    void headersAreRefused_data();
    void headersAreRefused();
    void takenWithAWarning_data();
    void takenWithAWarning();
    void everyCutIsRefused();
    void aMillionDtypesAreRead();
    void readsAnIndex();
    void totals_data();
    void totals();
    void indexesAreRefused_data();
    void indexesAreRefused();
    void pathsStayInside_data();
    void pathsStayInside();
};

namespace {

QByteArray bytes(const std::string &text) { return QByteArray(text.data(), qsizetype(text.size())); }
std::string_view view(const QByteArray &text) { return {text.constData(), std::size_t(text.size())}; }
QByteArray firstText(const Notes &notes) { return notes.empty() ? QByteArray() : bytes(notes.front().text); }
QByteArray firstCode(const Notes &notes) { return notes.empty() ? QByteArray() : bytes(notes.front().code); }

Parsed<SafetensorsFile> read(std::string_view file) {
    const kv::test::TempFolder folder;
    return readSafetensors(folder.write("m.safetensors", file));
}

constexpr const char *one = R"({"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}})";

} // namespace

void SafetensorsTest::readsTensors() {
    const Parsed<SafetensorsFile> file = read(safetensors(
        R"({"b": {"shape": [4], "data_offsets": [24, 32], "dtype": "BF16", "extra": [1, {"x": 2}]}, "__metadata__": {"format": "pt", "n": 1},
           "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "scalar": {"dtype": "I64", "shape": [], "data_offsets": [32, 40]},
           "none": {"dtype": "U8", "shape": [0, 7], "data_offsets": [32, 32]}}   )", 40));
    QVERIFY2(file, firstText(file.notes));
    QVERIFY(file->stored == Bytes(40));
    QCOMPARE(file->tensors.size(), std::size_t{4});
    QVERIFY(file->tensors[0].name == "a" && file->tensors[0].elements == 6 && file->tensors[0].stored() == Bytes(24)); // by place, not by name
    QVERIFY(file->tensors[1].name == "b" && file->tensors[1].dtype == "BF16" && file->tensors[1].begin == 24);
    QVERIFY(file->tensors[2].name == "none" && file->tensors[2].elements == 0);
    QVERIFY(file->tensors[3].name == "scalar" && file->tensors[3].elements == 1);
    QVERIFY(file.notes.empty());
}

void SafetensorsTest::everyDtypeHasItsBits_data() {
    QTest::addColumn<int>("bits");
    for (const auto &[name, bits] : {std::pair{"BF16", 16}, {"F16", 16}, {"F32", 32}, {"F64", 64}, {"F8_E4M3", 8}, {"F8_E5M2", 8}, {"F8_E8M0", 8},
                                     {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4}, {"I8", 8}, {"U8", 8}, {"I16", 16},
                                     {"U16", 16}, {"I32", 32}, {"U32", 32}, {"I64", 64}, {"U64", 64}, {"BOOL", 8}, {"C64", 64}})
        QTest::newRow(name) << bits;
}

void SafetensorsTest::everyDtypeHasItsBits() {
    QFETCH(int, bits);
    const std::string dtype = QTest::currentDataTag();
    QCOMPARE(safetensorsBits(dtype), bits);
    const std::string size = std::to_string(8 * bits / 8);
    const Parsed<SafetensorsFile> file =
        read(safetensors("{\"a\": {\"dtype\": \"" + dtype + "\", \"shape\": [8], \"data_offsets\": [0, " + size + "]}}", std::size_t(bits)));
    QVERIFY2(file && file.notes.empty(), firstText(file.notes));
    QCOMPARE(file->tensors[0].stored().value, std::int64_t{bits});
}

void SafetensorsTest::headersAreRefused_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("sentence");
    const auto raw = [](const char *name, const std::string &file, const char *code, const char *sentence) {
        QTest::newRow(name) << bytes(file) << QByteArray(code) << QByteArray(sentence);
    };
    const auto row = [&raw](const char *name, const char *json, const char *code, const char *sentence) { raw(name, safetensors(json, 1000), code, sentence); };
    // A tensor that is right but for what stands in place of one of its members.
    const auto member = [&row](const char *name, const char *dtype, const char *shape, const char *offsets, const char *code, const char *sentence) {
        const std::string json = std::string("{\"a\": {\"dtype\": ") + dtype + ", \"shape\": " + shape + ", \"data_offsets\": " + offsets + "}}";
        row(name, json.c_str(), code, sentence);
    };
    raw("empty", "", "truncated", "the file is too short");
    raw("seven bytes", "1234567", "truncated", "its 7 bytes cannot hold the length");
    raw("length beyond the file", kv::test::GgufBuilder::number(100, 8) + "{}", "truncated", "100 bytes long, beyond the end");
    raw("length of 2^64 - 1", std::string(8, '\xFF') + "{}", "truncated", "18446744073709551615 bytes long");
    raw("pointer", "version https://git-lfs.github.com/spec/v1\n", "truncated", "git lfs pull");
    raw("pickle", std::string("PK\x03\x04\0\0\0\0\0\0", 10), "truncated", "pickles are never opened");
    raw("web page", "<!DOCTYPE html><html></html>", "truncated", "web page");
    raw("not UTF-8", safetensors("{\"\xFF\": 1}"), "not-utf8", "no UTF-8");
    row("no header", "", "not-json", "no JSON object");
    row("a list", "[]", "not-json", "no JSON object");
    row("cut off", R"({"a": {"dtype": "F32")", "not-json", "no valid JSON: ");
    row("two objects", "{} {}", "not-json", "text behind the object");
    row("no object", R"({"a": 1})", "bad-header", "of a: no object with dtype, shape and data_offsets");
    row("no dtype", R"({"a": {"shape": [1], "data_offsets": [0, 4]}})", "bad-header", "dtype is missing");
    row("no shape", R"({"a": {"dtype": "F32", "data_offsets": [0, 4]}})", "bad-header", "shape is missing");
    row("no offsets", R"({"a": {"dtype": "F32", "shape": [1]}})", "bad-header", "data_offsets is missing");
    member("dtype a number", "16", "[1]", "[0, 4]", "bad-header", "its dtype must be a text");
    member("shape a number", "\"F32\"", "1", "[0, 4]", "bad-header", "its shape must be a list");
    member("negative size", "\"F32\"", "[-1]", "[0, 4]", "bad-header", "none negative, not -1");
    member("size no whole number", "\"F32\"", "[1.0]", "[0, 4]", "bad-header", "whole numbers, none negative, not 1.0");
    member("shape overflows", "\"F32\"", "[4294967296, 4294967296]", "[0, 4]", "bad-header", "its shape is too large");
    member("bits overflow", "\"F64\"", "[4611686018427387904]", "[0, 4]", "bad-header", "its bits overflow");
    member("one offset", "\"F32\"", "[1]", "[0]", "bad-header", "two whole numbers");
    member("three offsets", "\"F32\"", "[1]", "[0, 4, 8]", "bad-header", "two whole numbers");
    member("offset of 2^64", "\"F32\"", "[1]", "[0, 18446744073709551616]", "bad-header", "not 18446744073709551616");
    member("offsets backwards", "\"F32\"", "[1]", "[8, 4]", "bad-header", "end before they begin");
    member("size by offsets another", "\"F32\"", "[1]", "[0, 8]", "bad-header", "hold 8 bytes, its shape in F32 makes 4");
    member("half a byte", "\"F4\"", "[3]", "[0, 2]", "bad-header", "hold 2 bytes, its shape in F4 makes 2");
    row("hole", R"({"a": {"dtype": "U8", "shape": [4], "data_offsets": [4, 8]}})", "bad-offset", "leaves a hole behind 0");
    row("overlap", R"({"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}, "b": {"dtype": "U8", "shape": [4], "data_offsets": [2, 6]}})", "bad-offset",
        "overlaps what goes to 4");
    row("name twice", R"({"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}, "a": {"dtype": "U8", "shape": [4], "data_offsets": [4, 8]}})",
        "duplicate-tensor", "lists a twice");
}

void SafetensorsTest::headersAreRefused() {
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, sentence);
    const Parsed<SafetensorsFile> result = read(view(file));
    QVERIFY(!result);
    QCOMPARE(result.notes.size(), std::size_t{1});
    QCOMPARE(firstCode(result.notes), code);
    QVERIFY2(firstText(result.notes).contains(sentence), firstText(result.notes));
    QVERIFY(firstText(result.notes).startsWith("m.safetensors"));
}

void SafetensorsTest::takenWithAWarning_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<qint64>("stored");
    QTest::newRow("data missing") << bytes(safetensors(one, 10)) << QByteArray("incomplete-file") << qint64(24);
    QTest::newRow("data too long") << bytes(safetensors(one, 30)) << QByteArray("trailing-bytes") << qint64(24);
    QTest::newRow("unknown dtype") << bytes(safetensors(R"({"a": {"dtype": "F2", "shape": [8], "data_offsets": [0, 2]}})", 2)) << QByteArray("unknown-dtype") << qint64(2);
}

void SafetensorsTest::takenWithAWarning() {
    QFETCH(QByteArray, file);
    const Parsed<SafetensorsFile> result = read(view(file));
    QVERIFY2(result, firstText(result.notes));
    QTEST(firstCode(result.notes), "code");
    QCOMPARE(result.notes.front().severity, Severity::Warning);
    QTEST(qint64(result->stored.value), "stored");
}

void SafetensorsTest::everyCutIsRefused() {
    const std::string json = one;
    for (std::size_t length = 0; length < json.size(); ++length) {
        QVERIFY2(!read(safetensors(json.substr(0, length), 24)), json.substr(0, length).c_str()); // the text cut, its length true
        QVERIFY(!read(safetensors(json).substr(0, 8 + length)));                                  // the file cut
    }
}

void SafetensorsTest::aMillionDtypesAreRead() {
    constexpr int tensors = 400'000;
    std::string json = "{";
    for (int i = 0; i < tensors; ++i)
        json += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":{\"dtype\":\"X" + std::to_string(i) + "\",\"shape\":[],\"data_offsets\":[0,0]}";
    const std::string file = safetensors(json + "}");
    QElapsedTimer timer;
    timer.start();
    const Parsed<SafetensorsFile> result = read(file);
    QVERIFY2(timer.elapsed() < 20'000, "the time does not grow with the square");
    QVERIFY(result);
    QCOMPARE(result->tensors.size(), std::size_t{tensors});
    QCOMPARE(result.notes.size(), std::size_t{3}); // not one a tensor
}

void SafetensorsTest::readsAnIndex() {
    const kv::test::TempFolder folder;
    const Parsed<SafetensorsIndex> index = readSafetensorsIndex(folder.write("m.safetensors.index.json",
        "\xEF\xBB\xBF" R"({"weight_map": {"c": "2.safetensors", "a": "1.safetensors", "b": "sub/3.safetensors", "d": "1.safetensors"},
            "metadata": {"total_parameters": 5, "total_size": 96}, "later": [1]})"));
    QVERIFY2(index, firstText(index.notes));
    QVERIFY(index->total == Bytes(96));
    QCOMPARE(index->tensors, std::size_t{4});
    QCOMPARE(index->shards, (std::vector<std::string>{"1.safetensors", "2.safetensors", "sub/3.safetensors"}));
}

void SafetensorsTest::totals_data() {
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<qint64>("total"); // −1: none, and a warning
    QTest::newRow("whole") << QByteArray("16060522496") << qint64(16060522496);
    QTest::newRow("nothing") << QByteArray("0") << qint64(-1);
    QTest::newRow("nothing, as a fraction") << QByteArray("0.0") << qint64(-1);
    QTest::newRow("whole, as a fraction") << QByteArray("16060522496.0") << qint64(16060522496);
    QTest::newRow("largest") << QByteArray("9223372036854775807") << qint64(9223372036854775807);
    QTest::newRow("2^63") << QByteArray("9223372036854775808") << qint64(-1);
    QTest::newRow("negative") << QByteArray("-1") << qint64(-1);
    QTest::newRow("half a byte") << QByteArray("1.5") << qint64(-1);
    QTest::newRow("1e300") << QByteArray("1e300") << qint64(-1);
    QTest::newRow("text") << QByteArray("\"96\"") << qint64(-1);
    QTest::newRow("null") << QByteArray("null") << qint64(-1);
    QTest::newRow("list") << QByteArray("[96]") << qint64(-1);
}

void SafetensorsTest::totals() {
    QFETCH(QByteArray, written);
    QFETCH(qint64, total);
    const kv::test::TempFolder folder;
    const Parsed<SafetensorsIndex> index = readSafetensorsIndex(
        folder.write("m.safetensors.index.json", "{\"metadata\": {\"total_size\": " + written.toStdString() + "}, \"weight_map\": {\"a\": \"1.safetensors\"}}"));
    QVERIFY2(index, firstText(index.notes));
    QCOMPARE(index->total.has_value(), total >= 0);
    QCOMPARE(index->total ? qint64(index->total->value) : -1, total);
    QCOMPARE(firstCode(index.notes), total >= 0 ? QByteArray() : QByteArray("bad-value"));
}

void SafetensorsTest::indexesAreRefused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("sentence");
    const auto row = [](const char *name, const char *text, const char *code, const char *sentence) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(code) << QByteArray(sentence);
    };
    row("empty", "", "not-json", "is empty");
    row("white space", " \n\t", "not-json", "is empty");
    row("pointer", "version https://git-lfs.github.com/spec/v1\n", "lfs-pointer", "git lfs pull");
    row("not UTF-8", "{\"\xFF\": 1}", "not-utf8", "no UTF-8");
    row("no JSON", "weight_map", "not-json", "must be a JSON object");
    row("a list", "[]", "bad-index", "must be a JSON object with a weight_map");
    row("cut off", R"({"weight_map": {"a": "b")", "not-json", "no valid JSON: ");
    row("two objects", R"({"weight_map": {}} {})", "not-json", "text behind the object");
    row("nothing in it", "{}", "bad-index", "neither a weight_map nor a total_size");
    row("no map", R"({"metadata": {"total_size": 5}})", "bad-index", "has no weight_map");
    row("map a list", R"({"weight_map": ["a"]})", "bad-index", "must be an object");
    row("file a number", R"({"weight_map": {"a": 1}})", "bad-index", "the name of a file, for a");
    row("absolute", R"({"weight_map": {"a": "/etc/passwd"}})", "outside-folder", "\"/etc/passwd\"; it is not opened");
    row("climbs", R"({"weight_map": {"a": "../b.safetensors"}})", "outside-folder", "outside of the model's folder");
    row("climbs by escapes", R"({"weight_map": {"a": "\u002e\u002e\/b.safetensors"}})", "outside-folder", "outside of the model's folder");
}

void SafetensorsTest::indexesAreRefused() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, sentence);
    const kv::test::TempFolder folder;
    const Parsed<SafetensorsIndex> index = readSafetensorsIndex(folder.write("m.safetensors.index.json", view(text)));
    QVERIFY(!index);
    QCOMPARE(firstCode(index.notes), code);
    QVERIFY2(firstText(index.notes).contains(sentence), firstText(index.notes));
}

void SafetensorsTest::pathsStayInside_data() {
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("inside");
    const auto row = [](const char *name, const QByteArray &path, bool inside) { QTest::newRow(name) << path << inside; };
    row("name", "model.safetensors", true);
    row("folder", "a/b/model.safetensors", true);
    row("dots in a name", "a..b/...c", true);
    row("nothing", "", false);
    row("absolute", "/a", false);
    row("climbs at once", "../a", false);
    row("climbs later", "a/../../b", false);
    row("climbs at the end", "a/..", false);
    row("itself", "./a", false);
    row("empty part", "a//b", false);
    row("slash at the end", "a/", false);
    row("backslash", "..\\a", false);
    row("NUL", QByteArray("a\0b", 3), false);
}

void SafetensorsTest::pathsStayInside() {
    QFETCH(QByteArray, path);
    QTEST(staysInside(view(path)), "inside");
}

KV_TEST(SafetensorsTest)
#include "safetensorstest.moc"
