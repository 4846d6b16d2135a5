// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families.h"

#include "core/model/readers/attention.h"
#include "core/model/readers/encoderdecoder.h"
#include "core/model/readers/hybrid.h"
#include "core/model/readers/looped.h"
#include "core/model/readers/perlayer.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

template <Pattern pattern, std::int64_t period = 0>
void attention(Reader &reader) {
    readAttentionModel(reader, pattern, period);
}

constexpr std::array table{
    Family{"afmoe", attention<Pattern::LastIsFull, 4>},
    Family{"bailing_hybrid", readBailingHybrid},
    Family{"bailing_moe_linear", readBailingHybrid},
    Family{"bamba", readBamba},
    Family{"bart", readEncoderDecoder},
    Family{"bigbird_pegasus", readEncoderDecoder},
    Family{"blenderbot", readEncoderDecoder},
    Family{"blenderbot-small", readEncoderDecoder},
    Family{"cohere2", attention<Pattern::LastIsFull, 4>},
    Family{"cohere2_moe", attention<Pattern::LastIsFull, 4>},
    Family{"cohere_compass_text", attention<Pattern::LastIsFull, 4>},
    Family{"cwm", attention<Pattern::FirstIsFull, 4>},
    Family{"deci", readBlockConfigs},
    Family{"deepseek_ref", readCompressedModel},
    Family{"deepseek_v4", readCompressedModel},
    Family{"diffusion_gemma_text", attention<Pattern::LastIsFull, 6>},
    Family{"exaone4", attention<Pattern::LastIsFull, 4>},
    Family{"exaone_moe", attention<Pattern::LastIsFull, 4>},
    Family{"falcon_h1", readFalconH1},
    Family{"falcon_mamba", readMambaModel},
    Family{"fsmt", readEncoderDecoder},
    Family{"gemma2", attention<Pattern::EvenSlide>},
    Family{"gemma3_text", attention<Pattern::LastIsFull, 6>},
    Family{"gemma3n_text", attention<Pattern::LastIsFull, 5>},
    Family{"gemma4_text", attention<Pattern::LastIsFull, 6>},
    Family{"gemma4_unified_text", attention<Pattern::LastIsFull, 6>},
    Family{"gpt_oss", attention<Pattern::EvenSlide>},
    Family{"granite_swa", attention<Pattern::FirstIsFull, 4>},
    Family{"granitemoe_swa", attention<Pattern::FirstIsFull, 4>},
    Family{"granitemoehybrid", readGraniteHybrid},
    Family{"hrm_text", readHrmText},
    Family{"jamba", readJamba},
    Family{"kimi_linear", readKimiLinear},
    Family{"laguna", attention<Pattern::FullUnlessListed>},
    Family{"led", readEncoderDecoder},
    Family{"lfm2", readLfm2},
    Family{"lfm2_moe", readLfm2},
    Family{"llama4_text", attention<Pattern::ChunksUnlessNoRope>},
    Family{"longcat_flash", readLongCat},
    Family{"longt5", readEncoderDecoder},
    Family{"m2m_100", readEncoderDecoder},
    Family{"mamba", readMambaModel},
    Family{"mamba2", readMamba2Model},
    Family{"marian", readEncoderDecoder},
    Family{"mbart", readEncoderDecoder},
    Family{"mellum", attention<Pattern::FullUnlessListed>},
    Family{"minimax", readMiniMax},
    Family{"minimax_m1", readMiniMax},
    Family{"minimax_text_01", readMiniMax},
    Family{"mllama_text_model", readMllama},
    Family{"modernbert-decoder", attention<Pattern::LastIsFull, 3>},
    Family{"moonshine", readEncoderDecoder},
    Family{"moonshine_streaming", readEncoderDecoder},
    Family{"mt5", readEncoderDecoder},
    Family{"muse_glimmer_assistant", attention<Pattern::FullFromLast, 4>},
    Family{"muse_glimmer_text", attention<Pattern::FullFromLast, 4>},
    Family{"mvp", readEncoderDecoder},
    Family{"nemotron-nas", readBlockConfigs},
    Family{"nemotron_h", readNemotronH},
    Family{"nllb-moe", readEncoderDecoder},
    Family{"olmo3", attention<Pattern::LastIsFull, 4>},
    Family{"olmo_hybrid", readGatedDeltaNet},
    Family{"openelm", readOpenElm},
    Family{"ouro", readUniversal},
    Family{"pegasus", readEncoderDecoder},
    Family{"pegasus_x", readEncoderDecoder},
    Family{"pix2struct_text_model", readPix2Struct},
    Family{"plamo2", readPlamo2},
    Family{"plbart", readEncoderDecoder},
    Family{"prophetnet", readEncoderDecoder},
    Family{"qwen3_5_moe_text", readGatedDeltaNet},
    Family{"qwen3_5_text", readGatedDeltaNet},
    Family{"qwen3_next", readGatedDeltaNet},
    Family{"recurrent_gemma", readRecurrentGemma},
    Family{"rwkv", readRwkvModel},
    Family{"rwkv5", readRwkvModel},
    Family{"rwkv6", readRwkvModel},
    Family{"rwkv7", readRwkvModel},
    Family{"smollm3", attention<Pattern::NoRopeSlides>},
    Family{"speech_to_text", readEncoderDecoder},
    Family{"step3p5", attention<Pattern::FullUnlessListed>},
    Family{"switch_transformers", readEncoderDecoder},
    Family{"t5", readEncoderDecoder},
    Family{"t5_gemma_module", attention<Pattern::EvenSlide>},
    Family{"t5gemma2_decoder", attention<Pattern::LastIsFull, 6>},
    Family{"udop", readEncoderDecoder},
    Family{"umt5", readEncoderDecoder},
    Family{"vaultgemma", attention<Pattern::EvenSlide>},
    Family{"whisper", readEncoderDecoder},
    Family{"zamba", readZamba},
    Family{"zamba2", readZamba2},
};
static_assert(std::ranges::is_sorted(table, {}, &Family::modelType), "looked up by bisection");

// Files with code of their own, read by the keys that they share with the library's models.
constexpr std::array<std::string_view, 56> elsewhere{
    "RefinedWeb", "RefinedWebModel", "aquila", "arctic", "baichuan", "bailing_moe", "bailing_moe_v2", "chatglm", "codeshell", "deepseek",
    "deepseek_vl_v2", "dots1", "exaone", "exaone4_5_text", "falcon_perception", "glm4_moe", "grok-1", "hunyuan", "internlm", "internlm2",
    "internlm3", "jet_nemotron", "kimi_k2", "kimi_k25", "kimi_k3", "kimi_vl", "llava", "mimo", "mimo_v2", "minicpm", "minicpm3", "minicpmv",
    "minimax_m2", "minimax_m3", "mistral4", "mistral_params", "molmo", "molmo2", "multi_modality", "orion", "pangu", "phi-msft", "phi3_v", "phi3small",
    "phi4", "phi4mm", "qwen", "qwen3_asr_text", "skywork", "step3p7", "step3p7_text", "telechat", "telechat2", "vibevoice", "xverse", "yuan"};
static_assert(std::ranges::is_sorted(elsewhere), "looked up by bisection");

struct Unreadable {
    std::string_view modelType;
    std::string_view why;
};
constexpr std::array unreadableTypes{
    Unreadable{"inkling_text", "four convolutions a layer keep states whose sizes no key says"},
    Unreadable{"phi4flash", "its second half reads one shared cache and gated states that no key describes"},
    Unreadable{"reformer", "its hashed and local caches follow no published size"},
    Unreadable{"transfo-xl", "it keeps hidden states of earlier segments, not keys and values"},
    Unreadable{"xlnet", "it keeps hidden states of earlier segments, not keys and values"},
    Unreadable{"xlstm", "the size of its states is not among the kinds that are known here"},
    Unreadable{"zaya", "its convolved, compressed attention keeps states whose sizes no key says"},
};

} // namespace

std::span<const Family> families() { return table; }

const Family *findFamily(std::string_view modelType) {
    const auto it = std::ranges::lower_bound(table, modelType, {}, &Family::modelType);
    return it != table.end() && it->modelType == modelType ? &*it : nullptr;
}

bool isKnownElsewhere(std::string_view modelType) { return std::ranges::binary_search(elsewhere, modelType); }

std::string_view unreadable(std::string_view modelType) {
    const auto it = std::ranges::find(unreadableTypes, modelType, &Unreadable::modelType);
    return it == unreadableTypes.end() ? std::string_view() : it->why;
}

} // namespace kv
