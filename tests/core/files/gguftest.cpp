// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/gguf.h"
#include "core/files/ggufsource.h"
#include "tests/core/files/ggufbuilder.h"
#include "tests/core/files/tempfolder.h"
#include "tests/testmain.h"

#include <sys/stat.h>

using namespace kv;
using kv::test::GgufBuilder;
using kv::test::smallLlama;
using kv::test::smallModel;

class GgufTest : public QObject {
    Q_OBJECT

private slots:
    void readsKeysAndTensors();
    void vocabulariesAreCountedNotKept();
    void refuses_data();
    void refuses();
    void everyCutIsRefused();
    void missingDataIsAWarning();
    void splitFilesAreSummed();
    void splitRefusals_data();
    void splitRefusals();
    void neverOpensAPipe();
    void versionTwo();
    void weightsOfAModel();
    void noTensorsNoModel();
};

namespace {

QString firstText(const Notes &notes) { return notes.empty() ? QString() : QString::fromStdString(notes.front().text); }

Parsed<GgufFile> read(const GgufBuilder &gguf) {
    const kv::test::TempFolder folder;
    return readGguf(folder.write("m.gguf", gguf.whole()));
}

} // namespace

void GgufTest::readsKeysAndTensors() {
    GgufBuilder gguf = smallLlama();
    gguf.flag("x.yes", true)
        .f32("x.half", 0.5F)
        .i32s("x.list", {3, -4})
        .flags("x.pattern", {true, false})
        .texts("x.words", {"a", "b"});
    gguf.raw("x.huge", 10, GgufBuilder::number(UINT64_MAX, 8)).raw("x.nan", 6, std::string("\0\0\xC0\x7F", 4));
    gguf.tensor("token_embd.weight", 8, {32, 10}, 340)
        .tensor("output_norm.weight", 0, {32}, 128)
        .tensor("scalar", 0, {}, 4);
    const Parsed<GgufFile> file = read(gguf);
    QVERIFY2(file, qPrintable(firstText(file.notes)));
    QVERIFY(file.notes.empty());
    const Json &keys = file->metadata;
    QVERIFY(*keys.find("llama.block_count") == Json(2));
    QVERIFY(*keys.find("x.yes") == Json(true));
    QCOMPARE(keys.find("x.half")->real(), 0.5);
    QCOMPARE(keys.find("x.list")->items().at(1).integer(), std::int64_t{-4});
    QVERIFY(keys.find("x.pattern")->items().at(0) == Json(true));
    QVERIFY(keys.find("x.words")->items().at(1) == Json("b"));
    QVERIFY(keys.find("x.huge")->text() == "18446744073709551615");
    QVERIFY(keys.find("x.nan")->kind() == Json::Kind::NotFinite);
    QCOMPARE(file->tensors.size(), std::size_t{3});
    QCOMPARE(file->tensors[0].elements, std::int64_t{320});
    QVERIFY(file->tensors[0].stored == Bytes(340));
    QVERIFY(file->tensors[2].stored == Bytes(4));
}

void GgufTest::vocabulariesAreCountedNotKept() {
    GgufBuilder gguf = smallModel();
    gguf.texts("tokenizer.ggml.tokens", std::vector<std::string>(20000, "token"))
        .i32s("x.long", std::vector<std::int32_t>(5000, 1));
    gguf.text("general.license", std::string(2000, 'x'));
    const Parsed<GgufFile> file = read(gguf);
    QVERIFY(file);
    const Json *tokens = file->metadata.find("tokenizer.ggml.tokens");
    QVERIFY(tokens->isObject() && *tokens->find("count") == Json(20000) && *tokens->find("type") == Json("string"));
    QVERIFY(*file->metadata.find("x.long")->find("count") == Json(5000));
    QVERIFY(*file->metadata.find("general.license")->find("count") == Json(2000));
}

void GgufTest::refuses_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *name, const std::string &bytes, const char *code, const char *sentence) {
        QTest::newRow(name) << QByteArray(bytes.data(), qsizetype(bytes.size())) << QString::fromUtf8(code)
                            << QString::fromUtf8(sentence);
    };
    const auto changed = [](auto change) {
        GgufBuilder gguf = smallModel();
        change(gguf);
        return gguf.whole();
    };
    row("empty", "", "not-gguf", "the file is empty");
    row("short", "GG", "not-gguf", "it ends inside the magic number");
    row("magic", changed([](auto &g) { g.magic = "GGUX"; }), "not-gguf",
        "begins with \"GGUX\" in place of the magic \"GGUF\"");
    row("old", changed([](auto &g) { g.magic = "tjgg"; }), "not-gguf", "GGML file of 2023");
    row("pointer", "version https://git-lfs.github.com/spec/v1\n", "lfs-pointer", "git lfs pull");
    row("version 1", changed([](auto &g) { g.version = 1; }), "unknown-version", "version 1 is read by no engine");
    row("version 4", changed([](auto &g) { g.version = 4; }), "unknown-version", "version 4 is not known");
    row("big-endian", changed([](auto &g) { g.version = 0x03000000; }), "big-endian", "only little-endian");
    row("tensor count", changed([](auto &g) { g.tensorCount = std::int64_t{1} << 62; }), "truncated",
        "4611686018427387904 tensors, which the");
    row("many keys", changed([](auto &g) { g.keyCount = INT64_MAX; }), "truncated", "cannot hold");
    row("key twice", changed([](auto &g) { g.u32("llama.block_count", 3); }), "duplicate-key",
        "llama.block_count is given twice");
    row("value type", changed([](auto &g) { g.raw("x.y", 13, "1234"); }), "unknown-type",
        "x.y has the unknown value type 13");
    row("key of two lines", changed([](auto &g) { g.raw("x\ny", 13, "1234"); }), "unknown-type",
        "x y has the unknown value type 13");
    row("key of two lines, value cut off", changed([](auto &g) { g.raw("x\ny", 8, GgufBuilder::number(UINT64_MAX, 8)); }), "truncated",
        "x y holds a string");
    row("element type",
        changed([](auto &g) { g.raw("x.y", 9, GgufBuilder::number(14, 4) + GgufBuilder::number(0, 8)); }),
        "unknown-type", "x.y is an array of the unknown value type 14");
    row("nested", changed([](auto &g) { g.raw("x.y", 9, GgufBuilder::number(9, 4) + GgufBuilder::number(1, 8)); }),
        "nested-array", "x.y is an array of arrays");
    row("array count", changed([](auto &g) {
            g.raw("x.y", 9, GgufBuilder::number(5, 4) + GgufBuilder::number(std::uint64_t{1} << 62, 8));
        }),
        "truncated", "x.y announces an array with a count of 4,611,686,018,427,387,904 elements");
    row("string length", changed([](auto &g) { g.raw("x.y", 8, GgufBuilder::number(UINT64_MAX - 7, 8)); }), "truncated",
        "x.y holds a string with a length of 18446744073709551608 bytes");
    row("architecture bytes", changed([](auto &g) { g = GgufBuilder().text("general.architecture", "\xFF\xFE"); }),
        "not-utf8", "general.architecture is no UTF-8");
    row("alignment 0", changed([](auto &g) { g.u32("general.alignment", 0); }), "bad-value",
        "general.alignment must be a power of two, not 0");
    row("alignment 24", changed([](auto &g) { g.u32("general.alignment", 24); }), "bad-value", "not 24");
    row("alignment text", changed([](auto &g) { g.text("general.alignment", "32"); }), "bad-value", "not \"32\"");
    row("dimensions", changed([](auto &g) { g.tensorWithCount("t", 5); }), "bad-shape",
        "tensor t has 5 dimensions; 4 is the most");
    row("dimension", changed([](auto &g) { g.tensor("t", 0, {UINT64_MAX}, 0); }), "bad-shape",
        "tensor t has a negative dimension, -1");
    row("product", changed([](auto &g) {
            g.tensor("t", 0, {1ULL << 40, 1ULL << 40}, 0);
        }),
        "out-of-range", "tensor t is too large");
    row("rows", changed([](auto &g) {
            g.tensor("t", 8, {33, 32}, 0);
        }),
        "bad-shape", "tensor t has rows of 33 numbers");
    row("type", changed([](auto &g) { g.tensor("t", 77, {32}, 0); }), "unknown-type",
        "tensor t has the unknown type 77");
    row("withdrawn", changed([](auto &g) { g.tensor("t", 31, {32}, 0); }), "unknown-type",
        "type 31 (q4_0_4_4), which was withdrawn");
    row("offset", changed([](auto &g) { g.tensorAt("t", 0, {1}, 1024); }), "bad-offset",
        "tensor t begins at offset 1024; by the sizes");
    row("unaligned", changed([](auto &g) { g.tensorAt("t", 0, {1}, 65); }), "bad-offset",
        "no multiple of the alignment 32");
    row("name", changed([](auto &g) { g.tensor(std::string(64, 'n'), 0, {1}, 4); }), "bad-tensor-name",
        "64 bytes, 63 is the most");
    row("tensor twice", changed([](auto &g) { g.tensor("t", 0, {1}, 4).tensor("t", 0, {1}, 4); }), "duplicate-tensor",
        "tensor t is given twice");
}

void GgufTest::refuses() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, code);
    QFETCH(QString, sentence);
    const kv::test::TempFolder folder;
    const Parsed<GgufFile> file =
        readGguf(folder.write("m.gguf", std::string_view(bytes.data(), std::size_t(bytes.size()))));
    QVERIFY(!file);
    QCOMPARE(QString::fromStdString(file.notes.back().code), code);
    QVERIFY2(firstText(file.notes).contains(sentence), qPrintable(firstText(file.notes)));
    QVERIFY(firstText(file.notes).startsWith(QStringLiteral("m.gguf")));
    QCOMPARE(QString::fromStdString(file.notes.back().where), QString::fromStdString(folder.path("m.gguf")));
}

void GgufTest::everyCutIsRefused() {
    const kv::test::TempFolder folder;
    const std::string whole = smallModel().i32s("x.list", {1, 2, 3}).header();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const Parsed<GgufFile> file = readGguf(folder.write("m.gguf", std::string_view(whole).substr(0, length)));
        QVERIFY2(!file && file.notes.size() == 1, qPrintable(QString::number(length)));
    }
}

void GgufTest::missingDataIsAWarning() {
    const kv::test::TempFolder folder;
    const Parsed<GgufFile> file = readGguf(folder.write("m.gguf", smallModel().header()));
    QVERIFY(file);
    QCOMPARE(QString::fromStdString(file.notes.front().code), QStringLiteral("incomplete-file"));
    QVERIFY2(firstText(file.notes).contains(QStringLiteral("only 0 of the 34 bytes")),
             qPrintable(firstText(file.notes)));
}

void GgufTest::splitFilesAreSummed() {
    const kv::test::TempFolder folder;
    GgufBuilder first = smallLlama().u32("split.count", 2).u32("split.no", 0).i32s("x", {}).tensor("a", 0, {8}, 32);
    GgufBuilder second = GgufBuilder().u32("split.count", 2).u32("split.no", 1).tensor("b", 8, {32}, 34);
    const std::string one = folder.write("m-00001-of-00002.gguf", first.whole());
    const std::string two = folder.write("m-00002-of-00002.gguf", second.whole());
    for (const std::string &path : {one, two}) { // whichever is named
        const Parsed<GgufFile> file = readGguf(path);
        QVERIFY2(file, qPrintable(firstText(file.notes)));
        QCOMPARE(file->tensors.size(), std::size_t{2});
        QVERIFY(file->metadata.find("llama.block_count"));
    }
}

void GgufTest::splitRefusals_data() {
    QTest::addColumn<QString>("lacking");
    QTest::addColumn<int>("number");
    QTest::addColumn<QString>("tensor");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *name, const char *lacking, int number, const char *tensor, const char *sentence) {
        QTest::newRow(name) << QString::fromUtf8(lacking) << number << QString::fromUtf8(tensor)
                            << QString::fromUtf8(sentence);
    };
    row("part missing", "m-00003-of-00003.gguf", 1, "b",
        "split into 3 files, of which m-00003-of-00003.gguf is missing");
    row("another part", "", 2, "b", "m-00002-of-00003.gguf says of itself");
    row("tensor in two", "", 1, "a", "tensor a stands in two files");
    row("tensors missing", "", 1, "b", "should have 4 tensors, its files hold 3");
}

void GgufTest::splitRefusals() {
    QFETCH(QString, lacking);
    QFETCH(int, number);
    QFETCH(QString, tensor);
    QFETCH(QString, sentence);
    const kv::test::TempFolder folder;
    GgufBuilder first =
        smallLlama().u32("split.count", 3).u32("split.no", 0).u32("split.tensors.count", 4).tensor("a", 0, {8}, 32);
    GgufBuilder second = GgufBuilder().u32("split.no", quint32(number)).tensor(tensor.toStdString(), 0, {8}, 32);
    const std::string path = folder.write("m-00001-of-00003.gguf", first.whole());
    folder.write("m-00002-of-00003.gguf", second.whole());
    if (lacking.isEmpty())
        folder.write("m-00003-of-00003.gguf", GgufBuilder().u32("split.no", 2).tensor("c", 0, {8}, 32).whole());
    const Parsed<GgufFile> file = readGguf(path);
    QVERIFY(!file);
    QVERIFY2(firstText(file.notes).contains(sentence), qPrintable(firstText(file.notes)));
}

void GgufTest::neverOpensAPipe() {
    const kv::test::TempFolder folder;
    const std::string pipe = folder.path("m.gguf");
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    QVERIFY2(firstText(readGguf(pipe).notes).contains(QStringLiteral("is a pipe")), "");
    QVERIFY(firstText(readGguf(folder.path()).notes).contains(QStringLiteral("is a folder")));
    QVERIFY(firstText(readGguf("/dev/zero").notes).contains(QStringLiteral("is a device")));
    QVERIFY(firstText(readGguf(folder.path("none")).notes).contains(QStringLiteral("no such file")));
    const std::string loop = folder.link("loop.gguf", folder.path("loop.gguf"));
    QVERIFY2(firstText(readGguf(loop).notes).contains(QStringLiteral("back to itself")), "");
}

void GgufTest::versionTwo() {
    GgufBuilder gguf = smallModel();
    gguf.version = 2;
    QVERIFY(read(gguf));
}

void GgufTest::weightsOfAModel() {
    GgufBuilder gguf = smallLlama()
                           .u32("llama.nextn_predict_layers", 1)
                           .u32("llama.expert_count", 4)
                           .u32("llama.expert_used_count", 1);
    gguf.u32("general.file_type", 15).text("general.type", "model");
    gguf.tensor("token_embd.weight", 8, {32, 10}, 340).tensor("blk.0.attn_q.weight", 8, {32, 32}, 1088);
    gguf.tensor("blk.0.ffn_up_exps.weight", 8, {32, 64, 4}, 8704).tensor("blk.1.attn_q.weight", 8, {32, 32}, 1088);
    const kv::test::TempFolder folder;
    const auto model = loadGguf(folder.write("m.gguf", gguf.whole()));
    QVERIFY2(model, qPrintable(firstText(model.notes)));
    const WeightSpec &weights = (*model)->weights;
    QVERIFY(weights.stored == Bytes(340 + 1088 + 8704 + 1088));
    QCOMPARE(weights.allElements, std::int64_t{320 + 1024 + 8192 + 1024});
    QCOMPARE(weights.parameters, std::int64_t{320 + 1024 + 8192}); // without the draft layer, block 1
    QCOMPARE(weights.activeParameters, std::int64_t{320 + 1024 + 2048});
    QVERIFY(weights.source == WeightSource::GgufTable);
    QVERIFY(weights.scheme == "Q4_K_M");
    QVERIFY((*model)->tiedEmbeddings);
    QVERIFY((*model)->name == "Small");
    Bytes sum;
    for (const WeightPart &part : weights.parts)
        sum += part.stored;
    QVERIFY(sum == weights.stored);
}

void GgufTest::noTensorsNoModel() {
    const kv::test::TempFolder folder;
    const auto model = loadGguf(folder.write("m.gguf", smallLlama().whole()));
    QVERIFY(!model);
    QCOMPARE(QString::fromStdString(model.notes.back().code), QStringLiteral("no-weights"));
}

KV_TEST(GgufTest)
#include "gguftest.moc"
