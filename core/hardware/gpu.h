// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An accelerator: three totals of one card that are easily mixed, kept apart.
//   marketed  what the box says, in GB of 10^9 (whatever the vendor meant by it): what the textbook counts from
//   driver    what nvidia-smi and its like report, MiB
//   framework what a program gets (cudaMemGetInfo, torch), MiB: what the engines count from
// 0 where a figure is not known. Facts and their sources: resources/gpus.json.
//
// The list may grow while the program runs (a card is added by hand, found in this machine, or came with a scenario file). A list that was
// handed out stays as it is and valid until the program ends, in every thread; the next call gives the new one.

#include "core/base/note.h"
#include "core/base/units.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

enum class GpuOrigin : std::uint8_t {
    BuiltIn, ///< of resources/gpus.json
    Own,     ///< of the user's gpus.json
    Guest,   ///< came with a scenario, or was found in this machine: until the program ends
};

struct Gpu {
    std::string id;     ///< "h100-sxm-80gb"
    std::string name;   ///< "H100 SXM 80 GB": short, for people
    std::string vendor; ///< "NVIDIA"
    std::vector<std::string> aliases;
    std::string formFactor; ///< "SXM5", "PCIe"; of a card given by hand "discrete" or "unified"
    std::string memoryType; ///< "HBM3"
    Bytes marketed;
    Bytes driver;
    Bytes framework;
    double bandwidthGBs = 0; ///< 10^9 bytes a second
    double bf16Tflops = 0;
    double fp8Tflops = 0;
    int tdpWatts = 0;
    int gpusPerNode = 0;
    int releaseYear = 0;
    std::string interconnect;
    std::string notes;
    GpuOrigin origin = GpuOrigin::BuiltIn;

    bool operator==(const Gpu &) const = default;
};

/// All accelerators known: the user's own, which win where ids clash, those of resources/gpus.json, and guests.
std::span<const Gpu> gpus();
/// By id or alias, in any case; nullptr when unknown.
const Gpu *findGpu(std::string_view idOrAlias);

/// What is wrong with the user's own gpus.json, in sentences that name the file; empty when it is fine or not there.
const Notes &ownGpuFaults();
/// Reads the user's own list again, after it was changed.
void reloadGpus();
/// Makes a card known that is no list's, and returns the id that it has from now on: its own, or, where that is another card's, the next
/// free one after it. Beyond a few hundred guests no more are taken, and the id is empty.
std::string adoptGpu(Gpu gpu);

/// Guests that are taken while it stands leave with it, so that the lines of a batch know nothing of each other's. For programs of one thread:
/// nothing may look up a card meanwhile elsewhere, or hold one of theirs longer.
class GuestGpus {
public:
    GuestGpus();
    ~GuestGpus();
    GuestGpus(const GuestGpus &) = delete;
    GuestGpus &operator=(const GuestGpus &) = delete;

private:
    std::size_t m_guests, m_tables;
};

} // namespace kv
