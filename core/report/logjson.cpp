// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/logjson.h"

#include "core/base/jsonwriter.h"
#include "core/report/logfields.h"
#include "core/report/planjson.h"
#include "core/report/refusal.h"

namespace kv {

namespace {

constexpr double fractionUnits = 1e9, hundredths = 100;

void writeField(JsonWriter &json, const ServerLog &log, const LogField &field) {
    json.key(field.key);
    std::visit(
        [&](const auto member) {
            const auto &value = log.*member;
            using Value = typename std::remove_cvref_t<decltype(value)>::value_type;
            // NOLINTBEGIN(bugprone-branch-clone): branches that a type leaves out count as alike
            if (!value)
                json.null();
            else if constexpr (std::is_same_v<Value, Bytes> || std::is_same_v<Value, Tokens>)
                json.value(value->value);
            else if constexpr (std::is_same_v<Value, std::int64_t>)
                field.fraction ? json.value(static_cast<double>(*value) / fractionUnits) : json.value(*value);
            else if constexpr (std::is_same_v<Value, double>)
                json.value(*value);
            else
                json.value(std::string_view(*value));
            // NOLINTEND(bugprone-branch-clone)
        },
        field.field);
}

void writeLog(JsonWriter &json, const ServerLog &log) {
    json.key("log").beginObject();
    json.member("engine", std::string_view(log.engine));
    for (const LogField &field : logFields())
        writeField(json, log, field);
    json.member("starts", log.starts);
    json.key("refusal");
    log.refusal ? json.value(std::string_view(*log.refusal)) : json.null();
    json.endObject();
}

void writeAmount(JsonWriter &json, std::string_view key, const std::optional<std::int64_t> &amount, LoggedUnit unit) {
    json.key(key);
    if (amount && unit == LoggedUnit::Times)
        json.value(static_cast<double>(*amount) / hundredths);
    else
        json.value(amount);
}

void writeDifference(JsonWriter &json, const LogDifference &row) {
    constexpr std::string_view units[]{"bytes", "tokens", "count", "times"};
    json.beginObject();
    json.member("quantity", std::string_view(row.quantity));
    json.member("name", std::string_view(row.name));
    json.member("unit", units[static_cast<std::size_t>(row.unit)]);
    writeAmount(json, "logged", row.logged, row.unit);
    writeAmount(json, "planned", row.planned, row.unit);
    writeAmount(json, "difference", row.difference(), row.unit);
    if (row.plannedFromLogged)
        writeAmount(json, "planned_from_logged_memory", row.plannedFromLogged, row.unit);
    json.member("agrees", row.agrees);
    json.member("text", std::string_view(row.text));
    json.endObject();
}

void writeNotes(JsonWriter &json, const Notes &notes) {
    for (const Note &note : notes) {
        json.beginObject();
        json.member("code", std::string_view(note.code));
        json.member("text", std::string_view(note.text));
        json.endObject();
    }
}

} // namespace

void appendLogJson(std::string &out, const ServerLog &log, const Reconciliation &beside, bool pretty) {
    JsonWriter json(out, pretty);
    json.beginObject();
    json.member("ok", true);
    writeLog(json, log);
    json.key("plan");
    if (beside.plan)
        json.tree(planToJson(beside.scenario, *beside.plan));
    else
        json.null();
    json.key("differences").beginArray();
    for (const LogDifference &row : beside.differences)
        writeDifference(json, row);
    json.endArray();
    json.key("warnings").beginArray();
    writeNotes(json, log.notes);
    writeNotes(json, beside.notes);
    if (beside.noPlan)
        writeNotes(json, {*beside.noPlan});
    json.endArray();
    json.endObject();
}

} // namespace kv
