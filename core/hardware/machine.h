// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The accelerators of the machine that the program runs on, as its drivers' own tools tell them: nvidia-smi, amd-smi, rocm-smi, and on a
// Mac sysctl. Each tool is asked for figures alone and changes nothing. What they print is text of unknown origin: the parsers take what is
// as expected and pass over the rest.
//
// A card found is one of the list where its name is that card's and its memory within a thirty-second of the driver's figure (an older or
// newer driver moves it), or, where the driver tells no memory, by name alone; else a card of its own is made from what was found.
// Formats: nvidia-smi --query-gpu (CSV; MiB), amd-smi static --json (MB that are MiB), rocm-smi --json (bytes), sysctl -n.

#include "core/base/runtool.h"
#include "core/hardware/gpu.h"

#include <functional>
#include <optional>

namespace kv {

/// A card as a tool tells it.
struct FoundCard {
    std::string name;   ///< "NVIDIA GeForce RTX 4090"
    std::string vendor; ///< "NVIDIA"
    Bytes memory;       ///< what the driver says in all; 0: it does not say
    std::optional<Bytes> used; ///< by whatever runs, the desktop included
    bool display = false; ///< a display hangs on it
    bool unified = false; ///< the memory is the computer's

    bool operator==(const FoundCard &) const = default;
};

std::vector<FoundCard> parseNvidiaSmi(std::string_view csv);
std::vector<FoundCard> parseAmdSmi(std::string_view json);
std::vector<FoundCard> parseRocmSmi(std::string_view json);
/// Two lines: the chip's name and the bytes of memory.
std::vector<FoundCard> parseMacSysctl(std::string_view lines);

/// The card of the list that was found; nullptr: none is it.
const Gpu *matchCard(const FoundCard &found);
/// A card made from what was found, with an id of its own. Without a memory there is none.
std::optional<Gpu> cardOf(const FoundCard &found);

struct MachineCard {
    FoundCard found;
    Gpu gpu;            ///< of the list, or made
    bool known = false; ///< of the list
};

struct Machine {
    std::vector<MachineCard> cards;
    std::string tool;                ///< the one that answered
    std::vector<std::string> looked; ///< all that were asked or looked for
    Notes notes;                     ///< what went wrong, and why there are no cards

    /// What the desktop and others take of the card that a display hangs on, else of the first; nothing where no tool says.
    std::optional<Bytes> takenByOthers() const;
};

using RunTool = std::function<ToolAnswer(const std::string &name, const std::vector<std::string> &arguments)>;
/// Takes as long as the tools take: never on a thread that draws.
Machine readMachine(const RunTool &run = [](const std::string &name, const std::vector<std::string> &arguments) { return runTool(name, arguments); });

} // namespace kv
