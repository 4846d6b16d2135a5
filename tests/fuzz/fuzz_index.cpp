// SPDX-License-Identifier: GPL-3.0-or-later
//
// model.safetensors.index.json: whatever it says, no file outside of its folder is named.
#include "core/files/safetensorsindex.h"
#include "tests/fuzz/fuzzing.h"

using namespace kv;

KV_FUZZ(bytes) {
    const fuzz::MemoryFile memory(bytes);
    const Parsed<SafetensorsIndex> index = readSafetensorsIndex(memory.path());
    fuzz::checkParsed(index);
    if (!index)
        return;
    fuzz::require(!index->total || index->total->value >= 0, "a size is not negative");
    for (const std::string &shard : index->shards) {
        fuzz::require(staysInside(shard), "every file is inside");
        fuzz::require(("/" + shard + "/").find("/../") == std::string::npos && shard.front() != '/', "and inside means inside");
    }
}
