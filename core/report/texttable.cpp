// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/texttable.h"

#include "core/base/plaintext.h"
#include "core/report/csv.h"
#include "core/report/html.h"
#include "core/report/markdown.h"

#include <algorithm>

namespace kv {

namespace {

void appendPadded(std::string &out, std::string_view cell, std::size_t width, TextTable::Align align) {
    const std::size_t blanks = width - std::min(width, columnsOf(cell));
    if (align == TextTable::Align::Right)
        out.append(blanks, ' ');
    out += cell;
    if (align == TextTable::Align::Left)
        out.append(blanks, ' ');
}


} // namespace

TextTable &TextTable::column(std::string_view title, Align align) {
    m_columns.push_back({std::string(title), align});
    return *this;
}

void TextTable::row(std::vector<std::string> cells) {
    cells.resize(m_columns.size());
    m_rows.push_back(std::move(cells));
}

std::vector<std::size_t> TextTable::widths(bool titles) const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        std::size_t width = titles ? columnsOf(m_columns[i].title) : 0;
        for (const auto &row : m_rows)
            width = std::max(width, columnsOf(row[i]));
        widths.push_back(width);
    }
    return widths;
}

std::string TextTable::text(std::size_t indent, bool titles) const {
    const std::vector<std::size_t> wide = widths(titles);
    std::string out;
    const auto line = [&](auto cell) {
        std::string text(indent, ' ');
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            if (i > 0)
                text += "  ";
            appendPadded(text, cell(i), wide[i], m_columns[i].align);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + "\n";
    };
    if (titles)
        line([&](std::size_t i) { return std::string_view(m_columns[i].title); });
    for (const auto &row : m_rows)
        line([&](std::size_t i) { return std::string_view(row[i]); });
    return out;
}

std::string TextTable::markdown() const {
    std::string out = "|";
    for (const Column &column : m_columns)
        out += " " + markdownText(column.title) + " |";
    out += "\n|";
    for (const Column &column : m_columns)
        out += column.align == Align::Right ? "---:|" : "---|";
    for (const auto &row : m_rows) {
        out += "\n|";
        for (const std::string &cell : row)
            out += " " + markdownText(cell) + " |";
    }
    return out + "\n";
}

std::string TextTable::csv() const {
    std::string out;
    const auto line = [&](auto cell) {
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            out += (i > 0 ? "," : "") + csvCell(oneLine(cell(i)));
        out += "\n";
    };
    line([&](std::size_t i) { return std::string_view(m_columns[i].title); });
    for (const auto &row : m_rows)
        line([&](std::size_t i) { return std::string_view(row[i]); });
    return out;
}

std::string TextTable::html(bool titles) const {
    std::string out = "<table>\n";
    const auto line = [&](std::string_view name, auto cell) {
        out += "<tr>";
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            out += "<" + std::string(name) + (m_columns[i].align == Align::Right ? " class=\"n\">" : ">") + htmlText(cell(i)) + "</" + std::string(name) + ">";
        out += "</tr>\n";
    };
    if (titles)
        line("th", [&](std::size_t i) { return std::string_view(m_columns[i].title); });
    for (const auto &row : m_rows)
        line("td", [&](std::size_t i) { return std::string_view(row[i]); });
    return out + "</table>\n";
}

} // namespace kv
