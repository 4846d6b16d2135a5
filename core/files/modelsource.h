// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whatever a user names as a model: a config.json, a folder, a .gguf, a .safetensors (or its index), a store's folder. Reads only the
// headers it needs, with limits on time and memory; opens nothing that is no regular file or folder (a FIFO would block). A folder's
// exact weights come from its index or headers.

#include "core/base/smallfile.h"
#include "core/base/units.h"
#include "core/model/modelspec.h"

#include <string>

namespace kv {

/// Largest config.json that is read: real ones have a few kB.
inline constexpr std::int64_t maxConfigBytes = 16 * mebibyte;

Parsed<std::shared_ptr<const ModelSpec>> loadModel(const std::string &path);

} // namespace kv
