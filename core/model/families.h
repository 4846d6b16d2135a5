// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// model_type -> the reader that knows where its layers' kinds stand. Types without a row of their own are read by the generic reader, which
// follows the keys. A new family is a row here (and a file in readers/ where the keys are new).
// Source of the types: transformers src/transformers/models/, vLLM model_executor/models/registry.py, files with code of their own.

#include "core/model/reader.h"

#include <span>

namespace kv {

struct Family {
    std::string_view modelType;
    void (*read)(Reader &reader);
};

/// In alphabetical order.
std::span<const Family> families();
/// The reader of a type; nullptr: the generic one.
const Family *findFamily(std::string_view modelType);
/// Types outside the class defaults that the generic reader was checked on: no warning for these.
bool isKnownElsewhere(std::string_view modelType);
/// Why a type that is known cannot be read; empty for all others.
std::string_view unreadable(std::string_view modelType);

} // namespace kv
