// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tracecache.h"

#include "core/workload/percentiles.h"
#include "core/workload/trace.h"

#include <filesystem>

namespace kv {

namespace {

namespace fs = std::filesystem;

/// Nothing where the columns are none that a trace can be read by.
std::optional<LengthColumns> columnsOf(const Json &lengths) {
    LengthColumns columns;
    const Json *said = lengths.find("columns");
    if (!said || said->isNull())
        return columns;
    if (!said->isObject())
        return std::nullopt;
    for (const auto &[key, field] : {std::pair("input", &columns.input), {"output", &columns.output}, {"total", &columns.total}})
        if (const Json *name = said->find(key); name && name->isString())
            *field = name->text();
    return !columns.total.empty() && (!columns.input.empty() || !columns.output.empty()) ? std::nullopt : std::optional(columns);
}

} // namespace

void TraceCache::embed(Json &scenario, Notes &notes) {
    Json *workload = scenario.isObject() ? scenario.find("workload") : nullptr;
    Json *lengths = workload && workload->isObject() ? workload->find("lengths") : nullptr;
    const Json *file = lengths && lengths->isObject() ? lengths->find("file") : nullptr;
    if (!file || !file->isString() || lengths->find("trace"))
        return;
    const std::optional<LengthColumns> columns = columnsOf(*lengths);
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file->text(), error);
    const auto changed = fs::last_write_time(file->text(), error).time_since_epoch().count();
    if (!columns || error)
        return;
    const std::string key = file->text() + '\0' + std::to_string(size) + '\0' + std::to_string(changed) + '\0' + writeJson(columnsJson(*columns));
    auto found = m_read.find(key);
    if (found == m_read.end()) {
        Entry entry;
        Parsed<Lengths> read = readTrace(file->text(), {*columns, {}});
        entry.notes = std::move(read.notes);
        if (read) {
            entry.columns = columnsJson(read->columns);
            entry.trace = embeddedTrace(*read);
        }
        found = m_read.emplace(key, std::move(entry)).first;
    }
    const Entry &entry = found->second;
    notes.insert(notes.end(), entry.notes.begin(), entry.notes.end());
    if (entry.trace.isNull())
        return; // refused: the notes say why
    lengths->set("columns", entry.columns);
    lengths->set("trace", entry.trace);
}

} // namespace kv
