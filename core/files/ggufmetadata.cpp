// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/files/ggufparse.h"
#include "core/files/shown.h"

#include <array>
#include <bit>
#include <unordered_set>

namespace kv::gguf {

namespace {

constexpr std::uint64_t maxKeyBytes = 65'535; // the format's own limit for keys
constexpr std::uint64_t maxKeptText = 1'024;  // licences and chat templates are longer and say nothing about memory
constexpr std::uint64_t maxKeptTexts = 64;

std::string count(std::uint64_t n) {
    return n > static_cast<std::uint64_t>(INT64_MAX) ? std::to_string(n) : writeNumber(static_cast<std::int64_t>(n));
}

Json unsignedNumber(std::uint64_t n) {
    if (n > static_cast<std::uint64_t>(INT64_MAX))
        return Json::number(static_cast<double>(n), std::to_string(n));
    return Json(static_cast<std::int64_t>(n));
}

Json realNumber(double n) {
    if (n != n)
        return Json::number(n, "NaN");
    if (n - n != 0)
        return Json::number(n, n > 0 ? "Infinity" : "-Infinity");
    return Json(n);
}

Json readNumber(ForwardReader &in, std::uint32_t type) {
    switch (type) {
    case 0:
        return Json(std::int64_t{in.u8()});
    case 1:
        return Json(std::int64_t{static_cast<std::int8_t>(in.u8())});
    case 2:
        return Json(std::int64_t{in.u16()});
    case 3:
        return Json(std::int64_t{static_cast<std::int16_t>(in.u16())});
    case 4:
        return Json(std::int64_t{in.u32()});
    case 5:
        return Json(std::int64_t{static_cast<std::int32_t>(in.u32())});
    case 6:
        return realNumber(static_cast<double>(std::bit_cast<float>(in.u32())));
    case 7:
        return Json(in.u8() != 0);
    case 10:
        return unsignedNumber(in.u64());
    case 11:
        return Json(static_cast<std::int64_t>(in.u64()));
    default:
        return realNumber(std::bit_cast<double>(in.u64()));
    }
}

Json summary(std::string_view type, std::uint64_t n) {
    Json result = Json::object();
    result.set("type", Json(type));
    result.set("count", unsignedNumber(n));
    return result;
}

/// The length of a text, held against what is left of the file.
bool readLength(Parse &parse, const std::string &key, std::uint64_t &length) {
    length = parse.in.u64();
    if (parse.in.failed())
        return parse.cutOff("the value of " + key);
    if (length > static_cast<std::uint64_t>(parse.in.remaining()))
        return parse.refuse("truncated", key + " holds a string with a length of " + count(length) +
                                             " bytes, but the file ends after " +
                                             count(static_cast<std::uint64_t>(parse.in.remaining())));
    return true;
}

bool readText(Parse &parse, const std::string &key, Json &value) {
    std::uint64_t length = 0;
    if (!readLength(parse, key, length))
        return false;
    if (length > maxKeptText) {
        parse.in.skip(length);
        value = summary("string", length);
        return true;
    }
    const std::string text = parse.in.text(static_cast<std::size_t>(length));
    if (key == "general.architecture" && !isUtf8(text))
        return parse.refuse("not-utf8", "general.architecture is no UTF-8: \"" + shown(text) + "\"");
    value = Json(asUtf8(text));
    return true;
}

/// Vocabularies have hundreds of thousands of texts, so those are stepped over a buffer at a time.
bool skipTexts(Parse &parse, const std::string &key, std::uint64_t n) {
    for (std::uint64_t left = n; left > 0 && !parse.in.failed();) {
        left -= parse.in.skipTexts(left);
        if (left == 0)
            break;
        std::uint64_t length = 0;
        if (!readLength(parse, key, length))
            return false;
        parse.in.skip(length);
        --left;
    }
    return !parse.in.failed() || parse.cutOff("the texts of " + key);
}

bool readTexts(Parse &parse, const std::string &key, std::uint64_t n, Json &value) {
    if (n > maxKeptTexts || key.starts_with("tokenizer.")) {
        value = summary("string", n);
        return skipTexts(parse, key, n);
    }
    value = Json::array();
    for (std::uint64_t i = 0; i < n; ++i) {
        Json item;
        if (!readText(parse, key, item))
            return false;
        value.push(std::move(item));
    }
    return !parse.in.failed() || parse.cutOff("the texts of " + key);
}

bool readArray(Parse &parse, const std::string &key, Json &value) {
    const std::uint32_t type = parse.in.u32();
    if (parse.in.failed())
        return parse.cutOff("the element type of " + key);
    if (type == arrayType)
        return parse.refuse("nested-array",
                            key + " is an array of arrays; nested arrays are not part of the format that engines read");
    const ValueType element = valueType(type);
    if (element.name.empty())
        return parse.refuse("unknown-type", key + " is an array of the unknown value type " + std::to_string(type));
    const std::uint64_t n = parse.in.u64();
    if (parse.in.failed())
        return parse.cutOff("the element count of " + key);
    const std::uint64_t least = element.bytes > 0 ? element.bytes : 8; // a text has at least its length
    if (n > static_cast<std::uint64_t>(parse.in.remaining()) / least)
        return parse.refuse("truncated", key + " announces an array with a count of " + count(n) +
                                             " elements, but the file ends after " +
                                             count(static_cast<std::uint64_t>(parse.in.remaining())) + " more bytes");
    if (type == stringType)
        return readTexts(parse, key, n, value);
    if (n > maxKeptElements || key.starts_with("tokenizer.")) {
        parse.in.skip(n * element.bytes);
        value = summary(element.name, n);
    } else {
        value = Json::array();
        value.items().reserve(static_cast<std::size_t>(n));
        for (std::uint64_t i = 0; i < n; ++i)
            value.push(readNumber(parse.in, type));
    }
    return !parse.in.failed() || parse.cutOff("the elements of " + key);
}

bool readValue(Parse &parse, const std::string &key, Json &value) {
    const std::uint32_t type = parse.in.u32();
    if (parse.in.failed())
        return parse.cutOff("the value type of " + key);
    if (type == arrayType)
        return readArray(parse, key, value);
    if (type == stringType)
        return readText(parse, key, value);
    if (valueType(type).name.empty())
        return parse.refuse("unknown-type",
                            key + " has the unknown value type " + std::to_string(type) + " (the last is 12)");
    value = readNumber(parse.in, type);
    return !parse.in.failed() || parse.cutOff("the value of " + key);
}

} // namespace

ValueType valueType(std::uint32_t type) {
    static constexpr std::array<ValueType, 13> types{{{"u8", 1},
                                                      {"i8", 1},
                                                      {"u16", 2},
                                                      {"i16", 2},
                                                      {"u32", 4},
                                                      {"i32", 4},
                                                      {"f32", 4},
                                                      {"bool", 1},
                                                      {"string", 0},
                                                      {"array", 0},
                                                      {"u64", 8},
                                                      {"i64", 8},
                                                      {"f64", 8}}};
    return type < types.size() ? types[type] : ValueType{};
}

bool readMetadata(Parse &parse, std::uint64_t keys, Json &metadata) {
    std::unordered_set<std::string> seen;
    for (std::uint64_t i = 0; i < keys; ++i) {
        const std::uint64_t length = parse.in.u64();
        if (parse.in.failed())
            return parse.cutOff("key " + count(i + 1) + " of " + count(keys));
        if (length > static_cast<std::uint64_t>(parse.in.remaining()))
            return parse.refuse("truncated", "key " + count(i + 1) + " has a length of " + count(length) +
                                                 " bytes, but the file ends after " +
                                                 count(static_cast<std::uint64_t>(parse.in.remaining())));
        if (length > maxKeyBytes)
            return parse.refuse("bad-key",
                                "key " + count(i + 1) + " has " + count(length) + " bytes; 65,535 is the most");
        const std::string name = parse.in.text(static_cast<std::size_t>(length));
        const std::string key = shown(name);
        if (!seen.insert(name).second)
            return parse.refuse("duplicate-key", key + " is given twice");
        Json value;
        if (!readValue(parse, isUtf8(name) ? name : key, value))
            return false;
        if (isUtf8(name)) // a key that is no text is nobody's fact; it is stepped over
            metadata.members().emplace_back(name, std::move(value));
    }
    return true;
}

} // namespace kv::gguf
