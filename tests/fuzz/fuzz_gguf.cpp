// SPDX-License-Identifier: GPL-3.0-or-later
//
// A GGUF header, the model that its metadata and its tensor table make, and what every engine plans with it.
#include "core/files/gguf.h"
#include "core/files/ggufsource.h"
#include "tests/fuzz/fuzzing.h"

using namespace kv;

KV_FUZZ(bytes) {
    const fuzz::MemoryFile file(bytes);
    const Parsed<GgufFile> header = readGgufFile(file.path());
    fuzz::checkParsed(header);
    if (!header)
        return;
    fuzz::require(header->headerBytes >= 24, "a header has its magic, version and counts");
    const auto model = loadGguf(file.path());
    fuzz::checkParsed(model);
    if (model && fuzz::inOneOf(bytes, 8))
        fuzz::checkModel(*model);
}
