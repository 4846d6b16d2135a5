// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/scenariotext.h"

#include "core/base/bigpages.h"
#include "core/base/plaintext.h"
#include "core/plan/evaluate.h"
#include "core/scenario/readahead.h"
#include "ui/app.h"
#include "ui/render.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace kv {

namespace {

/// "1440x900" into width and height.
std::optional<Note> readSize(std::string_view text, RenderOptions &options) {
    const std::size_t cross = text.find('x');
    const auto number = [](std::string_view digits, int &value) {
        const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return fault == std::errc() && end == digits.data() + digits.size() && value >= leastRenderSize && value <= mostRenderSize;
    };
    int width = 0, height = 0;
    if (cross != std::string_view::npos && number(text.substr(0, cross), width) && number(text.substr(cross + 1), height)) {
        options.size = {width, height};
        return std::nullopt;
    }
    return errorNote("usage", "--size",
                     "--size: expected a width and a height from " + std::to_string(leastRenderSize) + " to " + std::to_string(mostRenderSize) +
                         " such as 1440x900, found \"" + std::string(text.substr(0, 40)) + "\"");
}

/// The other scenarios of the file that the chosen one is from, also those that are called like it, and its place among them. What cannot be read was refused before.
std::vector<Scenario> besideOf(const CommandLine &line, std::size_t &place) {
    std::vector<Scenario> others;
    if (!line.scenario.scenarioFile)
        return others;
    const Parsed<std::string> text = readScenarioText(*line.scenario.scenarioFile);
    if (!text)
        return others;
    const Parsed<ScenarioDocument> document = readDocument(*text, *line.scenario.scenarioFile, std::filesystem::path(*line.scenario.scenarioFile).parent_path().string());
    if (!document)
        return others;
    others = document->scenarios;
    const auto chosen = line.scenario.scenarioName ? std::ranges::find(others, *line.scenario.scenarioName, &Scenario::name)
                                                   : others.begin() + static_cast<std::ptrdiff_t>(std::min(document->current, others.size() - 1));
    place = static_cast<std::size_t>(chosen - others.begin());
    if (chosen != others.end())
        others.erase(chosen);
    return others;
}

std::string ofLesson(const Lesson &lesson, std::int64_t value) {
    const std::string digits = writeNumber(value);
    return lesson.unit == LessonUnit::Size ? writeBytes(Bytes(value), lesson.sizes.value_or(SizeUnit::Decimal)) + " (" + digits + " bytes)" : digits;
}

/// In the lesson's unit, and where its slider ends.
std::optional<Note> readGuess(const std::string &given, const Lesson &lesson, RenderOptions &options) {
    const auto take = [&](const auto &read) -> std::optional<Note> {
        if (!read)
            return *firstError(read.notes);
        const auto value = static_cast<std::int64_t>(read->value);
        if (value < lesson.from || value > lesson.to)
            return errorNote("bad-value", "--guess", "--guess: expected from " + ofLesson(lesson, lesson.from) + " to " + ofLesson(lesson, lesson.to) + ", the range of this lesson, found \"" + oneLine(given, 40) + "\"");
        options.guess = value;
        return std::nullopt;
    };
    switch (lesson.unit) {
    case LessonUnit::Size:
        return take(readBytes(given, "--guess"));
    case LessonUnit::Length:
        return take(readTokens(given, "--guess"));
    case LessonUnit::Number:
        break;
    }
    return take(readCount(given, "--guess"));
}

/// A lesson goes over its own scenario; a page of lessons without one would only be a list that `kvplanner lessons` prints as well.
std::optional<Note> readLesson(const CommandLine &line, RenderOptions &options) {
    if (!line.lesson)
        return options.view == "lesson" ? std::optional(errorNote("usage", "--lesson", "--view lesson: which one? --lesson ID names it; kvplanner lessons lists them")) : std::nullopt;
    if (options.view != "lesson")
        return errorNote("usage", "--lesson", "--lesson: needs --view lesson");
    const auto found = std::ranges::find(lessons(), *line.lesson, &Lesson::id);
    if (found == lessons().end()) {
        std::vector<std::string_view> known;
        for (const Lesson &lesson : lessons())
            known.push_back(lesson.id);
        const std::string_view near = nearestName(*line.lesson, known);
        for (const Note &fault : lessonFaults())
            if (std::filesystem::path(fault.where).stem() == *line.lesson)
                return errorNote("lesson-left-out", "--lesson", "--lesson: " + fault.text);
        return errorNote("no-such-lesson", "--lesson", "--lesson: there is no lesson \"" + oneLine(*line.lesson, 80) + "\"" + (near.empty() ? "; kvplanner lessons lists them" : "; did you mean " + std::string(near) + "?"));
    }
    options.lesson = std::make_shared<const Lesson>(*found);
    return line.guess ? readGuess(*line.guess, *found, options) : std::nullopt;
}

} // namespace

int runRenderCommand(const CommandLine &line, int argc, char **argv) {
    takeMemoryInBigPages();
    const ReadAhead ahead;
    RenderOptions options;
    options.output = line.output;
    options.scale = line.scale;
    options.dark = line.theme == "dark";
    options.unit = line.unit;
    options.view = line.view;
    if (const std::optional<Note> wrong = languageFault(line.language))
        return refuse(*wrong, line.form);
    if (!line.language.empty())
        options.language = line.language;
    if (!line.size.empty())
        if (const std::optional<Note> wrong = readSize(line.size, options))
            return refuse(*wrong, line.form);
    if (!(options.scale >= leastRenderScale && options.scale <= mostRenderScale)) // not a number is neither
        return refuse(errorNote("usage", "--scale", "--scale: expected a number from 0.25 to 8"), line.form);
    const auto [width, height] = options.size.value_or(std::pair(1440, 900));
    if (const double pixels = options.scale * options.scale * width * height; line.output.ends_with(".png") && pixels > mostRenderPixels)
        return refuse(errorNote("usage", "--scale", "--scale: " + std::to_string(width) + "x" + std::to_string(height) + " at this scale has more than 200 million pixels; take a smaller size or scale, or write .svg or .pdf"), line.form);
    if (const std::optional<Note> wrong = readLesson(line, options))
        return refuse(*wrong, line.form);
    Parsed<Scenario> scenario = options.lesson ? Parsed<Scenario>{options.lesson->scenario, {}} : readChosenScenario(line.scenario);
    if (!scenario)
        return refuse(*firstError(scenario.notes), line.form);
    if (const Plan plan = evaluate(*scenario); plan.refusal)
        return refuse(namedByOption(*plan.refusal, line.scenario), line.form);
    if (options.view == "compare")
        options.beside = besideOf(line, options.place);
    if (const std::optional<Note> fault = runRender(argc, argv, *scenario, options))
        return refuse(*fault, line.form);
    return ExitStatus::Made;
}

} // namespace kv
