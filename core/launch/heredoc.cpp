// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/heredoc.h"

#include "core/base/plaintext.h"

#include <algorithm>
#include <optional>

namespace kv {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string_view takeLine(std::string_view &text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/// The first word, without quotes around it.
std::string firstWord(std::string_view text) {
    text = trimmed(text);
    if (!text.empty() && (text.front() == '\'' || text.front() == '"'))
        return std::string(text.substr(1, std::min(text.find(text.front(), 1), text.size()) - 1));
    if (text.starts_with('\\'))
        text.remove_prefix(1);
    return std::string(text.substr(0, text.find_first_of(" \t\r;&|<>")));
}

struct Opening {
    std::string file, end;
    bool dropsTabs = false; ///< <<-
};

std::optional<Opening> openingOf(std::string_view line) {
    std::string_view command = trimmed(line);
    if (command.starts_with("sudo "))
        command = trimmed(command.substr(5));
    const std::size_t at = command.find("<<");
    const bool cat = command.starts_with("cat "), tee = command.starts_with("tee ");
    if ((!cat && !tee) || at == std::string_view::npos || command.substr(at).starts_with("<<<"))
        return std::nullopt;
    Opening opening;
    opening.dropsTabs = command.substr(at).starts_with("<<-");
    opening.end = firstWord(command.substr(at + (opening.dropsTabs ? 3 : 2)));
    if (tee) {
        std::string_view words = command.substr(4, at - 4);
        while (trimmed(words).starts_with('-')) // tee -a
            words = trimmed(words).substr(std::min(trimmed(words).find(' '), trimmed(words).size()));
        opening.file = firstWord(words);
    } else if (const std::size_t to = command.find('>'); to != std::string_view::npos) {
        opening.file = firstWord(command.substr(to + (command.substr(to).starts_with(">>") ? 2 : 1)));
    }
    return opening.file.empty() || opening.end.empty() ? std::nullopt : std::optional(std::move(opening));
}

std::string_view bare(std::string_view name) { return name.starts_with("./") ? name.substr(2) : name; }

} // namespace

const std::string *PastedText::find(std::string_view name) const {
    const std::string *found = nullptr;
    for (const auto &[file, text] : files)
        if (bare(file) == bare(name))
            found = &text;
    return found;
}

Parsed<PastedText> takeHeredocs(std::string_view text) {
    PastedText out;
    while (!text.empty()) {
        const std::string_view line = takeLine(text);
        const std::optional<Opening> opening = openingOf(line);
        if (!opening) {
            out.rest.append(line).append(1, '\n');
            continue;
        }
        std::string file;
        for (bool ended = false; !ended;) {
            if (text.empty())
                return {std::nullopt, {errorNote("bad-launch-line", "line", "the text of the file " + oneLine(opening->file, 80) + " has no end: expected a line \"" +
                                                                                oneLine(opening->end, 40) + "\" behind it")}};
            std::string_view inside = takeLine(text);
            while (opening->dropsTabs && inside.starts_with('\t'))
                inside.remove_prefix(1);
            ended = inside == opening->end;
            if (!ended)
                file.append(inside).append(1, '\n');
        }
        out.files.emplace_back(opening->file, std::move(file));
    }
    return {std::move(out), {}};
}

} // namespace kv
