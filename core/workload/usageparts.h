// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What stands beside a request's input and output in the usage of an API, and belongs to them although its name is another. Which API it is
// the names say; where they do not, nothing is added, and a total that contradicts is told (see UsageCheck).
//   Anthropic      input_tokens is what no cache held: cache_creation_input_tokens and cache_read_input_tokens come on top
//                  (docs.anthropic.com, Messages, "usage"). Amazon Bedrock's Converse likewise: cacheReadInputTokens, cacheWriteInputTokens
//   Gemini         promptTokenCount holds what was cached; toolUsePromptTokenCount comes on top, and thoughtsTokenCount on candidatesTokenCount
//                  (ai.google.dev, GenerateContentResponse.UsageMetadata)
//   OpenAI         prompt_tokens and input_tokens hold what was cached, completion_tokens the reasoning: nothing is added
//   OpenTelemetry  gen_ai.usage.input_tokens holds what was cached (semantic conventions of generative AI): nothing is added
// Only names of the same object count: "usage.input_tokens" has "usage.cache_read_input_tokens" beside it.

#include "core/base/note.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

/// A column's name without its object, in lower case, without signs: "prompttokens" of "usage.Prompt_Tokens".
std::string plainName(std::string_view name);

enum class UsagePart : std::uint8_t {
    None,
    Input,  ///< comes on top of the input
    Output, ///< comes on top of the output
    Total,  ///< input and output together, to hold them against
};
UsagePart usagePart(std::string_view name, std::string_view input, std::string_view output);

/// What the parts have come to over all requests of a trace: which were added, and whether the totals beside them agree.
class UsageCheck {
public:
    void added(std::string_view part, std::string_view to, std::int64_t tokens);
    /// `total`: the name of the column that says `said` where the parts come to `counted`.
    void compare(std::string_view total, std::int64_t said, std::int64_t counted, std::int64_t line);
    void tell(Notes &notes, const std::string &file) const;

private:
    struct Addition {
        std::string to;
        std::vector<std::string> parts;
    };
    std::vector<Addition> m_added;
    std::int64_t m_unlike = 0, m_firstLine = 0, m_firstSaid = 0, m_firstCounted = 0;
    std::string m_total;
};

} // namespace kv
