// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From the metadata of a GGUF file to a ModelSpec, or to the reason why not. Also reads what a scenario holds inline ("model": {"gguf": {…}}).
//
// `metadata` is one flat object of keys and values as the file's header holds them ("llama.block_count": 32); lists of one entry a layer are
// lists, a vocabulary is a list or an object with its "count". The weights are not in it: they come from the tensor table.
// An architecture that is not known is taken as full attention where there are KV heads, with a warning that says so; one that has state
// keys as well is refused.

#include "core/model/modelspec.h"

#include <string_view>

namespace kv {

/// The same as ModelSpec, still to be completed by whoever has the tensor table.
Parsed<ModelSpec> ggufModel(const Json &metadata, std::string_view name, std::string_view source);

/// `source` begins the sentences of the notes; `name` is how the model is called (empty: general.name, or the source).
Parsed<std::shared_ptr<const ModelSpec>> readGgufMetadata(const Json &metadata, std::string_view name,
                                                          std::string_view source);

} // namespace kv
