// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "ui/hub/hubchoice.h"
#include "ui/hub/hubname.h"

#include <QTest>

using namespace kv;

// What people write for a model, and which of its files say what it is.
class HubNameTest : public QObject {
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void asksOnlyForAddresses_data();
    void asksOnlyForAddresses();
    void chooses_data();
    void chooses();
};

void HubNameTest::reads_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("repository");
    QTest::addColumn<QString>("revision");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("variant");
    const auto row = [](const char *text, const char *repository, const char *revision = "", const char *file = "", const char *variant = "") {
        const auto s = [](const char *c) { return QString::fromLatin1(c); };
        QTest::newRow(text) << s(text) << s(repository) << s(revision) << s(file) << s(variant);
    };
    row("Qwen/Qwen3-32B", "Qwen/Qwen3-32B");
    row("  Qwen/Qwen3-32B\n", "Qwen/Qwen3-32B");
    row("gpt2", "gpt2");
    row("gpt2@607a30d", "gpt2", "607a30d");
    row("01-ai/Yi-1.5-34B", "01-ai/Yi-1.5-34B");
    row("acme/tiny@v1.0", "acme/tiny", "v1.0");
    row("acme/tiny@refs/pr/1", "acme/tiny", "refs/pr/1");
    row("acme/tiny@refs%2Fpr%2F1", "acme/tiny", "refs/pr/1");
    row("acme/tiny@feature%2Fx", "acme/tiny", "feature/x");
    row("hf://acme/tiny@feature%2Fx", "acme/tiny", "feature/x");
    row("hf://acme/tiny@feature%2Fx/sub/config.json", "acme/tiny", "feature/x", "sub/config.json");
    row("acme/tiny:Q4_K_M", "acme/tiny", "", "", "Q4_K_M");
    row("acme/tiny:latest", "acme/tiny");
    row("acme/tiny/tiny-q4.gguf", "acme/tiny", "", "tiny-q4.gguf");
    row("hf://acme/tiny", "acme/tiny");
    row("hf://acme/tiny@dev", "acme/tiny", "dev");
    row("hf://acme/tiny@dev/sub/config.json", "acme/tiny", "dev", "sub/config.json");
    row("hf://gpt2", "gpt2");
    row("hf.co/acme/tiny", "acme/tiny");
    row("hf.co/acme/tiny:Q8_0", "acme/tiny", "", "", "Q8_0");
    row("huggingface.co/acme/tiny", "acme/tiny");
    row("https://huggingface.co/acme/tiny", "acme/tiny");
    row("https://www.huggingface.co/acme/tiny/", "acme/tiny");
    row("http://hf.co/acme/tiny", "acme/tiny");
    row("HTTPS://HuggingFace.co/acme/tiny", "acme/tiny");
    row("https://huggingface.co/acme/tiny?library=transformers#use", "acme/tiny");
    row("https://huggingface.co/acme/tiny/tree/main", "acme/tiny", "main");
    row("https://huggingface.co/acme/tiny/tree/dev/Q4_K_M", "acme/tiny", "dev", "Q4_K_M");
    row("https://huggingface.co/acme/tiny/tree/refs%2Fpr%2F7", "acme/tiny", "refs/pr/7");
    row("https://huggingface.co/acme/tiny/blob/main/config.json", "acme/tiny", "main", "config.json");
    row("https://huggingface.co/acme/tiny/resolve/abc123/a/b.gguf?download=true", "acme/tiny", "abc123", "a/b.gguf");
    row("https://huggingface.co/acme/tiny/discussions", "acme/tiny");
    row("https://huggingface.co/gpt2", "gpt2");
    row("https://huggingface.co/gpt2/tree/main", "gpt2", "main");
    row("https://hub.example:8443/hf/acme/tiny/tree/main", "acme/tiny", "main");
    row("hub.example:8443/hf/acme/tiny", "acme/tiny");
}

void HubNameTest::reads() {
    QFETCH(QString, text);
    QFETCH(QString, repository);
    QFETCH(QString, revision);
    QFETCH(QString, file);
    QFETCH(QString, variant);
    const auto name = readHubName(text, QUrl(QStringLiteral("https://hub.example:8443/hf")));
    QVERIFY2(name, name.notes.empty() ? "" : name.notes.front().text.c_str());
    QCOMPARE(name->repository, repository);
    QCOMPARE(name->revision, revision);
    QCOMPARE(name->file, file);
    QCOMPARE(name->variant, variant);
    QCOMPARE(*readHubName(textOf(*name), {}), *name);
}

void HubNameTest::refuses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");
    const auto row = [](const char *text, const char *word) { QTest::newRow(*text ? text : "nothing") << QString::fromUtf8(text) << QString::fromLatin1(word); };
    row("", "maker/name");
    row("   ", "maker/name");
    row("/home/me/model", "path");
    row("~/model", "path");
    row("./model", "path");
    row("C:\\models", "path");
    row("hf_abcdefghijklmnop", "token");
    row("https://me:hf_secret@huggingface.co/acme/tiny", "HF_TOKEN");
    row("acme tiny", "no name");
    row("acme/", "no name");
    row("/", "path");
    row("acme/../etc", "no name");
    row("acme/..", "no name");
    row("../../etc/passwd", "path");
    row("acme/ti--ny", "no name");
    row("-acme/tiny", "no name");
    row("acme/tiny.git", "no name");
    row("acme/tiny@", "missing");
    row("acme/tiny@a b", "branch");
    row("acme/tiny@../x", "branch");
    row("acme/tiny:Q4 K", "quantisation");
    row("acme/tiny/../../x.gguf", "no file");
    row("acme/tïny", "no name");
    row("ftp://huggingface.co/acme/tiny", "ftp");
    row("https://example.com/acme/tiny", "HF_ENDPOINT");
    row("https://huggingface.co.evil.example/acme/tiny", "HF_ENDPOINT");
    row("https://huggingface.co", "names no model");
    row("https://huggingface.co/datasets/acme/data", "data set");
    row("hf://datasets/acme/data", "data set");
    row("https://huggingface.co/spaces/acme/app", "Space");
    row("https://huggingface.co/models", "models");
    row("https://", "address");
}

void HubNameTest::refuses() {
    QFETCH(QString, text);
    QFETCH(QString, word);
    const auto name = readHubName(text, QUrl(QStringLiteral("https://huggingface.co")));
    QVERIFY2(!name, qPrintable(name ? name->repository : QString()));
    QCOMPARE(name.notes.front().code, std::string("hub-name"));
    const QString said = QString::fromStdString(name.notes.front().text);
    QVERIFY2(said.contains(word), qPrintable(said));
    QVERIFY2(!said.contains(QStringLiteral("secret")) && !said.contains(QStringLiteral("hf_abc")), qPrintable(said));
    QVERIFY(!readHubName(QString(5000, QLatin1Char('a')), {}));
}

void HubNameTest::asksOnlyForAddresses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("address");
    const auto row = [](const char *text, bool address) { QTest::newRow(text) << QString::fromLatin1(text) << address; };
    row("hf://acme/tiny", true);
    row("https://huggingface.co/acme/tiny", true);
    row("hf.co/acme/tiny", true);
    row("acme/tiny", false);
    row("https://example.com/acme/tiny", false);
    row("vllm serve hf://acme/tiny", false);
    row("{\"model_type\": \"llama\"}", false);
    row("", false);
}

void HubNameTest::asksOnlyForAddresses() {
    QFETCH(QString, text);
    QFETCH(bool, address);
    QCOMPARE(isHubAddress(text, QUrl(QStringLiteral("https://huggingface.co"))), address);
}

void HubNameTest::chooses_data() {
    QTest::addColumn<QString>("names");
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("expected"); ///< "config whole…", "gguf", "several…" or the code of the refusal
    const auto row = [](const char *title, const char *names, const char *asked, const char *expected) {
        QTest::newRow(title) << QString::fromLatin1(names) << QString::fromLatin1(asked) << QString::fromLatin1(expected);
    };
    row("one file", "README.md config.json model.safetensors", "a/b", "config.json > config.json | model.safetensors");
    row("an index", "config.json model.safetensors.index.json model-00001-of-00001.safetensors hf_quant_config.json", "a/b",
        "config.json > config.json hf_quant_config.json model.safetensors.index.json |");
    row("Mistral's own", "params.json consolidated.safetensors", "a/b", "params.json > params.json | consolidated.safetensors");
    row("both forms", "config.json params.json consolidated.safetensors model.safetensors", "a/b", "config.json > config.json | model.safetensors");
    row("pickles only", "config.json pytorch_model.bin", "a/b", "config.json > config.json |");
    row("a set with a gap", "config.json model-00001-of-00002.safetensors", "a/b", "config.json > config.json |");
    row("one GGUF", "README.md tiny-Q4_K_M.gguf mmproj-tiny.gguf", "a/b", "gguf tiny-Q4_K_M.gguf");
    row("one GGUF, split", "t-00001-of-00002.gguf t-00002-of-00002.gguf", "a/b", "gguf t-00001-of-00002.gguf");
    row("several", "q4.gguf q8.gguf", "a/b", "several q4.gguf q8.gguf");
    row("several in folders", "Q4/t-00001-of-00002.gguf Q4/t-00002-of-00002.gguf Q8/t.gguf", "a/b", "several Q4/t-00001-of-00002.gguf Q8/t.gguf");
    row("several and a config", "config.json q4.gguf q8.gguf", "a/b", "several q4.gguf q8.gguf config.json");
    row("GGUF beside safetensors", "config.json model.safetensors q4.gguf", "a/b", "config.json > config.json | model.safetensors");
    row("that GGUF by name", "config.json model.safetensors q4.gguf", "a/b/q4.gguf", "gguf q4.gguf");
    row("a second part by name", "t-00001-of-00002.gguf t-00002-of-00002.gguf u.gguf", "a/b/t-00002-of-00002.gguf", "gguf t-00001-of-00002.gguf");
    row("by folder", "Q4/t.gguf Q8/t.gguf", "https://hf.co/a/b/tree/main/Q8", "gguf Q8/t.gguf");
    row("by variant", "t-Q4_K_M.gguf t-Q8_0.gguf", "a/b:q8_0", "gguf t-Q8_0.gguf");
    row("the config by name", "config.json q4.gguf q8.gguf", "a/b/config.json", "config.json > config.json |");
    row("no such variant", "t-Q4_K_M.gguf t-Q8_0.gguf", "a/b:Q2_K", "hub-not-found");
    row("no such file", "q4.gguf q8.gguf", "a/b/q5.gguf", "hub-not-found");
    row("no such file of a checkpoint", "config.json model.safetensors", "a/b/nosuch.json", "hub-not-found");
    row("no such folder", "Q4/t.gguf Q8/t.gguf", "https://hf.co/a/b/tree/main/Q2", "hub-not-found");
    row("a folder without models", "config.json model.safetensors onnx/x.onnx", "https://hf.co/a/b/tree/main/onnx", "config.json > config.json | model.safetensors");
    row("an adapter", "adapter_config.json adapter_model.safetensors", "a/b", "hub-no-model");
    row("nothing", "README.md", "a/b", "hub-no-model");
    row("names that lead out", "../config.json /config.json a/../../x.gguf", "a/b", "hub-no-model");
}

void HubNameTest::chooses() {
    QFETCH(QString, names);
    QFETCH(QString, asked);
    QFETCH(QString, expected);
    std::vector<std::string> files;
    for (const QString &name : names.split(QLatin1Char(' ')))
        files.push_back(name.toStdString());
    const auto name = readHubName(asked, QUrl(QStringLiteral("https://huggingface.co")));
    QVERIFY(name);
    const HubChoice choice = chooseFiles(files, *name);
    const auto joined = [](const std::vector<std::string> &list) {
        QString text;
        for (const std::string &item : list)
            text += QLatin1Char(' ') + QString::fromStdString(item);
        return text;
    };
    QString got;
    if (!choice.notes.empty())
        got = QString::fromStdString(choice.notes.front().code);
    else if (!choice.several.empty())
        got = QStringLiteral("several") + joined(choice.several);
    else if (!choice.gguf.empty())
        got = QStringLiteral("gguf ") + QString::fromStdString(choice.gguf);
    else
        got = QString::fromStdString(choice.config) + QStringLiteral(" >") + joined(choice.whole) + QStringLiteral(" |") + joined(choice.shards);
    QCOMPARE(got, expected);
}

KV_TEST(HubNameTest)
#include "hubnametest.moc"
