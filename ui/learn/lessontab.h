// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The scenario of a lesson in a document: in a tab of its own, known by its name, which the next lesson takes over. It is for looking and is
// left out where the document is saved; who gives it another name has made it their own.

#include "core/lesson/lesson.h"
#include "core/scenario/scenariofile.h"

#include <string>

namespace kv {

/// The scenario of a lesson as it stands in its tab.
Scenario scenarioOf(const Lesson &lesson);
/// Whether this is a lesson's tab.
bool isLesson(const Scenario &scenario);
/// The tab's name, or none, to be known again by a later run of the program.
std::string lessonTabOf(const ScenarioDocument &document);
void rememberLessonTab(const std::string &name);
/// Puts it there, in front.
void putLesson(ScenarioDocument &document, const Lesson &lesson);
/// Takes it out, unless nothing else would be left.
void takeLessonOut(ScenarioDocument &document);

} // namespace kv
