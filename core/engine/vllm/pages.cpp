// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/pages.h"

namespace kv::vllm {

namespace {

using enum ElementType;

std::int64_t plainBytes(std::int64_t elements, ElementType type) { return bytesFor(elements, type).value; }

struct TurboBits {
    std::int64_t key, value;
};
constexpr TurboBits turboBits(ElementType type) {
    switch (type) {
    case TurboK8v4:
        return {8, 4};
    case Turbo4bitNc:
        return {4, 4};
    case TurboK3v4Nc:
        return {3, 4};
    default:
        return {3, 3};
    }
}

// TurboQuantConfig.slot_size_aligned: keys of 8 bits are plain FP8, smaller ones carry a norm of 2 bytes, values a scale and a zero point
// of 2 bytes each; rounded up to an even size.
std::int64_t turboSlot(std::int64_t keySize, std::int64_t valueSize, TurboBits bits) {
    const std::int64_t key = bits.key == 8 ? keySize : checked::ceilDiv(keySize * bits.key, 8) + 2;
    const std::int64_t value = checked::ceilDiv(valueSize * bits.value, 8) + 4;
    return checked::roundUp(key + value, 2);
}

} // namespace

bool isTurboQuant(ElementType type) {
    return type == TurboK8v4 || type == Turbo4bitNc || type == TurboK3v4Nc || type == Turbo3bitNc;
}
bool isPerTokenHead(ElementType type) {
    return type == Int8PerTokenHead || type == Fp8PerTokenHead || type == Int4PerTokenHead;
}

std::int64_t headBytes(std::int64_t keySize, std::int64_t valueSize, ElementType type) {
    if (isTurboQuant(type))
        return turboSlot(keySize, valueSize, turboBits(type));
    constexpr std::int64_t scales = 8; // 4 bytes each for K and V
    if (type == Int4PerTokenHead)
        return keySize / 2 + valueSize / 2 + scales;
    if (type == Nvfp4)
        return keySize / 2 + keySize / 16 + valueSize / 2 + valueSize / 16;
    const std::int64_t both = checked::add(plainBytes(keySize, type), plainBytes(valueSize, type));
    return isPerTokenHead(type) ? checked::add(both, scales) : both;
}

std::int64_t latentBytes(const LatentAttention &latent, ElementType type) {
    if (type == Fp8DsMla)
        return latent.rank + latent.rank / 128 * 4 + 2 * latent.ropeSize;
    return plainBytes(checked::add(latent.rank, latent.ropeSize), type);
}

std::int64_t indexBytes(std::int64_t size) { return size + size / 128 * 4; }

} // namespace kv::vllm
