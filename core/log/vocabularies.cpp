// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/vocabularies.h"

#include <array>

namespace kv {

std::span<const LogVocabulary> logVocabularies() {
    static const std::array<LogVocabulary, 5> list{vllmLog(), sglangLog(), tensorRtLlmLog(), llamaCppLog(), ollamaLog()};
    return list;
}

} // namespace kv
