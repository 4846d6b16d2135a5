// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/ggmltypes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kv {

namespace {

constexpr std::array types{
    GgmlType{0, "f32", 1, 4, false},        GgmlType{1, "f16", 1, 2, false},
    GgmlType{2, "q4_0", 32, 18, true},      GgmlType{3, "q4_1", 32, 20, true},
    GgmlType{6, "q5_0", 32, 22, true},      GgmlType{7, "q5_1", 32, 24, true},
    GgmlType{8, "q8_0", 32, 34, true},      GgmlType{9, "q8_1", 32, 36, true},
    GgmlType{10, "q2_K", 256, 84, true},    GgmlType{11, "q3_K", 256, 110, true},
    GgmlType{12, "q4_K", 256, 144, true},   GgmlType{13, "q5_K", 256, 176, true},
    GgmlType{14, "q6_K", 256, 210, true},   GgmlType{15, "q8_K", 256, 292, true},
    GgmlType{16, "iq2_xxs", 256, 66, true}, GgmlType{17, "iq2_xs", 256, 74, true},
    GgmlType{18, "iq3_xxs", 256, 98, true}, GgmlType{19, "iq1_s", 256, 50, true},
    GgmlType{20, "iq4_nl", 32, 18, true},   GgmlType{21, "iq3_s", 256, 110, true},
    GgmlType{22, "iq2_s", 256, 82, true},   GgmlType{23, "iq4_xs", 256, 136, true},
    GgmlType{24, "i8", 1, 1, false},        GgmlType{25, "i16", 1, 2, false},
    GgmlType{26, "i32", 1, 4, false},       GgmlType{27, "i64", 1, 8, false},
    GgmlType{28, "f64", 1, 8, false},       GgmlType{29, "iq1_m", 256, 56, true},
    GgmlType{30, "bf16", 1, 2, false},      GgmlType{34, "tq1_0", 256, 54, true},
    GgmlType{35, "tq2_0", 256, 66, true},   GgmlType{39, "mxfp4", 32, 17, true},
    GgmlType{40, "nvfp4", 64, 36, true},    GgmlType{41, "q1_0", 128, 18, true},
    GgmlType{42, "q2_0", 64, 18, true},
};

constexpr std::array<std::pair<std::uint32_t, std::string_view>, 8> withdrawn{{
    {4, "q4_2"},
    {5, "q4_3"},
    {31, "q4_0_4_4"},
    {32, "q4_0_4_8"},
    {33, "q4_0_8_8"},
    {36, "iq4_nl_4_4"},
    {37, "iq4_nl_4_8"},
    {38, "iq4_nl_8_8"},
}};

constexpr std::array<std::pair<std::int64_t, std::string_view>, 36> fileTypes{{
    {0, "F32"},     {1, "F16"},     {2, "Q4_0"},     {3, "Q4_1"},    {7, "Q8_0"},     {8, "Q5_0"},
    {9, "Q5_1"},    {10, "Q2_K"},   {11, "Q3_K_S"},  {12, "Q3_K_M"}, {13, "Q3_K_L"},  {14, "Q4_K_S"},
    {15, "Q4_K_M"}, {16, "Q5_K_S"}, {17, "Q5_K_M"},  {18, "Q6_K"},   {19, "IQ2_XXS"}, {20, "IQ2_XS"},
    {21, "Q2_K_S"}, {22, "IQ3_XS"}, {23, "IQ3_XXS"}, {24, "IQ1_S"},  {25, "IQ4_NL"},  {26, "IQ3_S"},
    {27, "IQ3_M"},  {28, "IQ2_S"},  {29, "IQ2_M"},   {30, "IQ4_XS"}, {31, "IQ1_M"},   {32, "BF16"},
    {36, "TQ1_0"},  {37, "TQ2_0"},  {38, "MXFP4"},   {39, "NVFP4"},  {40, "Q1_0"},    {41, "Q2_0"},
}};

template <typename Pairs, typename Key>
std::string_view nameIn(const Pairs &pairs, Key key) {
    const auto found = std::ranges::find(pairs, key, &Pairs::value_type::first);
    return found == pairs.end() ? std::string_view() : found->second;
}

} // namespace

std::span<const GgmlType> ggmlTypes() { return types; }

const GgmlType *ggmlType(std::uint32_t id) {
    const auto found = std::ranges::find(types, id, &GgmlType::id);
    return found == types.end() ? nullptr : &*found;
}

std::string_view withdrawnGgmlType(std::uint32_t id) { return nameIn(withdrawn, id); }

std::string_view ggufFileTypeName(std::int64_t fileType) { return nameIn(fileTypes, fileType); }

} // namespace kv
