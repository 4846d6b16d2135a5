// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// NVIDIA's generations, by which engines choose their kernels (compute capability: Volta 7.0, Turing 7.5, Ampere 8.0 and 8.6, Ada 8.9,
// Hopper 9.0, Blackwell 10.x and 12.x). Told by the id; other makers' cards, and cards of one's own, are Unknown.

#include "core/hardware/gpu.h"

namespace kv {

enum class Generation : std::uint8_t { Unknown, Older, Volta, Turing, Ampere, Ada, Hopper, Blackwell };

Generation generationOf(const Gpu &gpu);
std::string_view generationName(Generation generation);
/// Blackwell of compute capability 10.x, B200 and its kin: kernels made for it do not run on 11.x and 12.x.
bool isServerBlackwell(const Gpu &gpu);

} // namespace kv
