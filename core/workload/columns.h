// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which columns of a trace tell a request's length. Guessed from their names, with case, spaces and underscores left aside; whoever knows
// better names them. Names that people's files have:
//   Azure LLM inference traces   ContextTokens, GeneratedTokens           (Azure/AzurePublicDataset)
//   BurstGPT                     Request tokens, Response tokens, Total tokens (HPMLL/BurstGPT)
//   Mooncake                     input_length, output_length              (kvcache-ai/Mooncake)
//   vLLM, SGLang benchmarks      input_lens, output_lens, lists of all requests (vllm bench serve --save-detailed)
//   OpenAI's usage, gateways     prompt_tokens, completion_tokens, total_tokens
//   Vidur                        num_prefill_tokens, num_decode_tokens
//   Ollama, llama.cpp            prompt_eval_count, eval_count; tokens_evaluated, tokens_predicted
// An input with an output is their sum, with what usageparts.h knows to belong to them; a total beside them is not added once more, but
// held against it. A total alone is the length.

#include "core/base/note.h"
#include "core/workload/lengths.h"

#include <span>
#include <string>
#include <string_view>

namespace kv {

/// More columns, or numbers in one request, than anybody's trace has: refused rather than held.
inline constexpr std::int64_t mostTraceColumns = 4096;

struct ColumnPlaces {
    int input = -1, output = -1, total = -1; ///< -1: none
};

/// `wanted` wins over the guess. `file` begins every message.
Parsed<ColumnPlaces> placeColumns(std::span<const std::string> names, const LengthColumns &wanted, const std::string &file);

/// A file without a header: one column is the length, two are input and output; of more, `wanted` must name the places ("3").
Parsed<ColumnPlaces> placeUnnamed(std::size_t columns, const LengthColumns &wanted, const std::string &file);

/// "input_tokens=prompt,output=answer" and the like, as the command line takes it.
Parsed<LengthColumns> readColumnChoice(std::string_view text, std::string_view where);

/// Whether points may stand between thousands: where a comma is the decimal sign, files are not separated by commas.
enum class Points : std::uint8_t { AreDecimal, MayGroup };

/// A length as a cell or a JSON number holds it: a whole number of 0 or more, "37" or "37.0". Otherwise `fault` says what is wrong:
/// "1.000" of a file whose points may group is one or a thousand.
struct CellNumber {
    std::int64_t value = 0;
    enum class Fault { None, Empty, NoNumber, Fraction, Grouped, Negative, Range } fault = Fault::None;
};
CellNumber readCell(std::string_view text, Points points = Points::AreDecimal);
std::string_view faultWords(CellNumber::Fault fault);

} // namespace kv
