// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/settingsfile.h"

#include "core/engine/engines.h"
#include "core/engine/options.h"
#include "core/launch/launchdefaults.h"
#include "core/weights/weighttypes.h"

#include <algorithm>

namespace kv {

std::string tensorRtLlmSettings(const Scenario &scenario, const Deployment &d, std::vector<std::string> &said, Notes &notes) {
    const Engine &engine = *findEngine(scenario.engine.id);
    const OptionReader options(scenario.engine.options);
    const auto text = [&](std::string_view name, std::string_view standard) -> std::string {
        said.emplace_back(name);
        const auto value = optionText(scenario, *std::ranges::find(engine.options(), name, &EngineOption::name));
        return value && *value != standard ? *value : std::string();
    };
    std::string cache, rest;
    const auto line = [](std::string &to, const char *key, const std::string &value) {
        if (!value.empty())
            to += std::string(key) + ": " + value + "\n";
    };
    const CacheTypes own = engine.automaticTypes(*d.model, scenario);
    if (d.types.key == ElementType::Fp8 || d.types.key == ElementType::Nvfp4)
        line(cache, "  dtype", d.types.key == own.key ? std::string() : std::string(info(d.types.key).name));
    else if (d.types.key != own.key)
        notes.push_back(infoNote("no-flag", "kv.dtype", "TensorRT-LLM keeps a cache of 16 or 32 bit in the model's own type: the command cannot change it."));
    line(cache, "  tokens_per_block", text("tokens_per_block", "32"));
    if (const std::string windows = text("max_attention_window", ""); !windows.empty())
        line(cache, "  max_attention_window", "[" + windows + "]");
    line(cache, "  mamba_ssm_cache_dtype", text("ssm_dtype", ""));
    line(cache, "  max_gpu_total_bytes", text("available_kv_bytes", ""));
    line(rest, "enable_attention_dp", text("enable_attention_dp", "false"));
    if (const std::string partition = text("layer_partition", ""); !partition.empty() && d.pp > 1)
        line(rest, "pp_partition", "[" + partition + "]");
    said.emplace_back("draft_layers");
    if (const std::int64_t drafts = options.whole("draft_layers").value_or(0); drafts > 0)
        rest += "speculative_config:\n  decoding_type: MTP\n  num_nextn_predict_layers: " + std::to_string(drafts) + "\n";
    const WeightType *type = findWeightType(scenario.weights.dtype);
    if (type && !d.model->weights.scheme.starts_with(type->scheme))
        notes.push_back(infoNote("weights-need-checkpoint", "weights.dtype",
                                 "trtllm-serve takes the weights as they are stored: name a checkpoint in " + scenario.weights.dtype + "."));
    return (cache.empty() ? "" : "kv_cache_config:\n" + cache) + rest;
}

} // namespace kv
