// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lessontab.h"

#include "ui/language/translate.h"
#include "ui/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace kv {

namespace {

std::string prefix() { return utf8(QCoreApplication::translate("kv::LessonView", "Lesson: ")); }

/// The names that lessons were given since the program began, or before in a session that it goes on with: a tab that a person calls alike is not one of them.
std::vector<std::string> &givenNames() {
    static std::vector<std::string> names;
    return names;
}

auto lessonOf(auto &scenarios) { return std::ranges::find_if(scenarios, isLesson); }

} // namespace

Scenario scenarioOf(const Lesson &lesson) {
    Scenario scenario = lesson.scenario;
    scenario.name = prefix() + utf8(translated(lesson.title));
    return scenario;
}

bool isLesson(const Scenario &scenario) { return std::ranges::find(givenNames(), scenario.name) != givenNames().end(); }

std::string lessonTabOf(const ScenarioDocument &document) {
    const auto found = lessonOf(document.scenarios);
    return found == document.scenarios.end() ? std::string() : found->name;
}

void rememberLessonTab(const std::string &name) {
    if (!name.empty() && std::ranges::find(givenNames(), name) == givenNames().end())
        givenNames().push_back(name);
}

void putLesson(ScenarioDocument &document, const Lesson &lesson) {
    Scenario scenario = scenarioOf(lesson);
    const auto found = lessonOf(document.scenarios);
    rememberLessonTab(scenario.name);
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
