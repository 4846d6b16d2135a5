// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/gpumemory.h"

#include "core/base/quantity.h"

#include <array>

namespace kv {

namespace {

struct CarveOut {
    std::string_view idBegins;
    std::int64_t mebibytes;
};

// MiB between the driver's total and the framework's, the first match counts. Measured on the named card or its nearest sibling:
// A10 297, A40 572, L40S 582, H100 468, H200 616, B200 730, B300 940, A100 80 GB about 790, GeForce and RTX cards 382 to 495.
constexpr std::array<CarveOut, 17> carveOuts{{
    {"b300", 940}, {"gb300", 940}, {"b200", 730}, {"gb200", 730}, {"b100", 730}, {"h200", 616},   {"h20-141gb", 616}, {"l20x", 616}, {"gh200-144gb", 616},
    {"h100", 470}, {"h800", 470},  {"h20", 470},  {"gh200", 470}, {"a100", 790}, {"a800", 790},   {"l40", 580},       {"l20", 580},
}};

std::int64_t carveOutOf(const Gpu &gpu) {
    constexpr std::int64_t smallServerCard = 300, geForce = 450;
    if (gpu.vendor != "NVIDIA")
        return 0; // AMD's runtime reports what its driver does
    for (const CarveOut &entry : carveOuts)
        if (std::string_view(gpu.id).starts_with(entry.idBegins))
            return entry.mebibytes;
    return gpu.memoryType.find("inline ECC") != std::string::npos ? smallServerCard : geForce;
}

} // namespace

Bytes frameworkMemory(const Gpu &gpu, Notes &warnings) {
    if (gpu.framework > Bytes(0))
        return gpu.framework;
    if (gpu.driver > Bytes(0)) {
        const std::int64_t carved = carveOutOf(gpu);
        if (carved > 0)
            warnings.push_back(warningNote("memory-estimated", "hardware.gpu",
                                           "What a program gets of " + gpu.name + " is not known exactly: counted is the driver's figure less " +
                                               writeNumber(carved) + " MiB, as like cards keep back."));
        return gpu.driver - Bytes(carved * mebibyte);
    }
    const std::string marketed = writeBytes(gpu.marketed, SizeUnit::Decimal);
    // Limits seen on Macs: two thirds on small ones, three quarters and more on large ones, the more the newer the system.
    warnings.push_back(warningNote("memory-marketed", "hardware.gpu",
                                   gpu.formFactor.find("unified") != std::string::npos ? "How much of its memory the system leaves to the GPU of " + gpu.name + " is not known: counted are all " + marketed +
                                                     ", while two thirds to nine tenths are usual; give hardware.memory_bytes."
                                               : "Neither a driver's nor a framework's figure of " + gpu.name + " is known: counted is the marketed " + marketed +
                                                     "; give hardware.memory_bytes if you know better."));
    return gpu.marketed;
}

} // namespace kv
