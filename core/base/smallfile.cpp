// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/smallfile.h"

#include "core/base/environment.h"
#include "core/base/inputfile.h"
#include "core/base/plaintext.h"
#include "core/base/quantity.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace kv {

Parsed<std::string> readSmallFile(const std::string &path, std::int64_t maxBytes) {
    const Parsed<InputFile> file = InputFile::open(path);
    if (!file)
        return {std::nullopt, file.notes};
    const auto tooLarge = [&](const std::string &size) {
        const std::string shown = oneLine(path);
        return Parsed<std::string>{std::nullopt, {errorNote("file-too-large", shown, shown + ": the file has " + size + " bytes; at most " + writeNumber(maxBytes) + " are read of such a file")}};
    };
    if (file->size() > maxBytes)
        return tooLarge(writeNumber(file->size()));
    // The size is only a hint: the file may grow while it is read, and files of the system say 0.
    constexpr std::size_t blockBytes = 64 * kibibyte;
    std::string text;
    for (std::size_t got = blockBytes; got == blockBytes;) {
        const std::size_t before = text.size();
        text.resize(before + blockBytes);
        got = file->readAt(static_cast<std::int64_t>(before), text.data() + before, blockBytes);
        text.resize(before + got);
        if (static_cast<std::int64_t>(text.size()) > maxBytes)
            return tooLarge("more than " + writeNumber(maxBytes));
    }
    if (static_cast<std::int64_t>(text.size()) < file->size())
        return {std::nullopt, {errorNote("read-failed", oneLine(path), oneLine(path) + " could be read only in part: it shrank, or its disk failed")}};
    return {std::move(text), {}};
}

std::string userDataFolder() {
    // The base directory specification: a relative XDG_DATA_HOME is to be ignored.
    if (const auto data = environmentValue("XDG_DATA_HOME"); data && data->starts_with('/'))
        return *data + "/KVPlanner";
    if (const auto home = environmentValue("HOME"); home && home->starts_with('/'))
        return *home + "/.local/share/KVPlanner";
    return {};
}

std::vector<std::string> userFiles(const std::string &subfolder) {
    const std::string root = userDataFolder();
    std::vector<std::string> paths;
    if (root.empty())
        return paths;
    std::error_code error;
    for (std::filesystem::directory_iterator it(std::filesystem::path(root) / subfolder, error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".json")
            paths.push_back(it->path().string());
    std::ranges::sort(paths);
    return paths;
}

} // namespace kv
