// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenarionames.h"

#include <map>
#include <set>

namespace kv {

std::vector<std::string> scenarioNames(std::span<const Scenario> scenarios, const std::function<std::string(std::size_t)> &unnamed) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < scenarios.size(); ++i)
        names.push_back(!scenarios[i].name.empty() ? scenarios[i].name : unnamed ? unnamed(i) : "Scenario " + std::to_string(i + 1));
    // A number must not make it what another is called already.
    std::set<std::string> taken(names.begin(), names.end());
    std::map<std::string, int> next;
    for (std::string &name : names) {
        int &number = next[name];
        if (++number == 1)
            continue;
        const std::string given = name;
        do
            name = given + " (" + std::to_string(number) + ")";
        while (!taken.insert(name).second && ++number);
    }
    return names;
}

} // namespace kv
