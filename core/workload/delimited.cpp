// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/delimited.h"

#include "core/workload/columns.h"

#include <algorithm>
#include <array>

namespace kv {

char guessDelimiter(std::string_view line) {
    constexpr std::array marks{',', '\t', ';', '|'};
    std::array<std::size_t, marks.size()> seen{};
    bool quoted = false;
    for (const char c : line) {
        quoted = c == '"' ? !quoted : quoted;
        for (std::size_t i = 0; i < marks.size() && !quoted; ++i)
            seen[i] += c == marks[i] ? 1 : 0;
    }
    return marks[static_cast<std::size_t>(std::ranges::max_element(seen) - seen.begin())];
}

bool pointsMayGroup(std::string_view line) { return guessDelimiter(line) != ',' || line.find(',') == std::string_view::npos; }

void DelimitedRows::append(std::string_view text) {
    m_cellBegun = m_rowBegun = true;
    if (m_filled <= m_column && text.find_first_not_of(" \t") != std::string_view::npos)
        m_filled = m_column + 1;
    if (!keeping())
        return;
    if (m_cells.size() <= m_column)
        m_cells.resize(m_column + 1);
    std::string &cell = m_cells[m_column];
    cell.append(text.substr(0, mostCellBytes - std::min(mostCellBytes, cell.size())));
}

bool DelimitedRows::endCell() {
    m_rowBegun = true;
    ++m_column;
    m_cellBegun = m_quoted = m_quoteInQuotes = false;
    if (m_column >= static_cast<std::size_t>(mostTraceColumns))
        m_tooWide = m_rowLine;
    return m_tooWide == 0;
}

bool DelimitedRows::endRow() {
    bool more = true;
    if (m_filled > 0 || m_column > 0) {
        const std::size_t columns = m_column + 1;
        if (m_cells.size() < columns && m_keepAll)
            m_cells.resize(columns);
        more = m_taker({m_rowLine, columns, m_filled, &m_cells});
    }
    for (std::string &cell : m_cells)
        cell.clear();
    m_column = m_filled = 0;
    m_cellBegun = m_rowBegun = m_quoted = m_quoteInQuotes = false;
    m_rowLine = m_line;
    return more;
}

bool DelimitedRows::feed(std::string_view piece) {
    std::size_t at = 0;
    while (at < piece.size()) {
        const char c = piece[at];
        if (m_quoted && !m_quoteInQuotes) {
            const std::size_t end = std::min(piece.find('"', at), piece.size());
            m_line += std::ranges::count(piece.substr(at, end - at), '\n');
            append(piece.substr(at, end - at));
            m_quoteInQuotes = end < piece.size();
            at = end + 1;
            continue;
        }
        if (m_quoteInQuotes && c == '"') { // a doubled quote is one
            append("\"");
            m_quoteInQuotes = false;
            ++at;
            continue;
        }
        if (m_quoteInQuotes)
            m_quoted = m_quoteInQuotes = false;
        const bool secondOfPair = c == '\n' && m_afterReturn;
        m_afterReturn = false;
        if (c == m_delimiter) {
            if (!endCell())
                return false;
        } else if (c == '\n' || c == '\r') {
            m_afterReturn = c == '\r';
            m_line += secondOfPair ? 0 : 1;
            if (secondOfPair)
                m_rowLine = m_line;
            else if (!endRow())
                return false;
        } else if (c == '"' && !m_cellBegun) {
            m_quoted = m_cellBegun = m_rowBegun = true;
            m_quoteLine = m_line;
        } else {
            std::size_t end = at + 1;
            while (end < piece.size() && piece[end] != m_delimiter && piece[end] != '\n' && piece[end] != '\r')
                ++end;
            append(piece.substr(at, end - at));
            at = end;
            continue;
        }
        ++at;
    }
    return true;
}

bool DelimitedRows::finish() {
    if (m_quoteInQuotes)
        m_quoted = m_quoteInQuotes = false;
    return m_rowBegun ? endRow() : true;
}

} // namespace kv
