// SPDX-License-Identifier: GPL-3.0-or-later
//
// The header of a .safetensors file, and its sums by part. An input is the JSON alone: the length goes before it here, since a fuzzer that
// has to keep eight bytes true to the rest finds little else.
#include "core/files/headerweights.h"
#include "core/files/safetensors.h"
#include "tests/fuzz/fuzzing.h"

using namespace kv;

KV_FUZZ(bytes) {
    std::string whole(8, '\0');
    for (std::size_t i = 0; i < 8; ++i)
        whole[i] = static_cast<char>(bytes.size() >> (8 * i) & 0xFF);
    // One beginning takes the bytes as they are, so that lengths are tried as well.
    const bool raw = bytes.starts_with("raw:");
    whole = raw ? std::string(bytes.substr(4)) : whole.append(bytes);
    const fuzz::MemoryFile memory(whole);
    const Parsed<SafetensorsFile> file = readSafetensors(memory.path());
    fuzz::checkParsed(file);
    if (!file)
        return;
    std::int64_t next = 0;
    for (const SafetensorsTensor &tensor : file->tensors) {
        fuzz::require(tensor.begin == next && tensor.end >= tensor.begin, "tensors lie one behind the other");
        next = tensor.end;
    }
    fuzz::require(file->stored == Bytes(next), "the sum is where the last one ends");
    const ModelSpec spec;
    HeaderWeights sums(spec);
    sums.add(*file);
    fuzz::require(sums.weights().stored == file->stored, "the parts have every byte");
}
