// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The moves that nearestThatWork() tries, by the place that a refusal names: another split over the GPUs, another type, another value of an
// option, another engine. A move proposes and knows nothing of what works; the proposals come nearest first.

#include "core/base/note.h"
#include "core/scenario/scenario.h"

#include <functional>
#include <string>

namespace kv {

class Engine;

enum class Answer : std::uint8_t { No, Taken, Enough };
/// Takes a proposal if it works; Enough: propose no more of this kind.
using Propose = std::function<Answer(std::string change, Scenario scenario)>;

/// Another split: of the same number of GPUs first, then tensor-parallel degrees next to the one asked for.
void proposeSplits(const Scenario &asked, const Engine &engine, const Propose &propose);
/// Other cache types: of the same width, then wider, then narrower ones; for unlike types each of the two for both.
void proposeTypes(const Scenario &asked, const Engine &engine, const Propose &propose);
/// For one option: its default, the nearest values above and below, the other words. For a name that is not known: the nearest name.
void proposeOption(const Scenario &asked, const Engine &engine, std::string_view option, const Propose &propose);
/// Without one of the options given, each in turn: of two that exclude each other either may be the wrong one.
void proposeFewerOptions(const Scenario &asked, const Engine &engine, const Propose &propose);
/// Other engines, with their own default options.
void proposeEngines(const Scenario &asked, const Propose &propose);
/// The workload made to agree with itself and with the engine's limits.
void proposeLoads(const Scenario &asked, const Note &refusal, const Propose &propose);
/// One kind of several unlike cards alone, that with the most memory first.
void proposeAlikeCards(const Scenario &asked, const Propose &propose);
/// The nearest name of a GPU or of a type of weights.
void proposeNames(const Scenario &asked, const Note &refusal, const Propose &propose);

} // namespace kv
