// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/jsonwriter.h"
#include "core/base/plaintext.h"
#include "core/base/units.h"
#include "core/hardware/machine.h"
#include "core/hardware/ownlist.h"
#include "core/report/texttable.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kv {

namespace {

std::string mebibytes(Bytes bytes) { return bytes.value > 0 ? writeNumber(bytes.value / mebibyte) : std::string(); }

std::string whole(double number) { return number > 0 ? writeNumber(static_cast<std::int64_t>(std::llround(number))) : std::string(); }

std::vector<Gpu> listed() {
    std::vector<Gpu> list;
    std::ranges::copy_if(gpus(), std::back_inserter(list), [](const Gpu &gpu) { return gpu.origin != GpuOrigin::Guest; });
    return list;
}

/// The three totals stand side by side: which of them an engine counts from is what people mix up.
std::string asText() {
    using enum TextTable::Align;
    TextTable table;
    table.column("ID").column("NAME").column("MAKER").column("MARKETED GB", Right).column("DRIVER MiB", Right).column("FRAMEWORK MiB", Right);
    table.column("GB/s", Right).column("YEAR", Right);
    for (const Gpu &gpu : listed())
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
    for (const Gpu &gpu : listed()) {
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
        out.member("own", gpu.origin == GpuOrigin::Own);
        out.endObject();
    }
    out.endArray();
    out.endObject();
    return text + "\n";
}

void warnAll(const Notes &notes) {
    for (const Note &note : notes)
        std::fprintf(stderr, "kvplanner: warning: %s\n", note.text.c_str());
}

std::string machineAsText(const Machine &machine) {
    using enum TextTable::Align;
    TextTable table;
    table.column("GPU", Right).column("FOUND").column("MEMORY MiB", Right).column("IN USE MiB", Right).column("DISPLAY").column("PLANNED AS");
    for (std::size_t i = 0; i < machine.cards.size(); ++i) {
        const MachineCard &card = machine.cards[i];
        table.row({std::to_string(i), card.found.name, mebibytes(card.found.memory), card.found.used ? writeNumber(card.found.used->value / mebibyte) : "",
                   card.found.display ? "yes" : "", card.known ? card.gpu.id : "a card of its own: " + card.gpu.name});
    }
    return table.text();
}

std::string machineAsJson(const Machine &machine) {
    std::string text;
    JsonWriter out(text, true);
    out.beginObject();
    out.member("ok", true);
    out.member("tool", machine.tool);
    out.key("looked_for").beginArray();
    for (const std::string &tool : machine.looked)
        out.value(tool);
    out.endArray();
    out.key("gpus").beginArray();
    for (const MachineCard &card : machine.cards) {
        out.beginObject();
        out.member("name", card.found.name);
        out.member("memory_bytes", card.found.memory.value > 0 ? std::optional(card.found.memory.value) : std::nullopt);
        out.member("used_bytes", card.found.used ? std::optional(card.found.used->value) : std::nullopt);
        out.member("display", card.found.display);
        out.member("gpu", card.gpu.id);
        out.member("known", card.known);
        out.endObject();
    }
    out.endArray();
    out.endObject();
    return text + "\n";
}

int runMachine(Form form) {
    const Machine machine = readMachine();
    if (machine.cards.empty()) {
        Notes others = machine.notes;
        const Note fault = others.back();
        others.pop_back();
        warnAll(others);
        return refuse(fault, form);
    }
    warnAll(machine.notes);
    print(form == Form::Json ? machineAsJson(machine) : machineAsText(machine));
    return ExitStatus::Made;
}

int runAdd(const CommandLine &line) {
    GpuByHand typed = line.gpu;
    typed.name = *line.addGpu;
    const Parsed<Gpu> gpu = gpuByHand(typed);
    if (!gpu)
        return refuse(*firstError(gpu.notes), line.form);
    if (const std::optional<Note> fault = addOwnGpu(*gpu))
        return refuse(*fault, line.form);
    print(line.form == Form::Json ? "{\"ok\": true, \"id\": \"" + gpu->id + "\"}\n" : gpu->id + " added to " + oneLine(ownGpusPath()) + "\n");
    return ExitStatus::Made;
}

int runRemove(const CommandLine &line) {
    if (const std::optional<Note> fault = removeOwnGpu(*line.removeGpu))
        return refuse(*fault, line.form);
    print(line.form == Form::Json ? "{\"ok\": true}\n" : oneLine(*line.removeGpu, 80) + " removed from " + oneLine(ownGpusPath()) + "\n");
    return ExitStatus::Made;
}

} // namespace

int runGpus(const CommandLine &line) {
    if (line.addGpu)
        return runAdd(line);
    if (line.removeGpu)
        return runRemove(line);
    if (line.thisMachine)
        return runMachine(line.form);
    warnAll(ownGpuFaults());
    print(line.form == Form::Json ? asJson() : asText());
    return ExitStatus::Made;
}

} // namespace kv
