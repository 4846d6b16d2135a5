// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/jsonwriter.h"
#include "core/hardware/gpu.h"
#include "core/report/texttable.h"

namespace kv {

namespace {

constexpr std::int64_t mebibyte = 1024 * 1024;

std::string mebibytes(Bytes bytes) { return bytes.value > 0 ? writeNumber(bytes.value / mebibyte) : std::string(); }

std::string whole(double number) { return number > 0 ? writeNumber(static_cast<std::int64_t>(number + 0.5)) : std::string(); }

/// The three totals stand side by side: which of them an engine counts from is what people mix up.
std::string asText() {
    using enum TextTable::Align;
    TextTable table;
    table.column("ID").column("NAME").column("MAKER").column("MARKETED GB", Right).column("DRIVER MiB", Right).column("FRAMEWORK MiB", Right);
    table.column("GB/s", Right).column("YEAR", Right);
    for (const Gpu &gpu : gpus())
        table.row({gpu.id, gpu.name, gpu.vendor, gpu.marketed.value > 0 ? writeBytes(gpu.marketed, SizeUnit::Decimal) : "", mebibytes(gpu.driver),
                   mebibytes(gpu.framework), whole(gpu.bandwidthGBs), gpu.releaseYear > 0 ? std::to_string(gpu.releaseYear) : ""});
    return table.text();
}

std::string asJson() {
    std::string text;
    JsonWriter out(text, true);
    const auto size = [](Bytes bytes) { return bytes.value > 0 ? std::optional(bytes.value) : std::nullopt; };
    const auto rate = [&out](std::string_view name, double number) {
        out.key(name);
        number > 0 ? out.value(number) : out.null();
    };
    const auto count = [](int number) { return number > 0 ? std::optional<std::int64_t>(number) : std::nullopt; };
    out.beginObject();
    out.key("gpus").beginArray();
    for (const Gpu &gpu : gpus()) {
        out.beginObject();
        out.member("id", gpu.id);
        out.member("name", gpu.name);
        out.member("vendor", gpu.vendor);
        out.key("aliases").beginArray();
        for (const std::string &alias : gpu.aliases)
            out.value(alias);
        out.endArray();
        out.member("form_factor", gpu.formFactor);
        out.member("memory_type", gpu.memoryType);
        out.member("marketed_bytes", size(gpu.marketed));
        out.member("driver_bytes", size(gpu.driver));
        out.member("framework_bytes", size(gpu.framework));
        rate("bandwidth_gb_s", gpu.bandwidthGBs);
        rate("bf16_tflops", gpu.bf16Tflops);
        rate("fp8_tflops", gpu.fp8Tflops);
        out.member("tdp_w", count(gpu.tdpWatts));
        out.member("gpus_per_node", count(gpu.gpusPerNode));
        out.member("release_year", count(gpu.releaseYear));
        out.member("interconnect", gpu.interconnect);
        out.member("notes", gpu.notes);
        out.endObject();
    }
    out.endArray();
    out.endObject();
    return text + "\n";
}

} // namespace

int runGpus(const CommandLine &line) {
    print(line.form == Form::Json ? asJson() : asText());
    return ExitStatus::Made;
}

} // namespace kv
