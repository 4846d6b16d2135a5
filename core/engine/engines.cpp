// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engines.h"

#include "core/engine/llamacpp.h"
#include "core/engine/sglang.h"
#include "core/engine/tensorrtllm.h"
#include "core/engine/textbook.h"
#include "core/engine/transformers.h"
#include "core/engine/vllm.h"

#include <algorithm>
#include <array>

namespace kv {

std::span<const Engine *const> engines() {
    static const std::array<const Engine *, 6> list{
        &textbookEngine(),
        &vllmEngine(),
        &sglangEngine(),
        &tensorRtLlmEngine(),
        &llamaCppEngine(),
        &transformersEngine(),
    };
    return list;
}

const Engine *findEngine(std::string_view id) {
    const auto found = std::ranges::find(engines(), id, [](const Engine *engine) { return engine->id(); });
    return found == engines().end() ? nullptr : *found;
}

} // namespace kv
