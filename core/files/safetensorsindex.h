// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The index of a checkpoint in several files (model.safetensors.index.json): which file holds which tensor, and how many bytes they
// have together (metadata.total_size). Source: transformers, modeling_utils.py, save_pretrained; huggingface_hub, serialization/_base.py.
//
// Only file names inside the folder are taken: a path that is absolute, climbs ("..") or holds a NUL byte refuses the whole index.

#include "core/base/note.h"
#include "core/base/units.h"

#include <optional>
#include <string>
#include <vector>

namespace kv {

struct SafetensorsIndex {
    std::optional<Bytes> total;      ///< total_size where it is a size
    std::vector<std::string> shards; ///< each once, in the order of their names
    std::size_t tensors = 0;
};

/// Codes: "not-json", "not-utf8", "bad-index", "outside-folder", and those of InputFile; a total_size that is none is a warning.
Parsed<SafetensorsIndex> readSafetensorsIndex(const std::string &path);

/// Whether a path from an index stays in its folder: relative, without "..", no NUL.
bool staysInside(std::string_view path);

} // namespace kv
