// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/engine/vllm/planfigures.h"
#include "core/model/contextlimit.h"
#include "core/model/wholevalue.h"
#include "core/weights/weighttypes.h"

#include <algorithm>

namespace kv::vllm {

namespace {

void warn(Plan &plan, const char *code, const char *where, std::string text) {
    plan.warnings.push_back(warningNote(code, where, std::move(text)));
}
void inform(Plan &plan, const char *code, const char *where, std::string text) {
    plan.warnings.push_back(infoNote(code, where, std::move(text)));
}

std::string inGb(Bytes bytes) { return writeBytes(bytes, SizeUnit::Decimal); }

void noteStart(const Pool &pool, const std::vector<Rank> &ranks, Plan &plan) {
    const std::int64_t length = pool.maxLength();
    if (pool.deployment().context.value > length)
        warn(plan, "context-beyond-max-model-len", "engine.options.max_model_len",
             "vLLM takes no request longer than max_model_len, " + writeNumber(length) +
                 " tokens; raise it or shorten the context of " + writeNumber(pool.deployment().context.value) + ".");
    if (pool.starts(ranks, length))
        return;
    if (!pool.isFree()) {
        warn(plan, "engine-does-not-start", "hardware.display_bytes",
             "vLLM would not start: it wants its share of the memory free, and others take " + inGb(pool.deployment().display) +
                 " of it; lower gpu_memory_utilization.");
        return;
    }
    const Bytes least = std::ranges::min_element(ranks, {}, &Rank::available)->available;
    if (least <= Bytes(0)) {
        warn(plan, "engine-does-not-start", "engine.id",
             "vLLM would not start: no memory is left for the cache after weights and activations.");
        return;
    }
    const std::int64_t longest = pool.longestLength(ranks, length);
    warn(plan, "engine-does-not-start", "engine.options.max_model_len",
         "vLLM would not start: one request of max_model_len, " + writeNumber(length) + " tokens, needs " +
             inGb(plan.kv.perSequencePerGpu) + " of cache on a GPU, and " + inGb(least) + " are left; " +
             (longest > 0 ? "the longest max_model_len that starts is " + writeNumber(longest) + "."
                          : std::string("not one token fits.")));
}

void noteSettings(const Pool &pool, Plan &plan) {
    const Settings &s = pool.settings();
    // What a driver's context takes before anything is loaded: 0.45 to 0.53 GiB on cards of 24 GiB and more, else about 0.23.
    const Bytes context(pool.deployment().memory >= Bytes(std::int64_t{23} << 30) ? 480 << 20 : 230 << 20);
    if (!plan.gpus.empty() && plan.gpus.front().reserve < context && !pool.deployment().availableKv)
        warn(plan, "utilization-above-free", "engine.options.gpu_memory_utilization",
             "vLLM starts only where the share it plans with is free, and the driver's own context takes some of it: lower "
             "gpu_memory_utilization.");
    // vllm/config/model.py _get_and_verify_max_len
    if (const auto limit = contextLimit("vllm", *pool.deployment().model); limit && s.maxModelLen && *s.maxModelLen > limit->value)
        warn(plan, "beyond-model-limit", "engine.options.max_model_len",
             "max_model_len, " + writeNumber(*s.maxModelLen) + ", is more than the " + writeNumber(limit->value) +
                 " tokens that the model was made for: vLLM starts so only with VLLM_ALLOW_LONG_MAX_MODEL_LEN=1.");
    const Json &given = pool.deployment().scenario->engine.options;
    if (!s.lora && (given.find("max_loras") || given.find("max_lora_rank")))
        warn(plan, "lora-off", "engine.options.enable_lora", "Without enable_lora there are no LoRA slots: max_loras and max_lora_rank have no effect.");
    // vllm/config/scheduler.py warns of the same: no step can ever have so many.
    const std::int64_t most = checked::mul(s.maxSeqs, pool.maxLength());
    if (s.batchedTokens && *s.batchedTokens > most)
        warn(plan, "batch-beyond-requests", "engine.options.max_num_batched_tokens",
             "max_num_batched_tokens, " + writeNumber(*s.batchedTokens) + ", is more than all sequences can hold, max_num_seqs × max_model_len = " + writeNumber(most) +
                 ": activations are planned for steps that never come; lower it.");
    if (s.release.beyondKnown)
        warn(plan, "version-beyond-known", "engine.options.version",
             "vLLM " + s.release.written + " is newer than the rules known here; it is counted like 0.28.");
    if (pool.traits().states && !s.rules().hybridGroups)
        warn(plan, "states-before-groups", "engine.options.version",
             "How vLLM " + s.release.written + " sized states is not known; they are counted like those of 0.11.");
    if (s.stateModeIgnored)
        warn(plan, "state-mode-ignored", "engine.options.mamba_cache_mode",
             !s.prefixCaching ? "Without prefix caching vLLM keeps the last state alone: mamba_cache_mode has no effect."
             : s.stateMode == StateMode::All
                 ? "With prefix caching vLLM keeps the states of this model as mamba_cache_mode all does, and so it is counted."
                 : "With prefix caching vLLM keeps the states of this model as mamba_cache_mode align does, and so it is counted.");
    if (s.blockSize != pool.askedBlock() && s.blockGiven)
        warn(plan, "block-size-forced", "engine.options.block_size",
             "The attention kernels of this model and card work with blocks of " + writeNumber(s.blockSize) +
                 ": vLLM takes that instead of " + writeNumber(pool.askedBlock()) + ".");
    if (pool.specs().stateBlock)
        inform(plan, "block-size-grown", "engine.options.block_size",
               "Attention blocks grow to " + writeNumber(*pool.specs().stateBlock) +
                   " tokens, so that a page of attention holds one state.");
    if (pool.groups().managerOff)
        inform(plan, "windows-at-full-length", "engine.options.disable_hybrid_kv_cache_manager",
               "Without groups of their own, layers with a window or chunk are kept at full length.");
    if (pool.groups().padded)
        warn(plan, "pages-padded", "engine.options.version",
             "The layers' pages do not divide: smaller ones are counted padded to the largest, which not every "
             "attention backend can read.");
}

/// Rows of a block of the checkpoint's FP8 scales; 0: it has none.
std::int64_t rowsOfBlock(const ModelSpec &model) {
    const Json *quant = model.source ? model.source->find("quantization_config") : nullptr;
    const Json *block = quant && quant->isObject() ? quant->find("weight_block_size") : nullptr;
    return block && block->isArray() && !block->items().empty() ? wholeValue(block->items().front()).value_or(0) : 0;
}

/// vllm/model_executor/layers/quantization/fp8.py Fp8MoEMethod.create_weights raises where a slice of an expert cuts a block.
void noteExpertSlices(const Deployment &asked, Plan &plan) {
    const ModelSpec &model = *asked.model;
    const std::int64_t rows = rowsOfBlock(model), width = model.weights.expertWidth;
    const std::int64_t slices = asked.scenario->parallel.expertParallel ? 1 : checked::mul(asked.tp, asked.dp);
    const std::string &type = asked.scenario->weights.dtype;
    const bool other = !type.empty() && bytesInType(model.weights, type).value.value_or(TypedWeights{}).scheme != model.weights.scheme;
    if (rows <= 0 || width <= 0 || other || (width % slices == 0 && width / slices % rows == 0))
        return;
    const bool never = width % rows != 0; // however they are cut
    warn(plan, "expert-slices-cut-blocks", never ? "model" : "parallel.tp",
         "vLLM does not load these weights: an expert's " + writeNumber(width) + " columns" +
             (never ? " are no whole FP8 blocks of " + writeNumber(rows) + "."
                    : " over " + writeNumber(slices) + " GPUs cut an FP8 block of " + writeNumber(rows) + "; use expert parallelism or fewer GPUs."));
}

void noteModel(const Pool &pool, const Deployment &asked, Plan &plan) {
    const ModelSpec &model = *asked.model;
    noteExpertSlices(asked, plan);
    if (pool.deployment().types.key != asked.types.key)
        inform(plan, "sparse-fp8-layout", "kv.dtype",
               "With FP8 the sparse latent kernels keep their own layout, fp8_ds_mla of 656 bytes a token and layer "
               "(FlashInfer's, on Blackwell, keeps 576).");
    if (model.dtype == ElementType::Fp32)
        inform(plan, "runs-in-16-bit", "model", "vLLM runs FP32 checkpoints in 16 bit.");
    if (pool.traits().indexed && !pool.traits().latent)
        warn(plan, "index-keys-unchecked", "model",
             "How vLLM stores the index keys beside this model's attention is not known for certain; they are counted "
             "in 16 bit.");
    const bool estimated = plan.fit.estimate && !pool.settings().activation && !asked.availableKv;
    if (estimated && model.vocabulary <= 0)
        warn(plan, "vocabulary-unknown", "model",
             "The vocabulary's size is not known: the activation peak, estimated from it, is too low; give "
             "activation_bytes.");
}

void noteLoad(const Pool &pool, const Deployment &asked, std::int64_t blocks, Plan &plan) {
    const Settings &s = pool.settings();
    if (asked.prefix > Tokens(0) && !s.prefixCaching)
        warn(plan, "prefix-not-shared", "workload.shared_prefix",
             "Prefix caching is off" +
                 std::string(pool.traits().states ? " (vLLM's default for models with states)" : "") +
                 ": nothing is shared, the prefix is kept for every sequence.");
    if (pool.cachesNothing())
        return;
    if (asked.fullest().value > s.maxSeqs)
        warn(plan, "max-num-seqs", "engine.options.max_num_seqs",
             "vLLM runs at most max_num_seqs sequences at a time, " + writeNumber(s.maxSeqs) +
                 " a replica here; further ones wait.");
    const std::int64_t used =
        pool.demand().all(asked.context.value, std::min(asked.prefix, asked.context).value, asked.fullest().value);
    if (used == blocks && blocks > 0)
        inform(plan, "null-block", "workload.sequences",
               "The pool is full to the last block. vLLM never hands out one block of it, so that at this point it "
               "holds one sequence less; its log ignores that too.");
}

} // namespace

void addNotes(const Pool &pool, const Deployment &asked, const std::vector<Rank> &ranks, Plan &plan) {
    noteStart(pool, ranks, plan);
    noteSettings(pool, plan);
    noteModel(pool, asked, plan);
    noteLoad(pool, asked, pool.blocks(ranks), plan);
}

} // namespace kv::vllm
