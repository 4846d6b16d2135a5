// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The facts of GGUF metadata by key, checked: whole numbers of 0 or more, below 2^31 (a context length below 2^53), each either one
// for all layers or a list with one entry a layer. What is wrong is noted once, by the full key ("llama.attention.head_count_kv").
//
// Keys are asked for without the architecture: "attention.head_count_kv" is looked up as "llama.attention.head_count_kv".
// Source: llama.cpp v0.5.0, src/llama-arch.cpp (LLM_KV_NAMES), src/llama-model-loader.cpp (get_key, get_key_or_arr).

#include "core/base/json.h"
#include "core/base/note.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

class GgufKeys {
public:
    /// `source` begins every sentence. The metadata must outlive this.
    GgufKeys(const Json &metadata, std::string architecture, std::string_view source);

    const std::string &architecture() const { return m_architecture; }
    std::string fullKey(std::string_view key) const { return m_architecture + "." + std::string(key); }
    const Json *find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }

    /// Absent, or refused and noted: nothing.
    std::optional<std::int64_t> number(std::string_view key, std::int64_t most = maxNumber);
    std::int64_t numberOr(std::string_view key, std::int64_t absent) { return number(key).value_or(absent); }
    /// The number; refused when absent.
    std::int64_t needed(std::string_view key);
    /// One value a layer, from a list of `blocks` (or `trunk`) entries or from one number for all; empty when absent or refused.
    std::vector<std::int64_t> perLayer(std::string_view key, std::int64_t blocks, std::int64_t trunk);

    void refuse(std::string code, std::string_view key, const std::string &text);
    void warn(std::string code, std::string_view key, const std::string &text);
    bool failed() const { return hasError(m_notes); }
    Notes &notes() { return m_notes; }

    static constexpr std::int64_t maxNumber = 2'147'483'647;

private:
    std::optional<std::int64_t> whole(std::string_view key, const Json &value, std::int64_t most,
                                      std::string_view what);

    const Json &m_metadata;
    std::string m_architecture;
    std::string m_source;
    Notes m_notes;
};

} // namespace kv
