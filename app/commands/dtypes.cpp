// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/jsonwriter.h"
#include "core/engine/engines.h"
#include "core/report/texttable.h"

#include <algorithm>

namespace kv {

namespace {

bool takes(const Engine &engine, ElementType type) { return type == ElementType::Auto || std::ranges::find(engine.kvTypes(), type) != engine.kvTypes().end(); }

bool anyTakes(ElementType type) {
    return std::ranges::any_of(engines(), [type](const Engine *engine) { return takes(*engine, type); });
}

/// "2", "1/2", "34/32": bytes of one element.
std::string bytesOfElement(const ElementTypeInfo &entry) {
    if (entry.type == ElementType::Auto)
        return {};
    std::string text = std::to_string(entry.blockBytes);
    return entry.blockElements == 1 ? text : text + "/" + std::to_string(entry.blockElements);
}

std::string asText() {
    using enum TextTable::Align;
    TextTable table;
    table.column("TYPE").column("BYTES", Right);
    for (const Engine *engine : engines())
        table.column(engine->id());
    table.column("ALSO CALLED").column("REMARK");
    for (const ElementTypeInfo &entry : elementTypes()) {
        if (!anyTakes(entry.type))
            continue;
        std::vector<std::string> cells{std::string(entry.name), bytesOfElement(entry)};
        for (const Engine *engine : engines())
            cells.emplace_back(takes(*engine, entry.type) ? "yes" : "");
        cells.emplace_back(entry.aliases);
        cells.emplace_back(entry.remark);
        table.row(std::move(cells));
    }
    return "KV types, bytes of one element, and the engines that take them\n\n" + table.text();
}

std::string asJson() {
    std::string text;
    JsonWriter out(text, true);
    out.beginObject();
    out.key("dtypes").beginArray();
    for (const ElementTypeInfo &entry : elementTypes()) {
        if (!anyTakes(entry.type))
            continue;
        out.beginObject();
        out.member("name", entry.name);
        out.member("aliases", entry.aliases);
        out.member("label", entry.label);
        out.member("block_elements", entry.blockElements);
        out.member("block_bytes", entry.blockBytes);
        out.member("bytes_per_token_and_head", entry.headBytes);
        out.key("engines").beginArray();
        for (const Engine *engine : engines())
            if (takes(*engine, entry.type))
                out.value(engine->id());
        out.endArray();
        out.member("remark", entry.remark);
        out.endObject();
    }
    out.endArray();
    out.endObject();
    return text + "\n";
}

} // namespace

int runDtypes(const CommandLine &line) {
    print(line.form == Form::Json ? asJson() : asText());
    return ExitStatus::Made;
}

} // namespace kv
