// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stores of other programs: where they are looked for, and what is listed of them.
#include "core/files/modelsource.h"
#include "core/files/stores.h"
#include "tests/core/files/checkpointbuilder.h"
#include "tests/core/files/tempfolder.h"
#include "tests/testmain.h"

#include <map>

using namespace kv;
using kv::test::TempFolder;

using Variables = std::map<std::string, std::string>;
Q_DECLARE_METATYPE(Variables)

class StoresTest : public QObject {
    Q_OBJECT

private slots:
    void places_data();
    void places();
    void hub();
    void lmStudio();
    void ollama();
    void whatIsListedLoads();
    void strangersAreNoModels();
};

namespace {

/// Values may begin with "@", which stands for the folder.
Environment environment(const TempFolder &folder, Variables variables = {}) {
    for (auto &[name, value] : variables)
        if (value.starts_with('@'))
            value = folder.path() + value.substr(1);
    return {[variables](const std::string &name) {
                const auto found = variables.find(name);
                return found == variables.end() ? std::string() : found->second;
            },
            folder.path("home"), folder.path("system")};
}

QByteArray listed(const Environment &where) {
    QByteArray text;
    for (const StoredModel &model : listStores(where))
        text += QByteArray::fromStdString(std::string(storeName(model.store)) + " " + model.name + " " + std::to_string(model.size.value) + "\n");
    return text;
}

constexpr const char *digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

void addOllama(const TempFolder &folder, const std::string &store, const std::string &name, const std::string &type = "model") {
    folder.write(store + "/blobs/sha256-" + digest, kv::test::smallModel().whole());
    folder.write(store + "/manifests/" + name, R"({"schemaVersion": 2, "layers": [{"mediaType": "application/vnd.ollama.image.)" + type + R"(", "digest": "sha256:)" +
                                                   digest + R"(", "size": 500}]})");
}

} // namespace

void StoresTest::places_data() {
    QTest::addColumn<Variables>("variables");
    QTest::addColumn<QByteArray>("made"); // folders that exist
    QTest::addColumn<QByteArray>("found");
    const auto row = [](const char *name, const Variables &variables, const char *made, const char *found) {
        QTest::newRow(name) << variables << QByteArray(made) << QByteArray(found);
    };
    row("nothing there", {}, "", "");
    row("where they normally are", {}, "home/.cache/huggingface/hub home/.lmstudio/models home/.ollama/models",
        "home/.cache/huggingface/hub home/.lmstudio/models home/.ollama/models");
    row("the service's own Ollama", {}, "home/.ollama/models system", "home/.ollama/models system");
    row("HF_HUB_CACHE", {{"HF_HUB_CACHE", "@/a"}, {"HUGGINGFACE_HUB_CACHE", "@/b"}, {"HF_HOME", "@/c"}}, "a b c/hub", "a");
    row("its older name", {{"HUGGINGFACE_HUB_CACHE", "@/b"}, {"HF_HOME", "@/c"}}, "a b c/hub", "b");
    row("HF_HOME", {{"HF_HOME", "@/c"}, {"XDG_CACHE_HOME", "@/d"}}, "c/hub d/huggingface/hub", "c/hub");
    row("XDG_CACHE_HOME", {{"XDG_CACHE_HOME", "@/d"}}, "d/huggingface/hub home/.cache/huggingface/hub", "d/huggingface/hub");
    row("a variable wins, though its folder is gone", {{"HF_HUB_CACHE", "@/gone"}}, "home/.cache/huggingface/hub", "");
    row("~", {{"HF_HOME", "~/mine"}}, "home/mine/hub", "home/mine/hub");
    row("$NAME and ${NAME}", {{"HF_HUB_CACHE", "$ROOT/${SUB}x"}, {"ROOT", "@"}, {"SUB", "su"}}, "sux", "sux");
    row("an unknown name stays", {{"HF_HUB_CACHE", "@/$NOTHING"}}, "$NOTHING", "$NOTHING");
    row("OLLAMA_MODELS", {{"OLLAMA_MODELS", "@/o"}}, "o home/.ollama/models system", "o");
}

void StoresTest::places() {
    QFETCH(Variables, variables);
    QFETCH(QByteArray, made);
    const TempFolder folder;
    for (const QByteArray &name : made.split(' '))
        std::filesystem::create_directories(folder.path(name.toStdString()));
    QByteArrayList found;
    for (const StorePlace &place : storePlaces(environment(folder, variables)))
        found.append(QByteArray::fromStdString(place.folder).mid(qsizetype(folder.path().size()) + 1));
    QTEST(found.join(' '), "found");
}

void StoresTest::hub() {
    const TempFolder folder;
    const std::string hub = "home/.cache/huggingface/hub/";
    const auto file = [&](const std::string &name, std::string_view bytes) { folder.write(hub + name, bytes); };
    file("models--maker--two/refs/main", "abc");
    file("models--maker--two/blobs/1", std::string(100, 'x'));
    file("models--maker--two/snapshots/abc/config.json", "{}");
    folder.link(hub + "models--maker--two/snapshots/abc/model-00001-of-00002.safetensors", "../../blobs/1");
    folder.link(hub + "models--maker--two/snapshots/abc/model-00002-of-00002.safetensors", "../../blobs/1");
    file("models--maker--two/snapshots/abc/pytorch_model.bin", std::string(77, 'x')); // the same weights once more
    file("models--maker--two/snapshots/old/config.json", "{}");
    file("models--gguf--quants/snapshots/abc/a-q4.gguf", "1234");
    file("models--gguf--quants/snapshots/abc/a-q8-00001-of-00002.gguf", "12345");
    file("models--gguf--quants/snapshots/abc/a-q8-00002-of-00002.gguf", "123456");
    file("models--gguf--quants/snapshots/abc/mmproj.gguf", "1");
    file("models--maker--empty/blobs/x", "");
    file("datasets--maker--set/snapshots/abc/config.json", "{}");
    QCOMPARE(listed(environment(folder)), QByteArray("Hugging Face gguf/quants/a-q4.gguf 4\n"
                                                     "Hugging Face gguf/quants/a-q8-00001-of-00002.gguf 11\n"
                                                     "Hugging Face maker/two 200\n"));
    const std::vector<StoredModel> models = listStores(environment(folder));
    QVERIFY(models[2].path == folder.path(hub + "models--maker--two")); // outlives its snapshots
    QVERIFY(models[1].path == folder.path(hub + "models--gguf--quants/snapshots/abc/a-q8-00001-of-00002.gguf"));
}

void StoresTest::lmStudio() {
    const TempFolder folder;
    folder.write("home/.lmstudio/models/maker/one/a.gguf", "123");
    folder.write("home/.lmstudio/models/maker/one/mmproj-a.gguf", "12345");
    folder.write("home/.lmstudio/models/maker/mlx/config.json", "{}");
    folder.write("home/.lmstudio/models/maker/mlx/model.safetensors", "1234567");
    folder.write("home/.lmstudio/models/maker/nothing/readme.md", "1");
    folder.write("home/.lmstudio/models/stray.gguf", "1");
    QCOMPARE(listed(environment(folder)), QByteArray("LM Studio maker/mlx 7\nLM Studio maker/one 3\n"));
}

void StoresTest::ollama() {
    const TempFolder folder;
    const std::string store = "home/.ollama/models";
    addOllama(folder, store, "registry.ollama.ai/library/qwen3/8b");
    addOllama(folder, store, "registry.ollama.ai/someone/mine/latest");
    addOllama(folder, store, "hf.co/maker/model/Q4_K_M");
    addOllama(folder, store, "registry.ollama.ai/library/adapter/1", "adapter");
    folder.write(store + "/manifests/registry.ollama.ai/library/broken/1", "{");
    QCOMPARE(listed(environment(folder)), QByteArray("Ollama hf.co/maker/model:Q4_K_M 500\nOllama qwen3:8b 500\nOllama someone/mine:latest 500\n"));
}

void StoresTest::whatIsListedLoads() {
    const TempFolder folder;
    addOllama(folder, "home/.ollama/models", "registry.ollama.ai/library/qwen3/8b");
    folder.write("home/.lmstudio/models/maker/one/a.gguf", kv::test::smallModel().whole());
    folder.write("home/.cache/huggingface/hub/models--maker--two/snapshots/abc/config.json", kv::test::smallConfig);
    const std::vector<StoredModel> models = listStores(environment(folder));
    QCOMPARE(models.size(), std::size_t{3});
    for (const StoredModel &model : models)
        QVERIFY2(loadModel(model.path), model.path.c_str());
}

void StoresTest::strangersAreNoModels() {
    const TempFolder folder;
    const std::string hub = "home/.cache/huggingface/hub/";
    folder.write(hub + "version.txt", "1");
    folder.link(hub + "models--maker--loop", folder.path(hub + "models--maker--loop"));
    folder.write(hub + "models--maker--file", "not a folder");
    folder.write(hub + "models--maker--climbs/refs/main", "../../../..");
    folder.write(hub + "models--maker--climbs/snapshots/abc/config.json", "{}");
    folder.write("home/.ollama/models/manifests/registry.ollama.ai", "not a folder");
    folder.write("home/.lmstudio/models", "not a folder");
    QCOMPARE(listed(environment(folder)), QByteArray());
}

KV_TEST(StoresTest)
#include "storestest.moc"
