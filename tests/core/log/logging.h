// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Logs made by hand, and what is found of a quantity where a log and a plan stand side by side.

#include "core/log/reconcile.h"

#include <algorithm>

namespace kv::test {

inline constexpr std::int64_t gib = std::int64_t{1} << 30;

inline ServerLog vllmLog(const char *version, const char *model, std::int64_t length) {
    ServerLog log;
    log.engine = "vllm";
    log.version = version;
    log.model = model;
    log.tp = 1;
    log.pp = 1;
    log.dp = 1;
    log.maxModelLen = Tokens(length);
    return log;
}

inline const LogDifference *row(const Reconciliation &all, std::string_view quantity) {
    const auto found = std::ranges::find(all.differences, quantity, &LogDifference::quantity);
    return found == all.differences.end() ? nullptr : &*found;
}

} // namespace kv::test
