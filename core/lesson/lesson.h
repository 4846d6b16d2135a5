// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A lesson: a question over a scenario of its own, a guess, and the answer, which is never written down but computed by evaluate like
// everything else, so that it cannot go stale. The format stands in resources/lessons/README.md.
//
// Messages name the file and the key ("bars[1].of"). Codes: "bad-lesson", "lesson-left-out", and those of JSON and of the scenario inside.

#include "core/base/note.h"
#include "core/base/quantity.h"
#include "core/scenario/scenario.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

enum class LessonUnit : std::uint8_t { Size, Number, Length }; ///< bytes, a count, tokens

/// One bar of the reveal.
struct LessonBar {
    std::string label;
    std::int64_t value = 0;
    bool mistake = false; ///< what one says who makes a common mistake
    /// What it is the answer for, to be drawn beside the lesson's own scenario: other settings, or the model as the mistake sees it; null: that scenario.
    std::shared_ptr<const Scenario> other;
};

struct Lesson {
    std::string id;    ///< the file's name without ".json"
    std::string title; ///< "The eight-fold mistake"
    Scenario scenario; ///< what the window shows meanwhile
    std::string question;
    LessonUnit unit = LessonUnit::Size;
    std::optional<SizeUnit> sizes; ///< what its sizes are written in; none: as chosen for everything
    std::int64_t from = 1, to = 1'000'000'000; ///< ends of the guess, both above 0
    std::vector<LessonBar> bars;               ///< the first is the right answer
    std::string reason;                        ///< two sentences
    std::string next;                          ///< what to try in the live window
    std::string show;                          ///< the view that the reveal brings forward: "gpus", "growth", "fitMap", …

    std::int64_t right() const { return bars.front().value; }
};

inline constexpr std::int64_t maxLessonBytes = mebibyte;

/// `source` names the file in messages; its stem becomes the id. Relative paths in the scenario are taken from `folder`.
Parsed<Lesson> readLesson(std::string_view text, const std::string &source, const std::string &folder);
Parsed<Lesson> readLessonFile(const std::string &path);

/// The lessons that are built in and the user's own (lessons/ of the data folder), in the order of their names. One of the user's that
/// cannot be read is left out; lessonFaults() says which and why.
std::span<const Lesson> lessons();
/// A warning for each file of the user's that is no lesson: `where` is the file's name, the text says it with the place in the file.
const Notes &lessonFaults();

} // namespace kv
