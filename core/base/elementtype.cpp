// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/elementtype.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kv {

namespace {

using enum ElementType;

// type, name, aliases, label, elements and bytes of a block, bytes per token and head, remark
constexpr std::array<ElementTypeInfo, 26> table{{
    {Auto, "auto", "", "auto", 1, 0, 0, "the engine's own choice"},
    {Fp32, "fp32", "f32 float32 float", "FP32", 1, 4, 0, ""},
    {Bf16, "bf16", "bfloat16", "BF16", 1, 2, 0, ""},
    {Fp16, "fp16", "f16 float16 half", "FP16", 1, 2, 0, ""},
    {Fp8, "fp8", "fp8_e4m3 float8_e4m3fn fp8_e4m3fn fp8_inc", "FP8", 1, 1, 0, "E4M3"},
    {Fp8E5m2, "fp8_e5m2", "float8_e5m2", "FP8 (E5M2)", 1, 1, 0, "more range, less precision than E4M3"},
    {Int8, "int8", "", "INT8", 1, 1, 0, ""},
    {Int4, "int4", "", "INT4", 2, 1, 0, ""},
    {Int8PerTokenHead, "int8_per_token_head", "", "INT8 per token and head", 1, 1, 4, "and a 4-byte scale for each token and head"},
    {Fp8PerTokenHead, "fp8_per_token_head", "", "FP8 per token and head", 1, 1, 4, "and a 4-byte scale for each token and head"},
    {Int4PerTokenHead, "int4_per_token_head", "", "INT4 per token and head", 2, 1, 4, "and a 4-byte scale for each token and head"},
    {Fp8DsMla, "fp8_ds_mla", "", "FP8 (DeepSeek sparse MLA)", 1, 1, 0, "656 bytes a token and layer, for MLA with a sparse indexer"},
    {Nvfp4, "nvfp4", "", "NVFP4", 16, 9, 0, "4 bits and a scale byte per 16"},
    {Mxfp8, "mxfp8", "", "MXFP8", 32, 33, 0, "8 bits and a scale byte per 32"},
    {Fp4MxBlock16, "fp4_mx_block16", "fp4_e2m1", "FP4 (MX, blocks of 16)", 16, 9, 0, "4 bits and a scale byte per 16"},
    {TurboK8v4, "turboquant_k8v4", "", "TurboQuant K8 V4", 1, 1, 0, "as vLLM packs K and V into one slot"},
    {Turbo4bitNc, "turboquant_4bit_nc", "", "TurboQuant 4 bit", 2, 1, 0, "as vLLM packs K and V into one slot"},
    {TurboK3v4Nc, "turboquant_k3v4_nc", "", "TurboQuant K3 V4", 2, 1, 0, "as vLLM packs K and V into one slot"},
    {Turbo3bitNc, "turboquant_3bit_nc", "", "TurboQuant 3 bit", 8, 3, 0, "as vLLM packs K and V into one slot"},
    {Q8_0, "q8_0", "", "Q8_0", 32, 34, 0, "34 bytes per 32"},
    {Q5_1, "q5_1", "", "Q5_1", 32, 24, 0, "24 bytes per 32"},
    {Q5_0, "q5_0", "", "Q5_0", 32, 22, 0, "22 bytes per 32"},
    {Q4_1, "q4_1", "", "Q4_1", 32, 20, 0, "20 bytes per 32"},
    {Q4_0, "q4_0", "", "Q4_0", 32, 18, 0, "18 bytes per 32"},
    {Iq4Nl, "iq4_nl", "", "IQ4_NL", 32, 18, 0, "18 bytes per 32"},
    {Fp4, "fp4", "", "FP4", 2, 1, 0, "states and index keys only"},
}};

constexpr bool inOrder() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].type) != i)
            return false;
    return true;
}
static_assert(inOrder(), "the table is indexed by the enumerators");

bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
}

} // namespace

std::span<const ElementTypeInfo> elementTypes() { return table; }

const ElementTypeInfo &info(ElementType type) { return table[static_cast<std::size_t>(type)]; }

std::optional<ElementType> elementTypeFromName(std::string_view name) {
    for (const ElementTypeInfo &entry : table) {
        if (equalIgnoringCase(name, entry.name))
            return entry.type;
        for (std::string_view rest = entry.aliases; !rest.empty();) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            if (equalIgnoringCase(name, rest.substr(0, end)))
                return entry.type;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return std::nullopt;
}

Bytes bytesFor(std::int64_t elements, ElementType type) {
    const ElementTypeInfo &entry = info(type);
    return Bytes(bytesFor(elements, entry.blockElements, entry.blockBytes));
}

} // namespace kv
