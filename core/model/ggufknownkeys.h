// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Keys of a GGUF file's architecture that are not known here but sound as if they could change what is cached: a newer converter's, or a
// fork's. They are named in one warning, as those of a config.json are (knownkeys.h); nothing is read from them.

#include "core/model/ggufkeys.h"

namespace kv {

void noteUnknownGgufKeys(GgufKeys &keys, const Json &metadata);

} // namespace kv
