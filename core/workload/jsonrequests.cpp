// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/jsonrequests.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/files/jsonpull.h"

#include <algorithm>

namespace kv {

namespace {

/// Objects within a request that are looked into: "response.body.usage", as OpenAI's batches have it. What else lies deeper tells parts of a length.
constexpr int deepest = 3;

} // namespace

bool areJsonLines(std::string_view text) {
    constexpr std::string_view space = " \t\r";
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos)
        return false;
    const std::size_t end = text.find('\n', begin);
    const std::string_view opening = text.substr(begin, end - begin);
    const std::size_t last = opening.find_last_not_of(space);
    const bool endsOpen = last != std::string_view::npos && std::string_view("{[,").find(opening[last]) != std::string_view::npos;
    return end != std::string_view::npos && !endsOpen && opening.find_first_not_of("[{ \t\r") != std::string_view::npos;
}

bool JsonRequests::refuse(const char *code, std::int64_t line, const std::string &reason) {
    m_notes.push_back(errorNote(code, m_file, m_file + ": line " + writeNumber(line) + ": " + reason));
    return false;
}

void JsonRequests::missing(std::int64_t line) {
    if (m_withoutLength++ == 0)
        m_firstWithout = line;
}

bool JsonRequests::number(const std::string &text, const std::string &name, std::int64_t line, std::int64_t &value) {
    const CellNumber cell = readCell(text);
    value = cell.value;
    if (cell.fault == CellNumber::Fault::None)
        return true;
    return refuse(cell.fault == CellNumber::Fault::Range ? "out-of-range" : "bad-value", line,
                  oneLine(name, 60) + " is " + oneLine(text, 60) + ", " + std::string(faultWords(cell.fault)));
}

bool JsonRequests::add(std::int64_t input, std::int64_t output, std::int64_t line) {
    const std::int64_t sum = checked::add(input, output);
    if (sum == outOfRangeValue)
        return refuse("out-of-range", line, "input and output together are out of range");
    m_counter.add(sum);
    return true;
}

const JsonRequests::Member *JsonRequests::member(int place) const {
    if (place < 0)
        return nullptr;
    const auto found = std::ranges::find(m_members, m_names[static_cast<std::size_t>(place)], &Member::name);
    return found == m_members.end() ? nullptr : &*found;
}

/// Of the first request all names; once it is known which of them are lengths, only those.
bool JsonRequests::matters(const std::string &name) const {
    if (!m_placed)
        return true;
    for (const int place : {m_places.input, m_places.output, m_places.total})
        if (place >= 0 && m_names[static_cast<std::size_t>(place)] == name)
            return true;
    return partOf(name) != UsagePart::None;
}

/// What a number beside the lengths adds to them. Not every request has it: the names of the first do not tell.
UsagePart JsonRequests::partOf(const std::string &name) const {
    if (m_places.input < 0 || m_places.output < 0)
        return UsagePart::None;
    return usagePart(name, m_names[static_cast<std::size_t>(m_places.input)], m_names[static_cast<std::size_t>(m_places.output)]);
}

bool JsonRequests::addParts(std::int64_t line, std::int64_t &input, std::int64_t &output) {
    const Member *total = nullptr;
    for (const Member &one : m_members) {
        const UsagePart part = one.list ? UsagePart::None : partOf(one.name);
        if (part == UsagePart::Total)
            total = &one;
        if (part != UsagePart::Input && part != UsagePart::Output)
            continue;
        std::int64_t tokens = 0;
        if (!number(one.numbers.front(), one.name, line, tokens))
            return false;
        std::int64_t &to = part == UsagePart::Input ? input : output;
        to = checked::add(to, tokens);
        m_usage.added(one.name, m_names[static_cast<std::size_t>(part == UsagePart::Input ? m_places.input : m_places.output)], tokens);
    }
    if (!total)
        return true;
    if (const CellNumber said = readCell(total->numbers.front()); said.fault == CellNumber::Fault::None)
        m_usage.compare(total->name, said.value, checked::add(input, output), line);
    return true;
}

/// Numbers and lists of numbers, with their names; the rest is stepped over.
bool JsonRequests::readMembers(JsonPull &json, const std::string &prefix, int depth) {
    if (!json.beginObject())
        return false;
    std::string text;
    for (std::string key; json.nextKey(key);) {
        const std::string name = prefix + key;
        if (std::ssize(m_members) > mostTraceColumns)
            return refuse("bad-value", m_line, "more than " + writeNumber(mostTraceColumns) + " numbers in one request; a request has a few, one of them a length");
        std::string_view written;
        switch (json.next()) {
        case JsonPull::Next::Number:
            if (!json.number(written))
                return false;
            if (matters(name))
                m_members.push_back({name, {std::string(written)}, false});
            break;
        case JsonPull::Next::Array: {
            if (!matters(name)) {
                json.skip();
                break;
            }
            Member list{name, {}, true};
            bool numbers = json.beginArray();
            while (json.nextItem()) {
                if (json.next() == JsonPull::Next::Number && json.number(written))
                    list.numbers.emplace_back(written);
                else
                    numbers = json.skip() && false;
            }
            if (numbers)
                m_members.push_back(std::move(list));
            break;
        }
        case JsonPull::Next::String: {
            // Some logs write counts as text. What no number is, is one only where a number is due.
            if (!json.string(text))
                return false;
            if (m_placed ? matters(name) : readCell(text).fault == CellNumber::Fault::None)
                m_members.push_back({name, {text}, false});
            break;
        }
        case JsonPull::Next::Object:
            if (depth < 1 || (depth < deepest && (key == "body" || key == "usage"))) {
                if (!readMembers(json, name + ".", depth + 1))
                    return false;
            } else {
                json.skip();
            }
            break;
        default:
            json.skip();
        }
        if (json.failed())
            return false;
    }
    return !json.failed();
}

bool JsonRequests::takeLists(const Member *input, const Member *output, const Member *total, std::int64_t line) {
    const Member &first = input ? *input : total ? *total : *output;
    if (input && output && input->numbers.size() != output->numbers.size())
        return refuse("contradiction", line,
                      input->name + " has " + writeNumber(static_cast<std::int64_t>(input->numbers.size())) + " lengths, " + output->name + " has " +
                          writeNumber(static_cast<std::int64_t>(output->numbers.size())) + "; each request needs one of both");
    for (std::size_t i = 0; i < first.numbers.size(); ++i) {
        std::int64_t in = 0, out = 0;
        const std::string at = "[" + std::to_string(i) + "]";
        if (!number(first.numbers[i], first.name + at, line, in))
            return false;
        if (input && output && !number(output->numbers[i], output->name + at, line, out))
            return false;
        if (!add(in, out, line))
            return false;
    }
    return true;
}

bool JsonRequests::takeMembers(std::int64_t line) {
    if (!m_placed) {
        for (const Member &member : m_members)
            m_names.push_back(member.name);
        Parsed<ColumnPlaces> places = placeColumns(m_names, m_wanted, m_file);
        m_notes.insert(m_notes.end(), places.notes.begin(), places.notes.end());
        if (!places)
            return false;
        m_places = *places;
        m_placed = true;
    }
    const Member *input = member(m_places.input), *output = member(m_places.output), *total = member(m_places.total);
    const bool whole = (m_places.input < 0 || input) && (m_places.output < 0 || output) && (m_places.total < 0 || total);
    if (!whole) {
        missing(line);
        return true;
    }
    const bool lists = (!input || input->list) && (!output || output->list) && (!total || total->list);
    if (lists)
        return takeLists(input, output, total, line);
    std::int64_t in = 0, out = 0;
    for (const auto &[part, value] : {std::pair(input, &in), {output, &out}, {total, &in}}) {
        if (part && part->list)
            return refuse("bad-value", line, oneLine(part->name, 60) + " is a list here, and a number elsewhere");
        if (part && !number(part->numbers.front(), part->name, line, *value))
            return false;
    }
    return addParts(line, in, out) && add(in, out, line);
}

bool JsonRequests::readObject(JsonPull &json, std::int64_t line) {
    m_members.clear();
    m_line = line;
    return readMembers(json, {}, 0) && takeMembers(line);
}

bool JsonRequests::readValue(JsonPull &json, std::int64_t line, int depth) {
    std::string_view written;
    std::int64_t value = 0;
    switch (json.next()) {
    case JsonPull::Next::Object:
        return readObject(json, line);
    case JsonPull::Next::Number:
        return json.number(written) && number(std::string(written), "the length", line, value) && add(value, 0, line);
    case JsonPull::Next::Array:
        if (depth > 0)
            return refuse("bad-value", line, "expected a request, found a list within a list");
        json.beginArray();
        while (json.nextItem())
            if (!readValue(json, line, depth + 1))
                return false;
        return !json.failed();
    default:
        if (json.failed() || json.next() == JsonPull::Next::End)
            return json.skip();
        return refuse("bad-value", line, "expected a request, which is an object or a number");
    }
}

bool JsonRequests::read(std::string_view text, std::int64_t line) {
    JsonPull json(text);
    const bool taken = readValue(json, line, 0);
    if (hasError(m_notes))
        return false;
    if (!taken || !json.atEnd())
        return refuse("not-json", line, "not JSON: " + (json.failed() ? json.error() : std::string("more follows after the value")));
    return true;
}

} // namespace kv
