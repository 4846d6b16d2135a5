// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What people write for a model on the Hub, taken apart: "org/name", "org/name@revision" (a slash in it as %2F), "org/name:Q4_K_M", "hf://org/name@revision/file", "hf.co/…",
// a whole address (https://huggingface.co/org/name, …/tree/revision, …/blob/revision/file, …/resolve/revision/file), and the old names
// without a maker, "gpt2". Nothing is looked up.
//
// Rules of names: huggingface_hub, src/huggingface_hub/utils/_validators.py, validate_repo_id; of hf:// paths: hf_file_system.py, resolve_path.
// Code of a refusal: "hub-name".

#include "core/base/note.h"

#include <QString>
#include <QUrl>

namespace kv {

struct HubName {
    QString repository; ///< "org/name", or "gpt2"
    QString revision;   ///< branch, tag or commit; empty: the main branch
    QString file;       ///< the one that an address leads to; empty: the repository
    QString variant;    ///< of several GGUF files the one with this in its name; empty: none is asked for

    QString wholeRevision() const { return revision.isEmpty() ? QStringLiteral("main") : revision; }
    bool operator==(const HubName &) const = default;
};

/// `endpoint`: addresses of this Hub are taken besides those of huggingface.co.
Parsed<HubName> readHubName(const QString &text, const QUrl &endpoint);

/// The name in one line, as it is read.
QString textOf(const HubName &name);

/// Whether a text can be nothing but an address of a Hub: what is dropped or pasted is asked about only then.
bool isHubAddress(const QString &text, const QUrl &endpoint);

} // namespace kv
