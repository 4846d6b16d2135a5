// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Requests out of JSON text: one object a request (a line of Mooncake's traces, an entry of a list), a bare number a request, or an object
// that holds the lengths of all requests in two lists (the results of vLLM's and SGLang's benchmarks). What an object holds beside the
// lengths is stepped over. Names are looked for in the object itself and one object deeper ("usage.prompt_tokens").

#include "core/workload/columns.h"
#include "core/workload/usageparts.h"

#include <optional>
#include <vector>

namespace kv {

/// Whether a text is JSON lines: its first line is a value by itself. Otherwise the whole is one value.
bool areJsonLines(std::string_view text);

class JsonRequests {
public:
    JsonRequests(std::string file, LengthColumns wanted) : m_file(std::move(file)), m_wanted(std::move(wanted)) {}

    /// One JSON value; `place` ("line 7") goes into messages. False on an error, which notes() then holds.
    bool read(std::string_view text, std::int64_t line);

    LengthCounter &counter() { return m_counter; }
    Notes &notes() { return m_notes; }
    const std::vector<std::string> &names() const { return m_names; }
    const ColumnPlaces &places() const { return m_places; }
    const UsageCheck &usage() const { return m_usage; }
    std::int64_t withoutLength() const { return m_withoutLength; }
    std::int64_t firstWithout() const { return m_firstWithout; }

private:
    struct Member {
        std::string name;
        std::vector<std::string> numbers; ///< as they are written; one unless it is a list
        bool list = false;
    };

    bool readValue(class JsonPull &json, std::int64_t line, int depth);
    bool readObject(class JsonPull &json, std::int64_t line);
    bool readMembers(class JsonPull &json, const std::string &prefix, int depth);
    bool takeMembers(std::int64_t line);
    bool takeLists(const Member *input, const Member *output, const Member *total, std::int64_t line);
    const Member *member(int place) const;
    bool matters(const std::string &name) const;
    UsagePart partOf(const std::string &name) const;
    bool addParts(std::int64_t line, std::int64_t &input, std::int64_t &output);
    bool number(const std::string &text, const std::string &name, std::int64_t line, std::int64_t &value);
    bool add(std::int64_t input, std::int64_t output, std::int64_t line);
    bool refuse(const char *code, std::int64_t line, const std::string &reason);
    void missing(std::int64_t line);

    std::string m_file;
    LengthColumns m_wanted;
    LengthCounter m_counter;
    Notes m_notes;
    std::vector<Member> m_members; ///< of the object at hand; only those whose names can matter once the names are known
    std::vector<std::string> m_names;
    ColumnPlaces m_places;
    UsageCheck m_usage;
    bool m_placed = false;
    std::int64_t m_withoutLength = 0, m_firstWithout = 0;
    std::int64_t m_line = 1; ///< of the request at hand
};

} // namespace kv
