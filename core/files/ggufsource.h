// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A .gguf file (or the first of several) as a model: its metadata for the layers, its tensor table for the weights, to the byte.

#include "core/model/modelspec.h"

#include <string>

namespace kv {

/// `name`: how the model is called; empty: general.name, else the file's name.
Parsed<std::shared_ptr<const ModelSpec>> loadGguf(const std::string &path, std::string_view name = {});

} // namespace kv
