// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/safetensors.h"

#include "core/base/quantity.h"
#include "core/base/inputfile.h"
#include "core/files/jsonpull.h"
#include "core/files/shown.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

namespace kv {

namespace {

struct Dtype {
    std::string_view name;
    int bits;
};

constexpr std::array dtypes{
    Dtype{"BF16", 16},   Dtype{"F16", 16},    Dtype{"F32", 32},        Dtype{"F64", 64},        Dtype{"F8_E4M3", 8},
    Dtype{"F8_E5M2", 8}, Dtype{"F8_E8M0", 8}, Dtype{"F8_E4M3FNUZ", 8}, Dtype{"F8_E5M2FNUZ", 8}, Dtype{"F6_E2M3", 6},
    Dtype{"F6_E3M2", 6}, Dtype{"F4", 4},      Dtype{"I8", 8},          Dtype{"U8", 8},          Dtype{"I16", 16},
    Dtype{"U16", 16},    Dtype{"I32", 32},    Dtype{"U32", 32},        Dtype{"I64", 64},        Dtype{"U64", 64},
    Dtype{"BOOL", 8},    Dtype{"C64", 64},
};

const Dtype *dtypeNamed(std::string_view name) {
    const auto found = std::ranges::find(dtypes, name, &Dtype::name);
    return found == dtypes.end() ? nullptr : &*found;
}

/// Digits alone, within 63 bits.
bool wholeNumber(std::string_view written, std::int64_t &value) {
    const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), value);
    return error == std::errc() && end == written.data() + written.size() && value >= 0;
}

class HeaderReader {
public:
    HeaderReader(const std::string &path, std::string_view text)
        : m_name(shown(baseName(path), 200)), m_path(path), m_json(text) {}

    bool read(SafetensorsFile &file) {
        if (m_json.next() != JsonPull::Next::Object)
            return refuse("not-json", "its header is no JSON object");
        m_json.beginObject();
        for (std::string key; m_json.nextKey(key);) {
            if (key == "__metadata__") {
                m_json.skip();
                continue;
            }
            if (file.tensors.size() == maxTensors)
                return refuse("out-of-range", "its header lists more than " + writeNumber(maxTensors) + " tensors");
            file.tensors.emplace_back();
            if (!readTensor(std::move(key), file.tensors.back()))
                return false;
        }
        if (!m_json.atEnd())
            return refuse("not-json", "its header is no valid JSON: " +
                                          (m_json.failed() ? m_json.error() : "text behind the object"));
        return checkLayout(file);
    }

    Notes notes;

private:
    static constexpr std::size_t maxTensors = 1'000'000;

    bool refuse(std::string code, const std::string &text) {
        if (!hasError(notes))
            notes.push_back(errorNote(std::move(code), m_path, m_name + ": " + text));
        return false;
    }
    /// A broken text is said to be one, whatever was expected at that place.
    bool refuseTensor(const std::string &tensor, const std::string &text) {
        if (m_json.failed())
            return refuse("not-json", "its header is no valid JSON: " + m_json.error());
        return refuse("bad-header", "its header says of " + shown(tensor) + ": " + text);
    }

    bool readTensor(std::string name, SafetensorsTensor &tensor) {
        tensor.name = std::move(name);
        if (m_json.next() != JsonPull::Next::Object)
            return refuseTensor(tensor.name, "no object with dtype, shape and data_offsets");
        std::string dtype;
        bool hasShape = false, hasOffsets = false;
        m_json.beginObject();
        for (std::string key; m_json.nextKey(key);) {
            if (key == "dtype") {
                if (m_json.next() != JsonPull::Next::String || !m_json.string(dtype))
                    return refuseTensor(tensor.name, "its dtype must be a text");
            } else if (key == "shape") {
                hasShape = true;
                if (!readShape(tensor))
                    return false;
            } else if (key == "data_offsets") {
                hasOffsets = true;
                if (!readOffsets(tensor))
                    return false;
            } else {
                m_json.skip();
            }
        }
        if (m_json.failed() || !hasShape || !hasOffsets || dtype.empty())
            return refuseTensor(tensor.name, std::string(dtype.empty() ? "dtype"
                                                         : !hasShape   ? "shape"
                                                                       : "data_offsets") +
                                                 " is missing");
        return checkSize(tensor, dtype);
    }

    bool readShape(SafetensorsTensor &tensor) {
        tensor.elements = 1;
        if (m_json.next() != JsonPull::Next::Array)
            return refuseTensor(tensor.name, "its shape must be a list");
        m_json.beginArray();
        while (m_json.nextItem()) {
            std::string_view written;
            std::int64_t size = 0;
            if (m_json.next() != JsonPull::Next::Number || !m_json.number(written) || !wholeNumber(written, size))
                return refuseTensor(tensor.name, "its shape must hold whole numbers, none negative" + quoted(written));
            tensor.elements = checked::mul(tensor.elements, size);
        }
        if (tensor.elements == outOfRangeValue)
            return refuseTensor(tensor.name, "its shape is too large: the sizes multiplied overflow 64 bits");
        return !m_json.failed() || refuseTensor(tensor.name, {});
    }

    bool readOffsets(SafetensorsTensor &tensor) {
        const std::string expected = "its data_offsets must be two whole numbers in the range of 64 bits";
        if (m_json.next() != JsonPull::Next::Array)
            return refuseTensor(tensor.name, expected);
        std::array<std::int64_t, 2> offsets{};
        std::size_t count = 0;
        m_json.beginArray();
        for (; m_json.nextItem(); ++count) {
            std::string_view written;
            if (m_json.next() != JsonPull::Next::Number || !m_json.number(written) || count > 1 ||
                !wholeNumber(written, offsets[count]))
                return refuseTensor(tensor.name, expected + quoted(written));
        }
        if (count != 2)
            return refuseTensor(tensor.name, expected);
        tensor.begin = offsets[0];
        tensor.end = offsets[1];
        return tensor.end >= tensor.begin || refuseTensor(tensor.name, "its data_offsets end before they begin");
    }

    static std::string quoted(std::string_view written) { return written.empty() ? "" : ", not " + shown(written, 40); }

    bool checkSize(SafetensorsTensor &tensor, const std::string &dtype) {
        const Dtype *known = dtypeNamed(dtype);
        if (!known) {
            // Three are enough to be told of, and a header may name a million.
            if (m_unknown.size() < 3 && !std::ranges::count(m_unknown, dtype)) {
                m_unknown.push_back(dtype);
                notes.push_back(warningNote("unknown-dtype", m_path,
                                            m_name + ": the dtype " + shown(dtype, 40) + " of " + shown(tensor.name) +
                                                " is not known; its bytes are counted by its data_offsets"));
            }
            return true;
        }
        tensor.dtype = known->name;
        const std::int64_t bits = checked::mul(tensor.elements, known->bits);
        if (bits == outOfRangeValue)
            return refuseTensor(tensor.name, "its shape is too large: its bits overflow 64 bits");
        if (bits % 8 != 0 || bits / 8 != tensor.end - tensor.begin)
            return refuseTensor(tensor.name, "its data_offsets hold " + writeNumber(tensor.end - tensor.begin) +
                                                 " bytes, its shape in " + std::string(known->name) + " makes " +
                                                 writeNumber(checked::ceilDiv(bits, 8)));
        return true;
    }

    /// One behind the other without a hole or an overlap, whatever the order in the header.
    bool checkLayout(SafetensorsFile &file) {
        std::unordered_set<std::string_view> seen;
        seen.reserve(file.tensors.size());
        for (const SafetensorsTensor &tensor : file.tensors)
            if (!seen.insert(tensor.name).second)
                return refuse("duplicate-tensor", "its header lists " + shown(tensor.name) + " twice");
        std::ranges::stable_sort(file.tensors, {},
                                 [](const SafetensorsTensor &t) { return std::pair(t.begin, t.end); });
        std::int64_t next = 0;
        for (const SafetensorsTensor &tensor : file.tensors) {
            if (tensor.begin != next)
                return refuse(
                    "bad-offset",
                    "the data_offsets of " + shown(tensor.name) + " begin at " + writeNumber(tensor.begin) +
                        (tensor.begin > next ? ", which leaves a hole behind " : ", which overlaps what goes to ") +
                        writeNumber(next));
            next = tensor.end;
        }
        file.stored = Bytes(next);
        return true;
    }

    std::string m_name;
    const std::string &m_path;
    JsonPull m_json;
    std::vector<std::string> m_unknown;
};

/// What the first bytes of a file say that is not what its name says; empty: nothing.
std::string guess(std::string_view start) {
    if (start.starts_with("version "))
        return " (this looks like the pointer that Git LFS leaves in place of a file: git lfs pull)";
    if (start.starts_with("PK\x03\x04") || start.starts_with("\x80\x02") || start.starts_with("\x80\x04"))
        return " (this looks like a PyTorch pickle under another name; pickles are never opened)";
    if (start.starts_with("<"))
        return " (this looks like a web page)";
    return {};
}

/// The text of the header, or a refusal.
bool readText(const InputFile &file, std::string &text, std::string &reason, std::string &code) {
    code = "truncated";
    char start[8];
    if (file.readAt(0, start, sizeof start) < sizeof start) {
        reason = "the file is too short: its " + writeNumber(file.size()) + " bytes cannot hold the length of a header";
        return false;
    }
    std::uint64_t length = 0;
    for (int i = 7; i >= 0; --i)
        length = length << 8 | static_cast<unsigned char>(start[i]);
    if (length > static_cast<std::uint64_t>(file.size() - 8)) {
        reason = "its header should be " + std::to_string(length) + " bytes long, beyond the end of the file of " +
                 writeNumber(file.size()) + " bytes" + guess(std::string_view(start, sizeof start));
        return false;
    }
    if (length > static_cast<std::uint64_t>(maxSafetensorsHeader)) {
        code = "out-of-range";
        reason = "its header is too large: a length of " + std::to_string(length) +
                 " bytes, where the limit of the format is " + writeNumber(maxSafetensorsHeader);
        return false;
    }
    text.resize(static_cast<std::size_t>(length));
    if (file.readAt(8, text.data(), text.size()) < text.size()) {
        reason = "the file is cut off inside its header";
        return false;
    }
    code = "not-utf8";
    reason = "its header is no UTF-8, which JSON must be";
    return isUtf8(text);
}

} // namespace

int safetensorsBits(std::string_view dtype) {
    const Dtype *known = dtypeNamed(dtype);
    return known ? known->bits : 0;
}

Parsed<SafetensorsFile> readSafetensors(const std::string &path, std::optional<std::int64_t> length) {
    Parsed<SafetensorsFile> result;
    const Parsed<InputFile> file = InputFile::open(path);
    if (!file) {
        result.notes = file.notes;
        return result;
    }
    const std::string name = shown(baseName(path), 200);
    std::string text, reason, code;
    if (!readText(*file, text, reason, code)) {
        result.notes.push_back(errorNote(code, path, name + ": " + reason));
        return result;
    }
    HeaderReader reader(path, text);
    SafetensorsFile header;
    const bool fine = reader.read(header);
    result.notes = std::move(reader.notes);
    if (!fine)
        return result;
    const std::int64_t there = length.value_or(file->size()) - 8 - static_cast<std::int64_t>(text.size());
    if (there < header.stored.value)
        result.notes.push_back(warningNote("incomplete-file", path,
                                           name + " is incomplete: only " + writeNumber(there) + " of the " +
                                               writeNumber(header.stored.value) + " bytes of its tensors are there"));
    else if (there > header.stored.value)
        result.notes.push_back(
            warningNote("trailing-bytes", path,
                        name + " is longer than its header says: " + writeNumber(there - header.stored.value) +
                            " bytes behind the last tensor belong to none and are not counted"));
    result.value = std::move(header);
    return result;
}

} // namespace kv
