// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/embedded.h"
#include "core/base/smallfile.h"
#include "core/hardware/gpu.h"
#include "core/model/catalogue.h"
#include "tests/testmain.h"
#include "tests/testpaths.h"

#include <QTest>

#include <set>
#include <sstream>

using namespace kv;

class CatalogueTest : public QObject {
    Q_OBJECT

private slots:
    void presetsLieUnderTheirIds();
    void everyPresetCanBeRead();
    void everyPresetHasAKnownAnswer();
    void aPresetIsReadOnce();
    void unknownPresetNamesTheNearest();
    void gpusAreFoundAsPeopleCallThem_data();
    void gpusAreFoundAsPeopleCallThem();
    void gpusHaveMemoryAndOneId();
};

// One preset is read without reading the others, by the name of its file.
void CatalogueTest::presetsLieUnderTheirIds() {
    std::set<std::string> files;
    for (const EmbeddedFile &file : embeddedFiles())
        if (file.path.starts_with("models/"))
            files.emplace(file.path);
    QVERIFY(!files.empty());
    QCOMPARE(presets().size(), files.size());
    for (const Preset &preset : presets()) {
        QVERIFY2(files.contains("models/" + preset.id + ".json"), preset.id.c_str());
        QVERIFY(!preset.own);
    }
}

void CatalogueTest::everyPresetCanBeRead() {
    for (const Preset &preset : presets()) {
        const auto model = presetModel(preset.id);
        QVERIFY2(model && *model, preset.id.c_str());
        QCOMPARE((*model)->presetId, preset.id);
        QCOMPARE((*model)->name, preset.name);
        QVERIFY2((*model)->source, preset.id.c_str());
    }
}

// golden/presets checks the answers; here, that no preset is without one.
void CatalogueTest::everyPresetHasAKnownAnswer() {
    const Parsed<std::string> text = readSmallFile(std::string(kv::test::dataFolder()) + "/golden/presets.jsonl", 64 * 1024 * 1024);
    QVERIFY(text);
    std::istringstream lines(*text);
    std::set<std::string> answered;
    for (std::string line; std::getline(lines, line);) {
        const Parsed<Json> row = parseJson(line, "presets.jsonl");
        QVERIFY(row);
        if (const Json *model = row->find("scenario")->find("model"); model && model->find("preset") &&
            (row->find("expect")->find("kv.bytes_per_sequence") || row->find("expect")->find("kv.bytes_per_token")))
            answered.insert(model->find("preset")->text());
    }
    for (const Preset &preset : presets())
        QVERIFY2(answered.contains(preset.id), preset.id.c_str());
}

void CatalogueTest::aPresetIsReadOnce() {
    QCOMPARE(*presetModel("llama-3.1-70b"), *presetModel("llama-3.1-70b"));
}

void CatalogueTest::unknownPresetNamesTheNearest() {
    const auto model = presetModel("llama-3.1-70");
    QVERIFY(!model);
    QVERIFY(QString::fromStdString(firstError(model.notes)->text).contains(QLatin1String("\"llama-3.1-70b\"")));
    QVERIFY(!presetModel("../gpus"));
    QVERIFY(!presetModel(""));
    QVERIFY(!findPreset("llama-3.1-70"));
}

void CatalogueTest::gpusAreFoundAsPeopleCallThem_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("id");
    QTest::newRow("id") << QByteArray("h100-sxm-80gb") << QByteArray("h100-sxm-80gb");
    QTest::newRow("in capitals") << QByteArray("H100-SXM-80GB") << QByteArray("h100-sxm-80gb");
    QTest::newRow("alias") << QByteArray("tesla t4") << QByteArray("t4-16gb");
    QTest::newRow("unknown") << QByteArray("z999-1tb") << QByteArray();
    QTest::newRow("nothing") << QByteArray() << QByteArray();
}

void CatalogueTest::gpusAreFoundAsPeopleCallThem() {
    QFETCH(QByteArray, name);
    const Gpu *gpu = findGpu(name.toStdString());
    QTEST(gpu ? QByteArray::fromStdString(gpu->id) : QByteArray(), "id");
}

void CatalogueTest::gpusHaveMemoryAndOneId() {
    std::set<std::string> ids;
    for (const Gpu &gpu : gpus()) {
        QVERIFY2(ids.insert(gpu.id).second, gpu.id.c_str());
        QVERIFY2(gpu.marketed > Bytes(0), gpu.id.c_str());
        QVERIFY2(!gpu.name.empty() && !gpu.vendor.empty(), gpu.id.c_str());
    }
    const Gpu *h100 = findGpu("h100-sxm-80gb");
    QVERIFY(h100);
    QCOMPARE(h100->marketed, Bytes(80'000'000'000));
}

KV_TEST(CatalogueTest)
#include "cataloguetest.moc"
