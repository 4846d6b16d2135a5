// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A trace of real requests, read for their lengths: CSV and its kin (delimited.h), JSON lines, a JSON list, or a benchmark's result with
// the lengths of all requests (jsonrequests.h). Read in pieces of a megabyte and counted as it comes, so that a trace of any size takes
// the same memory; a progress callback can cancel it. A row without a length (a request that failed) is left out and said; one that is
// wrong is refused with its line.

#include "core/base/note.h"
#include "core/base/units.h"
#include "core/workload/lengths.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct TraceOptions {
    LengthColumns columns; ///< nothing: guessed
    /// Bytes read and bytes in all, about every megabyte; false cancels (code "cancelled").
    std::function<bool(std::int64_t read, std::int64_t all)> progress;
};

Parsed<Lengths> readTrace(const std::string &path, const TraceOptions &options = {});
/// The same of a text that has no file, called `source` in messages.
Parsed<Lengths> readTraceText(std::string_view text, const std::string &source, const TraceOptions &options = {});

/// What opens a trace, as far as it was read: enough to choose its columns by.
struct TracePreview {
    std::vector<std::string> names;             ///< of the columns; by their places, from 1, where there is no header
    bool header = false;
    std::vector<std::vector<std::string>> rows; ///< a cell a name, each at most a short line
    LengthColumns guess;                        ///< what readTrace() takes by itself; nothing where it can tell none
};
Parsed<TracePreview> previewTrace(const std::string &path, std::size_t rows = 8);

/// Largest JSON text that is held in memory at a time: one line of a .jsonl, or a file that is one value.
inline constexpr std::int64_t maxTraceJsonBytes = 256 * mebibyte;

} // namespace kv
