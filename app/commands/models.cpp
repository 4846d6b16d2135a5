// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/jsonwriter.h"
#include "core/model/catalogue.h"
#include "core/report/texttable.h"

namespace kv {

namespace {

struct Row {
    const Preset *preset;
    std::shared_ptr<const ModelSpec> model; ///< null: its config could not be read
};

std::vector<Row> rows() {
    std::vector<Row> all;
    for (const Preset &preset : presets())
        all.push_back({&preset, presetModel(preset.id).value.value_or(nullptr)});
    return all;
}

std::int64_t parametersOf(const Row &row) {
    return row.preset->parameters > 0 ? row.preset->parameters : row.model ? row.model->weights.parameters : 0;
}

/// "70.6 B", as models are called: billions with one decimal, millions below.
std::string shortParameters(std::int64_t count) {
    constexpr std::int64_t billion = 1'000'000'000, million = 1'000'000;
    if (count <= 0)
        return {};
    if (count < billion)
        return std::to_string((count + million / 2) / million) + " M";
    const std::int64_t tenths = (count + billion / 20) / (billion / 10);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " B";
}

std::string asText(const std::vector<Row> &all) {
    using enum TextTable::Align;
    TextTable table;
    table.column("ID").column("NAME").column("MAKER").column("ATTENTION").column("LAYERS", Right).column("PARAMETERS", Right).column("CONTEXT", Right);
    for (const Row &row : all) {
        const ModelSpec *model = row.model.get();
        table.row({row.preset->id, row.preset->name, row.preset->maker, model ? model->attentionName() : row.preset->kind,
                   model ? std::to_string(model->layerCount()) : "", shortParameters(parametersOf(row)),
                   model && model->maxContext ? writeTokensShort(*model->maxContext) : ""});
    }
    return table.text();
}

std::string asJson(const std::vector<Row> &all) {
    std::string text;
    JsonWriter out(text, true);
    const auto unlessZero = [](std::int64_t n) { return n > 0 ? std::optional(n) : std::nullopt; };
    out.beginObject();
    out.key("models").beginArray();
    for (const Row &row : all) {
        const Preset &preset = *row.preset;
        out.beginObject();
        out.member("id", preset.id);
        out.member("name", preset.name);
        out.member("maker", preset.maker);
        out.member("repository", preset.repository);
        out.member("kind", preset.kind);
        out.member("parameters", unlessZero(parametersOf(row)));
        out.member("checkpoint_bytes", unlessZero(preset.checkpointBytes));
        out.member("own", preset.own);
        if (row.model) {
            out.member("architecture", row.model->architecture);
            out.member("attention", row.model->attentionName());
            out.member("layers", row.model->layerCount());
            out.member("max_context", row.model->maxContext ? std::optional(row.model->maxContext->value) : std::nullopt);
        }
        out.endObject();
    }
    out.endArray();
    out.endObject();
    return text + "\n";
}

} // namespace

int runModels(const CommandLine &line) {
    const std::vector<Row> all = rows();
    print(line.form == Form::Json ? asJson(all) : asText(all));
    return ExitStatus::Made;
}

} // namespace kv
