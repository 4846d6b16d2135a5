// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/environment.h"

#include <cstdlib>

namespace kv {

std::optional<std::string> environmentValue(const std::string &name) {
    const char *value = std::getenv(name.c_str()); // NOLINT(concurrency-mt-unsafe): see the header
    return value ? std::optional<std::string>(value) : std::nullopt;
}

} // namespace kv
