// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What one engine's sentences have said so far, rank by rank, before it is settled into a ServerLog; and the short forms by which the
// engines' files read a figure behind a phrase. A figure that is no number or out of its range is noted and left out.

#include "core/log/loglines.h"
#include "core/log/logsettings.h"
#include "core/log/sentences.h"
#include "core/log/serverlog.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kv {

/// A figure that every rank prints for itself.
class PerRank {
public:
    void set(const LogRank &rank, std::int64_t value) { at(rank) = value; }
    void add(const LogRank &rank, std::int64_t value) {
        std::int64_t &there = at(rank);
        there = checked::add(there, value);
    }
    /// Only where this rank has said nothing yet.
    void offer(const LogRank &rank, std::int64_t value) {
        if (!holds(rank))
            at(rank) = value;
    }
    /// The largest of what this rank says.
    void raise(const LogRank &rank, std::int64_t value) { set(rank, holds(rank) ? std::max(at(rank), value) : value); }
    bool holds(const LogRank &rank) const { return of(rank).has_value(); }
    std::optional<std::int64_t> of(const LogRank &rank) const;
    bool empty() const { return m_values.empty(); }
    std::optional<std::int64_t> least() const;
    std::optional<std::int64_t> most() const;
    bool unlike() const { return !empty() && least() != most(); }
    void clear() { m_values.clear(); }

private:
    std::int64_t &at(const LogRank &rank);
    std::vector<std::pair<LogRank, std::int64_t>> m_values;
};

/// A figure of several devices in one process, by the device's name.
class PerDevice {
public:
    void set(std::string_view device, std::int64_t value) { at(device) = value; }
    void add(std::string_view device, std::int64_t value) {
        std::int64_t &there = at(device);
        there = checked::add(there, value);
    }
    bool holds(std::string_view device) const;
    bool empty() const { return m_values.empty(); }
    std::optional<std::int64_t> sum() const;
    std::int64_t accelerators() const; ///< devices other than the host
    void clear() { m_values.clear(); }

private:
    std::int64_t &at(std::string_view device);
    std::vector<std::pair<std::string, std::int64_t>> m_values;
};

/// One context of llama.cpp: its caches by the lines that sum them up, and by the buffers behind them.
struct ContextFigures {
    std::optional<std::int64_t> cache, state; ///< bytes
    PerDevice cacheBuffers, stateBuffers, compute;
    std::optional<std::string> keyType, valueType;
    std::optional<Tokens> cells, cellsOfSlot;
    std::optional<std::int64_t> slotCount;
};

/// Whether a size may be below zero: what is left of a share, and what is measured as the difference of free memory, really are.
enum class Sign { Plus, Either };

struct LogDraft {
    ServerLog log;
    PerRank weights, available, activation, outside, graphs, graphsEstimated, cache, state, memory, tokens;
    PerRank availableLater;  ///< vLLM's last sentence, of the pool in use
    PerRank graphsExpected;  ///< vLLM: the estimate before the cache is laid out
    std::optional<bool> graphsTaken; ///< whether the log says that the budget is less by it
    PerRank servedTokens;    ///< SGLang's last line: the tokens that every rank can keep
    LogRank highest;         ///< largest rank numbers seen
    std::vector<LogRank> begun; ///< vLLM: engine cores that have begun in this start
    bool figures = false;    ///< a figure was read since the start
    bool complete = false;   ///< the line that closes a start was seen
    ContextFigures context;  ///< llama.cpp
    std::vector<ContextFigures> contexts;
    PerDevice modelBuffers, estimates;
    std::optional<std::int64_t> estimatedWeights, estimatedCache; ///< Ollama's, before the start
    bool said = false;       ///< a common wording turned out to be this engine's own
    bool drafting = false;   ///< llama.cpp loads a draft model from here on
    bool modelsApart = false; ///< vLLM's first engine (V0): the model and the one that drafts print their figures one after the other
    std::vector<std::pair<std::string, std::string>> cards; ///< llama.cpp: device ("CUDA0") and name, in order
    std::optional<std::int64_t> projector; ///< llama.cpp: weights and buffers of a projector for images or sound
    std::int64_t lastLine = 0, sentences = 0;

    /// Forgets everything: a new start. Only the number of starts stays.
    void begin();
    void see(const LogRank &rank);
    void note(const FoundSentence &found, std::string_view name, std::string_view written, std::string_view reason);
    /// One process says a figure anew, and no start stands between.
    void saidAgain(const FoundSentence &found, std::string_view name, std::int64_t before, std::int64_t bytes);

    // Each reads the figure at the start of a text, or notes why it cannot. `name` is how the message calls it.
    std::optional<std::int64_t> size(const FoundSentence &found, std::string_view text, std::string_view name, Sign sign = Sign::Plus);
    std::optional<std::int64_t> whole(const FoundSentence &found, std::string_view text, std::string_view name, std::int64_t least, std::int64_t most);
    std::optional<std::int64_t> fraction(const FoundSentence &found, std::string_view text, std::string_view name); ///< 10^-9
    std::optional<double> real(const FoundSentence &found, std::string_view text, std::string_view name);
    /// A setting's value, silently nothing where it is None.
    std::optional<std::int64_t> setting(const FoundSentence &found, std::string_view value, std::string_view key, std::int64_t least, std::int64_t most);
};

/// Bounds of what a log may say: no server has more ranks, no context more tokens.
inline constexpr std::int64_t mostRanks = 65'536, mostTokens = std::int64_t{1} << 50;

/// The phrase without its trailing blanks and signs, for messages.
std::string phraseName(std::string_view phrase);

template <PerRank LogDraft::*Figure>
inline constexpr Sign signOf = Figure == &LogDraft::available || Figure == &LogDraft::availableLater || Figure == &LogDraft::outside || Figure == &LogDraft::graphs ||
                                       Figure == &LogDraft::graphsEstimated || Figure == &LogDraft::graphsExpected
                                   ? Sign::Either
                                   : Sign::Plus;

/// Reads a size behind the phrase into one of the per-rank figures.
template <PerRank LogDraft::*Figure>
void readSize(LogDraft &draft, const FoundSentence &found) {
    if (const auto bytes = draft.size(found, found.after(), phraseName(found.phrase), signOf<Figure>)) {
        (draft.*Figure).set(found.rank(), *bytes);
        draft.see(found.rank());
        draft.figures = true;
    }
}

inline std::optional<Bytes> asBytes(std::optional<std::int64_t> value) { return value ? std::optional(Bytes(*value)) : std::nullopt; }
inline std::optional<Tokens> asTokens(std::optional<std::int64_t> value) { return value ? std::optional(Tokens(*value)) : std::nullopt; }

/// Takes over what was said, and leaves what was said before where nothing new came.
template <typename T>
void replace(std::optional<T> &field, std::optional<T> value) {
    if (value)
        field = std::move(value);
}

} // namespace kv
