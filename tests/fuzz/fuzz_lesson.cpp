// SPDX-License-Identifier: GPL-3.0-or-later
//
// A lesson: what is read can be shown, its answers are the plan's own whenever they are asked for, and a fault names the file and the key.
#include "core/lesson/lesson.h"
#include "tests/fuzz/fuzzing.h"

using namespace kv;

KV_FUZZ(bytes) {
    const Parsed<Lesson> lesson = readLesson(bytes, "a.json", "/nonexistent");
    fuzz::checkParsed(lesson);
    for (const Note &note : lesson.notes)
        fuzz::require(note.where.starts_with("a.json") || note.text.starts_with("a.json"), "a message names the file");
    if (!lesson)
        return;
    fuzz::require(lesson->id == "a" && !lesson->title.empty() && !lesson->question.empty() && !lesson->reason.empty() && !lesson->show.empty(), "there is something to show");
    fuzz::require(lesson->from >= 1 && lesson->to > lesson->from, "there is something to guess");
    fuzz::require(!lesson->bars.empty() && lesson->right() == lesson->bars.front().value, "the first bar is the answer");
    fuzz::require(lesson->right() >= lesson->from && lesson->right() <= lesson->to, "the answer can be guessed");
    for (const LessonBar &bar : lesson->bars) {
        fuzz::require(!bar.label.empty() && bar.value != outOfRangeValue, "a bar has a name and a number");
        fuzz::require(!bar.other || evaluate(*bar.other).ok(), "what stands beside has a plan");
    }
    fuzz::require(evaluate(lesson->scenario).model != nullptr, "the scenario has a model");
    if (!fuzz::inOneOf(bytes, 8))
        return;
    const Parsed<Lesson> again = readLesson(bytes, "a.json", "/nonexistent");
    fuzz::require(again && again->right() == lesson->right() && again->scenario == lesson->scenario, "twice read it is the same");
}
