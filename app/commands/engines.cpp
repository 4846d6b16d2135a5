// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/jsonwriter.h"
#include "core/engine/engines.h"
#include "core/report/texttable.h"

namespace kv {

namespace {

std::string_view kindName(OptionKind kind) {
    switch (kind) {
    case OptionKind::Whole:
        return "whole number";
    case OptionKind::Size:
        return "size";
    case OptionKind::Fraction:
        return "fraction";
    case OptionKind::Ratio:
        return "ratio";
    case OptionKind::Bool:
        return "true or false";
    case OptionKind::Word:
        return "word";
    case OptionKind::Type:
        return "type";
    case OptionKind::List:
        return "list";
    case OptionKind::Shares:
        return "shares";
    }
    return {};
}

std::string versionsOf(const Engine &engine) {
    std::string text;
    for (const std::string_view version : engine.versions())
        text += (text.empty() ? "" : ", ") + std::string(version);
    return text;
}

std::string asText() {
    std::string text;
    TextTable table;
    table.column("ID").column("NAME").column("VERSIONS");
    for (const Engine *engine : engines())
        table.row({std::string(engine->id()), std::string(engine->name()), versionsOf(*engine)});
    text += table.text();
    for (const Engine *engine : engines()) {
        TextTable options;
        options.column("OPTION").column("KIND").column("DEFAULT").column("WHAT IT IS");
        for (const EngineOption &option : engine->options())
            options.row({std::string(option.name), option.words.empty() ? std::string(kindName(option.kind)) : std::string(option.words),
                         std::string(option.standard), std::string(option.help)});
        if (!options.empty())
            text += "\n" + std::string(engine->id()) + "\n" + options.text(2);
    }
    return text;
}

std::string asJson() {
    std::string text;
    JsonWriter out(text, true);
    out.beginObject();
    out.key("engines").beginArray();
    for (const Engine *engine : engines()) {
        out.beginObject();
        out.member("id", engine->id());
        out.member("name", engine->name());
        out.key("versions").beginArray();
        for (const std::string_view version : engine->versions())
            out.value(version);
        out.endArray();
        out.key("kv_dtypes").beginArray();
        for (const ElementType type : engine->kvTypes())
            out.value(info(type).name);
        out.endArray();
        out.member("splits_k_and_v", engine->splitsKeyAndValueTypes());
        out.key("options").beginArray();
        for (const EngineOption &option : engine->options()) {
            out.beginObject();
            out.member("name", option.name);
            out.member("kind", kindName(option.kind));
            if (!option.words.empty())
                out.member("words", option.words);
            out.member("default", option.standard);
            out.member("help", option.help);
            out.endObject();
        }
        out.endArray();
        out.endObject();
    }
    out.endArray();
    out.endObject();
    return text + "\n";
}

} // namespace

int runEngines(const CommandLine &line) {
    print(line.form == Form::Json ? asJson() : asText());
    return ExitStatus::Made;
}

} // namespace kv
