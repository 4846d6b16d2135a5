// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/counting.h"
namespace kv {
std::int64_t towerElements(const Counting &, bool &) { return 0; }
}
