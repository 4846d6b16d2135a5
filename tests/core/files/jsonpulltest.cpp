// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reader of large JSON: what it takes is what RFC 8259 has, nothing else, and what it refuses it says by place.
#include "core/base/json.h"
#include "core/files/jsonpull.h"
#include "tests/testmain.h"

#include <QTest>

using namespace kv;

class JsonPullTest : public QObject {
    Q_OBJECT

private slots:
    void readsInOrder();
    void takesAndRefuses_data();
    void takesAndRefuses();
    void textsAreDecoded_data();
    void textsAreDecoded();
    void saysWhere_data();
    void saysWhere();
    void failsForGood();
    void depthIsBounded();
};

void JsonPullTest::readsInOrder() {
    JsonPull json(R"( {"name": "a", "list": [1, -2.5e3], "skipped": {"x": [[], {}, "]"]}, "last": true} )");
    std::string key, text;
    std::string_view number;
    QVERIFY(json.next() == JsonPull::Next::Object && json.beginObject());
    QVERIFY(json.nextKey(key) && key == "name" && json.next() == JsonPull::Next::String && json.string(text) && text == "a");
    QVERIFY(json.nextKey(key) && key == "list" && json.next() == JsonPull::Next::Array && json.beginArray());
    QVERIFY(json.nextItem() && json.next() == JsonPull::Next::Number && json.number(number) && number == "1");
    QVERIFY(json.nextItem() && json.number(number) && number == "-2.5e3");
    QVERIFY(!json.nextItem());
    QVERIFY(json.nextKey(key) && key == "skipped" && json.skip());
    QVERIFY(json.nextKey(key) && key == "last" && json.next() == JsonPull::Next::Literal && json.skip());
    QVERIFY(!json.nextKey(key) && json.atEnd() && !json.failed());
}

void JsonPullTest::takesAndRefuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("taken");
    const auto row = [](const char *name, const char *text, bool taken) { QTest::newRow(name) << QByteArray(text) << taken; };
    row("empty object", "{}", true);
    row("empty list", "[]", true);
    row("nested", R"({"a": [[1, {"b": []}], [{}], "x", null, true, false], "c": {}})", true);
    row("numbers", "[0, -0, 10, 1.5, 1e5, 1E+5, 1e-5, -1.25e2]", true);
    row("all white space", " \t\r\n[ \t\r\n1 , 2 ]\n", true);
    row("nothing", "", false);
    row("comma at the end of a list", "[1,]", false);
    row("comma at the end of an object", R"({"a": 1,})", false);
    row("comma first", "[,1]", false);
    row("no comma", "[1 2]", false);
    row("no comma between members", R"({"a": 1 "b": 2})", false);
    row("no colon", R"({"a" 1})", false);
    row("no value", R"({"a":})", false);
    row("a key that is none", "{1: 2}", false);
    row("closed by another", "[1}", false);
    row("object closed by another", R"({"a": 1])", false);
    row("open", "[1", false);
    row("more behind", "[1] 2", false);
    row("leading zero", "[01]", false);
    row("plus", "[+1]", false);
    row("point alone", "[1.]", false);
    row("no whole part", "[.5]", false);
    row("no exponent", "[1e]", false);
    row("minus alone", "[-]", false);
    row("NaN", "[NaN]", false);
    row("word cut off", "[tru]", false);
    row("comment", "[1 /* x */]", false);
    row("single quotes", "['a']", false);
    row("raw line end in a text", "[\"a\nb\"]", false);
    row("unknown escape", R"(["\x41"])", false);
    row("text cut off", R"(["a)", false);
    row("escape cut off", R"(["\)", false);
    row("byte-order mark", "\xEF\xBB\xBF[]", false);
}

void JsonPullTest::takesAndRefuses() {
    QFETCH(QByteArray, text);
    QFETCH(bool, taken);
    const std::string_view view(text.constData(), std::size_t(text.size()));
    JsonPull json(view);
    const bool fine = json.skip() && json.atEnd();
    QCOMPARE(fine, taken);
    QCOMPARE(!json.error().empty(), json.failed());
    // The tree reader's verdict is the same, but for the literals and the mark that it also takes.
    if (!text.contains("NaN") && !text.startsWith('\xEF'))
        QCOMPARE(bool(parseJson(view, "t")), taken);
}

void JsonPullTest::textsAreDecoded_data() {
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<QByteArray>("meant");
    QTest::newRow("plain") << QByteArray(R"("größer")") << QByteArray("größer");
    QTest::newRow("marks") << QByteArray(R"("\"\\\/\b\f\n\r\t")") << QByteArray("\"\\/\b\f\n\r\t");
    QTest::newRow("one byte") << QByteArray(R"("\u0041")") << QByteArray("A");
    QTest::newRow("two bytes") << QByteArray(R"("\u00e9\u07FF")") << QByteArray("é\xDF\xBF");
    QTest::newRow("three bytes") << QByteArray(R"("\u20AC\uffff")") << QByteArray("€\xEF\xBF\xBF");
    QTest::newRow("four bytes") << QByteArray(R"("\ud83d\ude00")") << QByteArray("😀");
    QTest::newRow("NUL") << QByteArray(R"("a\u0000b")") << QByteArray("a\0b", 3);
}

void JsonPullTest::textsAreDecoded() {
    QFETCH(QByteArray, written);
    QFETCH(QByteArray, meant);
    JsonPull json(std::string_view(written.constData(), std::size_t(written.size())));
    std::string text = "what was there before";
    QVERIFY2(json.string(text), json.error().c_str());
    QCOMPARE(QByteArray::fromStdString(text), meant);
    QVERIFY(json.atEnd());
}

void JsonPullTest::saysWhere_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char *name, const char *text, const char *error) { QTest::newRow(name) << QByteArray(text) << QByteArray(error); };
    row("comma", "[1 2]", "expected a comma or the end at byte 3");
    row("colon", R"({"a" 1})", "expected a colon at byte 5");
    row("end", "[1", "the text ends early at byte 2");
    row("value", R"({"a":})", "expected a value at byte 5");
    row("word", "[maybe]", "expected a value at byte 1");
    row("true", "[tru]", "an unknown word at byte 1");
    row("surrogate alone", R"(["\ud83d"])", "half of a surrogate pair at byte 8");
    row("half a pair", R"(["\ud83d\u0041"])", "half of a surrogate pair at byte 14");
    row("second half first", R"(["\ude00"])", "half of a surrogate pair at byte 8");
    row("escape", R"(["\u12g4"])", "a broken escape at byte 7");
}

void JsonPullTest::saysWhere() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, error);
    JsonPull json(std::string_view(text.constData(), std::size_t(text.size())));
    QVERIFY(!json.skip());
    QCOMPARE(QByteArray::fromStdString(json.error()), error);
}

void JsonPullTest::failsForGood() {
    JsonPull json(R"({"a" 1, "b": 2})");
    std::string key;
    std::string_view number;
    QVERIFY(json.beginObject() && !json.nextKey(key) && json.failed());
    const std::string error = json.error();
    QVERIFY(!json.nextKey(key) && !json.nextItem() && !json.string(key) && !json.number(number) && !json.skip() && !json.atEnd());
    QVERIFY(json.next() == JsonPull::Next::End);
    QVERIFY(json.error() == error); // the first reason stands
}

void JsonPullTest::depthIsBounded() {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    const std::string fine = nested(JsonPull::maxDepth), deep = nested(JsonPull::maxDepth + 1), bottomless(10'000'000, '[');
    QVERIFY(JsonPull(fine).skip());
    JsonPull json(deep);
    QVERIFY(!json.skip() && json.error().starts_with("nested too deep"));
    QVERIFY(!JsonPull(bottomless).skip());
}

KV_TEST(JsonPullTest)
#include "jsonpulltest.moc"
