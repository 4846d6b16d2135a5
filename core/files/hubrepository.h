// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A repository's folder in the Hub's cache: models--<org>--<name>, with blobs/ (the files, named by hash), refs/<branch> (a text file that
// names a revision) and snapshots/<revision>/ (links to the blobs, or plain copies where there are no links).
//
// refs/main decides which snapshot is the model. Without it the only snapshot is taken, else the newest, which is said. Links may lead
// anywhere inside the repository's folder and nowhere else. Source: huggingface_hub, docs "Understand caching" (local-cache),
// src/huggingface_hub/file_download.py (repo_folder_name, get_pointer_path), August 2026.

#include "core/base/note.h"

#include <string>
#include <string_view>

namespace kv {

/// "acme/tiny-llama" of "models--acme--tiny-llama"; empty when the folder is not called so.
std::string hubRepositoryName(std::string_view folderName);

bool isHubRepository(const std::string &folder);

/// The folder of the snapshot that counts. Codes: "bad-revision", "no-snapshot" (errors), "other-revision" (a warning).
Parsed<std::string> hubSnapshot(const std::string &repository);

/// The repository's folder that holds this snapshot, or a file in it; empty: none.
std::string hubRepositoryOf(const std::string &path);

/// Nothing, or the refusal of a file whose links lead out of the repository it lies in.
Notes checkHubLink(const std::string &file);

} // namespace kv
