// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/knownkeys.h"

namespace kv {

void noteUnknownKeys(Reader &) {}

} // namespace kv
