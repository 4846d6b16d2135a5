// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/version.h"

namespace kv {

std::string_view version() { return KV_VERSION; }

} // namespace kv
