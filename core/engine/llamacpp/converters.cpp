// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/llamacpp/converters.h"

#include "core/base/json.h"
#include "core/base/plaintext.h"
#include "core/model/languagepart.h"

#include <algorithm>
#include <array>

namespace kv::llamacpp {

namespace {

struct Row {
    std::string_view name, architecture;
};

// TEXT_MODEL_MAP and the class that each name registers.
constexpr auto classes = std::to_array<Row>({
    {"AfmoeForCausalLM", "afmoe"}, {"ApertusForCausalLM", "apertus"}, {"ArceeForCausalLM", "arcee"}, {"ArcticForCausalLM", "arctic"},
    {"AudioFlamingo3ForConditionalGeneration", "qwen2"}, {"BaiChuanForCausalLM", "baichuan"}, {"BaichuanForCausalLM", "baichuan"},
    {"BailingMoeForCausalLM", "bailingmoe"}, {"BailingMoeV2ForCausalLM", "bailingmoe2"}, {"BailingMoeV3ForCausalLM", "bailingmoe3"},
    {"BambaForCausalLM", "granitehybrid"}, {"BertForMaskedLM", "bert"}, {"BertForSequenceClassification", "bert"}, {"BertModel", "bert"},
    {"BitnetForCausalLM", "bitnet"}, {"BloomForCausalLM", "bloom"}, {"BloomModel", "bloom"}, {"CamembertModel", "bert"},
    {"ChameleonForCausalLM", "chameleon"}, {"ChameleonForConditionalGeneration", "chameleon"}, {"ChatGLMForConditionalGeneration", "chatglm"},
    {"ChatGLMModel", "chatglm"}, {"CodeShellForCausalLM", "codeshell"}, {"CogVLMForCausalLM", "cogvlm"}, {"Cohere2ForCausalLM", "cohere2"},
    {"Cohere2MoeForCausalLM", "cohere2moe"}, {"CohereForCausalLM", "command-r"}, {"DbrxForCausalLM", "dbrx"}, {"DeciLMForCausalLM", "deci"},
    {"DeepseekForCausalLM", "deepseek"}, {"DeepseekOCRForCausalLM", "deepseek2-ocr"}, {"DeepseekV2ForCausalLM", "deepseek2"},
    {"DeepseekV32ForCausalLM", "deepseek32"}, {"DeepseekV3ForCausalLM", "deepseek2"}, {"DeepseekV4ForCausalLM", "deepseek4"},
    {"DistilBertForMaskedLM", "bert"}, {"DistilBertForSequenceClassification", "bert"}, {"DistilBertModel", "bert"}, {"Dots1ForCausalLM", "dots1"},
    {"DotsOCRForCausalLM", "qwen2"}, {"DreamModel", "dream"}, {"Ernie4_5ForCausalLM", "ernie4_5"}, {"Ernie4_5_ForCausalLM", "ernie4_5"},
    {"Ernie4_5_MoeForCausalLM", "ernie4_5-moe"}, {"EuroBertModel", "eurobert"}, {"Exaone4ForCausalLM", "exaone4"},
    {"Exaone4_5_ForConditionalGeneration", "exaone4"}, {"ExaoneForCausalLM", "exaone"}, {"ExaoneMoEForCausalLM", "exaone-moe"},
    {"FalconForCausalLM", "falcon"}, {"FalconH1ForCausalLM", "falcon-h1"}, {"FalconMambaForCausalLM", "mamba"}, {"GPT2LMHeadModel", "gpt2"},
    {"GPTBigCodeForCausalLM", "starcoder"}, {"GPTNeoXForCausalLM", "gptneox"}, {"GPTRefactForCausalLM", "refact"}, {"Gemma2ForCausalLM", "gemma2"},
    {"Gemma3ForCausalLM", "gemma3"}, {"Gemma3ForConditionalGeneration", "gemma3"}, {"Gemma3TextModel", "gemma-embedding"},
    {"Gemma3nForCausalLM", "gemma3n"}, {"Gemma3nForConditionalGeneration", "gemma3n"}, {"Gemma4ForCausalLM", "gemma4"},
    {"Gemma4ForConditionalGeneration", "gemma4"}, {"Gemma4UnifiedForConditionalGeneration", "gemma4"}, {"GemmaForCausalLM", "gemma"},
    {"Glm4ForCausalLM", "glm4"}, {"Glm4MoeForCausalLM", "glm4moe"}, {"Glm4MoeLiteForCausalLM", "deepseek2"}, {"Glm4vForConditionalGeneration", "glm4"},
    {"Glm4vMoeForConditionalGeneration", "glm4moe"}, {"GlmForCausalLM", "chatglm"}, {"GlmMoeDsaForCausalLM", "glm-dsa"},
    {"GlmOcrForConditionalGeneration", "glm4"}, {"GptOssForCausalLM", "gpt-oss"}, {"GraniteForCausalLM", "granite"},
    {"GraniteMoeForCausalLM", "granitemoe"}, {"GraniteMoeHybridForCausalLM", "granitehybrid"}, {"GraniteMoeSharedForCausalLM", "granitemoe"},
    {"GraniteSpeechForConditionalGeneration", "granite"}, {"GraniteSpeechPlusForConditionalGeneration", "granite"}, {"Grok1ForCausalLM", "grok"},
    {"GrokForCausalLM", "grok"}, {"GroveMoeForCausalLM", "grovemoe"}, {"HYV3ForCausalLM", "hy-v3"}, {"HunYuanDenseV1ForCausalLM", "hunyuan-dense"},
    {"HunYuanMoEV1ForCausalLM", "hunyuan-moe"}, {"HunYuanVLForConditionalGeneration", "hunyuan-dense"}, {"IQuestCoderForCausalLM", "llama"},
    {"InternLM2ForCausalLM", "internlm2"}, {"InternLM3ForCausalLM", "llama"}, {"JAISLMHeadModel", "jais"}, {"Jais2ForCausalLM", "jais2"},
    {"JambaForCausalLM", "jamba"}, {"JanusForConditionalGeneration", "llama"}, {"JinaBertForMaskedLM", "jina-bert-v2"}, {"JinaBertModel", "jina-bert-v2"},
    {"KORMoForCausalLM", "qwen3"}, {"KimiK25ForConditionalGeneration", "deepseek2"}, {"KimiK3ForConditionalGeneration", "kimi-k3"},
    {"KimiLinearForCausalLM", "kimi-linear"}, {"KimiLinearModel", "kimi-linear"}, {"KimiVLForConditionalGeneration", "deepseek2"},
    {"LFM2ForCausalLM", "lfm2"}, {"LLaDAMoEModel", "llada-moe"}, {"LLaDAMoEModelLM", "llada-moe"}, {"LLaDAModelLM", "llada"}, {"LLaMAForCausalLM", "llama"},
    {"LagunaForCausalLM", "laguna"}, {"Lfm2ForCausalLM", "lfm2"}, {"Lfm2Model", "lfm2"}, {"Lfm2MoeForCausalLM", "lfm2moe"}, {"Llama4ForCausalLM", "llama4"},
    {"Llama4ForConditionalGeneration", "llama4"}, {"LlamaBidirectionalModel", "llama-embed"}, {"LlamaForCausalLM", "llama"}, {"LlamaModel", "llama"},
    {"LlavaForConditionalGeneration", "llama"}, {"LlavaStableLMEpochForCausalLM", "stablelm"}, {"MPTForCausalLM", "mpt"},
    {"MT5ForConditionalGeneration", "t5"}, {"MaincoderForCausalLM", "maincoder"}, {"Mamba2ForCausalLM", "mamba2"}, {"MambaForCausalLM", "mamba"},
    {"MambaLMHeadModel", "mamba"}, {"MellumForCausalLM", "mellum"}, {"MiMoV2FlashForCausalLM", "mimo2"}, {"MiMoV2ForCausalLM", "mimo2"},
    {"MiniCPM3ForCausalLM", "minicpm3"}, {"MiniCPMForCausalLM", "minicpm"}, {"MiniCPMV4_6ForConditionalGeneration", "qwen35"},
    {"MiniMaxM1ForCausalLM", "minimax-01"}, {"MiniMaxM2ForCausalLM", "minimax-m2"}, {"MiniMaxM3SparseForCausalLM", "minimax-m3"},
    {"MiniMaxM3SparseForConditionalGeneration", "minimax-m3"}, {"MiniMaxText01ForCausalLM", "minimax-01"}, {"Ministral3ForCausalLM", "mistral3"},
    {"Mistral3ForConditionalGeneration", "mistral3"}, {"MistralForCausalLM", "llama"}, {"MixtralForCausalLM", "llama"},
    {"ModernBertForMaskedLM", "modern-bert"}, {"ModernBertForSequenceClassification", "modern-bert"}, {"ModernBertModel", "modern-bert"},
    {"NemotronForCausalLM", "nemotron"}, {"NemotronHForCausalLM", "nemotron_h"}, {"NeoBERT", "neo-bert"}, {"NeoBERTForSequenceClassification", "neo-bert"},
    {"NeoBERTLMHead", "neo-bert"}, {"NomicBertModel", "nomic-bert"}, {"OLMoForCausalLM", "olmo"}, {"Olmo2ForCausalLM", "olmo2"},
    {"Olmo3ForCausalLM", "olmo2"}, {"OlmoForCausalLM", "olmo"}, {"OlmoeForCausalLM", "olmoe"}, {"OpenELMForCausalLM", "openelm"},
    {"OrionForCausalLM", "orion"}, {"PLMForCausalLM", "plm"}, {"PLaMo2ForCausalLM", "plamo2"}, {"PLaMo3ForCausalLM", "plamo3"},
    {"PaddleOCRVLForConditionalGeneration", "ernie4_5"}, {"PanguEmbeddedForCausalLM", "pangu-embedded"}, {"Phi3ForCausalLM", "phi3"},
    {"Phi4ForCausalLMV", "phi3"}, {"PhiForCausalLM", "phi2"}, {"PhiMoEForCausalLM", "phimoe"}, {"Plamo2ForCausalLM", "plamo2"},
    {"Plamo3ForCausalLM", "plamo3"}, {"PlamoForCausalLM", "plamo"}, {"QWenLMHeadModel", "qwen"}, {"Qwen2AudioForConditionalGeneration", "qwen2"},
    {"Qwen2ForCausalLM", "qwen2"}, {"Qwen2Model", "qwen2"}, {"Qwen2MoeForCausalLM", "qwen2moe"}, {"Qwen2VLForConditionalGeneration", "qwen2vl"},
    {"Qwen2VLModel", "qwen2vl"}, {"Qwen2_5OmniModel", "qwen2vl"}, {"Qwen2_5_VLForConditionalGeneration", "qwen2vl"},
    {"Qwen3ASRForConditionalGeneration", "qwen3"}, {"Qwen3ForCausalLM", "qwen3"}, {"Qwen3Model", "qwen3"}, {"Qwen3MoeForCausalLM", "qwen3moe"},
    {"Qwen3NextForCausalLM", "qwen3next"}, {"Qwen3OmniMoeForConditionalGeneration", "qwen3vlmoe"}, {"Qwen3VLForConditionalGeneration", "qwen3vl"},
    {"Qwen3VLMoeForConditionalGeneration", "qwen3vlmoe"}, {"Qwen3_5ForCausalLM", "qwen35"}, {"Qwen3_5ForConditionalGeneration", "qwen35"},
    {"Qwen3_5MoeForCausalLM", "qwen35moe"}, {"Qwen3_5MoeForConditionalGeneration", "qwen35moe"}, {"RND1", "rnd1"}, {"RWForCausalLM", "falcon"},
    {"RWKV6Qwen2ForCausalLM", "rwkv6qwen2"}, {"RWKV7ForCausalLM", "rwkv7"}, {"RobertaForSequenceClassification", "bert"}, {"RobertaModel", "bert"},
    {"RuGPT3XLForCausalLM", "gpt2"}, {"Rwkv6ForCausalLM", "rwkv6"}, {"Rwkv7ForCausalLM", "rwkv7"}, {"RwkvHybridForCausalLM", "arwkv7"},
    {"Sarashina2VisionForCausalLM", "llama"}, {"SarvamMoEForCausalLM", "bailingmoe2"}, {"SeedOssForCausalLM", "seed_oss"},
    {"SmallThinkerForCausalLM", "smallthinker"}, {"SmolLM3ForCausalLM", "smollm3"}, {"SolarOpenForCausalLM", "glm4moe"},
    {"StableLMEpochForCausalLM", "stablelm"}, {"StableLmForCausalLM", "stablelm"}, {"Starcoder2ForCausalLM", "starcoder2"},
    {"Step3p5ForCausalLM", "step35"}, {"Step3p7ForConditionalGeneration", "step35"}, {"StepVLForConditionalGeneration", "qwen3"},
    {"T5EncoderModel", "t5encoder"}, {"T5ForConditionalGeneration", "t5"}, {"T5WithLMHeadModel", "t5"}, {"TalkieForCausalLM", "talkie"},
    {"UMT5ForConditionalGeneration", "t5"}, {"UMT5Model", "t5"}, {"UnlimitedOCRForCausalLM", "deepseek2-ocr"}, {"VLlama3ForCausalLM", "llama"},
    {"VoxtralForConditionalGeneration", "llama"}, {"XLMRobertaForSequenceClassification", "bert"}, {"XLMRobertaModel", "bert"},
    {"XverseForCausalLM", "xverse"}, {"YoutuForCausalLM", "deepseek2"}, {"YoutuVLForConditionalGeneration", "deepseek2"},
});

// For configs that name no class: what their model_type usually is.
constexpr auto modelTypes = std::to_array<Row>({
    {"RefinedWeb", "falcon"}, {"RefinedWebModel", "falcon"}, {"baichuan", "baichuan"}, {"bailing_moe", "bailingmoe"}, {"bamba", "granitehybrid"},
    {"bert", "bert"}, {"bloom", "bloom"}, {"chatglm", "chatglm"}, {"cohere", "command-r"}, {"cohere2", "cohere2"}, {"cohere2_moe", "cohere2moe"},
    {"dbrx", "dbrx"}, {"deci", "deci"}, {"deepseek_v2", "deepseek2"}, {"deepseek_v3", "deepseek2"}, {"deepseek_v32", "deepseek32"},
    {"deepseek_v4", "deepseek4"}, {"exaone", "exaone"}, {"exaone4", "exaone4"}, {"exaone4_5", "exaone4"}, {"exaone4_5_text", "exaone4"},
    {"falcon", "falcon"}, {"falcon_h1", "falcon-h1"}, {"falcon_mamba", "mamba"}, {"gemma", "gemma"}, {"gemma2", "gemma2"}, {"gemma3", "gemma3"},
    {"gemma3_text", "gemma3"}, {"gemma3n", "gemma3n"}, {"gemma3n_text", "gemma3n"}, {"gemma4", "gemma4"}, {"gemma4_text", "gemma4"}, {"glm4", "glm4"},
    {"glm4_moe", "glm4moe"}, {"glm4_moe_lite", "deepseek2"}, {"glm4v", "glm4"}, {"glm_moe_dsa", "glm-dsa"}, {"gpt2", "gpt2"}, {"gpt_bigcode", "starcoder"},
    {"gpt_neox", "gptneox"}, {"gpt_oss", "gpt-oss"}, {"granite", "granite"}, {"granitemoe", "granitemoe"}, {"granitemoehybrid", "granitehybrid"},
    {"hunyuan", "hunyuan-moe"}, {"hunyuan_v1_moe", "hunyuan-moe"}, {"internlm2", "internlm2"}, {"jamba", "jamba"}, {"kimi_k2", "deepseek2"},
    {"kimi_k25", "deepseek2"}, {"kimi_k3", "kimi-k3"}, {"kimi_linear", "kimi-linear"}, {"lfm2", "lfm2"}, {"lfm2_moe", "lfm2moe"}, {"lfm2_vl", "lfm2"},
    {"llama", "llama"}, {"llama4", "llama4"}, {"llama4_text", "llama4"}, {"mamba", "mamba"}, {"mamba2", "mamba2"}, {"mimo_v2_flash", "mimo2"},
    {"minicpm", "minicpm"}, {"minicpm3", "minicpm3"}, {"minicpmv4_6", "qwen35"}, {"minimax", "minimax-01"}, {"minimax_m1", "minimax-01"},
    {"minimax_m2", "minimax-m2"}, {"minimax_m3", "minimax-m3"}, {"minimax_text_01", "minimax-01"}, {"ministral3", "mistral3"}, {"mistral", "llama"},
    {"mistral3", "mistral3"}, {"mistral4", "mistral4"}, {"mixtral", "llama"}, {"modernbert", "modern-bert"}, {"mpt", "mpt"}, {"mt5", "t5"},
    {"nemotron-nas", "deci"}, {"nemotron_h", "nemotron_h"}, {"olmo2", "olmo2"}, {"olmo3", "olmo2"}, {"phi", "phi2"}, {"phi3", "phi3"}, {"phi4", "phi3"},
    {"phimoe", "phimoe"}, {"plamo2", "plamo2"}, {"qwen", "qwen"}, {"qwen2", "qwen2"}, {"qwen2_5_vl", "qwen2vl"}, {"qwen2_5_vl_text", "qwen2vl"},
    {"qwen2_audio", "qwen2"}, {"qwen2_moe", "qwen2moe"}, {"qwen2_vl", "qwen2vl"}, {"qwen2_vl_text", "qwen2vl"}, {"qwen3", "qwen3"}, {"qwen3_5", "qwen35"},
    {"qwen3_5_moe", "qwen35moe"}, {"qwen3_5_moe_text", "qwen35moe"}, {"qwen3_5_text", "qwen35"}, {"qwen3_asr", "qwen3"}, {"qwen3_moe", "qwen3moe"},
    {"qwen3_next", "qwen3next"}, {"qwen3_vl", "qwen3vl"}, {"qwen3_vl_moe", "qwen3vlmoe"}, {"qwen3_vl_moe_text", "qwen3vlmoe"}, {"qwen3_vl_text", "qwen3vl"},
    {"rwkv6", "rwkv6"}, {"rwkv7", "rwkv7"}, {"smollm3", "smollm3"}, {"stablelm", "stablelm"}, {"starcoder2", "starcoder2"}, {"step3p5", "step35"},
    {"step3p7", "step35"}, {"t5", "t5"}, {"umt5", "t5"}, {"voxtral", "llama"}, {"xverse", "xverse"}, {"youtu", "deepseek2"},
});
static_assert(std::ranges::is_sorted(classes, {}, &Row::name) && std::ranges::is_sorted(modelTypes, {}, &Row::name));

// Of these the class at the top counts, whatever the language model's block says (get_model_architecture).
constexpr auto wrappers = std::to_array<std::string_view>({
    "Exaone4_5_ForConditionalGeneration", "KimiK3ForConditionalGeneration", "Sarashina2VisionForCausalLM", "Step3p7ForConditionalGeneration",
    "StepVLForConditionalGeneration",
});

// The names under which base.py load_hparams finds the language model.
constexpr auto blocks = std::to_array<std::string_view>({"", "text_config.", "llm_config.", "lm_config.", "language_config.", "lfm.", "thinker_config.text_config."});

// Architectures whose own class writes a window or a pattern, or that fix one.
constexpr auto withWindows = std::to_array<std::string_view>({
    "afmoe", "cohere2", "cohere2moe", "deepseek4", "exaone-moe", "exaone4", "gemma2", "gemma3", "gemma3n", "gemma4", "gpt-oss", "laguna", "llama4",
    "mellum", "mimo2", "olmo2", "plamo3", "smallthinker", "step35",
});

// Others that read a window though no converter of theirs writes one (src/models/*.cpp, load_arch_hparams).
constexpr auto readOnlyWindows = std::to_array<std::string_view>({"dflash", "gemma4-assistant", "lfm2", "lfm2moe"});

// Those that write the layers of multi-token prediction into block_count and nextn_predict_layers; all others drop them.
constexpr auto withDrafts = std::to_array<std::string_view>({
    "bailingmoe2", "bailingmoe3", "cohere2moe", "deepseek32", "exaone-moe", "exaone4", "glm-dsa", "glm4moe", "hy-v3", "mimo2",
    "nemotron_h_moe", "qwen35", "qwen35moe", "qwen3next", "step35",
});

template <std::size_t N>
std::string_view architectureOf(const std::array<Row, N> &table, std::string_view name) {
    const auto row = std::ranges::lower_bound(table, name, {}, &Row::name);
    return row != table.end() && row->name == name ? row->architecture : std::string_view();
}

bool isAmong(std::span<const std::string_view> list, std::string_view name) { return std::ranges::find(list, name) != list.end(); }

std::string_view firstClass(const Json &block) {
    const Json *list = block.find("architectures");
    const bool first = list && list->isArray() && !list->items().empty() && list->items().front().isString();
    return first ? std::string_view(list->items().front().text()) : std::string_view();
}

/// The class that the converter looks up; empty: the config names none.
std::string_view classOf(const ModelSpec &model) {
    if (!model.source)
        return model.architecture;
    const std::string_view top = firstClass(*model.source);
    if (isAmong(wrappers, top))
        return top;
    const LanguagePart part = findLanguagePart(*model.source);
    const std::string_view own = isAmong(blocks, part.path) ? firstClass(part.text()) : std::string_view();
    return own.empty() ? top : own;
}

std::string named(const ModelSpec &model) { return model.name.empty() ? std::string() : " (" + model.name + ")"; }

Note refuse(const ModelSpec &model, const std::string &what) {
    return errorNote("no-converter", "engine.id", "engine.id: llama.cpp has no converter for " + what + named(model) + "; count it like another engine, or open a GGUF file of it");
}

const Json *configValue(const ModelSpec &model, std::string_view key) {
    if (!model.source)
        return nullptr;
    const LanguagePart part = findLanguagePart(*model.source);
    for (auto block = part.chain.rbegin(); block != part.chain.rend(); ++block)
        if (const Json *value = (*block)->find(key))
            return value;
    return nullptr;
}

/// A key without which the conversion stops.
std::optional<std::string_view> missingKey(const ModelSpec &model, std::string_view name, std::string_view architecture) {
    if (!model.source)
        return std::nullopt;
    const auto absent = [&](std::string_view key) { return hasConfigKey(model, key) ? std::nullopt : std::optional(key); };
    if (architecture == "deepseek2" && configValue(model, "kv_lora_rank")) // absent it is the class's own
        return absent("kv_lora_rank");
    if (!model.presetId.empty()) // presets keep only what sizes are made of
        return std::nullopt;
    if (name == "BailingMoeForCausalLM")
        return absent("num_shared_experts");
    if (architecture == "phimoe")
        return absent("original_max_position_embeddings");
    return std::nullopt;
}

/// The hybrids' class writes another architecture when there is nothing of one kind.
std::string_view refined(const ModelSpec &model, std::string_view architecture) {
    const auto hasStates = [&] {
        return std::ranges::any_of(model.shapes, [](const LayerShape &shape) {
            return std::ranges::any_of(shape.parts, [](const CachePart &part) { return kindOf(part) == CacheKind::State; });
        });
    };
    if (architecture == "nemotron_h" && model.experts > 0)
        return "nemotron_h_moe";
    if (architecture == "granitehybrid" && !hasStates())
        return model.experts > 0 ? "granitemoe" : "granite";
    return architecture;
}

/// glm4_moe_lite becomes deepseek2 and keeps its own.
bool writesDrafts(const ModelSpec &model, std::string_view architecture) { return isAmong(withDrafts, architecture) || model.modelType == "glm4_moe_lite"; }

std::int64_t draftsOf(const ModelSpec &model, std::string_view architecture) {
    if (architecture == "qwen3next") // the checkpoint has it, the config is silent
        return std::max<std::int64_t>(1, model.draftLayers);
    if (architecture == "mimo2")
        return 3;
    return writesDrafts(model, architecture) ? model.draftLayers : 0;
}

} // namespace

bool readsWindow(std::string_view architecture) { return isAmong(withWindows, architecture) || isAmong(readOnlyWindows, architecture); }

std::optional<std::int64_t> configNumber(const ModelSpec &model, std::string_view key) {
    const Json *value = configValue(model, key);
    return value && value->kind() == Json::Kind::Integer ? std::optional(value->integer()) : std::nullopt;
}

bool hasConfigKey(const ModelSpec &model, std::string_view key) {
    const Json *value = configValue(model, key);
    return value && value->kind() != Json::Kind::Null;
}

Conversion conversionOf(const ModelSpec &model) {
    Conversion out;
    const std::string_view name = classOf(model);
    out.architecture = name.empty() ? architectureOf(modelTypes, model.modelType) : architectureOf(classes, name);
    if (out.architecture.empty()) {
        out.refusal = refuse(model, !name.empty() ? oneLine(name, 80) : model.modelType.empty() ? std::string("a config without architectures and model_type") : "model_type " + oneLine(model.modelType, 80));
        return out;
    }
    if (const auto key = missingKey(model, name, out.architecture)) {
        out.refusal = errorNote("no-converter", "engine.id", "engine.id: llama.cpp's converter stops at " + std::string(*key) + ", which the config does not give" + named(model) +
                                                                 "; count it like another engine, or open a GGUF file of it");
        return out;
    }
    if (name.empty() && model.source)
        out.warning = warningNote("class-assumed", "engine.id", "The config names no architectures, without which llama.cpp's converter does nothing: counted as the class that model_type " +
                                                                    oneLine(model.modelType, 80) + " usually is.");
    out.architecture = refined(model, out.architecture);
    out.windows = isAmong(withWindows, out.architecture);
    out.writesDrafts = writesDrafts(model, out.architecture);
    out.drafts = draftsOf(model, out.architecture);
    return out;
}

} // namespace kv::llamacpp
