// SPDX-License-Identifier: GPL-3.0-or-later
//
// The accelerators of resources/gpus.json, and before them those of the user's own gpus.json, which win by id. Read when first asked for
// and after a change. A file of the user that cannot be read is left out whole: half a table would be worse than the one built in.
//
// A new table is put beside the old one, never in its place: spans and pointers that were handed out stay valid in every thread, until the
// guests of a line leave (GuestGpus).
#include "core/hardware/gpu.h"

#include "core/base/embedded.h"
#include "core/base/plaintext.h"
#include "core/hardware/gpurow.h"
#include "core/hardware/ownlist.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <tuple>

namespace kv {

namespace {

struct Table {
    std::vector<Gpu> list;
    Notes faults;
};

const Gpu *byId(const std::vector<Gpu> &list, std::string_view id) {
    const auto found = std::ranges::find_if(list, [&](const Gpu &gpu) { return sameWord(gpu.id, id); });
    return found == list.end() ? nullptr : &*found;
}

void addAll(std::vector<Gpu> &list, std::vector<Gpu> more, GpuOrigin origin) {
    for (Gpu &gpu : more) {
        if (!isWhole(gpu) || byId(list, gpu.id))
            continue;
        gpu.origin = origin;
        list.push_back(std::move(gpu));
    }
}

std::vector<Gpu> builtIn() {
    std::vector<Gpu> list;
    for (const EmbeddedFile &file : embeddedFiles()) {
        const Parsed<Json> root = file.path == "gpus.json" ? parseJson(file.content, file.path) : Parsed<Json>{};
        const Json *rows = root && root->isObject() ? root->find("gpus") : nullptr;
        if (rows)
            for (const Json &row : rows->items())
                list.push_back(readGpuRow(row));
    }
    return list;
}

/// All that is known; what is replaced stays where it is.
class Register {
public:
    static Register &one() {
        static Register it;
        return it;
    }

    const Table &table() const { return *m_current.load(std::memory_order_acquire); }

    void reload() {
        const std::lock_guard lock(m_mutex);
        m_own = readOwnGpus();
        publish();
    }

    std::string adopt(Gpu gpu) {
        constexpr std::size_t mostGuests = 300;
        const std::lock_guard lock(m_mutex);
        gpu.origin = GpuOrigin::Guest;
        const std::string wanted = gpu.id;
        for (int next = 2;; ++next) {
            const Gpu *known = byId(table().list, gpu.id);
            if (known && sameFigures(*known, gpu))
                return known->id;
            if (!known)
                break;
            gpu.id = wanted + "-" + std::to_string(next);
        }
        if (!isWhole(gpu) || m_guests.size() >= mostGuests)
            return {};
        m_guests.push_back(gpu);
        publish();
        return gpu.id;
    }

    std::pair<std::size_t, std::size_t> mark() {
        const std::lock_guard lock(m_mutex);
        return {m_guests.size(), m_all.size()};
    }

    void goBack(std::size_t guests, std::size_t tables) {
        const std::lock_guard lock(m_mutex);
        if (m_all.size() == tables)
            return;
        m_guests.erase(m_guests.begin() + static_cast<std::ptrdiff_t>(guests), m_guests.end());
        m_current.store(m_all[tables - 1].get(), std::memory_order_release);
        m_all.resize(tables);
    }

private:
    Register() : m_own(readOwnGpus()) { publish(); }

    void publish() {
        auto table = std::make_unique<Table>();
        table->faults = m_own.notes;
        if (m_own)
            addAll(table->list, *m_own.value, GpuOrigin::Own);
        addAll(table->list, builtIn(), GpuOrigin::BuiltIn);
        addAll(table->list, m_guests, GpuOrigin::Guest);
        m_current.store(table.get(), std::memory_order_release);
        m_all.push_back(std::move(table));
    }

    std::mutex m_mutex;
    Parsed<std::vector<Gpu>> m_own; ///< as the file was read last: a guest is no reason to read it again
    std::vector<Gpu> m_guests;
    std::vector<std::unique_ptr<const Table>> m_all;
    std::atomic<const Table *> m_current{nullptr};
};

} // namespace

std::span<const Gpu> gpus() { return Register::one().table().list; }

const Notes &ownGpuFaults() { return Register::one().table().faults; }

void reloadGpus() { Register::one().reload(); }

std::string adoptGpu(Gpu gpu) { return Register::one().adopt(std::move(gpu)); }

GuestGpus::GuestGpus() { std::tie(m_guests, m_tables) = Register::one().mark(); }

GuestGpus::~GuestGpus() { Register::one().goBack(m_guests, m_tables); }

const Gpu *findGpu(std::string_view idOrAlias) {
    if (idOrAlias.empty())
        return nullptr;
    const std::span<const Gpu> list = gpus();
    // Ids before aliases: an id must never be hidden behind another card's second name.
    for (const Gpu &gpu : list)
        if (gpu.id == idOrAlias)
            return &gpu;
    for (const Gpu &gpu : list)
        if (sameWord(gpu.id, idOrAlias))
            return &gpu;
    for (const Gpu &gpu : list)
        if (sameWord(gpu.name, idOrAlias) || std::ranges::any_of(gpu.aliases, [&](const std::string &alias) { return sameWord(alias, idOrAlias); }))
            return &gpu;
    return nullptr;
}

} // namespace kv
