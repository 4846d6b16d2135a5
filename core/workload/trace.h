// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A trace of real requests, read for their lengths: CSV and its kin (delimited.h), JSON lines, a JSON list, or a benchmark's result with
// the lengths of all requests (jsonrequests.h). Read in pieces of a megabyte and counted as it comes, so that a trace of any size takes
// the same memory; a progress callback can cancel it. A row without a length (a request that failed) is left out and said; one that is
// wrong is refused with its line.

#include "core/base/note.h"
#include "core/workload/lengths.h"

#include <functional>
#include <string>

namespace kv {

struct TraceOptions {
    LengthColumns columns; ///< nothing: guessed
    /// Bytes read and bytes in all, about every megabyte; false cancels (code "cancelled").
    std::function<bool(std::int64_t read, std::int64_t all)> progress;
};

Parsed<Lengths> readTrace(const std::string &path, const TraceOptions &options = {});

/// Largest JSON text that is held in memory at a time: one line of a .jsonl, or a file that is one value.
inline constexpr std::int64_t maxTraceJsonBytes = 256 * 1024 * 1024;

} // namespace kv
