// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/jsonwriter.h"
#include "core/lesson/lesson.h"
#include "core/report/planjson.h"
#include "core/report/texttable.h"

#include <cstdio>

namespace kv {

namespace {

std::string_view unitName(LessonUnit unit) { return unit == LessonUnit::Size ? "bytes" : unit == LessonUnit::Number ? "count" : "tokens"; }

void append(JsonWriter &out, const Lesson &lesson) {
    out.beginObject();
    out.member("id", lesson.id);
    out.member("title", lesson.title);
    out.member("question", lesson.question);
    out.member("unit", unitName(lesson.unit));
    out.key("bars").beginArray();
    for (const LessonBar &bar : lesson.bars) {
        out.beginObject();
        out.member("label", bar.label);
        out.member("value", bar.value);
        out.endObject();
    }
    out.endArray();
    out.member("reason", lesson.reason);
    out.endObject();
}

std::string valueText(const Lesson &lesson, std::int64_t value) {
    return lesson.unit == LessonUnit::Size ? writeBytes(Bytes(value), lesson.sizes.value_or(SizeUnit::Decimal)) + " (" + writeNumber(value) + " B)" : writeNumber(value);
}

std::string asText(const Lesson &lesson) {
    std::string text = lesson.title + "\n\n" + lesson.question + "\n\n";
    TextTable table;
    table.column("BAR").column("VALUE", TextTable::Align::Right);
    for (const LessonBar &bar : lesson.bars)
        table.row({bar.label, valueText(lesson, bar.value)});
    return text + table.text() + "\n" + lesson.reason + "\n" + (lesson.next.empty() ? "" : lesson.next + "\n");
}

int checkOne(const CommandLine &line) {
    const Parsed<Lesson> lesson = readLessonFile(*line.lessonFile);
    if (!lesson)
        return refuse(*firstError(lesson.notes), line.form);
    for (const Note &note : lesson.notes)
        std::fprintf(stderr, "kvplanner: %s\n", note.text.c_str());
    std::string json;
    if (line.form == Form::Json) {
        JsonWriter out(json, true);
        append(out, *lesson);
        json += "\n";
    }
    print(line.form == Form::Json ? json : asText(*lesson));
    return ExitStatus::Made;
}

} // namespace

int runLessons(const CommandLine &line) {
    if (line.lessonFile)
        return checkOne(line);
    if (line.form == Form::Json) {
        std::string text;
        JsonWriter out(text, true);
        out.beginObject();
        out.key("lessons").beginArray();
        for (const Lesson &lesson : lessons())
            append(out, lesson);
        out.endArray();
        writeWarnings(out, lessonFaults());
        out.endObject();
        print(text + "\n");
        return ExitStatus::Made;
    }
    TextTable table;
    table.column("ID").column("TITLE");
    for (const Lesson &lesson : lessons())
        table.row({lesson.id, lesson.title});
    print(table.text());
    warn(lessonFaults());
    return ExitStatus::Made;
}

} // namespace kv
