// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table in plain text, Markdown, CSV or HTML, from the same cells: columns aligned, numbers to the right. Widths count code points.

#include <string>
#include <string_view>
#include <vector>

namespace kv {

class TextTable {
public:
    enum class Align : unsigned char { Left, Right };

    TextTable &column(std::string_view title, Align align = Align::Left);
    /// Cells in the order of the columns; missing ones are empty.
    void row(std::vector<std::string> cells);
    bool empty() const { return m_rows.empty(); }

    /// Two spaces between columns, `indent` before the first, no blanks at a line's end; with or without the titles.
    std::string text(std::size_t indent = 0, bool titles = true) const;
    std::string markdown() const;
    std::string csv() const; ///< RFC 4180
    std::string html(bool titles = true) const;

private:
    struct Column {
        std::string title;
        Align align;
    };
    std::vector<std::size_t> widths(bool titles) const;

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace kv
