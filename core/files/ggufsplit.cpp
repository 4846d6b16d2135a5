// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models in several GGUF files: "name-00001-of-00003.gguf" and so on. The first part has the metadata, each part its own tensors and the
// keys split.no (from 0), split.count and split.tensors.count. Source: llama.cpp v0.5.0, tools/gguf-split, llama_split_path.
#include "core/base/quantity.h"
#include "core/files/gguf.h"
#include "core/files/shown.h"

#include <cstdio>
#include <sys/stat.h>
#include <unordered_set>

namespace kv {

namespace {

constexpr std::string_view ending = ".gguf";

/// Five digits at `at`, or −1.
int fiveDigits(std::string_view text, std::size_t at) {
    int value = 0;
    for (std::size_t i = at; i < at + 5; ++i) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

std::int64_t splitKey(const GgufFile &file, std::string_view key, std::int64_t absent) {
    const Json *value = file.metadata.find(key);
    return value && value->kind() == Json::Kind::Integer ? value->integer() : absent;
}

bool exists(const std::string &path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0;
}

/// The missing parts in one short sentence, however many they are.
std::string missingParts(const SplitName &split) {
    std::string first;
    int missing = 0;
    for (int number = 1; number <= split.count; ++number)
        if (const std::string part = splitPart(split, number); !exists(part)) {
            if (missing++ == 0)
                first = shown(baseName(part), 200);
        }
    if (missing == 0)
        return {};
    return "the model is split into " + writeNumber(split.count) + " files, of which " + first +
           (missing > 1 ? " and " + writeNumber(missing - 1) + " more are missing" : " is missing");
}

class Joiner {
public:
    Joiner(const std::string &path, const SplitName &split) : m_path(path), m_split(split) {}

    Parsed<GgufFile> join() {
        if (!readAll())
            return {std::nullopt, std::move(m_notes)};
        return {std::move(m_whole), std::move(m_notes)};
    }

private:
    bool refuse(std::string code, const std::string &text) {
        m_notes.push_back(errorNote(std::move(code), m_path, shown(baseName(m_path), 200) + ": " + text));
        return false;
    }

    bool readAll() {
        if (const std::string missing = missingParts(m_split); !missing.empty())
            return refuse("split-missing", missing);
        for (int number = 1; number <= m_split.count; ++number)
            if (!add(number))
                return false;
        for (std::unordered_set<std::string_view> seen; const GgufTensor &tensor : m_whole.tensors)
            if (!seen.insert(tensor.name).second)
                return refuse("duplicate-tensor", "tensor " + tensor.name + " stands in two files of the split model");
        const std::int64_t announced = splitKey(m_whole, "split.tensors.count", -1);
        const auto held = static_cast<std::int64_t>(m_whole.tensors.size());
        return announced < 0 || announced == held ||
               refuse("split-mismatch", "the split model should have " + writeNumber(announced) +
                                            " tensors, its files hold " + writeNumber(held));
    }

    bool add(int number) {
        const std::string part = splitPart(m_split, number);
        Parsed<GgufFile> file = readGgufFile(part);
        // One part that is incomplete is reason enough for a warning, not each of thousands.
        if (!file || m_notes.empty())
            m_notes.insert(m_notes.end(), file.notes.begin(), file.notes.end());
        if (!file)
            return false;
        if (splitKey(*file, "split.no", number - 1) != number - 1 ||
            splitKey(*file, "split.count", m_split.count) != m_split.count)
            return refuse("split-mismatch",
                          shown(baseName(part), 200) + " says of itself that it is another part of a split model");
        if (m_whole.tensors.size() + file->tensors.size() > maxGgufTensors)
            return refuse("out-of-range", "the files of the split model hold more tensors than the " +
                                              writeNumber(maxGgufTensors) + " that are read");
        if (number == 1) {
            m_whole = std::move(*file.value);
            return true;
        }
        auto &more = file.value->tensors;
        m_whole.tensors.insert(m_whole.tensors.end(), std::make_move_iterator(more.begin()),
                               std::make_move_iterator(more.end()));
        return true;
    }

    const std::string &m_path;
    const SplitName &m_split;
    GgufFile m_whole;
    Notes m_notes;
};

} // namespace

SplitName splitName(const std::string &path) {
    constexpr std::string_view form = "-00001-of-00003.gguf";
    if (path.size() <= form.size() || !path.ends_with(ending))
        return {};
    const std::size_t at = path.size() - form.size();
    const int number = fiveDigits(path, at + 1);
    const int count = fiveDigits(path, at + 10);
    if (path[at] != '-' || path.compare(at + 6, 4, "-of-") != 0 || number < 1 || count < number)
        return {};
    return {path.substr(0, at), number, count};
}

std::string splitPart(const SplitName &split, int number) {
    char tail[32];
    std::snprintf(tail, sizeof tail, "-%05d-of-%05d.gguf", number, split.count);
    return split.prefix + tail;
}

Parsed<GgufFile> readGguf(const std::string &path) {
    const SplitName split = splitName(path);
    if (split.count > 1)
        return Joiner(path, split).join();
    Parsed<GgufFile> file = readGgufFile(path);
    if (const std::int64_t count = file ? splitKey(*file, "split.count", 1) : 1; count > 1) {
        file.value.reset();
        file.notes.push_back(
            errorNote("split-missing", path,
                      std::string(shown(baseName(path), 200)) + " is one of the " + writeNumber(count) +
                          " files of a split model, but its name does not say which; name it like model-00001-of-0000" +
                          "3.gguf, beside the others"));
    }
    return file;
}

} // namespace kv
