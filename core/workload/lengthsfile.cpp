// SPDX-License-Identifier: GPL-3.0-or-later
//
// workload.lengths of a scenario, read and written.
#include "core/workload/percentiles.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/workload/trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

namespace kv {

namespace {

/// A length as people write it: 2048 or "2k".
std::optional<std::int64_t> tokens(const Json &object, std::string_view key) {
    const Json *value = object.find(key);
    if (value && value->kind() == Json::Kind::Integer && value->integer() >= 0)
        return value->integer();
    if (value && value->isString())
        if (const Parsed<Tokens> read = readTokens(value->text(), key))
            return read->value;
    return std::nullopt;
}

class LengthsReader {
public:
    LengthsReader(const Json &lengths, const std::string &folder, std::string_view place) : m_lengths(lengths), m_folder(folder), m_place(place) {}

    Parsed<SharedLengths> read();

private:
    Parsed<SharedLengths> fault(std::string_view key, const std::string &reason, const char *code = "bad-value") const {
        const std::string where = m_place + (key.empty() ? "" : "." + std::string(key));
        return {std::nullopt, {errorNote(code, where, where + ": " + reason)}};
    }
    Parsed<SharedLengths> readPercentiles() const;
    Parsed<SharedLengths> readMix() const;
    Parsed<SharedLengths> readFile() const;
    std::optional<Lengths> embedded(const Json &trace) const;
    LengthColumns columns() const;

    const Json &m_lengths;
    const std::string &m_folder;
    std::string m_place;
};

Parsed<SharedLengths> shared(Lengths lengths, Notes notes = {}) {
    return {SharedLengths{std::make_shared<const Lengths>(std::move(lengths))}, std::move(notes)};
}

Parsed<SharedLengths> LengthsReader::read() {
    if (m_lengths.find("file"))
        return readFile();
    if (m_lengths.find("classes"))
        return readMix();
    if (m_lengths.find("p50"))
        return readPercentiles();
    return fault("", "expected null, {\"p50\", \"p90\", \"p99\"}, {\"file\": …} or {\"classes\": […]}, found " + oneLine(writeJson(m_lengths), 80));
}

Parsed<SharedLengths> LengthsReader::readPercentiles() const {
    constexpr std::array keys{"p50", "p90", "p99"};
    std::array<std::int64_t, 3> lengths{};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::optional<std::int64_t> length = tokens(m_lengths, keys[i]);
        if (!length || *length < 1)
            return fault(keys[i], "expected a length in tokens of 1 or more; a distribution needs p50, p90 and p99", m_lengths.find(keys[i]) ? "bad-value" : "missing-key");
        lengths[i] = *length;
    }
    if (lengths[0] > lengths[1] || lengths[1] > lengths[2])
        return fault("", "p50, p90 and p99 must not fall, found " + writeNumber(lengths[0]) + ", " + writeNumber(lengths[1]) + ", " + writeNumber(lengths[2]), "contradiction");
    return shared(lengthsThrough(lengths[0], lengths[1], lengths[2]));
}

Parsed<SharedLengths> LengthsReader::readMix() const {
    Parsed<std::vector<RequestClass>> classes = readClasses(*m_lengths.find("classes"), m_place + ".classes");
    return classes ? shared(lengthsOf(*classes)) : Parsed<SharedLengths>{std::nullopt, std::move(classes.notes)};
}

LengthColumns LengthsReader::columns() const {
    LengthColumns columns;
    const Json *said = m_lengths.find("columns");
    if (!said || !said->isObject())
        return columns;
    for (const auto &[key, field] : {std::pair("input", &columns.input), {"output", &columns.output}, {"total", &columns.total}})
        if (const Json *name = said->find(key); name && name->isString())
            *field = name->text();
    return columns;
}

Parsed<SharedLengths> LengthsReader::readFile() const {
    const Json &file = *m_lengths.find("file");
    if (!file.isString() || file.text().empty())
        return fault("file", "expected the path of a trace, found " + describe(file));
    if (const Json *trace = m_lengths.find("trace"); trace && trace->isObject())
        if (std::optional<Lengths> kept = embedded(*trace))
            return shared(std::move(*kept));
    const std::string path = m_folder.empty() ? file.text() : (std::filesystem::path(m_folder) / file.text()).lexically_normal().string();
    const LengthColumns named = columns();
    if (!named.total.empty() && (!named.input.empty() || !named.output.empty()))
        return fault("columns", "\"total\" is input and output together: name it alone, or the two without it");
    Parsed<Lengths> read = readTrace(path, {named, {}});
    if (!read)
        return {std::nullopt, std::move(read.notes)};
    return shared(std::move(*read.value), std::move(read.notes));
}

/// What embeddedTrace wrote; nothing where it is not understood, so that the file is asked.
std::optional<Lengths> LengthsReader::embedded(const Json &trace) const {
    Lengths lengths;
    const Json *bins = trace.find("bins");
    for (const auto &[key, field] : {std::pair("count", &lengths.count), {"p50", &lengths.p50}, {"p90", &lengths.p90}, {"p99", &lengths.p99}, {"max", &lengths.most}}) {
        const Json *number = trace.find(key);
        if (!number || number->kind() != Json::Kind::Integer || number->integer() < 0)
            return std::nullopt;
        *field = number->integer();
    }
    const Json *mean = trace.find("mean");
    if (!mean || !mean->isNumber() || !bins || !bins->isArray() || bins->items().size() > Lengths::mostBins + 2)
        return std::nullopt;
    lengths.mean = mean->real();
    lengths.columns = columns();
    if (const Json *found = trace.find("found"); found && found->isArray())
        for (const Json &name : found->items())
            lengths.found.push_back(name.text());
    for (const Json &bin : bins->items()) {
        const bool pair = bin.isArray() && bin.items().size() == 2 && bin.items()[0].kind() == Json::Kind::Integer && bin.items()[1].kind() == Json::Kind::Integer;
        if (!pair || bin.items()[0].integer() < 0 || bin.items()[1].integer() < 1)
            return std::nullopt;
        lengths.bins.push_back({bin.items()[0].integer(), static_cast<double>(bin.items()[1].integer())});
    }
    if (lengths.bins.empty() || std::ranges::adjacent_find(lengths.bins, std::ranges::greater_equal(), &LengthBin::tokens) != lengths.bins.end())
        return std::nullopt;
    return lengths;
}

} // namespace

namespace {

/// One class of the list; its faults are added to `notes`.
RequestClass readClass(const Json &item, const std::string &at, Notes &notes) {
    RequestClass one;
    const auto fault = [&](const std::string &key, const std::string &reason, const char *code = "bad-value") {
        notes.push_back(errorNote(code, at + key, at + key + ": " + reason));
        return one;
    };
    if (!item.isObject())
        return fault("", "expected {\"name\", \"share\", \"input\", \"output\"}, found " + describe(item));
    if (const Json *name = item.find("name"); name && name->isString())
        one.name = name->text();
    const Json *share = item.find("share");
    if (!share || !(share->kind() == Json::Kind::Integer || share->kind() == Json::Kind::Real) || !(share->real() >= 0))
        return fault(".share", "expected a number of 0 or more, the share of the requests that are of this class", share ? "bad-value" : "missing-key");
    one.share = share->real();
    for (const auto &[key, field] : {std::pair("input", &one.input), {"output", &one.output}, {"media", &one.media}}) {
        const std::optional<std::int64_t> length = tokens(item, key);
        const Json *there = item.find(key);
        if (!length && (field != &one.media || (there && !there->isNull())))
            return fault("." + std::string(key), "expected a length in tokens, found " + (there ? describe(*there) : "nothing"), there ? "bad-value" : "missing-key");
        *field = length.value_or(0);
    }
    if (checked::add(one.input, one.output) == outOfRangeValue)
        return fault("", "input and output together are out of range", "out-of-range");
    if (one.media > one.input)
        return fault(".media", writeNumber(one.media) + " tokens of images and sound are more than the input of " + writeNumber(one.input) + ", which they are a part of", "contradiction");
    return one;
}

} // namespace

Parsed<std::vector<RequestClass>> readClasses(const Json &list, std::string_view place) {
    const std::string at(place);
    if (!list.isArray() || list.items().empty())
        return {std::nullopt, {errorNote("bad-value", at, at + ": expected a list of {\"name\", \"share\", \"input\", \"output\"}, found " + describe(list))}};
    Parsed<std::vector<RequestClass>> out{std::vector<RequestClass>(), {}};
    double shares = 0;
    for (std::size_t i = 0; i < list.items().size() && out.notes.empty(); ++i) {
        out.value->push_back(readClass(list.items()[i], at + "[" + std::to_string(i) + "]", out.notes));
        shares += out.value->back().share;
    }
    if (out.notes.empty() && !(shares > 0 && std::isfinite(shares)))
        out.notes.push_back(errorNote("bad-value", at, at + (shares > 0 ? ": the shares together are out of range" : ": no class has a share above 0")));
    if (!out.notes.empty())
        out.value.reset();
    return out;
}

Json classesJson(const std::vector<RequestClass> &classes) {
    Json out = Json::array();
    for (const RequestClass &one : classes) {
        Json item = Json::object();
        item.set("name", one.name);
        const bool whole = one.share == std::floor(one.share) && one.share < 9e15;
        item.set("share", whole ? Json(static_cast<std::int64_t>(one.share)) : Json(one.share));
        item.set("input", one.input);
        item.set("output", one.output);
        if (one.media > 0)
            item.set("media", one.media);
        out.push(std::move(item));
    }
    return out;
}

Parsed<SharedLengths> readLengths(const Json &lengths, const std::string &folder, std::string_view place) {
    return LengthsReader(lengths, folder, place).read();
}

Json columnsJson(const LengthColumns &columns) {
    Json out = Json::object();
    for (const auto &[key, name] : {std::pair("input", &columns.input), {"output", &columns.output}, {"total", &columns.total}})
        if (!name->empty())
            out.set(key, *name);
    return out;
}

Json embeddedTrace(const Lengths &lengths) {
    Json out = Json::object();
    out.set("count", lengths.count);
    out.set("p50", lengths.p50);
    out.set("p90", lengths.p90);
    out.set("p99", lengths.p99);
    out.set("max", lengths.most);
    out.set("mean", lengths.mean);
    Json &found = out.set("found", Json::array());
    for (const std::string &name : lengths.found)
        found.push(name);
    Json &bins = out.set("bins", Json::array());
    for (const LengthBin &bin : lengths.bins) {
        Json pair = Json::array();
        pair.push(bin.tokens);
        pair.push(static_cast<std::int64_t>(bin.weight));
        bins.push(std::move(pair));
    }
    return out;
}

} // namespace kv
