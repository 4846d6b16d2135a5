// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/settingsfile.h"

#include "core/base/plaintext.h"
#include "core/launch/yaml.h"

#include <algorithm>

namespace kv {

namespace {

using Settings = std::vector<std::pair<const Flag *, std::string>>;

class Keys {
public:
    void read(const Json &map, const std::string &within) {
        for (const auto &[key, value] : map.members()) {
            std::string path = within;
            path.append(within.empty() ? "" : ".").append(key);
            const Flag *flag = findFlag(settingsKeys(), path, false);
            if (value.isNull())
                continue;
            if (!flag && value.isObject())
                read(value, path);
            else if (!flag)
                unread.push_back(path);
            else if (flag->use != FlagUse::Value)
                take(*flag, value);
        }
    }

    Settings settings;
    std::vector<std::string> unread;
    Notes notes;

private:
    void take(const Flag &flag, const Json &value) {
        std::string text = value.isString() ? value.text() : std::string();
        bool plain = value.isString() || value.isArray();
        for (const Json &item : value.items()) { // of a list
            plain = plain && item.isString();
            text += (text.empty() ? "" : ",") + item.text();
        }
        if (plain && !text.empty())
            settings.emplace_back(&flag, std::move(text));
        else
            notes.push_back(errorNote("bad-launch-line", std::string(flag.name), std::string(flag.name) + ": expected a value, found " + describe(value)));
    }
};

} // namespace

Parsed<Settings> readTensorRtLlmSettings(std::string_view text, std::string_view name) {
    const Parsed<Json> root = readYaml(text, name);
    if (!root)
        return {std::nullopt, root.notes};
    if (!root->isObject())
        return {std::nullopt, {errorNote("bad-launch-line", std::string(name), std::string(name) + ": expected settings as KEY: VALUE, found " + describe(*root))}};
    Keys keys;
    keys.read(*root, {});
    if (!keys.unread.empty()) {
        std::string list;
        for (std::size_t i = 0; i < keys.unread.size(); ++i)
            list += (i == 0 ? "" : ", ") + oneLine(keys.unread[i], 60);
        keys.notes.push_back(warningNote("flag-not-planned", std::string(name), std::string(name) + ": what these change in memory is not planned: " + oneLine(list, 300) + "."));
    }
    if (hasError(keys.notes))
        return {std::nullopt, std::move(keys.notes)};
    return {std::move(keys.settings), std::move(keys.notes)};
}

} // namespace kv
