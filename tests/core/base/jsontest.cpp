// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/testmain.h"

#include <QTest>

using namespace kv;

class JsonTest : public QObject {
    Q_OBJECT

private slots:
    void numbersStayWhatTheyAre();
    void pythonsLiterals();
    void lastOfDuplicateKeysCounts();
    void byteOrderMark();
    void refused_data();
    void refused();
    void deepButWithinTheLimit();
    void writtenReadsBackEqual();
};

void JsonTest::numbersStayWhatTheyAre() {
    const Parsed<Json> parsed = parseJson(R"([32, 32.5, 18446744073709551648, true, "32", 9223372036854775807, 32.0])", "t");
    QVERIFY(parsed);
    const std::vector<Json> &items = parsed->items();
    QCOMPARE(items[0].kind(), Json::Kind::Integer);
    QCOMPARE(items[1].kind(), Json::Kind::Real);
    QCOMPARE(items[2].kind(), Json::Kind::Real); // never wrapped to 32
    QVERIFY(items[2].real() > 1.8e19);
    QCOMPARE(items[3].kind(), Json::Kind::Bool); // never a 1
    QCOMPARE(items[4].kind(), Json::Kind::String);
    QCOMPARE(qint64(items[5].integer()), std::numeric_limits<qint64>::max());
    QCOMPARE(QString::fromStdString(items[6].text()), QStringLiteral("32.0"));
}

void JsonTest::pythonsLiterals() {
    const Parsed<Json> parsed = parseJson(R"({"a": NaN, "b": [-Infinity, Infinity], "NaN": "Infinity \" NaN"})", "t");
    QVERIFY(parsed);
    QCOMPARE(parsed->find("a")->kind(), Json::Kind::NotFinite);
    QCOMPARE(QString::fromStdString(describe(parsed->find("b")->items()[0])), QStringLiteral("-Infinity"));
    QCOMPARE(QString::fromStdString(parsed->find("NaN")->text()), QStringLiteral("Infinity \" NaN"));
    QVERIFY(*parsed == *parseJson(R"({"a": NaN, "b": [-Infinity, Infinity], "NaN": "Infinity \" NaN"})", "t"));
}

void JsonTest::lastOfDuplicateKeysCounts() {
    const Parsed<Json> parsed = parseJson(R"({"n": 1, "n": 2})", "t");
    QVERIFY(parsed);
    QCOMPARE(qint64(parsed->find("n")->integer()), qint64(2));
    QCOMPARE(parsed->members().size(), std::size_t(1));
    const Parsed<Json> broken = parseJson(R"({"a\nb": 1, "a\nb": 2})", "t"); // a message is one line whatever the key
    QVERIFY(broken && broken.notes.size() == 1);
    QCOMPARE(QString::fromStdString(broken.notes.front().text), QStringLiteral("a b stands twice; the last value counts"));
    QCOMPARE(QString::fromStdString(broken.notes.front().where), QStringLiteral("a b"));
}

void JsonTest::byteOrderMark() { QVERIFY(parseJson("\xEF\xBB\xBF{\"n\": 1}", "t")); }

void JsonTest::refused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << QByteArray("") << "not-json" << "empty";
    QTest::newRow("spaces") << QByteArray(" \n\t") << "not-json" << "empty";
    QTest::newRow("cut off") << QByteArray("{\"layers\": [1, 2") << "not-json" << "ends too early";
    QTest::newRow("place") << QByteArray("{\n  \"a\": 1,\n  \"b\": x\n}") << "not-json" << "line 3, column 8";
    QTest::newRow("comment") << QByteArray("{\n// why\n}") << "not-json" << "no comments";
    QTest::newRow("trailing comma") << QByteArray("{\"a\": 1,}") << "not-json" << "JSON";
    QTest::newRow("Python") << QByteArray("{'a': 1}") << "not-json" << "single quotes";
    QTest::newRow("two values") << QByteArray("{} {}") << "not-json" << "JSON";
    QTest::newRow("HTML") << QByteArray("<!DOCTYPE html><html>") << "not-json" << "HTML";
    QTest::newRow("LFS pointer") << QByteArray("version https://git-lfs.github.com/spec/v1\n") << "not-json" << "LFS";
    QTest::newRow("bad byte") << QByteArray("{\"a\": \"\xff\"}") << "not-utf8" << "UTF-8";
    QTest::newRow("overlong form") << QByteArray("{\"a\": \"\xc0\xaf\"}") << "not-utf8" << "UTF-8";
    QTest::newRow("cut letter") << QByteArray("{\"a\": \"\xe2\x82") << "not-utf8" << "UTF-8";
    QTest::newRow("deep") << QByteArray(100000, '[') << "too-deep" << "nest";
    QTest::newRow("huge number") << QByteArray("{\"a\": 1e400}") << "out-of-range" << "range";
}

void JsonTest::refused() {
    QFETCH(QByteArray, text);
    QFETCH(QString, code);
    QFETCH(QString, says);
    const Parsed<Json> parsed = parseJson(text.toStdString(), "config.json");
    QVERIFY(!parsed);
    QCOMPARE(QString::fromStdString(parsed.notes.front().code), code);
    const QString sentence = QString::fromStdString(parsed.notes.front().text);
    QVERIFY2(sentence.contains(says) && sentence.startsWith(QStringLiteral("config.json")), qPrintable(sentence));
}

void JsonTest::deepButWithinTheLimit() {
    QVERIFY(parseJson(std::string(maxJsonDepth, '[') + std::string(maxJsonDepth, ']'), "t"));
    QVERIFY(!parseJson(std::string(maxJsonDepth + 1, '[') + std::string(maxJsonDepth + 1, ']'), "t"));
}

void JsonTest::writtenReadsBackEqual() {
    const Parsed<Json> first = parseJson(R"({"a": [1, -2, 3.25, null, true], "b": {"ü": "line\nbreak"}, "c": []})", "t");
    QVERIFY(first);
    for (const int indent : {-1, 2}) {
        const Parsed<Json> second = parseJson(writeJson(*first, indent), "t");
        QVERIFY(second);
        QCOMPARE(QString::fromStdString(writeJson(*second)), QString::fromStdString(writeJson(*first)));
    }
}

KV_TEST(JsonTest)
#include "jsontest.moc"
