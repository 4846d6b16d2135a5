// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What was fetched from a Hub, kept in the program's own cache so that it opens again without a network:
//
//     <cache>/KVPlanner/hub/<host>/<maker>--<name>/<commit>/<model>/…    the files and a record (core/files/hubrecord.h)
//     <cache>/KVPlanner/hub/<host>/<maker>--<name>/refs/<revision>       which commit that was, when it was asked for last
//     <cache>/KVPlanner/hub/<host>/<maker>--<name>/renamed               what the repository is called now, where it has another name
//
// A model appears there whole or not at all: it is written beside its place and then renamed. Names are made safe for any file system. The
// cache of huggingface_hub is never written to, only read.

#include "ui/hub/hubsettings.h"

#include <QStringList>

#include <memory>
#include <vector>

class QTemporaryDir;

namespace kv {

/// One name of a folder or file, whatever the text holds; readable back by unsafeName.
QString safeName(const QString &text);
QString unsafeName(const QString &name);

class HubKeep {
public:
    HubKeep(const HubSettings &settings, const QString &repository);

    /// `model`: "model" for a checkpoint, else the GGUF file's name in the repository.
    QString folderOf(const QString &commit, const QString &model) const;
    bool holds(const QString &commit, const QString &model) const;
    QStringList modelsOf(const QString &commit) const;
    /// The commit that a revision was, or the revision itself where it is one that is kept; empty: not known.
    QString commitOf(const QString &revision) const;

    /// What the repository is called now, where the Hub once said so; empty: as it was.
    QString renamed() const;
    void keepRenamed(const QString &now) const;

    /// A folder to write to; gone with the object. Null where the disk does not take it.
    std::unique_ptr<QTemporaryDir> stage() const;
    /// Puts it into its place. False: the disk did not take it.
    bool keep(QTemporaryDir &staged, const QString &commit, const QString &model, const QString &revision) const;

private:
    QString m_root;
};

struct KeptModel {
    QString repository, revision; ///< as it was asked for
    QString file;                 ///< the GGUF file in the repository; empty: a checkpoint
    QString folder;               ///< what loadModel takes
    bool operator==(const KeptModel &) const = default;
};

/// All that is kept, of every Hub, by name; of one revision of a repository what was fetched last. Waits for a disk.
std::vector<KeptModel> keptModels(const QString &keepFolder);

/// The repository's folder in the cache of huggingface_hub, or of a revision other than its main branch the snapshot; empty: not there.
QString inHubCache(const HubSettings &settings, const QString &repository, const QString &revision);

} // namespace kv
