// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The list of logs that are read: one file an engine, one line here and in vocabularies.cpp.

#include "core/log/sentences.h"

namespace kv {

const LogVocabulary &vllmLog();
const LogVocabulary &sglangLog();
const LogVocabulary &tensorRtLlmLog();
const LogVocabulary &llamaCppLog();
const LogVocabulary &ollamaLog(); ///< of engine "llama-cpp" as well

} // namespace kv
