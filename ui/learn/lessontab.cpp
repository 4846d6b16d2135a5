// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lessontab.h"

#include "ui/language/translate.h"
#include "ui/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace kv {

namespace {

std::string prefix() { return utf8(QCoreApplication::translate("kv::LessonView", "Lesson: ")); }

auto lessonOf(auto &scenarios) {
    return std::ranges::find_if(scenarios, [start = prefix()](const Scenario &s) { return s.name.starts_with(start); });
}

} // namespace

void putLesson(ScenarioDocument &document, const Lesson &lesson) {
    Scenario scenario = lesson.scenario;
    scenario.name = prefix() + utf8(translated(lesson.title));
    const auto found = lessonOf(document.scenarios);
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
