// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/demand.h"

#include <algorithm>

namespace kv::vllm {

std::int64_t Demand::blocks(const Group &group, std::int64_t tokens) const {
    const Settings &s = *m_settings;
    const std::int64_t length = s.lengthFor(Tokens(tokens));
    const auto windowed = [&](std::int64_t held) {
        return checked::ceilDiv(std::min(checked::add(held, s.batchFor(length)), tokens), group.blockSize);
    };
    switch (group.kind) {
    case SpecKind::Full:
    case SpecKind::Latent:
    case SpecKind::Index:
    case SpecKind::Compressed:
        return checked::ceilDiv(checked::ceilDiv(tokens, s.contextParallel), group.blockSize);
    case SpecKind::Window:
    case SpecKind::LatentWindow:
        return checked::add(windowed(group.limit - 1), 1);
    case SpecKind::Chunked:
        return windowed(group.limit);
    case SpecKind::Cross:
        return checked::ceilDiv(s.encoderBudget(length), group.blockSize);
    case SpecKind::State:
        break;
    }
    const std::int64_t rows = s.stateMode == StateMode::None    ? 1
                              : s.stateMode == StateMode::Align ? 2
                                                                : checked::ceilDiv(tokens, group.blockSize);
    return checked::add(rows, s.speculativeTokens);
}

std::int64_t Demand::request(std::int64_t tokens) const {
    std::int64_t sum = 0;
    for (const Group &group : m_groups->list)
        sum = checked::add(sum, blocks(group, tokens));
    return sum;
}

std::int64_t Demand::shared(std::int64_t prefix) const {
    std::int64_t sum = 0;
    if (m_settings->prefixCaching)
        for (const Group &group : m_groups->list)
            if (keepsEveryToken(group.kind))
                sum = checked::add(
                    sum, checked::floorDiv(prefix, checked::mul(group.blockSize, m_settings->contextParallel)));
    return sum;
}

std::int64_t Demand::all(std::int64_t tokens, std::int64_t prefix, std::int64_t sequences) const {
    const std::int64_t common = shared(prefix);
    return checked::add(common, checked::mul(checked::sub(request(tokens), common), sequences));
}

bool Demand::grows() const {
    return std::ranges::any_of(m_groups->list, [&](const Group &group) {
        return group.kind != SpecKind::Cross &&
               (group.kind != SpecKind::State || m_settings->stateMode == StateMode::All);
    });
}

} // namespace kv::vllm
