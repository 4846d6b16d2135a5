// SPDX-License-Identifier: GPL-3.0-or-later
//
// From what a log says to a scenario that the planner can count: the same engine and release, split, lengths, types, memory and settings.
#include "core/log/reconcile.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/engine/vllm/release.h"
#include "core/log/loggedroom.h"
#include "core/weights/weighttypes.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kv {

namespace {

void assume(Notes &notes, std::string where, std::string text) {
    notes.push_back(warningNote("log-assumption", std::move(where), std::move(text)));
}

/// A KV type as the log prints it: "torch.float8_e4m3fn", "fp8", "q8_0", "auto".
ElementType typeOf(const std::optional<std::string> &printed, const char *where, Notes &notes) {
    if (!printed)
        return ElementType::Auto;
    std::string_view name = *printed;
    if (name.starts_with("torch."))
        name.remove_prefix(6);
    if (name == "float8_e4m3fn" || name == "float8_e4m3fnuz")
        name = "fp8";
    else if (name == "float8_e5m2fnuz")
        name = "fp8_e5m2";
    if (const std::optional<ElementType> type = elementTypeFromName(name))
        return *type;
    assume(notes, where, "The cache's type \"" + *printed + "\" of the log is not known here; the engine's own choice is planned.");
    return ElementType::Auto;
}

/// The type of the weights where the engine was told one ("fp8", "awq_marlin", "Q4_K - Medium"); empty: as the checkpoint stores them.
std::string weightsTypeOf(const ServerLog &log) {
    if (!log.weightsType)
        return {};
    std::string name;
    for (const char c : *log.weightsType)
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    struct Alias {
        std::string_view begins, type;
    };
    static constexpr std::array<Alias, 15> aliases{{
        {"awq", "int4"}, {"bitsandbytes", "nf4"}, {"gptq", "int4"}, {"fp8", "fp8"}, {"modelopt_fp4", "nvfp4"}, {"nvfp4", "nvfp4"}, {"mxfp4", "mxfp4"},
        {"q4_k - medium", "q4_k_m"}, {"q4_k - small", "q4_k_s"}, {"q5_k - medium", "q5_k_m"}, {"q5_k - small", "q5_k_s"},
        {"q3_k - medium", "q3_k_m"}, {"q3_k - small", "q3_k_s"}, {"q3_k - large", "q3_k_l"}, {"q2_k - medium", "q2_k"},
    }};
    for (const Alias &alias : aliases)
        if (name.starts_with(alias.begins))
            return std::string(alias.type);
    const WeightType *known = findWeightType(name.substr(0, name.find(' ')));
    return known ? std::string(known->name) : std::string();
}

/// "…/Qwen3-8B-Q4_K_M.gguf": the file's name ends with its type.
std::string weightsTypeOfFile(const ServerLog &log) {
    for (const std::optional<std::string> &named : {log.modelFile, log.model}) {
        constexpr std::string_view ending = ".gguf";
        if (!named || !named->ends_with(ending))
            continue;
        const std::string_view stem = std::string_view(*named).substr(0, named->size() - ending.size());
        if (const WeightType *type = findWeightType(stem.substr(stem.find_last_of("-./") + 1)))
            return std::string(type->name);
    }
    return {};
}

/// "RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic": a repository's name says how its weights are stored.
std::string weightsTypeOfName(const ServerLog &log) {
    if (!log.model)
        return {};
    std::string name;
    for (const char c : log.model->substr(log.model->find_last_of('/') + 1))
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    struct Word {
        std::string_view word, type;
    };
    static constexpr std::array<Word, 10> words{{
        {"-nvfp4", "nvfp4"}, {"-mxfp4", "mxfp4"}, {"-fp8", "fp8"}, {"-awq", "int4"}, {"-gptq-int8", "int8"},
        {"-gptq", "int4"}, {"w4a16", "int4"}, {"-int4", "int4"}, {"w8a8", "int8"}, {"-int8", "int8"},
    }};
    for (const Word &entry : words)
        if (name.find(entry.word) != std::string::npos)
            return std::string(entry.type);
    return {};
}

/// A preset stands for the checkpoint in its own precision: what the log was run with may be another.
void fillWeights(const ServerLog &log, Scenario &s) {
    const bool own = s.model.spec && s.model.spec->weights.source != WeightSource::CountedFromConfig;
    if (s.weights.bytes || !s.weights.dtype.empty() || own)
        return;
    if (log.engine == "llama-cpp" && log.weights) // the sum over devices, which is the whole model
        s.weights.bytes = log.weights;
    else if (s.model.spec && s.model.spec->quantMethod.empty())
        for (const auto type : {weightsTypeOf, weightsTypeOfFile, weightsTypeOfName})
            if (s.weights.dtype.empty())
                s.weights.dtype = type(log);
}

void fillSplit(const ServerLog &log, Scenario &s) {
    if (log.engine == "llama-cpp") {
        s.parallel.tp = s.parallel.pp = s.parallel.dp = std::nullopt;
        if (const Json *devices = log.settings.find("devices"))
            s.hardware.count = Count(devices->integer());
        return;
    }
    if (!log.tp && !log.pp && !log.dp)
        return;
    const Json *inside = log.settings.find("enable_dp_attention");
    const std::int64_t tp = log.tp.value_or(1), pp = log.pp.value_or(1), dp = log.dp.value_or(1);
    s.parallel.tp = Count(tp);
    s.parallel.pp = Count(pp);
    s.parallel.dp = Count(dp);
    s.hardware.count = Count(checked::mul(checked::mul(tp, pp), inside && inside->boolean() ? 1 : dp));
}

std::string plainName(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)))
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const std::string_view maker : {"nvidia", "geforce", "tesla", "amd", "radeon"})
        if (const std::size_t at = out.find(maker); at != std::string::npos)
            out.erase(at, maker.size());
    return out;
}

const Gpu *gpuByName(const std::string &name) {
    const std::string wanted = plainName(name);
    for (const Gpu &gpu : gpus()) {
        if (plainName(gpu.name).starts_with(wanted))
            return &gpu;
        if (std::ranges::any_of(gpu.aliases, [&](const std::string &alias) { return plainName(alias) == wanted; }))
            return &gpu;
    }
    return nullptr;
}

/// The card whose total for programs is nearest, within what rounding and drivers explain.
const Gpu *gpuByMemory(Bytes memory) {
    const Gpu *nearest = nullptr;
    std::int64_t least = memory.value / 150;
    for (const Gpu &gpu : gpus())
        if (const std::int64_t off = std::abs(gpu.framework.value - memory.value); gpu.framework > Bytes(0) && off < least) {
            least = off;
            nearest = &gpu;
        }
    return nearest;
}

/// llama.cpp splits over unlike cards, and names each.
void fillCards(const ServerLog &log, Scenario &s, Notes &notes) {
    if (!takesUnlikeCards(log.engine) || std::ranges::adjacent_find(log.gpuNames, std::ranges::not_equal_to()) == log.gpuNames.end())
        return;
    std::vector<Device> devices;
    for (const std::string &name : log.gpuNames) {
        const Gpu *gpu = gpuByName(name);
        if (!gpu) {
            assume(notes, "hardware.gpu", "The log names unlike cards, and \"" + name + "\" is not known here: all are planned as " + s.hardware.gpu + ".");
            return;
        }
        if (!devices.empty() && devices.back().gpu == gpu->id)
            devices.back().count += Count(1);
        else
            devices.push_back({gpu->id, Count(1)});
    }
    s.hardware.count = Count(std::ssize(log.gpuNames));
    if (devices.size() > 1)
        s.hardware.devices = std::move(devices);
}

void fillMemory(const ServerLog &log, Scenario &s, Notes &notes) {
    if (const Gpu *named = log.gpuName ? gpuByName(*log.gpuName) : nullptr)
        s.hardware.gpu = named->id;
    fillCards(log, s, notes);
    if (log.gpuMemory && *log.gpuMemory > Bytes(0)) {
        s.hardware.memory = log.gpuMemory;
        if (const Gpu *alike = gpuByMemory(*log.gpuMemory); alike && !log.gpuName) {
            s.hardware.gpu = alike->id;
            assume(notes, "hardware.gpu", "The log gives the GPU's memory, not its name: planned as " + alike->name + ", whose total is nearest.");
        }
        return;
    }
    const std::optional<Bytes> room = loggedRoom(log);
    if (room && *room >= Bytes(0) && !s.engine.options.find("available_kv_bytes")) {
        s.engine.options.set("available_kv_bytes", room->value);
        assume(notes, "hardware.gpu", "The log does not say which GPU it was: planned from the memory for KV that it prints; name the GPU to see the whole budget.");
    } else if (!log.gpuName && log.engine != "llama-cpp") {
        assume(notes, "hardware.gpu", "The log says neither the GPU nor its memory: planned with " + s.hardware.gpu + ".");
    }
}

void setOption(Scenario &s, const char *name, std::optional<std::int64_t> value) {
    if (value)
        s.engine.options.set(name, *value);
}

void copyOptions(const ServerLog &log, Scenario &s, std::initializer_list<const char *> names) {
    for (const char *name : names)
        if (const Json *value = log.settings.find(name))
            s.engine.options.set(name, *value);
}

void setFraction(Scenario &s, const char *name, std::optional<std::int64_t> share) {
    if (share)
        s.engine.options.set(name, Json(static_cast<double>(*share) / 1e9));
}

void fillVllm(const ServerLog &log, Scenario &s, Notes &notes) {
    if (vllm::ChosenRelease chosen; log.version && !vllm::chooseRelease(*log.version, chosen))
        s.engine.options.set("version", *log.version);
    else if (log.version)
        assume(notes, "engine.options.version", "vLLM " + *log.version + " is not among the releases known here; planned as " +
                                                    std::string(log.version->starts_with("0.") && log.version->size() > 3 && log.version->at(3) == '.' ? "0.6, the oldest." : "the default one."));
    if (log.version && log.version->starts_with("0.") && log.version->size() > 3 && log.version->at(3) == '.' && log.version->at(2) < '6')
        s.engine.options.set("version", "0.6");
    setFraction(s, "gpu_memory_utilization", log.gpuMemoryUtilization);
    setOption(s, "max_model_len", log.maxModelLen ? std::optional(log.maxModelLen->value) : std::nullopt);
    setOption(s, "max_num_batched_tokens", log.maxBatchedTokens ? std::optional(log.maxBatchedTokens->value) : std::nullopt);
    setOption(s, "decode_context_parallel", log.dcp);
    copyOptions(log, s, {"available_kv_bytes", "max_num_seqs", "block_size", "enforce_eager", "prefix_caching", "disable_hybrid_kv_cache_manager", "mamba_cache_mode", "mamba_ssm_cache_dtype"});
    if (const Json *lora = log.settings.find("enable_lora"); lora && lora->boolean())
        copyOptions(log, s, {"enable_lora", "max_loras", "max_lora_rank"});
    if (const Json *expert = log.settings.find("expert_parallel"))
        s.parallel.expertParallel = expert->boolean();
}

void fillSglang(const ServerLog &log, Scenario &s) {
    setFraction(s, "mem_fraction_static", log.memFractionStatic);
    setOption(s, "page_size", log.pageSize);
    setOption(s, "max_running_requests", log.maxRunningRequests);
    setOption(s, "decode_context_parallel", log.dcp);
    copyOptions(log, s, {"enable_dp_attention", "disable_radix_cache", "swa_full_tokens_ratio", "mamba_full_memory_ratio", "chunked_prefill_size", "cuda_graph_max_bs", "max_mamba_cache_size"});
}

void fillTensorRt(const ServerLog &log, Scenario &s) {
    setOption(s, "tokens_per_block", log.blockSize);
    copyOptions(log, s, {"free_gpu_memory_fraction", "max_batch_size"});
}

void fillLlamaCpp(const ServerLog &log, Scenario &s) {
    const std::int64_t slots = log.slotCount.value_or(1);
    s.workload.sequences = Count(slots);
    setOption(s, "n_parallel", slots);
    setOption(s, "n_ctx", log.nCtx ? std::optional(log.nCtx->value) : std::nullopt);
    if (log.nCtxSeq || log.nCtx) {
        const Json *unified = log.settings.find("kv_unified");
        const bool shared = unified && unified->boolean();
        s.workload.context = log.nCtxSeq ? *log.nCtxSeq : Tokens(std::max<std::int64_t>(1, log.nCtx->value / slots));
        if (shared) // one pool: each slot may fill its part at the same time
            s.workload.context = Tokens(std::max<std::int64_t>(1, s.workload.context.value / slots));
    }
    copyOptions(log, s, {"kv_unified", "flash_attn", "n_batch", "n_ubatch", "n_gpu_layers"});
}

/// What the log says of memory and the plan has no place for.
void sayUnplanned(const ServerLog &log, const Scenario &s, Notes &notes) {
    const Json *drafter = log.settings.find("draft_model");
    const bool planned = s.engine.options.find("draft_model") != nullptr;
    if (!planned && drafter && drafter->isString())
        assume(notes, "engine.options.draft_model", "The server drafts with \"" + oneLine(drafter->text(), 200) + "\", which is no model known here: it is not in the plan; give draft_model to count it.");
    else if (!planned && log.settings.find("speculative"))
        assume(notes, "engine.options.draft_layers", "The server drafts; the drafter's layers are not in the plan: give draft_layers to count them.");
    if (const Json *blocks = log.settings.find("num_gpu_blocks_override"))
        assume(notes, "engine.options", "The server was given its number of blocks, num_gpu_blocks_override = " + writeNumber(blocks->integer()) + ", whatever the memory: the plan counts them from the memory.");
    if (const Json *offloaded = log.settings.find("cpu_offload_gb"))
        assume(notes, "weights", "The server keeps " + offloaded->text() + " GiB of the weights in the host's memory (cpu_offload_gb): the plan keeps them all on the GPUs.");
    if (const Json *projector = log.settings.find("projector_bytes"))
        assume(notes, "model", projector->integer() > 0 ? "The server loads a projector for images or sound of " + writeBytes(Bytes(projector->integer()), SizeUnit::Binary) + " with its buffers: it is not in the plan."
                                                        : std::string("The server loads a projector for images or sound: it is not in the plan."));
}

} // namespace

Scenario logScenarioBase() {
    Scenario s = firstScenario();
    s.model = {};
    s.workload.sequences = Count(1);
    s.hardware.count = Count(1);
    s.parallel = {};
    s.engine = {};
    return s;
}

void takeDrafter(const ServerLog &log, const LoggedModel &found, Scenario &base) {
    if (found.drafter.empty())
        return;
    if (base.engine.id != log.engine)
        base.engine = {log.engine, Json::object()};
    if (!base.engine.options.find("draft_model"))
        base.engine.options.set("draft_model", found.drafter);
}

Scenario scenarioFromLog(const ServerLog &log, const Scenario &base, Notes &notes) {
    Scenario s = base;
    if (s.engine.id != log.engine)
        s.engine = {log.engine, Json::object()};
    if (log.maxModelLen)
        s.workload.context = *log.maxModelLen;
    s.workload.sharedPrefix = std::min(s.workload.sharedPrefix, s.workload.context);
    fillSplit(log, s);
    if (log.engine == "vllm")
        fillVllm(log, s, notes);
    else if (log.engine == "sglang")
        fillSglang(log, s);
    else if (log.engine == "tensorrt-llm")
        fillTensorRt(log, s);
    else if (log.engine == "llama-cpp")
        fillLlamaCpp(log, s);
    if (log.engine == "llama-cpp") {
        s.kv.key = typeOf(log.keyDtype, "kv.k", notes);
        s.kv.value = typeOf(log.valueDtype ? log.valueDtype : log.keyDtype, "kv.v", notes);
    } else if (log.kvDtype) {
        s.kv.key = s.kv.value = typeOf(log.kvDtype, "kv.dtype", notes);
    }
    fillWeights(log, s);
    fillMemory(log, s, notes);
    sayUnplanned(log, s, notes);
    return s;
}

} // namespace kv
