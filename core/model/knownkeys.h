// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Keys that sound as if they decided what is cached, and that nothing here reads: they are named in one warning, so that a new kind of
// attention does not pass unseen.

#include "core/model/reader.h"

namespace kv {

void noteUnknownKeys(Reader &reader);

} // namespace kv
