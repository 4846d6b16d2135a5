// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the tests of a failing and of a slow disk open and save alike.

#include "core/scenario/scenariofile.h"
#include "tests/testpaths.h"
#include "ui/dialogs.h"

#include <QFile>
#include <QString>

namespace kv::test {

inline QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void put(const QString &path, const QByteArray &content) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// A file of each kind that a window opens, by its name; a trace of so many requests is read in several pieces.
inline QByteArray fileNamed(const QString &name) {
    if (name == QLatin1String("config.json"))
        return R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048,
  "intermediate_size": 8192, "max_position_embeddings": 8192, "num_attention_heads": 32, "num_hidden_layers": 16,
  "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 128256, "torch_dtype": "bfloat16", "tie_word_embeddings": true})";
    if (name == QLatin1String("trace.csv")) {
        QByteArray lines("TIMESTAMP,ContextTokens,GeneratedTokens\n");
        for (int i = 0; i < 60'000; ++i)
            lines += "2023-11-16 18:15:46.6805900," + QByteArray::number(100 + i % 4000) + ",100\n";
        return lines;
    }
    if (name == QLatin1String("server.log"))
        return contentOf(QLatin1String(dataFolder()) + QStringLiteral("/logs/vllm-combined-line.log"));
    if (name == QLatin1String("lesson.json"))
        return contentOf(QLatin1String(resourcesFolder()) + QStringLiteral("/lessons/01-one-token.json"));
    ScenarioDocument document;
    document.scenarios = {firstScenario()};
    document.scenarios.front().workload.context = Tokens(5555); // unlike what a window starts with
    return QByteArray::fromStdString(writeDocument(document, {}));
}

/// While it lives, who asks where to save is told this path.
class SavesTo {
public:
    explicit SavesTo(const QString &path) : m_before(dialogs()) {
        dialogs().saveFile = [path](QWidget *, const QString &, const QString &, const QString &) { return path; };
    }
    ~SavesTo() { dialogs() = m_before; }
    SavesTo(const SavesTo &) = delete;
    SavesTo &operator=(const SavesTo &) = delete;

private:
    Dialogs m_before;
};

} // namespace kv::test
