// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first rows of a trace, from its first megabyte alone: what a person chooses the columns by. Tolerant where readTrace() is strict:
// what cannot be read is left out here and refused there.
#include "core/workload/trace.h"

#include "core/base/inputfile.h"
#include "core/base/plaintext.h"
#include "core/files/jsonpull.h"
#include "core/files/shown.h"
#include "core/workload/delimited.h"
#include "core/workload/jsonrequests.h"

#include <algorithm>

namespace kv {

namespace {

constexpr std::size_t previewBytes = std::size_t(1) << 20;
constexpr std::size_t cellBytes = 60;
constexpr std::size_t mostShown = 64; ///< columns; the lengths are among the first of any trace known

std::string shown(std::string_view cell) { return oneLine(cell, cellBytes); }

/// One request's numbers by name, in the order of the first request.
class JsonRows {
public:
    JsonRows(TracePreview &preview, std::size_t most) : m_preview(preview), m_most(most) {}

    bool full() const { return m_preview.rows.size() >= m_most; }
    void value(JsonPull &json) {
        if (json.next() == JsonPull::Next::Array) {
            json.beginArray();
            while (!full() && json.nextItem())
                value(json);
        } else if (json.next() == JsonPull::Next::Object) {
            m_lists.clear();
            m_row.assign(m_preview.names.size(), {});
            members(json, {}, 0);
            finish();
        } else if (std::string_view number; json.next() == JsonPull::Next::Number && json.number(number)) {
            m_row.assign(m_preview.names.size(), {});
            put("length", shown(number));
            finish();
        } else {
            json.skip();
        }
    }

private:
    std::size_t place(const std::string &name) {
        const auto found = std::ranges::find(m_preview.names, name);
        if (found != m_preview.names.end())
            return static_cast<std::size_t>(found - m_preview.names.begin());
        if (!m_preview.rows.empty() || m_preview.names.size() >= mostShown)
            return mostShown;
        m_preview.names.push_back(name);
        return m_preview.names.size() - 1;
    }
    void put(const std::string &name, std::string cell) {
        const std::size_t at = place(name);
        if (at == mostShown)
            return;
        m_row.resize(std::max(m_row.size(), at + 1));
        m_row[at] = std::move(cell);
    }
    void members(JsonPull &json, const std::string &prefix, int depth) {
        json.beginObject();
        std::string text;
        for (std::string key; json.nextKey(key);) {
            const std::string name = prefix + key;
            std::string_view number;
            switch (json.next()) {
            case JsonPull::Next::Number:
                if (json.number(number))
                    put(name, shown(number));
                break;
            case JsonPull::Next::String:
                if (json.string(text) && readCell(text).fault == CellNumber::Fault::None)
                    put(name, shown(text));
                break;
            case JsonPull::Next::Array:
                list(json, name);
                break;
            case JsonPull::Next::Object:
                if (depth < 1)
                    members(json, name + ".", depth + 1);
                else
                    json.skip();
                break;
            default:
                json.skip();
            }
        }
    }
    /// A list of numbers is a column of its own, a request an item. One that goes on beyond what was read counts as far as it goes.
    void list(JsonPull &json, const std::string &name) {
        std::vector<std::string> cells;
        bool numbers = json.beginArray();
        for (std::string_view number; json.nextItem();) {
            if (json.next() != JsonPull::Next::Number)
                numbers = json.skip() && false;
            else if (json.number(number) && cells.size() < m_most)
                cells.push_back(shown(number));
        }
        if ((numbers || json.failed()) && !cells.empty() && place(name) != mostShown)
            m_lists.emplace_back(place(name), std::move(cells));
    }
    void finish() {
        if (m_lists.empty()) {
            m_row.resize(m_preview.names.size());
            m_preview.rows.push_back(m_row);
            return;
        }
        std::size_t most = 0;
        for (const auto &[at, cells] : m_lists)
            most = std::max(most, cells.size());
        for (std::size_t i = 0; i < most && !full(); ++i) {
            std::vector<std::string> row(m_preview.names.size());
            for (const auto &[at, cells] : m_lists)
                if (i < cells.size())
                    row[at] = cells[i];
            m_preview.rows.push_back(std::move(row));
        }
    }

    TracePreview &m_preview;
    std::size_t m_most;
    std::vector<std::string> m_row;
    std::vector<std::pair<std::size_t, std::vector<std::string>>> m_lists;
};

void previewJson(std::string_view text, std::size_t most, TracePreview &preview) {
    preview.header = true;
    JsonRows rows(preview, most);
    if (!areJsonLines(text)) {
        JsonPull json(text);
        rows.value(json);
        return;
    }
    while (!text.empty() && !rows.full()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos)
            continue;
        JsonPull json(line);
        rows.value(json);
    }
}

void previewDelimited(std::string_view text, std::size_t most, TracePreview &preview) {
    const std::size_t begin = text.find_first_not_of(" \r\n");
    const std::size_t end = text.find_first_of("\r\n", begin);
    DelimitedRows rows(guessDelimiter(text.substr(begin, end - begin)), [&](const DelimitedRows::Row &row) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < std::min({row.filled, row.cells->size(), mostShown}); ++i)
            cells.push_back(shown((*row.cells)[i]));
        if (preview.names.empty()) {
            preview.header = std::ranges::any_of(cells, [](const std::string &cell) { return readCell(cell).fault == CellNumber::Fault::NoNumber; });
            preview.names = cells;
            for (std::size_t i = 0; !preview.header && i < cells.size(); ++i)
                preview.names[i] = std::to_string(i + 1);
            if (preview.header)
                return true;
        }
        cells.resize(preview.names.size());
        preview.rows.push_back(std::move(cells));
        return preview.rows.size() < most;
    });
    if (rows.feed(text))
        rows.finish();
}

LengthColumns guessOf(const TracePreview &preview, const std::string &file) {
    const Parsed<ColumnPlaces> places = preview.header ? placeColumns(preview.names, {}, file) : placeUnnamed(preview.names.size(), {}, file);
    LengthColumns guess;
    if (!places)
        return guess;
    for (const auto &[place, column] : {std::pair(places->input, &guess.input), {places->output, &guess.output}, {places->total, &guess.total}})
        if (place >= 0)
            *column = preview.names[static_cast<std::size_t>(place)];
    return guess;
}

} // namespace

Parsed<TracePreview> previewTrace(const std::string &path, std::size_t most) {
    Parsed<InputFile> file = InputFile::open(path);
    if (!file)
        return {std::nullopt, std::move(file.notes)};
    std::string held(previewBytes, '\0');
    held.resize(file->readAt(0, held.data(), held.size()));
    std::string_view text = held;
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::string name = oneLine(path, 400);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos)
        return {std::nullopt, {errorNote("no-lengths", name, name + ": the file is empty, there are no rows in it")}};
    // A piece that ends within a letter is text all the same.
    const std::size_t last = std::min(text.size(), text.find_last_of('\n') + 1);
    if (text.find('\0') != std::string_view::npos || !isUtf8(last > 0 ? text.substr(0, last) : text))
        return {std::nullopt, {errorNote("not-utf8", name, name + ": the bytes are no UTF-8; a trace is CSV or JSON text in UTF-8")}};
    Parsed<TracePreview> out{TracePreview{}, {}};
    if (text[begin] == '{' || text[begin] == '[')
        previewJson(text, most, *out.value);
    else
        previewDelimited(text, most, *out.value);
    if (out->names.empty())
        return {std::nullopt, {errorNote("no-lengths", name, name + ": there are no columns to choose from")}};
    out.value->guess = guessOf(*out.value, name);
    return out;
}

} // namespace kv
