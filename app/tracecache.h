// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Traces of request lengths that many scenarios of one run name: each file is read once, as long as it stays as it is. A scenario that
// names one gets it embedded, as a saved scenario has it, before it is read.

#include "core/base/json.h"
#include "core/base/note.h"

#include <map>
#include <string>

namespace kv {

class TraceCache {
public:
    /// Puts the trace into workload.lengths of a scenario's object, where a file is named there and nothing is embedded. What reading it
    /// gave rise to is added to the notes. Anything else is left as it is, for the scenario's reader to judge.
    void embed(Json &scenario, Notes &notes);

private:
    struct Entry {
        Json columns, trace;
        Notes notes;
    };
    std::map<std::string, Entry> m_read; ///< by path, state of the file and columns
};

} // namespace kv
