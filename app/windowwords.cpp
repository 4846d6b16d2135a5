// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/windowwords.h"

#include "app/commandline.h"
#include "core/base/plaintext.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

namespace kv {

namespace {

/// By their names without dashes, of which one or two may stand before them.
constexpr std::array<std::string_view, 18> withValue{"platform", "platformpluginpath", "platformtheme", "plugin", "qmljsdebugger", "qwindowgeometry", "geometry", "qwindowtitle", "title",
                                                     "qwindowicon", "icon", "session", "style", "stylesheet", "display", "name", "visual", "fontengine"};
constexpr std::array<std::string_view, 7> alone{"reverse", "widgetcount", "testability", "nograb", "dograb", "sync", "nosync"};
/// macOS: how a program is started from a folder's window, and settings of its own by NSUserDefaults.
constexpr std::array<std::string_view, 3> ofMacOs{"psn_", "NS", "Apple"};

bool exists(const std::string &path) {
    std::error_code error;
    return std::filesystem::symlink_status(path, error).type() != std::filesystem::file_type::not_found;
}

std::string_view bareName(std::string_view option) {
    option.remove_prefix(option.starts_with("--") ? 2 : 1);
    return option.substr(0, option.find('='));
}

bool takesNextWord(std::string_view option) {
    const std::string_view name = bareName(option);
    return option.find('=') == std::string_view::npos && (std::ranges::find(withValue, name) != withValue.end() || name.starts_with("NS") || name.starts_with("Apple"));
}

bool isQtOption(std::string_view option) {
    const std::string_view name = bareName(option);
    return std::ranges::find(withValue, name) != withValue.end() || std::ranges::find(alone, name) != alone.end() ||
           std::ranges::any_of(ofMacOs, [name](std::string_view begin) { return name.starts_with(begin); });
}

/// What was meant: an option of the program itself, or one of a command, of which the first that has it is named.
Note unknownOption(const std::string &given) {
    const std::string name = given.substr(0, given.find('='));
    std::string text = "kvplanner has no option \"" + oneLine(name, 80) + "\" without a command";
    constexpr std::array<std::string_view, 3> own{"--help", "--version", "--lang"};
    std::string meant(nearestName(name, own));
    static const std::vector<CommandHelp> commands = commandHelps();
    for (const CommandHelp &command : commands) {
        const std::vector<std::string_view> options(command.options.begin(), command.options.end());
        if (meant.empty() || std::ranges::find(options, name) != options.end())
            if (const std::string_view near = nearestName(name, options); !near.empty()) {
                meant = command.name + " " + std::string(near);
                if (near == name)
                    break;
            }
    }
    text += meant.empty() ? "; kvplanner --help lists what there is" : "; did you mean kvplanner " + meant + "?";
    return errorNote("usage", oneLine(name, 80), std::move(text));
}

} // namespace

std::optional<Note> windowFileFault(const std::string &word, std::span<const std::string_view> commands) {
    if (exists(word))
        return std::nullopt;
    std::vector<std::string_view> known{"help"};
    known.insert(known.end(), commands.begin(), commands.end());
    std::string text = "there is no file and no command \"" + oneLine(word, 80) + "\"";
    if (const std::string_view near = nearestName(word, known); !near.empty())
        text += "; did you mean kvplanner " + std::string(near) + "?";
    return errorNote("no-such-file", word.empty() ? "command line" : oneLine(word, 80), std::move(text));
}

std::optional<Note> windowWordsFault(std::span<char *const> words, std::span<const std::string_view> commands) {
    bool fileSeen = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string word = words[i];
        if (word.starts_with('-') && !exists(word)) {
            if (!isQtOption(word))
                return unknownOption(word);
            i += takesNextWord(word);
        } else if (!std::exchange(fileSeen, true)) {
            if (auto fault = windowFileFault(word, commands))
                return fault;
        }
    }
    return std::nullopt;
}

} // namespace kv
