// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/safetensorsindex.h"

#include "core/base/quantity.h"
#include "core/base/inputfile.h"
#include "core/files/jsonpull.h"
#include "core/files/shown.h"

#include <charconv>
#include <cmath>
#include <set>

namespace kv {

namespace {

constexpr std::int64_t maxIndexBytes = 100'000'000; // as much as one header may have

class IndexReader {
public:
    IndexReader(const std::string &path, std::string_view text)
        : m_name(shown(baseName(path), 200)), m_path(path), m_json(text) {}

    bool read(SafetensorsIndex &index) {
        if (m_json.next() != JsonPull::Next::Object)
            return refuse(m_json.next() == JsonPull::Next::End ? "not-json" : "bad-index",
                          "must be a JSON object with a weight_map");
        bool hasMap = false;
        m_json.beginObject();
        for (std::string key; m_json.nextKey(key);) {
            if (key == "metadata" ? !readMetadata(index) : key == "weight_map" ? !readMap(index) : !m_json.skip())
                break;
            hasMap = hasMap || key == "weight_map";
        }
        if (!hasError(notes) && !m_json.atEnd())
            return refuse("not-json",
                          "is no valid JSON: " + (m_json.failed() ? m_json.error() : "text behind the object"));
        if (!hasError(notes) && !hasMap)
            return refuse("bad-index", index.total ? "has no weight_map" : "has neither a weight_map nor a total_size");
        index.shards.assign(m_shards.begin(), m_shards.end());
        return !hasError(notes);
    }

    Notes notes;

private:
    bool refuse(std::string code, const std::string &text) {
        notes.push_back(errorNote(std::move(code), m_path, m_name + " " + text));
        return false;
    }

    bool readMetadata(SafetensorsIndex &index) {
        if (m_json.next() != JsonPull::Next::Object)
            return m_json.skip();
        m_json.beginObject();
        for (std::string key; m_json.nextKey(key);) {
            if (key != "total_size") {
                m_json.skip();
                continue;
            }
            std::string_view written;
            std::string text;
            const JsonPull::Next kind = m_json.next();
            if (kind == JsonPull::Next::Number && m_json.number(written))
                index.total = size(written);
            else if (kind == JsonPull::Next::String)
                m_json.string(text);
            else
                m_json.skip();
            if (!index.total && !m_json.failed())
                notes.push_back(
                    warningNote("bad-value", m_path,
                                m_name + ": total_size must be a number of bytes" +
                                    (kind == JsonPull::Next::Number   ? ", not " + shown(written, 40)
                                     : kind == JsonPull::Next::String ? ", not the text \"" + shown(text, 40) + "\""
                                                                      : "")));
        }
        return !m_json.failed();
    }

    /// Whole, above 0 and within 63 bits; some tools write it as 16060522496.0.
    static std::optional<Bytes> size(std::string_view written) {
        const char *end = written.data() + written.size();
        std::int64_t whole = 0;
        if (const auto [to, error] = std::from_chars(written.data(), end, whole); error == std::errc() && to == end)
            return whole > 0 ? std::optional(Bytes(whole)) : std::nullopt;
        double real = 0;
        if (const auto [to, error] = std::from_chars(written.data(), end, real); error != std::errc() || to != end)
            return std::nullopt;
        if (!(real > 0 && real < 9e15) || real != std::floor(real))
            return std::nullopt;
        return Bytes(static_cast<std::int64_t>(real));
    }

    bool readMap(SafetensorsIndex &index) {
        if (m_json.next() != JsonPull::Next::Object)
            return refuse("bad-index", ": weight_map must be an object of tensor names and file names");
        m_json.beginObject();
        std::string shard;
        for (std::string key; m_json.nextKey(key); ++index.tensors) {
            if (m_json.next() != JsonPull::Next::String)
                return m_json.failed()
                           ? false
                           : refuse("bad-index",
                                    ": weight_map must lead to a text, the name of a file, for " + shown(key));
            if (!m_json.string(shard))
                return false;
            if (!staysInside(shard))
                return refuse("outside-folder", ": weight_map names a file outside of the model's folder for " +
                                                    shown(key) + ": \"" + shown(shard) + "\"; it is not opened");
            m_shards.insert(shard);
        }
        return !m_json.failed();
    }

    std::string m_name;
    const std::string &m_path;
    JsonPull m_json;
    std::set<std::string> m_shards;
};

} // namespace

bool staysInside(std::string_view path) {
    if (path.empty() || path.front() == '/' || path.find('\0') != std::string_view::npos ||
        path.find('\\') != std::string_view::npos)
        return false;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t slash = std::min(path.find('/', at), path.size());
        const std::string_view part = path.substr(at, slash - at);
        if (part.empty() || part == "." || part == "..")
            return false;
        at = slash + 1;
    }
    return true;
}

Parsed<SafetensorsIndex> readSafetensorsIndex(const std::string &path) {
    Parsed<SafetensorsIndex> result;
    const Parsed<InputFile> file = InputFile::open(path);
    if (!file) {
        result.notes = file.notes;
        return result;
    }
    const std::string name = shown(baseName(path), 200);
    const auto refuse = [&](const char *code, const std::string &text) {
        result.notes.push_back(errorNote(code, path, name + " " + text));
        return std::move(result);
    };
    if (file->size() > maxIndexBytes)
        return refuse("file-too-large", "has " + writeNumber(file->size()) + " bytes; " + writeNumber(maxIndexBytes) +
                                            " is the most that is read of an index");
    std::string text(static_cast<std::size_t>(file->size()), '\0');
    text.resize(file->readAt(0, text.data(), text.size()));
    if (text.starts_with("\xEF\xBB\xBF"))
        text.erase(0, 3);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
        return refuse("not-json", "is empty, JSON was expected");
    if (text.starts_with("version https://git-lfs"))
        return refuse(
            "lfs-pointer",
            "is no JSON but the pointer that Git LFS leaves in its place: fetch the file itself (git lfs pull)");
    if (!isUtf8(text))
        return refuse("not-utf8", "is no UTF-8, which JSON must be");
    IndexReader reader(path, text);
    SafetensorsIndex index;
    if (reader.read(index))
        result.value = std::move(index);
    result.notes = std::move(reader.notes);
    return result;
}

} // namespace kv
