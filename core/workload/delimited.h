// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows of delimited text (CSV, TSV, semicolons, bars), fed piece by piece: only the cells asked for are kept, so that prompts of any
// length cost nothing. Quoting as RFC 4180 has it: a quoted cell may hold delimiters, doubled quotes and line breaks. Lines end with
// LF, CR LF or CR; blank lines are no rows. Lines are counted as an editor counts them.

#include "core/base/units.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

/// The delimiter of a line: of comma, tab, semicolon and bar the one that it has most of, outside quotes; a comma where it has none.
char guessDelimiter(std::string_view line);

/// Whether numbers of such a file may have points between thousands: one that is separated by commas hardly comes from where commas are decimal.
bool pointsMayGroup(std::string_view line);

class DelimitedRows {
public:
    struct Row {
        std::int64_t line = 1;    ///< where it begins, from 1
        std::size_t columns = 0;  ///< trailing empty ones included
        std::size_t filled = 0;   ///< up to the last one that is not empty
        const std::vector<std::string> *cells = nullptr; ///< those kept, by column; empty texts for the others
    };
    /// Returns false to end the reading.
    using Taker = std::function<bool(const Row &)>;

    DelimitedRows(char delimiter, Taker taker) : m_delimiter(delimiter), m_taker(std::move(taker)) {}

    /// Which columns are kept from the next row on; nothing said: all.
    void keepOnly(std::vector<bool> wanted) { m_wanted = std::move(wanted), m_keepAll = false; }

    bool feed(std::string_view piece); ///< false once the taker has had enough, or a row has too many columns
    std::int64_t tooWide() const { return m_tooWide; } ///< the line of that row; 0: none had
    bool finish();
    std::int64_t openQuoteLine() const { return m_quoted ? m_quoteLine : 0; } ///< 0: no quote is open

    static constexpr std::size_t mostCellBytes = 64 * kibibyte; ///< of a kept cell; what exceeds it is dropped: no number is as long

private:
    bool keeping() const { return m_keepAll || (m_column < m_wanted.size() && m_wanted[m_column]); }
    void append(std::string_view text);
    bool endCell();
    bool endRow();

    char m_delimiter;
    Taker m_taker;
    std::vector<bool> m_wanted;
    bool m_keepAll = true;
    std::vector<std::string> m_cells;
    std::size_t m_column = 0, m_filled = 0;
    std::int64_t m_line = 1, m_rowLine = 1, m_quoteLine = 0, m_tooWide = 0;
    bool m_quoted = false, m_quoteInQuotes = false, m_cellBegun = false, m_rowBegun = false, m_afterReturn = false;
};

} // namespace kv
