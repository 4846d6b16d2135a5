// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/trace.h"

#include "core/base/inputfile.h"
#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/files/shown.h"
#include "core/workload/delimited.h"
#include "core/workload/jsonrequests.h"
#include "core/workload/usageparts.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

namespace kv {

namespace {

constexpr std::size_t pieceBytes = std::size_t(1) << 20;
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

/// Bytes with a name: a file, or a text that has none.
struct TraceSource {
    std::string name;
    std::int64_t size = 0;
    std::function<std::size_t(std::int64_t at, char *to, std::size_t count)> readAt;
};

/// One reading of one source; what all formats share.
class TraceReading {
public:
    TraceReading(const TraceSource &source, const TraceOptions &options)
        : m_file(source), m_options(options), m_name(oneLine(source.name, 400)),
          m_piece(std::clamp<std::size_t>(static_cast<std::size_t>(source.size), 4096, pieceBytes), '\0') {}

    Parsed<Lengths> read();

private:
    bool refuse(const char *code, const std::string &reason) {
        m_notes.push_back(errorNote(code, m_name, m_name + ": " + reason));
        return false;
    }
    bool next(std::string_view &piece); ///< false at the end, or when it was refused or cancelled
    bool checkText(std::string_view piece);
    bool readDelimited(std::string_view first);
    bool takeHeader(const DelimitedRows::Row &row);
    void placeParts(std::span<const std::string> names, std::vector<bool> &wanted);
    bool takeRow(const DelimitedRows::Row &row);
    bool takeCell(const DelimitedRows::Row &row, std::size_t column, CellNumber &cell);
    void compareTotal(const DelimitedRows::Row &row, std::int64_t sum);
    bool readJson(std::string_view first);
    bool takeJson(JsonRequests &requests, std::string_view text, std::int64_t line);
    void sayLeftOut(std::int64_t rows, std::int64_t firstLine);
    Parsed<Lengths> finished(const LengthCounter &counter);

    const TraceSource &m_file;
    const TraceOptions &m_options;
    std::string m_name;
    std::string m_piece;
    std::int64_t m_at = 0;
    Notes m_notes;
    LengthColumns m_columns;
    std::vector<std::string> m_found;

    LengthCounter m_counter;
    DelimitedRows *m_rows = nullptr;
    ColumnPlaces m_places;
    std::vector<std::pair<std::size_t, UsagePart>> m_parts; ///< columns that belong to input or output
    std::optional<std::size_t> m_total;                     ///< the column that holds their sum
    Points m_points = Points::AreDecimal;
    UsageCheck m_usage;
    bool m_headerTaken = false, m_stopped = false;
    std::size_t m_width = 0;
    std::int64_t m_leftOut = 0, m_firstLeftOut = 0;
    std::int64_t m_unanswered = 0; ///< rows whose output is 0
};

bool TraceReading::next(std::string_view &piece) {
    if (m_options.progress && !m_options.progress(m_at, m_file.size)) {
        m_stopped = true;
        return refuse("cancelled", "reading was cancelled");
    }
    const std::size_t got = m_file.readAt(m_at, m_piece.data(), m_piece.size());
    m_at += static_cast<std::int64_t>(got);
    if (got == 0 && m_at < m_file.size) // half a trace has lengths as well, and other ones
        return refuse("read-failed", "it could be read only in part: it shrank, or its disk failed");
    piece = std::string_view(m_piece).substr(0, got);
    return got > 0 && checkText(piece);
}

bool TraceReading::checkText(std::string_view piece) {
    if (piece.starts_with("\xFF\xFE") || piece.starts_with("\xFE\xFF"))
        return refuse("not-utf8", "the file is UTF-16 text; save it as UTF-8");
    if (std::memchr(piece.data(), '\0', piece.size()))
        return refuse("not-utf8", "the file is binary: it holds NUL bytes; a trace is CSV or JSON text in UTF-8");
    return true;
}

Parsed<Lengths> TraceReading::read() {
    std::string_view piece;
    std::size_t begin = std::string_view::npos;
    while (begin == std::string_view::npos) {
        if (!next(piece)) {
            if (!hasError(m_notes))
                refuse("no-lengths", "the file is empty, there are no rows in it");
            return {std::nullopt, std::move(m_notes)};
        }
        if (piece.starts_with(byteOrderMark) && m_at == static_cast<std::int64_t>(piece.size()))
            piece.remove_prefix(byteOrderMark.size());
        begin = piece.find_first_not_of(" \t\r\n");
    }
    const bool json = piece[begin] == '{' || piece[begin] == '[';
    if (!(json ? readJson(piece) : readDelimited(piece)) || hasError(m_notes))
        return {std::nullopt, std::move(m_notes)};
    return finished(m_counter);
}

bool TraceReading::takeHeader(const DelimitedRows::Row &row) {
    m_headerTaken = true;
    m_width = std::max<std::size_t>(row.filled, 1);
    std::vector<std::string> names(row.cells->begin(), row.cells->begin() + static_cast<std::ptrdiff_t>(std::min(m_width, row.cells->size())));
    for (std::string &name : names)
        name = oneLine(name, 200);
    const bool unnamed = std::ranges::all_of(names, [](const std::string &name) { return readCell(name).fault != CellNumber::Fault::NoNumber; });
    Parsed<ColumnPlaces> places = unnamed ? placeUnnamed(names.size(), m_options.columns, m_name) : placeColumns(names, m_options.columns, m_name);
    m_notes.insert(m_notes.end(), places.notes.begin(), places.notes.end());
    if (!places)
        return false;
    m_places = *places;
    std::vector<bool> wanted(names.size(), false);
    for (const auto &[place, column] : {std::pair(m_places.input, &m_columns.input), {m_places.output, &m_columns.output}, {m_places.total, &m_columns.total}})
        if (place >= 0) {
            wanted[static_cast<std::size_t>(place)] = true;
            *column = unnamed ? std::to_string(place + 1) : names[static_cast<std::size_t>(place)];
        }
    m_found = unnamed ? std::vector<std::string>{} : names;
    if (!unnamed)
        placeParts(names, wanted);
    if (unnamed && !takeRow(row))
        return false;
    m_rows->keepOnly(std::move(wanted));
    return true;
}

void TraceReading::placeParts(std::span<const std::string> names, std::vector<bool> &wanted) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        const UsagePart part = usagePart(names[i], m_columns.input, m_columns.output);
        if (part == UsagePart::None)
            continue;
        wanted[i] = true;
        if (part == UsagePart::Total)
            m_total = i;
        else
            m_parts.emplace_back(i, part);
    }
}

std::string_view textAt(const DelimitedRows::Row &row, std::size_t column) {
    return column < row.cells->size() ? std::string_view((*row.cells)[column]) : std::string_view();
}

/// The number of a cell, or that it is empty; refused where it is neither.
bool TraceReading::takeCell(const DelimitedRows::Row &row, std::size_t column, CellNumber &cell) {
    const std::string_view text = textAt(row, column);
    cell = readCell(text, m_points);
    if (cell.fault == CellNumber::Fault::None || cell.fault == CellNumber::Fault::Empty)
        return true;
    const std::string name = column < m_found.size() ? m_found[column] : "column " + std::to_string(column + 1);
    return refuse(cell.fault == CellNumber::Fault::Range ? "out-of-range" : "bad-value",
                  "line " + writeNumber(row.line) + ": " + name + " is \"" + oneLine(text, 60) + "\", " + std::string(faultWords(cell.fault)));
}

void TraceReading::compareTotal(const DelimitedRows::Row &row, std::int64_t sum) {
    const CellNumber said = m_total ? readCell(textAt(row, *m_total), m_points) : CellNumber{0, CellNumber::Fault::Empty};
    if (said.fault == CellNumber::Fault::None)
        m_usage.compare(m_found[*m_total], said.value, sum, row.line);
}

bool TraceReading::takeRow(const DelimitedRows::Row &row) {
    if (!m_headerTaken)
        return takeHeader(row);
    if (row.filled == 0)
        return true;
    if (row.filled > m_width)
        return refuse("bad-value", "line " + writeNumber(row.line) + ": " + std::to_string(row.filled) + " columns, where the first row has " + std::to_string(m_width));
    std::int64_t sum = 0;
    CellNumber cell;
    for (const int place : {m_places.input, m_places.output, m_places.total}) {
        if (place < 0)
            continue;
        if (!takeCell(row, static_cast<std::size_t>(place), cell))
            return false;
        if (cell.fault == CellNumber::Fault::Empty) { // a request that failed has no answer to count
            if (m_leftOut++ == 0)
                m_firstLeftOut = row.line;
            return true;
        }
        sum = checked::add(sum, cell.value);
        m_unanswered += place == m_places.output && cell.value == 0 ? 1 : 0;
    }
    for (const auto &[column, part] : m_parts) {
        if (!takeCell(row, column, cell))
            return false;
        sum = checked::add(sum, cell.value);
        m_usage.added(m_found[column], part == UsagePart::Input ? m_columns.input : m_columns.output, cell.value);
    }
    if (sum == outOfRangeValue)
        return refuse("out-of-range", "line " + writeNumber(row.line) + ": the tokens of this request together are " + std::string(faultWords(CellNumber::Fault::Range)));
    compareTotal(row, sum);
    m_counter.add(sum);
    return true;
}

bool TraceReading::readDelimited(std::string_view first) {
    // The first line decides the delimiter; a file whose first megabyte is one line is no table.
    const std::size_t begin = first.find_first_not_of(" \r\n");
    const std::size_t end = first.find_first_of("\r\n", begin);
    if (end == std::string_view::npos && m_at < m_file.size)
        return refuse("line-too-long", "the first line is longer than a megabyte; expected a header or a number in each line");
    const std::string_view header = first.substr(begin, end - begin);
    m_points = pointsMayGroup(header) ? Points::MayGroup : Points::AreDecimal;
    DelimitedRows rows(guessDelimiter(header), [this](const DelimitedRows::Row &row) { return takeRow(row); });
    m_rows = &rows;
    std::string_view piece = first;
    do {
        if (!rows.feed(piece))
            return rows.tooWide() ? refuse("bad-value", "line " + writeNumber(rows.tooWide()) + ": more than " + writeNumber(mostTraceColumns) + " columns; a trace has a few, one of them a length") : false;
    } while (next(piece));
    if (hasError(m_notes))
        return false;
    if (const std::int64_t line = rows.openQuoteLine())
        if (rows.finish(); true)
            return refuse("truncated", "line " + writeNumber(line) + ": a quote is opened there and never closed");
    if (!rows.finish())
        return false;
    sayLeftOut(m_leftOut, m_firstLeftOut);
    m_usage.tell(m_notes, m_name);
    if (m_unanswered > 0) // BurstGPT's way to note a request that failed
        m_notes.push_back(warningNote("rows-unanswered", m_name,
                                      m_name + ": " + writeNumber(m_unanswered) + (m_unanswered == 1 ? " request has" : " requests have") +
                                          " an output of 0 tokens and may have failed; counted by the input alone"));
    return true;
}

bool TraceReading::takeJson(JsonRequests &requests, std::string_view text, std::int64_t line) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return true;
    if (!isUtf8(text))
        return refuse("not-utf8", "line " + writeNumber(line) + ": the bytes are no UTF-8");
    const bool fine = requests.read(text, line);
    m_notes.insert(m_notes.end(), requests.notes().begin(), requests.notes().end());
    requests.notes().clear();
    return fine;
}

bool TraceReading::readJson(std::string_view first) {
    JsonRequests requests(m_name, m_options.columns);
    std::string held;
    std::int64_t line = 1;
    std::string_view piece = first;
    const bool lines = areJsonLines(first);
    do {
        std::size_t at = 0;
        for (std::size_t end; lines && (end = piece.find('\n', at)) != std::string_view::npos; at = end + 1, ++line) {
            const bool whole = held.empty();
            held.append(whole ? std::string_view() : piece.substr(at, end - at));
            if (!takeJson(requests, whole ? piece.substr(at, end - at) : std::string_view(held), line))
                return false;
            held.clear();
        }
        held.append(piece.substr(at));
        if (static_cast<std::int64_t>(held.size()) > maxTraceJsonBytes)
            return refuse("line-too-long", "line " + writeNumber(line) + ": a JSON value longer than 256 MiB; give a trace as JSON lines, one request a line");
    } while (next(piece));
    if (hasError(m_notes) || !takeJson(requests, held, line))
        return false;
    sayLeftOut(requests.withoutLength(), requests.firstWithout());
    requests.usage().tell(m_notes, m_name);
    m_found = requests.names();
    const ColumnPlaces &places = requests.places();
    for (const auto &[place, column] : {std::pair(places.input, &m_columns.input), {places.output, &m_columns.output}, {places.total, &m_columns.total}})
        if (place >= 0)
            *column = m_found[static_cast<std::size_t>(place)];
    m_counter = std::move(requests.counter());
    return true;
}

void TraceReading::sayLeftOut(std::int64_t rows, std::int64_t firstLine) {
    if (rows > 0)
        m_notes.push_back(warningNote("rows-left-out", m_name,
                                      m_name + ": " + writeNumber(rows) + (rows == 1 ? " row" : " rows") + " with an empty or missing length left out, the first in line " +
                                          writeNumber(firstLine)));
}

Parsed<Lengths> TraceReading::finished(const LengthCounter &counter) {
    if (counter.count() == 0) {
        refuse("no-lengths", "there are no rows with a length, only the header or nothing");
        return {std::nullopt, std::move(m_notes)};
    }
    Lengths lengths = counter.lengths();
    if (lengths.most == 0) {
        refuse("no-lengths", "every length is 0, so that no request has any tokens");
        return {std::nullopt, std::move(m_notes)};
    }
    if (counter.rounded())
        m_notes.push_back(warningNote("assumption", m_name, m_name + ": lengths above a million tokens are of too many sizes and rounded up to a thousandth"));
    lengths.columns = std::move(m_columns);
    lengths.found = std::move(m_found);
    return {std::move(lengths), std::move(m_notes)};
}

} // namespace

Parsed<Lengths> readTrace(const std::string &path, const TraceOptions &options) {
    Parsed<InputFile> file = InputFile::open(path);
    if (!file)
        return {std::nullopt, std::move(file.notes)};
    const TraceSource source{file->path(), file->size(), [&file](std::int64_t at, char *to, std::size_t count) { return file->readAt(at, to, count); }};
    return TraceReading(source, options).read();
}

Parsed<Lengths> readTraceText(std::string_view text, const std::string &name, const TraceOptions &options) {
    const TraceSource source{name, static_cast<std::int64_t>(text.size()), [text](std::int64_t at, char *to, std::size_t count) {
                                 const std::string_view rest = text.substr(std::min(static_cast<std::size_t>(at), text.size()));
                                 return rest.copy(to, count);
                             }};
    return TraceReading(source, options).read();
}

} // namespace kv
