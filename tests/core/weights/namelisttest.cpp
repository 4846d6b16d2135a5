// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/namelist.h"
#include "tests/testmain.h"

#include <QTest>

using kv::NamePattern;
using kv::Trunk;

class NameListTest : public QObject {
    Q_OBJECT

private slots:
    void expressions_data();
    void expressions();
    void notUnderstood_data();
    void notUnderstood();
    void shellPatterns_data();
    void shellPatterns();
    void lists_data();
    void lists();
    void unkindExpressionsEnd();
};

void NameListTest::expressions_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("matches");
    const QString name = QStringLiteral("model.layers.3.mlp.gate_proj");
    QTest::newRow("literal") << QStringLiteral("model\\.layers") << name << true;
    QTest::newRow("anchored at the start") << QStringLiteral("layers") << name << false;
    QTest::newRow("anything before") << QStringLiteral(".*mlp.*") << name << true;
    QTest::newRow("alternatives") << QStringLiteral(".*mlp\\.(gate|up|down)_proj") << name << true;
    QTest::newRow("no alternative") << QStringLiteral(".*mlp\\.(up|down)_proj") << name << false;
    QTest::newRow("escaped dot is a dot") << QStringLiteral("model\\.layersx3") << name << false;
    QTest::newRow("set") << QStringLiteral("model.layers.[0-4]\\.") << name << true;
    QTest::newRow("set without it") << QStringLiteral("model.layers.[^0-4]\\.") << name << false;
    QTest::newRow("digits") << QStringLiteral("model.layers.\\d+.mlp") << name << true;
    QTest::newRow("optional") << QStringLiteral("models?.layers") << name << true;
    QTest::newRow("end holds") << QStringLiteral(".*gate$") << name << false;
    QTest::newRow("end") << QStringLiteral(".*gate_proj$") << name << true;
    QTest::newRow("start") << QStringLiteral("^model") << name << true;
    QTest::newRow("group without capture") << QStringLiteral("(?:model|x)\\.") << name << true;
    QTest::newRow("nested") << QStringLiteral("(model\\.(layers|blocks)\\.)+3") << name << true;
    QTest::newRow("lazy") << QStringLiteral(".*?mlp") << name << true;
    QTest::newRow("repeated group, none") << QStringLiteral("(x)*model") << name << true;
    QTest::newRow("empty alternative") << QStringLiteral("(|x)model") << name << true;
    QTest::newRow("alternative at the top") << QStringLiteral("lm_head|model") << name << true;
}

void NameListTest::expressions() {
    QFETCH(QString, pattern);
    QFETCH(QString, name);
    const auto compiled = NamePattern::expression(pattern.toStdString());
    QVERIFY(compiled);
    QTEST(compiled->matches(name.toStdString()), "matches");
}

void NameListTest::notUnderstood_data() {
    QTest::addColumn<QString>("pattern");
    QTest::newRow("count") << QStringLiteral("a{2}");
    QTest::newRow("look-ahead") << QStringLiteral("(?!a)b");
    QTest::newRow("back reference") << QStringLiteral("(a)\\1");
    QTest::newRow("open group") << QStringLiteral("(a");
    QTest::newRow("closed too often") << QStringLiteral("a)");
    QTest::newRow("nothing to repeat") << QStringLiteral("*a");
    QTest::newRow("open set") << QStringLiteral("[ab");
    QTest::newRow("too deep") << QString(1000, QLatin1Char('('));
}

void NameListTest::notUnderstood() {
    QFETCH(QString, pattern);
    QVERIFY(!NamePattern::expression(pattern.toStdString()));
    kv::NameList list;
    const std::string text = "re:" + pattern.toStdString();
    list.add(text);
    QCOMPARE(list.notUnderstood(), pattern.toStdString());
}

void NameListTest::shellPatterns_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("matches");
    QTest::newRow("all") << QStringLiteral("*") << QStringLiteral("lm_head") << true;
    QTest::newRow("begins") << QStringLiteral("mtp*") << QStringLiteral("mtp.layers.0.mlp") << true;
    QTest::newRow("the whole name") << QStringLiteral("mtp") << QStringLiteral("mtp.layers") << false;
    QTest::newRow("in the middle") << QStringLiteral("*.self_attn.*") << QStringLiteral("a.self_attn.q") << true;
    QTest::newRow("dot is a dot") << QStringLiteral("a.b*") << QStringLiteral("axb") << false;
    QTest::newRow("one letter") << QStringLiteral("layer?") << QStringLiteral("layers") << true;
    QTest::newRow("set") << QStringLiteral("w[123]") << QStringLiteral("w2") << true;
    QTest::newRow("negated set") << QStringLiteral("w[!123]") << QStringLiteral("w2") << false;
    QTest::newRow("open bracket is itself") << QStringLiteral("w[1") << QStringLiteral("w[1") << true;
}

void NameListTest::shellPatterns() {
    QFETCH(QString, pattern);
    QFETCH(QString, name);
    QTEST(NamePattern::shell(pattern.toStdString()).matches(name.toStdString()), "matches");
}

void NameListTest::lists_data() {
    QTest::addColumn<QString>("entry");
    QTest::addColumn<int>("layer");
    QTest::addColumn<QString>("module");
    QTest::addColumn<bool>("named");
    const QString gate = QStringLiteral("gate"), gateProjection = QStringLiteral("gate_proj");
    QTest::newRow("fragment") << gate << 3 << gate << true;
    QTest::newRow("fragment is whole words") << gate << 3 << gateProjection << false;
    QTest::newRow("block") << QStringLiteral("mlp") << 3 << gateProjection << true;
    QTest::newRow("the layer itself") << QStringLiteral("model.layers.3.mlp.gate") << 3 << gate << true;
    QTest::newRow("another layer") << QStringLiteral("model.layers.3.mlp.gate") << 4 << gate << false;
    QTest::newRow("layer 13 is not layer 3") << QStringLiteral("model.layers.3.mlp") << 13 << gate << false;
    QTest::newRow("a whole layer") << QStringLiteral("model.layers.3") << 3 << gateProjection << true;
    QTest::newRow("other stack name") << QStringLiteral("model.language_model.layers.3.mlp*") << 3 << gate << true;
    QTest::newRow("backbone") << QStringLiteral("backbone.layers.3.mlp.gate") << 3 << gate << true;
    QTest::newRow("a tower's layer") << QStringLiteral("model.visual.layers.3.mlp") << 3 << gate << false;
    QTest::newRow("the draft's layer") << QStringLiteral("mtp.layers.3.mlp") << 3 << gate << false;
    QTest::newRow("pattern over layers") << QStringLiteral("model.layers.1*") << 12 << gate << true;
    QTest::newRow("pattern over layers, none") << QStringLiteral("model.layers.1*") << 2 << gate << false;
    QTest::newRow("pattern without path") << QStringLiteral("mlp.ga*") << 2 << gate << true;
    QTest::newRow("expression") << QStringLiteral("re:.*mlp\\.gate$") << 2 << gate << true;
    QTest::newRow("expression with layers") << QStringLiteral("re:.*layers\\.(1|2)\\.mlp.*") << 2 << gate << true;
    QTest::newRow("expression with other layers") << QStringLiteral("re:.*layers\\.(1|2)\\.mlp.*") << 3 << gate << false;
}

void NameListTest::lists() {
    QFETCH(QString, entry);
    QFETCH(int, layer);
    QFETCH(QString, module);
    const std::string name = module.toStdString();
    const std::string text = entry.toStdString();
    kv::NameList list;
    list.add(text);
    kv::Tensor tensor;
    tensor.block = "mlp";
    tensor.module = name;
    const bool named = list.namesAlways(Trunk::Layers, tensor) || list.namesInLayer(Trunk::Layers, layer, tensor);
    QTEST(named, "named");
}

// Backtracking would take longer than anyone waits.
void NameListTest::unkindExpressionsEnd() {
    const auto pattern = NamePattern::expression("(a*)*(a*)*(a*)*b");
    QVERIFY(pattern);
    QVERIFY(!pattern->matches(std::string(2000, 'a')));
}

KV_TEST(NameListTest)
#include "namelisttest.moc"
