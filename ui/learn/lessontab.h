// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The scenario of a lesson in a document: in a tab of its own, known by its name, which the next lesson takes over. It is for looking and is
// left out where the document is saved; who gives it another name has made it their own.

#include "core/lesson/lesson.h"
#include "core/scenario/scenariofile.h"

namespace kv {

/// Puts it there, in front.
void putLesson(ScenarioDocument &document, const Lesson &lesson);
/// Takes it out, unless nothing else would be left.
void takeLessonOut(ScenarioDocument &document);

} // namespace kv
