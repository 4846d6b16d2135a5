// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The stored size of a model's weights beside its embedded config: "stored": {"bytes": 141107412992, "source": "safetensors headers"}.
// A folder's files say how many bytes they hold, a config alone does not; a scenario that travels must not lose that figure.

#include "core/model/modelspec.h"

namespace kv {

/// Null where the size was only counted from the config, which the config itself can repeat.
Json storedWeights(const ModelSpec &model);

/// The model with that size and source; the parts keep their proportions. What is not understood changes nothing.
std::shared_ptr<const ModelSpec> withStoredWeights(const std::shared_ptr<const ModelSpec> &model, const Json &stored);

} // namespace kv
