// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The user's own accelerators: gpus.json of the data folder, {"gpus": [ …rows of core/hardware/gpurow.h… ]}.
//
// A change reads the file, changes one row and writes the whole beside the old file before it takes its place, under a lock of the folder,
// so that neither a crash nor a second window loses a row; rows and keys that this version does not know are kept. A file that cannot be
// read as such a list is never written over. No id is ever taken twice: not of the list, and not of a built-in card.
// Codes: "gpu-exists", "unknown-gpu", "bad-value", "cannot-write", those of reading.

#include "core/hardware/gpu.h"

namespace kv {

/// "~/.local/share/KVPlanner/gpus.json"; empty where there is no data folder.
std::string ownGpusPath();

/// What stands in the file; no file is an empty list. The notes say what could not be read: the whole file, or rows of it.
Parsed<std::vector<Gpu>> readOwnGpus();

/// Each returns what stood in the way, or nothing; then the list is read anew.
std::optional<Note> addOwnGpu(const Gpu &gpu);
/// The row of `id` becomes this card, which keeps the id.
std::optional<Note> changeOwnGpu(const std::string &id, const Gpu &gpu);
std::optional<Note> removeOwnGpu(const std::string &id);

/// What people type about a card of their own, as text. Empty: not said.
struct GpuByHand {
    std::string name;      ///< "My 4090"
    std::string memory;    ///< "24 GB" is the label of the box; "24 GiB" and "24564 MiB" are what a program gets
    std::string usable;    ///< what a program gets, where the label is given as memory: "24095 MiB"
    std::string bandwidth; ///< "1.01 TB/s"; a bare number is GB/s
    std::string kind;      ///< "discrete" (the default) or "unified"
    std::string perNode;   ///< "8"
    std::string maker;     ///< "NVIDIA"
};
/// The card, with the id that its name gives; the notes name the field that cannot be read.
Parsed<Gpu> gpuByHand(const GpuByHand &typed);

} // namespace kv
