// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson.h"

#include "core/base/embedded.h"
#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/base/smallfile.h"
#include "core/plan/evaluate.h"
#include "core/plan/mistakes.h"
#include "core/report/extras.h"
#include "core/report/planjson.h"
#include "core/report/refusal.h"
#include "core/scenario/scenariofile.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace kv {

namespace {

constexpr std::int64_t lessonVersion = 1;
constexpr std::array<std::string_view, 7> lessonViews{"gpus", "growth", "table", "fitMap", "lengths", "explain", "mistakes"};
constexpr std::size_t mostBars = 6, mostText = 600;
constexpr std::array<std::string_view, 12> knownKeys{"lesson", "title", "scenario", "question", "guess", "bars", "reason", "next", "show", "note", "units", "$schema"};

std::string listOf(std::span<const std::string_view> names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + std::string(names[i]);
    return text;
}

/// Reads one lesson; the first fault ends it.
class LessonReader {
public:
    LessonReader(const std::string &source, const std::string &folder) : m_source(source), m_folder(folder) {}

    Parsed<Lesson> read(const Json &root) {
        Lesson lesson;
        lesson.id = std::filesystem::path(m_source).stem().string();
        readAll(root, lesson);
        Parsed<Lesson> result;
        if (!hasError(m_notes))
            result.value = std::move(lesson);
        result.notes = std::move(m_notes);
        return result;
    }

private:
    void fail(const std::string &key, std::string text) {
        if (!hasError(m_notes))
            m_notes.push_back(errorNote("bad-lesson", m_source + ": " + key, std::move(text)));
    }

    void readAll(const Json &root, Lesson &lesson) {
        if (!root.isObject())
            return fail("lesson", "expected an object with the keys of a lesson, found " + describe(root));
        const Json *version = root.find("lesson");
        if (!version || version->kind() != Json::Kind::Integer || version->integer() != lessonVersion)
            return fail("lesson", "expected \"lesson\": 1, the version of the format, found " + (version ? describe(*version) : std::string("no such key")));
        for (const auto &[key, value] : root.members())
            if (std::ranges::find(knownKeys, key) == knownKeys.end())
                m_notes.push_back(warningNote("unknown-key", m_source + ": " + key, m_source + ", " + oneLine(key, 60) + ": no lesson has this key; it is ignored"));
        lesson.title = text(root, "title");
        lesson.question = text(root, "question");
        lesson.reason = text(root, "reason");
        lesson.next = root.find("next") ? text(root, "next") : std::string();
        lesson.show = root.find("show") ? text(root, "show") : "explain";
        if (std::ranges::find(lessonViews, lesson.show) == lessonViews.end())
            fail("show", "expected gpus, growth, table, fitMap, lengths, explain or mistakes, found \"" + oneLine(lesson.show, 60) + "\"");
        readGuess(root, lesson);
        readUnits(root, lesson);
        if (const auto scenario = readPart(root, "scenario", firstScenario(), "scenario."))
            lesson.scenario = *scenario;
        if (!hasError(m_notes))
            readBars(root, lesson);
        if (!hasError(m_notes))
            checkRange(lesson);
    }

    std::string text(const Json &object, std::string_view key) {
        const Json *value = object.find(key);
        if (value && value->isString() && !value->text().empty() && value->text().size() <= mostText)
            return oneLine(value->text(), mostText);
        fail(std::string(key), "expected a text of 1 to " + std::to_string(mostText) + " bytes, found " + (value ? describe(*value) : std::string("no such key")));
        return {};
    }

    std::optional<Scenario> readPart(const Json &root, std::string_view key, const Scenario &base, const std::string &prefix) {
        const Json *object = root.find(key);
        if (!object)
            return base;
        Parsed<Scenario> read = readScenarioAt(*object, m_folder, base, prefix);
        for (Note note : read.notes) {
            m_notes.push_back(inLesson(std::move(note), prefix));
        }
        return read.value;
    }

    /// The place in full, once: what the scenario alone calls "model.preset" is "scenario.model.preset" of the lesson.
    Note inLesson(Note note, const std::string &prefix) const {
        const std::string inner = note.where.starts_with(prefix) ? note.where.substr(prefix.size()) : note.where;
        for (const std::string &place : {prefix + inner, inner})
            if (!inner.empty() && note.text.starts_with(place + ": ")) {
                note.text.erase(0, place.size() + 2);
                break;
            }
        note.where = m_source + ": " + prefix + inner;
        return note;
    }

    void readGuess(const Json &root, Lesson &lesson) {
        const Json *guess = root.find("guess");
        if (!guess || !guess->isObject())
            return fail("guess", "expected {\"unit\", \"from\", \"to\"}, found " + (guess ? describe(*guess) : std::string("no such key")));
        const std::string unit = text(*guess, "unit");
        if (unit == "bytes")
            lesson.unit = LessonUnit::Size;
        else if (unit == "count")
            lesson.unit = LessonUnit::Number;
        else if (unit == "tokens")
            lesson.unit = LessonUnit::Length;
        else
            return fail("guess.unit", "expected bytes, count or tokens, found \"" + oneLine(unit, 60) + "\"");
        const Json *from = guess->find("from"), *to = guess->find("to");
        if (!from || !to || from->kind() != Json::Kind::Integer || to->kind() != Json::Kind::Integer || from->integer() < 1 || to->integer() <= from->integer())
            return fail("guess.from", "expected two whole numbers of 1 or more, the second the larger");
        lesson.from = from->integer();
        lesson.to = to->integer();
    }

    /// "units": what sizes are written in where the lesson is about the units themselves.
    void readUnits(const Json &root, Lesson &lesson) {
        if (!root.find("units"))
            return;
        const std::string units = text(root, "units");
        if (units != "gb" && units != "gib")
            return fail("units", "expected gb or gib, found \"" + oneLine(units, 60) + "\"");
        if (lesson.unit != LessonUnit::Size)
            return fail("units", "this is for sizes, and guess.unit is not bytes");
        lesson.sizes = units == "gb" ? SizeUnit::Decimal : SizeUnit::Binary;
    }

    /// Nobody could guess what lies beyond the ends.
    void checkRange(const Lesson &lesson) {
        const std::int64_t right = lesson.right();
        if (right < lesson.from)
            fail("guess.from", "the right answer, " + writeNumber(right) + ", lies below the least guess, " + writeNumber(lesson.from));
        if (right > lesson.to)
            fail("guess.to", "the right answer, " + writeNumber(right) + ", lies above the largest guess, " + writeNumber(lesson.to));
    }

    void readBars(const Json &root, Lesson &lesson) {
        const Json *bars = root.find("bars");
        if (!bars || !bars->isArray() || bars->items().empty() || bars->items().size() > mostBars)
            return fail("bars", "expected a list of 1 to " + std::to_string(mostBars) + " bars, of which the first is the right answer");
        for (std::size_t i = 0; i < bars->items().size() && !hasError(m_notes); ++i)
            readBar(bars->items()[i], "bars[" + std::to_string(i) + "]", lesson);
    }

    /// {"label", "of": "kv.bytes_per_token"}, with its own changes to the scenario under "scenario"; or {"label", "mistake": "query-heads"}.
    void readBar(const Json &object, const std::string &place, Lesson &lesson) {
        if (!object.isObject())
            return fail(place, "expected an object with \"label\" and \"of\" or \"mistake\"");
        LessonBar bar;
        bar.label = text(object, "label");
        bar.mistake = object.find("mistake") != nullptr;
        const auto scenario = readPart(object, "scenario", lesson.scenario, place + ".scenario.");
        if (!scenario)
            return;
        const Plan plan = evaluate(*scenario);
        if (!plan.ok())
            return fail(place + ".scenario", "this cannot be planned: " + plan.refusal->text);
        if (*scenario != lesson.scenario)
            bar.other = std::make_shared<Scenario>(*scenario);
        std::optional<std::int64_t> value;
        if (const Json *mistake = object.find("mistake")) {
            value = ofMistake(*mistake, *scenario, plan, lesson, place, bar);
        } else {
            const std::string path = text(object, "of");
            value = ofPlan(planned(*scenario, plan, path), path);
            if (!value && !hasError(m_notes))
                fail(place + ".of", "the plan has no number \"" + oneLine(path, 80) + "\"; kvplanner plan --json shows what it has, such as kv.bytes_per_token");
        }
        if (!value)
            return;
        bar.value = *value;
        lesson.bars.push_back(std::move(bar));
    }

    std::optional<std::int64_t> ofMistake(const Json &name, const Scenario &scenario, const Plan &plan, const Lesson &lesson, const std::string &place, LessonBar &bar) {
        const std::string id = name.isString() ? name.text() : std::string();
        if (std::ranges::find(mistakeIds(), std::string_view(id)) == mistakeIds().end()) {
            fail(place + ".mistake", "no mistake is called \"" + oneLine(id, 60) + "\"; there are " + listOf(mistakeIds()));
            return std::nullopt;
        }
        const MistakeSheet sheet = mistakesOf(scenario, plan);
        const Mistake *mistake = sheet.find(id);
        if (!mistake) {
            fail(place + ".mistake", "\"" + id + "\" makes no difference for this model");
            return std::nullopt;
        }
        if (auto mistaken = asMistaken(scenario, plan, *mistake))
            bar.other = std::make_shared<Scenario>(std::move(*mistaken));
        // What the right answer is of decides which of the figures is meant.
        return lesson.bars.empty() || lesson.bars.front().value == sheet.right.perToken.value ? mistake->count.perToken.value
               : lesson.bars.front().value == sheet.right.perSequence.value                    ? mistake->count.perSequence.value
                                                                                               : mistake->count.total.value;
    }

    /// Adding up unlike lengths takes its time, so it is done only where the answer is about it.
    static Json planned(const Scenario &scenario, const Plan &plan, std::string_view path) {
        PlanExtras extras;
        if (path.starts_with("lengths.in_flight."))
            extras.inFlight = inFlight(scenario, plan);
        std::string text;
        appendPlanJson(text, scenario, plan, nullptr, false, nullptr, &extras);
        return parseJson(text, "the plan").value.value_or(Json());
    }

    static std::optional<std::int64_t> ofPlan(const Json &plan, std::string_view path) {
        const Json *at = &plan;
        while (at && !path.empty()) {
            const std::size_t dot = path.find('.');
            at = at->isObject() ? at->find(path.substr(0, dot)) : nullptr;
            path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
        }
        if (!at || at->kind() != Json::Kind::Integer)
            return std::nullopt;
        return at->integer();
    }

    const std::string &m_source;
    const std::string &m_folder;
    Notes m_notes;
};

} // namespace

Parsed<Lesson> readLesson(std::string_view text, const std::string &source, const std::string &folder) {
    const Parsed<Json> root = parseJson(text, source);
    if (!root)
        return {std::nullopt, root.notes};
    return LessonReader(source, folder).read(*root);
}

Parsed<Lesson> readLessonFile(const std::string &path) {
    const Parsed<std::string> text = readSmallFile(path, maxLessonBytes);
    if (!text)
        return {std::nullopt, text.notes};
    const std::filesystem::path file(path);
    return readLesson(*text, file.filename().string(), file.parent_path().string());
}

namespace {

struct AllLessons {
    std::vector<Lesson> list;
    Notes faults;
};

/// A file's fault as `lessons --check` says it: the file, the place in it, what is wrong.
Note leftOut(const Note &error, const std::string &path) {
    const std::string file = std::filesystem::path(path).filename().string();
    std::string text = refusalSentence(error);
    if (text.find(file) == std::string::npos)
        text = file + ": " + text;
    return warningNote("lesson-left-out", file, std::move(text));
}

const AllLessons &allLessons() {
    static const AllLessons all = [] {
        AllLessons found;
        std::map<std::string, Lesson> byName;
        constexpr std::string_view folder = "lessons/";
        for (const EmbeddedFile &file : embeddedFiles())
            if (file.path.starts_with(folder))
                if (auto lesson = readLesson(file.content, std::string(file.path.substr(folder.size())), {}))
                    byName[lesson.value->id] = std::move(*lesson.value);
        for (const std::string &path : userFiles("lessons")) {
            auto lesson = readLessonFile(path);
            if (lesson)
                byName[lesson.value->id] = std::move(*lesson.value);
            else
                found.faults.push_back(leftOut(*firstError(lesson.notes), path));
        }
        for (auto &[id, lesson] : byName)
            found.list.push_back(std::move(lesson));
        return found;
    }();
    return all;
}

} // namespace

std::span<const Lesson> lessons() { return allLessons().list; }

const Notes &lessonFaults() { return allLessons().faults; }

} // namespace kv
