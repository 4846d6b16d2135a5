// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/ownlist.h"

#include "core/base/embedded.h"
#include "core/base/plaintext.h"
#include "core/base/savefile.h"
#include "core/base/smallfile.h"
#include "core/base/units.h"
#include "core/hardware/gpurow.h"

#include <algorithm>
#include <filesystem>
#include <functional>

namespace kv {

namespace {

constexpr std::int64_t largestTable = 16 * mebibyte;

/// The file's whole content; null when there is no file.
Parsed<Json> readRoot() {
    const std::string path = ownGpusPath();
    const std::string shown = oneLine(path);
    std::error_code error;
    if (path.empty() || std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::not_found)
        return {Json(), {}};
    const Parsed<std::string> text = readSmallFile(path, largestTable);
    if (!text)
        return {std::nullopt, text.notes};
    Parsed<Json> root = parseJson(*text, shown);
    if (!root)
        return root;
    const Json *rows = root->isObject() ? root->find("gpus") : nullptr;
    if (!rows || !rows->isArray())
        return {std::nullopt, {errorNote("bad-value", shown, shown + ": expected {\"gpus\": [ … ]}, a list of accelerators, found " + describe(*root))}};
    return root;
}

Note leftAlone(const Notes &notes) {
    Note fault = *firstError(notes);
    fault.text += ". The file is left as it is; mend it or move it away, then try again.";
    return fault;
}

/// The row of an id in the file, or −1.
std::ptrdiff_t rowOf(const Json &rows, std::string_view id) {
    const auto at = std::ranges::find_if(rows.items(), [&](const Json &row) {
        const Json *own = row.isObject() ? row.find("id") : nullptr;
        return own && own->isString() && sameWord(own->text(), id);
    });
    return at == rows.items().end() ? -1 : at - rows.items().begin();
}

Note notThere(std::string_view id) {
    return errorNote("unknown-gpu", "gpus.json", "your own list has no GPU \"" + oneLine(id, 80) + "\"");
}

/// Reads, changes and writes the list under a lock; `change` returns what stands in the way.
std::optional<Note> change(const std::function<std::optional<Note>(Json &rows)> &edit) {
    const std::string path = ownGpusPath();
    if (path.empty())
        return errorNote("cannot-write", "gpus.json", "there is no data folder to keep your own GPUs in: neither XDG_DATA_HOME nor HOME is set");
    std::error_code error;
    std::filesystem::create_directories(userDataFolder(), error);
    const FolderLock lock(userDataFolder());
    Parsed<Json> root = readRoot();
    if (!root)
        return leftAlone(root.notes);
    Json whole = root->isNull() ? Json::object() : *root;
    if (!whole.find("gpus"))
        whole.set("gpus", Json::array());
    Json *rows = whole.find("gpus");
    if (std::optional<Note> fault = edit(*rows))
        return fault;
    std::string text = "{\n";
    for (const auto &[key, value] : whole.members())
        if (key != "gpus")
            text += " " + writeJson(Json(key)) + ": " + writeJson(value) + ",\n";
    text += " \"gpus\": [";
    for (std::size_t i = 0; i < rows->items().size(); ++i)
        text += (i == 0 ? "\n  " : ",\n  ") + writeJson(rows->items()[i]);
    text += rows->items().empty() ? "]\n}\n" : "\n ]\n}\n";
    if (std::optional<Note> fault = saveFile(path, text))
        return fault;
    reloadGpus();
    return std::nullopt;
}

} // namespace

std::string ownGpusPath() {
    const std::string folder = userDataFolder();
    return folder.empty() ? folder : folder + "/gpus.json";
}

Parsed<std::vector<Gpu>> readOwnGpus() {
    const Parsed<Json> root = readRoot();
    Parsed<std::vector<Gpu>> out;
    if (!root) {
        Note fault = *firstError(root.notes);
        fault.severity = Severity::Warning;
        fault.text += ". Your own GPUs are not known until it is mended; the file is left as it is.";
        out.notes.push_back(std::move(fault));
        return out;
    }
    out.value.emplace();
    if (root->isNull())
        return out;
    const std::vector<Json> &rows = root->find("gpus")->items();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Gpu gpu = readGpuRow(rows[i]);
        gpu.origin = GpuOrigin::Own;
        const std::string where = oneLine(ownGpusPath()) + ": gpus[" + std::to_string(i) + "]";
        if (!isWhole(gpu))
            out.notes.push_back(warningNote("missing-key", where, where + " is no GPU: it needs an id and one of marketed_gb, driver_mib and framework_mib; it is passed over"));
        else
            out.value->push_back(std::move(gpu));
    }
    return out;
}

std::optional<Note> addOwnGpu(const Gpu &gpu) {
    if (!isWhole(gpu))
        return errorNote("bad-value", "gpu", "a GPU needs a name and a memory");
    return change([&](Json &rows) -> std::optional<Note> {
        // The table's card of this id may be a guest: that is this very card, or one that a file brought along.
        const Gpu *known = findGpu(gpu.id);
        const bool taken = known && sameWord(known->id, gpu.id) && known->origin != GpuOrigin::Guest;
        if (taken || rowOf(rows, gpu.id) >= 0)
            return errorNote("gpu-exists", "gpu",
                             "there is a GPU \"" + oneLine(gpu.id, 80) + "\" already" + (known && taken ? ", " + oneLine(known->name, 80) : "") +
                                 "; give yours another name");
        rows.push(writeGpuRow(gpu));
        return std::nullopt;
    });
}

std::optional<Note> changeOwnGpu(const std::string &id, const Gpu &gpu) {
    return change([&](Json &rows) -> std::optional<Note> {
        const std::ptrdiff_t at = rowOf(rows, id);
        if (at < 0)
            return notThere(id);
        Gpu kept = gpu;
        kept.id = id;
        if (!isWhole(kept))
            return errorNote("bad-value", "gpu", "a GPU needs a name and a memory");
        Json &row = rows.items()[static_cast<std::size_t>(at)];
        const Json written = writeGpuRow(kept);
        for (const auto &[key, value] : written.members())
            row.set(key, value);
        return std::nullopt;
    });
}

std::optional<Note> removeOwnGpu(const std::string &id) {
    return change([&](Json &rows) -> std::optional<Note> {
        const std::ptrdiff_t at = rowOf(rows, id);
        if (at < 0)
            return notThere(id);
        rows.items().erase(rows.items().begin() + at);
        return std::nullopt;
    });
}

} // namespace kv
