// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The weights of a model folder, from its safetensors files: exact bytes, in all and by part.
//
// An index names the shards; a broken index is refused even when the shards are fine. Without one the files are summed: model.safetensors,
// else the set "…-00001-of-00003.safetensors", else consolidated.safetensors, else all others together; adapters and optimiser states are
// never the model. With an index but no shards total_size is the size. Pickles (.bin, .pt, .pth) are never opened.

#include "core/model/modelspec.h"

#include <optional>
#include <string>

namespace kv {

/// Nothing in `value` where the folder has no safetensors; an Error among the notes where it has and they are broken.
/// `only`: the one file that was named, when it belongs to no set.
struct FoundWeights {
    std::optional<WeightSpec> weights;
    Notes notes;
};
FoundWeights folderWeights(const std::string &folder, const ModelSpec &spec, const std::string &only = {});

/// Whether a file name is one that only a pickle loader reads.
bool isPickleName(std::string_view name);

} // namespace kv
