// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/hubrecord.h"
#include "core/files/modelsource.h"
#include "tests/core/files/checkpointbuilder.h"
#include "tests/core/files/tempfolder.h"
#include "tests/testmain.h"

#include <algorithm>

using namespace kv;
using namespace kv::test;

/// Files of which only the header is kept, beside a record that says how long they are.
class HubRecordTest : public QObject {
    Q_OBJECT

private slots:
    void writesAndReads();
    void wholeOrNot();
    void headersAlone_data();
    void headersAlone();
    void ggufHeaderAlone();
};

namespace {

HubRecord recordOf(std::map<std::string, std::int64_t> lengths) { return {"https://hub.example", "acme/tiny", "main", "abc", std::move(lengths)}; }

bool says(const Notes &notes, std::string_view code) {
    return std::ranges::any_of(notes, [code](const Note &note) { return note.code == code; });
}

} // namespace

void HubRecordTest::writesAndReads() {
    const TempFolder folder;
    QVERIFY(!readHubRecord(folder.path()));
    const HubRecord record = recordOf({{"a/b.safetensors", 7}, {"c.gguf", 1'000'000'000'000}});
    folder.write(hubRecordName, writeHubRecord(record));
    QVERIFY(readHubRecord(folder.path()) == record);
    for (const char *broken : {"", "{", "[]", "{}", R"({"files": {}})", R"({"repository": 3, "files": {}})", R"({"repository": "a/b", "files": []})"}) {
        folder.write(hubRecordName, broken);
        QVERIFY2(!readHubRecord(folder.path()), broken);
    }
}

void HubRecordTest::wholeOrNot() {
    const TempFolder folder;
    folder.write("config.json", "{}");
    folder.write("w.safetensors", "12345678");
    HubRecord record = recordOf({{"w.safetensors", 100}});
    QVERIFY(isWhole(record, folder.path())); // of an older record lengths here are not known
    record.kept = {{"config.json", 2}, {"w.safetensors", 8}};
    folder.write(hubRecordName, writeHubRecord(record));
    QVERIFY(readHubRecord(folder.path()) == record);
    QVERIFY(isWhole(record, folder.path()));
    record.kept["w.safetensors"] = 9;
    QVERIFY(!isWhole(record, folder.path()));
    record.kept = {{"params.json", 2}};
    QVERIFY(!isWhole(record, folder.path()));
    QVERIFY(!isWhole(recordOf({{"v.safetensors", 100}}), folder.path()));
}

void HubRecordTest::headersAlone_data() {
    QTest::addColumn<std::int64_t>("length"); ///< beside the file's own: −1: no record
    QTest::addColumn<QString>("code");
    const std::string whole = shard("model.embed_tokens.weight", 1000);
    const auto length = static_cast<std::int64_t>(whole.size());
    QTest::newRow("no record") << std::int64_t(-1) << QStringLiteral("incomplete-file");
    QTest::newRow("as long as it should be") << length << QString();
    QTest::newRow("the Hub's own is too short") << length - 100 << QStringLiteral("incomplete-file");
    QTest::newRow("the Hub's own is too long") << length + 100 << QStringLiteral("trailing-bytes");
}

void HubRecordTest::headersAlone() {
    QFETCH(std::int64_t, length);
    QFETCH(QString, code);
    const TempFolder folder;
    folder.write("config.json", smallConfig);
    const std::string whole = shard("model.embed_tokens.weight", 1000);
    folder.write("model.safetensors", whole.substr(0, whole.size() - 2000));
    if (length >= 0)
        folder.write(hubRecordName, writeHubRecord(recordOf({{"model.safetensors", length}})));
    const auto model = loadModel(folder.path());
    QVERIFY(model);
    QCOMPARE((*model)->weights.stored, Bytes(2000));
    QCOMPARE(says(model.notes, "from-hub"), length >= 0);
    for (const char *one : {"incomplete-file", "trailing-bytes"})
        QCOMPARE(says(model.notes, one), code == QLatin1String(one));
    if (length >= 0)
        QCOMPARE((*model)->name, std::string("acme/tiny"));
}

void HubRecordTest::ggufHeaderAlone() {
    const TempFolder folder;
    const std::string whole = smallModel().whole();
    folder.write("tiny.gguf", smallModel().header());
    QVERIFY(says(loadModel(folder.path()).notes, "incomplete-file"));
    folder.write(hubRecordName, writeHubRecord(recordOf({{"tiny.gguf", static_cast<std::int64_t>(whole.size())}})));
    const auto model = loadModel(folder.path());
    QVERIFY(model);
    QVERIFY(!says(model.notes, "incomplete-file"));
    QCOMPARE((*model)->name, std::string("acme/tiny"));
    QVERIFY(!says(loadModel(folder.path("tiny.gguf")).notes, "incomplete-file"));
}

KV_TEST(HubRecordTest)
#include "hubrecordtest.moc"
