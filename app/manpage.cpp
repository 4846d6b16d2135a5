// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manpage.h"

#include "app/commandline.h"
#include "app/help.h"
#include "core/base/version.h"

#include <cctype>

namespace kv {

namespace {

/// Text as it stands: a backslash, a hyphen (which roff would set as a dash) and a dot or quote at the start of a line mean themselves.
std::string literal(std::string_view text) {
    std::string out;
    bool lineStart = true;
    for (const char c : text) {
        if (lineStart && (c == '.' || c == '\''))
            out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
        lineStart = c == '\n';
    }
    return out;
}

std::string block(std::string_view text) {
    std::string out = ".nf\n" + literal(text);
    if (!out.ends_with('\n'))
        out += '\n';
    return out + ".fi\n";
}

std::string section(std::string_view title, std::string_view text) { return ".SH " + std::string(title) + "\n" + block(text); }

std::string upper(std::string text) {
    for (char &c : text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

} // namespace

std::string manPage() {
    std::string page = ".TH KVPLANNER 1 \"\" \"KV Planner " + std::string(version()) + "\" \"User Commands\"\n";
    page += ".SH NAME\nkvplanner \\- plan the memory of serving large language models\n";
    page += ".SH SYNOPSIS\n.B kvplanner\n.RI [ FILE ]\n.br\n.B kvplanner\n.I COMMAND\n.RI [ OPTIONS ]\n";
    page += section("DESCRIPTION", helpOnAll());
    for (const CommandHelp &command : commandHelps())
        page += section("\"" + upper(command.name) + "\"", command.text);
    page += section("\"ERRORS AND WARNINGS\"", helpOnErrors());
    return page;
}

} // namespace kv
