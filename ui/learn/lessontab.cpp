// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lessontab.h"

#include "ui/language/translate.h"
#include "ui/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <string>
#include <vector>

namespace kv {

namespace {

std::string prefix() { return utf8(QCoreApplication::translate("kv::LessonView", "Lesson: ")); }

/// The names that lessons were given since the program began: a tab that a person calls alike is not one of them.
std::vector<std::string> &givenNames() {
    static std::vector<std::string> names;
    return names;
}

auto lessonOf(auto &scenarios) {
    return std::ranges::find_if(scenarios, [](const Scenario &s) { return std::ranges::find(givenNames(), s.name) != givenNames().end(); });
}

} // namespace

void putLesson(ScenarioDocument &document, const Lesson &lesson) {
    Scenario scenario = lesson.scenario;
    scenario.name = prefix() + utf8(translated(lesson.title));
    const auto found = lessonOf(document.scenarios);
    if (std::ranges::find(givenNames(), scenario.name) == givenNames().end())
        givenNames().push_back(scenario.name);
    if (found == document.scenarios.end()) {
        document.scenarios.push_back(std::move(scenario));
        document.current = document.scenarios.size() - 1;
    } else {
        document.current = static_cast<std::size_t>(found - document.scenarios.begin());
        *found = std::move(scenario);
    }
}

void takeLessonOut(ScenarioDocument &document) {
    const auto found = lessonOf(document.scenarios);
    if (found == document.scenarios.end() || document.scenarios.size() < 2)
        return;
    const auto index = static_cast<std::size_t>(found - document.scenarios.begin());
    document.scenarios.erase(found);
    if (document.current >= index && document.current > 0)
        --document.current;
}

} // namespace kv
