// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/gguf.h"

#include "core/base/quantity.h"
#include "core/files/ggufparse.h"
#include "core/files/hubrecord.h"
#include "core/files/shown.h"

#include <bit>
#include <string_view>
#include <unordered_set>

namespace kv {

namespace gguf {

bool Parse::refuse(std::string code, const std::string &text) {
    // Keys are part of many sentences, and may hold line ends.
    notes.push_back(errorNote(std::move(code), path, shown(baseName(path), 200) + ": " + oneLine(text)));
    return false;
}

bool Parse::cutOff(const std::string &what) {
    return refuse("truncated", "the file is cut off: it ends inside " + what);
}

namespace {

bool readMagic(Parse &parse, std::int64_t size) {
    const std::string start = parse.in.text(static_cast<std::size_t>(std::min<std::int64_t>(size, 4)));
    if (start == ggufMagic)
        return true;
    if (size == 0)
        return parse.refuse("not-gguf", "the file is empty, so it is not a GGUF file");
    if (size < 4)
        return parse.refuse("not-gguf", "the file is too short for a GGUF file: it ends inside the magic number");
    if (start == "FUGG")
        return parse.refuse("big-endian", "this GGUF file is big-endian; only little-endian files are read");
    if (start == "tjgg" || start == "fmgg" || start == "lmgg")
        return parse.refuse("not-gguf", "this is a GGML file of 2023, not a GGUF file: convert the model again");
    if (start == "vers")
        return parse.refuse("lfs-pointer", "this is not a GGUF file but the pointer that Git LFS leaves in its place: "
                                           "fetch the file itself (git lfs pull)");
    return parse.refuse("not-gguf", "this is not a GGUF file: it begins with \"" + shown(start) +
                                        "\" in place of the magic \"GGUF\"");
}

bool readVersion(Parse &parse, std::uint32_t &version) {
    version = parse.in.u32();
    if (parse.in.failed())
        return parse.cutOff("the version");
    if (version == 2 || version == 3)
        return true;
    if ((version & 0xFFFFU) == 0 && version != 0)
        return parse.refuse("big-endian", "this GGUF file is big-endian (its version reads " + std::to_string(version) +
                                              "); only little-endian files are read");
    return parse.refuse("unknown-version",
                        version == 1
                            ? std::string("GGUF version 1 is read by no engine any more: convert the model again")
                            : "GGUF version " + std::to_string(version) + " is not known; versions 2 and 3 are read");
}

/// A count of the header, held against the least that each of its entries takes and against a sane limit.
bool readCount(Parse &parse, std::string_view what, std::uint64_t leastBytes, std::uint64_t most,
               std::uint64_t &count) {
    count = parse.in.u64();
    if (parse.in.failed())
        return parse.cutOff("the number of " + std::string(what));
    const auto left = static_cast<std::uint64_t>(parse.in.remaining());
    if (count > left / leastBytes)
        return parse.refuse("truncated", "the header announces " + std::to_string(count) + " " + std::string(what) +
                                             ", which the " + std::to_string(left) +
                                             " bytes left in the file cannot hold");
    if (count > most)
        return parse.refuse("out-of-range", "the header announces " + std::to_string(count) + " " + std::string(what) +
                                                ", more than the " + std::to_string(most) + " that are read");
    return true;
}

bool readAlignment(Parse &parse, const Json &metadata, std::int64_t &alignment) {
    alignment = 32;
    const Json *given = metadata.find("general.alignment");
    if (!given)
        return true;
    alignment = given->integer();
    if (given->kind() != Json::Kind::Integer || alignment <= 0 ||
        !std::has_single_bit(static_cast<std::uint64_t>(alignment)))
        return parse.refuse("bad-value", "general.alignment must be a power of two, not " + describe(*given));
    return true;
}

bool checkNames(Parse &parse, const std::vector<GgufTensor> &tensors) {
    std::unordered_set<std::string_view> seen;
    seen.reserve(tensors.size());
    for (const GgufTensor &tensor : tensors)
        if (!seen.insert(tensor.name).second)
            return parse.refuse("duplicate-tensor", "tensor " + tensor.name + " is given twice");
    return true;
}

/// `length`: of the whole file, of which `size` bytes are there.
bool readHeader(Parse &parse, std::int64_t size, std::int64_t length, GgufFile &file) {
    std::uint64_t tensors = 0;
    std::uint64_t keys = 0;
    std::int64_t alignment = 0;
    std::int64_t dataBytes = 0;
    // The counts stand one behind the other; what is left is known to both only behind the second, so the first is bounded twice.
    if (!readMagic(parse, size) || !readVersion(parse, file.version) ||
        !readCount(parse, "tensors", 24, maxGgufTensors, tensors) || !readCount(parse, "keys", 13, maxGgufKeys, keys) ||
        !readMetadata(parse, keys, file.metadata) || !readAlignment(parse, file.metadata, alignment))
        return false;
    if (tensors > static_cast<std::uint64_t>(parse.in.remaining()) / 24)
        return parse.cutOff("the table of its " + std::to_string(tensors) + " tensors");
    if (!readTensors(parse, tensors, alignment, file.tensors, dataBytes) || !checkNames(parse, file.tensors))
        return false;
    file.headerBytes = checked::roundUp(parse.in.position(), alignment);
    const std::int64_t there = std::max<std::int64_t>(0, length - file.headerBytes);
    if (there < dataBytes)
        parse.notes.push_back(warningNote("incomplete-file", parse.path,
                                          std::string(shown(baseName(parse.path), 200)) +
                                              " is incomplete: its header is whole, but only " + writeNumber(there) +
                                              " of the " + writeNumber(dataBytes) + " bytes of its tensors are there"));
    return true;
}

} // namespace

} // namespace gguf

Parsed<GgufFile> readGgufFile(const std::string &path) {
    Parsed<GgufFile> result;
    const Parsed<InputFile> file = InputFile::open(path);
    if (!file) {
        result.notes = file.notes;
        return result;
    }
    gguf::Parse parse(*file, path);
    GgufFile header;
    if (gguf::readHeader(parse, file->size(), wholeLength(path, file->size()), header))
        result.value = std::move(header);
    result.notes = std::move(parse.notes);
    return result;
}

} // namespace kv
