// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An accelerator: three totals of one card that are easily mixed, kept apart.
//   marketed  what the box says, in GB of 10^9 (whatever the vendor meant by it): what the textbook counts from
//   driver    what nvidia-smi and its like report, MiB
//   framework what a program gets (cudaMemGetInfo, torch), MiB: what the engines count from
// 0 where a figure is not known. Facts and their sources: resources/gpus.json.

#include "core/base/units.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct Gpu {
    std::string id;     ///< "h100-sxm-80gb"
    std::string name;   ///< "H100 SXM 80 GB": short, for people
    std::string vendor; ///< "NVIDIA"
    std::vector<std::string> aliases;
    std::string formFactor;
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

    bool operator==(const Gpu &) const = default;
};

/// All accelerators known, as in resources/gpus.json, user's own first where ids clash.
std::span<const Gpu> gpus();
/// By id or alias, in any case; nullptr when unknown.
const Gpu *findGpu(std::string_view idOrAlias);

} // namespace kv
