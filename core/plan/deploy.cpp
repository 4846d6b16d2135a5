// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/deploy.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/engine/draftmodel.h"
#include "core/engine/engines.h"
#include "core/engine/options.h"
#include "core/engine/smallsizes.h"
#include "core/engine/support.h"
#include "core/hardware/generation.h"
#include "core/model/contextlimit.h"
#include "core/weights/weighttypes.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

// A bar and a row for each GPU: beyond this a plan is no answer for anybody, and the list of GPUs would fill the memory.
constexpr std::int64_t mostGpus = 65'536;

std::string listTypes(const Engine &engine) {
    std::string text = "auto";
    for (const ElementType type : engine.kvTypes())
        text += ", " + std::string(info(type).name);
    return text;
}

std::optional<Note> refuseEngine(const Scenario &scenario) {
    std::vector<std::string_view> names;
    for (const Engine *engine : engines())
        names.push_back(engine->id());
    std::string text = "engine.id: \"" + scenario.engine.id + "\" is not known";
    if (const std::string_view nearest = nearestName(scenario.engine.id, names); !nearest.empty())
        text += "; did you mean " + std::string(nearest) + "?";
    else
        text += ";";
    text += " known:";
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? " " : ", ") + std::string(names[i]);
    return errorNote("unknown-engine", "engine.id", std::move(text));
}

std::optional<Note> resolveTypes(const Scenario &scenario, const Engine &engine, Deployment &d) {
    const auto takes = [&](ElementType type) {
        return type == ElementType::Auto || std::ranges::find(engine.kvTypes(), type) != engine.kvTypes().end();
    };
    for (const ElementType type : {scenario.kv.key, scenario.kv.value})
        if (!takes(type))
            return errorNote("type-not-taken", "kv.dtype",
                             "kv.dtype: " + std::string(engine.id()) + " does not take " + std::string(info(type).name) +
                                 " for the cache; it takes " + listTypes(engine));
    d.types = engine.automaticTypes(*scenario.model.spec, scenario);
    if (scenario.kv.key != ElementType::Auto)
        d.types.key = scenario.kv.key;
    if (scenario.kv.value != ElementType::Auto)
        d.types.value = scenario.kv.value;
    if (d.types.key != d.types.value && !engine.splitsKeyAndValueTypes())
        return errorNote("unlike-kv-types", "kv",
                         "kv: " + std::string(engine.id()) + " keeps K and V in one type; found " + std::string(info(d.types.key).name) +
                             " for K and " + std::string(info(d.types.value).name) + " for V");
    return std::nullopt;
}

std::optional<Note> splitGpus(const Scenario &scenario, const Engine &engine, Deployment &d) {
    const Parallel &parallel = scenario.parallel;
    const std::int64_t count = scenario.hardware.count.value;
    const auto bad = [](const std::string &where, std::int64_t found) {
        return errorNote("bad-value", where, where + ": expected a whole number of 1 or more, found " + writeNumber(found));
    };
    if (count < 1)
        return bad("hardware.count", count);
    const std::optional<Count> given[]{parallel.tp, parallel.pp, parallel.dp};
    constexpr const char *names[]{"parallel.tp", "parallel.pp", "parallel.dp"};
    for (std::size_t i = 0; i < 3; ++i)
        if (given[i] && given[i]->value < 1)
            return bad(names[i], given[i]->value);
    d.pp = parallel.pp.value_or(Count(1)).value;
    d.dp = parallel.dp.value_or(Count(1)).value;
    // Without a tensor-parallel degree the GPUs that pp and dp leave over are it.
    const bool inside = engine.dpInsideTp(scenario);
    const std::int64_t others = inside ? d.pp : checked::mul(d.pp, d.dp);
    d.tp = parallel.tp ? parallel.tp->value : others > 0 && count % others == 0 ? count / others : 1;
    d.gpus = checked::mul(d.tp, others);
    d.replicas = d.dp;
    if (count > mostGpus || d.gpus > mostGpus) {
        // A degree that asks for that many is to blame: the number of GPUs may have followed from it.
        const std::size_t largest = static_cast<std::size_t>(std::ranges::max_element(given) - std::begin(given));
        const std::string where = given[largest] && given[largest]->value > 1 && d.gpus >= count ? names[largest] : "hardware.count";
        return errorNote("out-of-range", where, where + ": " + writeNumber(std::max(count, d.gpus)) + " GPUs are out of range; at most " + writeNumber(mostGpus) + " are planned");
    }
    if (d.gpus != count)
        return errorNote("count-contradicts-parallel", "hardware.count",
                         "hardware.count is " + writeNumber(count) + ", but parallel says tp " + writeNumber(d.tp) + " × pp " + writeNumber(d.pp) +
                             (inside ? ", dp inside tp" : " × dp " + writeNumber(d.dp)) + " = " + writeNumber(d.gpus) + " GPUs; make the two agree");
    return std::nullopt;
}

Note unknownGpu(const std::string &where, const std::string &id) {
    std::vector<std::string_view> names;
    for (const Gpu &gpu : gpus())
        names.push_back(gpu.id);
    const std::string_view nearest = nearestName(id, names);
    std::string text = where + ": \"" + id + "\" is not known" + (nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?") + " (kvplanner gpus lists all)";
    for (const Note &fault : ownGpuFaults())
        text += "; " + fault.text;
    return errorNote("unknown-gpu", where, std::move(text));
}

std::optional<Note> refuseLargeDisplay(const Deployment &d) {
    if (d.display <= d.memory)
        return std::nullopt;
    return errorNote("bad-value", "hardware.display_bytes",
                     "hardware.display_bytes: expected at most the GPU's " + writeBytes(d.memory, SizeUnit::Decimal) + ", found " + writeBytes(d.display, SizeUnit::Decimal) +
                         " for a display; give what the desktop really takes, such as 1GB");
}

std::optional<Note> resolveUnlike(const Scenario &scenario, const Engine &engine, Deployed &out) {
    Deployment &d = out.deployment;
    const Hardware &hardware = scenario.hardware;
    if (!takesUnlikeCards(engine.id()))
        return errorNote("unlike-devices", "hardware.devices",
                         "hardware.devices: unlike cards in one machine are planned for llama-cpp only; " + std::string(engine.id()) + " needs alike ones");
    if (hardware.memory)
        return errorNote("contradiction", "hardware.memory_bytes", "hardware.memory_bytes: is of one kind of card, but devices names several; leave one of them out");
    if (hardware.display < Bytes(0))
        return errorNote("bad-value", "hardware.display_bytes", "hardware.display_bytes: expected a size of 0 or more");
    for (const Device &device : hardware.devices) {
        const Gpu *gpu = findGpu(device.gpu);
        if (!gpu)
            return unknownGpu("hardware.devices", device.gpu);
        if (device.count.value < 1)
            return errorNote("bad-value", "hardware.devices", "hardware.devices: expected a count of 1 or more for " + device.gpu);
        const Bytes memory = engine.memoryOf(*gpu, out.warnings);
        if (device.count.value > mostGpus - static_cast<std::int64_t>(d.unlike.size()))
            return errorNote("out-of-range", "hardware.devices", "hardware.devices: at most " + writeNumber(mostGpus) + " GPUs are planned");
        d.unlike.insert(d.unlike.end(), static_cast<std::size_t>(device.count.value), UnlikeCard{gpu, memory});
    }
    if (static_cast<std::int64_t>(d.unlike.size()) != d.gpus)
        return errorNote("count-contradicts-parallel", "hardware.devices",
                         "hardware.devices names " + writeNumber(static_cast<std::int64_t>(d.unlike.size())) + " cards, but parallel says " + writeNumber(d.gpus) + "; make the two agree");
    d.gpu = d.unlike.front().gpu;
    d.memory = d.unlike.front().memory;
    d.display = hardware.display;
    return refuseLargeDisplay(d);
}

std::optional<Note> resolveMemory(const Scenario &scenario, const Engine &engine, Deployed &out) {
    Deployment &d = out.deployment;
    const Hardware &hardware = scenario.hardware;
    if (!hardware.devices.empty())
        return resolveUnlike(scenario, engine, out);
    d.gpu = findGpu(hardware.gpu);
    if (!d.gpu)
        return unknownGpu("hardware.gpu", hardware.gpu);
    if (hardware.memory && hardware.memory->value < 0)
        return errorNote("bad-value", "hardware.memory_bytes", "hardware.memory_bytes: expected a size of 0 or more");
    if (hardware.reserve < 0 || hardware.reserve > fractionOne)
        return errorNote("bad-value", "hardware.reserve", "hardware.reserve: expected a fraction from 0 to 1");
    if (hardware.display < Bytes(0))
        return errorNote("bad-value", "hardware.display_bytes", "hardware.display_bytes: expected a size of 0 or more");
    d.display = hardware.display;
    d.memory = hardware.memory ? *hardware.memory : engine.memoryOf(*d.gpu, out.warnings);
    return refuseLargeDisplay(d);
}

/// The part of `all` that only drafts, in proportion to the bytes stored.
Bytes draftsOf(const WeightSpec &spec, Bytes all) {
    Bytes known, draft;
    for (const WeightPart &part : spec.parts) {
        known += part.stored;
        draft += part.kind == WeightPartKind::Draft ? part.stored : Bytes(0);
    }
    return draft > Bytes(0) && known.inRange() ? Bytes(checked::mulDiv(all.value, draft.value, known.value)) : Bytes(0);
}

Note notInGguf(const WeightType &type, const Engine &engine) {
    std::string held;
    for (const WeightType &other : weightTypes())
        if (isHeldByGguf(other))
            held += (held.empty() ? "" : ", ") + std::string(other.name);
    return errorNote("type-not-taken", "weights.dtype",
                     "weights.dtype: " + std::string(engine.id()) + " reads GGUF files, which hold no " + std::string(type.label) + "; take " + held);
}

/// What the converter writes of a checkpoint in a type that GGUF does not hold: 16 bit (llama.cpp conversion/base.py, dequant_model).
std::optional<Note> convertWeights(const WeightSpec &spec, Deployed &out) {
    Parsed<WeightSpec> converted = weightsInType(spec, "bf16");
    if (!converted)
        return *firstError(converted.notes);
    out.weights = {converted->stored, {}, spec.source, converted->scheme, !spec.checked};
    out.warnings.push_back(warningNote("weights-converted", "weights.dtype",
                                       "GGUF files hold no " + spec.scheme + ": the converter makes 16 bit of this checkpoint, " +
                                           writeBytes(converted->stored, SizeUnit::Decimal) + "; choose a type of GGUF (weights.dtype) for a smaller file."));
    out.deployment.weights = out.deployment.drafts ? converted->stored : converted->stored - draftsOf(*converted, converted->stored);
    return std::nullopt;
}

std::optional<Note> resolveWeights(const Scenario &scenario, Deployed &out) {
    const WeightSpec &spec = scenario.model.spec->weights;
    WeightFigures &w = out.weights;
    out.deployment.drafts = out.engine->loadsDrafts(*scenario.model.spec);
    if (scenario.weights.bytes) {
        if (scenario.weights.bytes->value < 0)
            return errorNote("bad-value", "weights.bytes", "weights.bytes: expected a size of 0 or more");
        w = {*scenario.weights.bytes, {}, WeightSource::Given, "as given", false};
    } else if (!scenario.weights.dtype.empty()) {
        if (const WeightType *type = findWeightType(scenario.weights.dtype); type && out.engine->readsGguf() && !isHeldByGguf(*type))
            return notInGguf(*type, *out.engine);
        Parsed<TypedWeights> typed = bytesInType(spec, scenario.weights.dtype, out.engine->readsGguf() ? WeightFile::Gguf : WeightFile::Checkpoint);
        if (!typed)
            return *firstError(typed.notes);
        w = {typed->bytes, {}, spec.source, typed->scheme, typed->estimate};
        out.warnings.insert(out.warnings.end(), typed.notes.begin(), typed.notes.end());
    } else if (spec.source == WeightSource::Unknown) {
        w = {Bytes(0), {}, WeightSource::Unknown, "unknown", true};
        out.warnings.push_back(warningNote("weights-unknown", "weights",
                                           "The size of the weights is not known and counted as 0: give it by hand (weights.bytes), "
                                           "or open the model's folder, whose files say it."));
    } else if (out.engine->readsGguf() && !isHeldByGguf(spec.scheme)) {
        return convertWeights(spec, out);
    } else {
        w = {spec.stored, {}, spec.source, spec.scheme, !spec.checked};
    }
    const bool asTold = out.deployment.drafts || scenario.weights.bytes; // bytes by hand are those that are loaded
    out.deployment.weights = asTold ? w.total : w.total - draftsOf(spec, w.total);
    return std::nullopt;
}

std::optional<Note> checkWorkload(const Scenario &scenario) {
    const Workload &load = scenario.workload;
    const auto negative = [](const std::string &where, std::int64_t found) {
        return errorNote("bad-value", where, where + ": expected a whole number of 0 or more, found " + writeNumber(found));
    };
    if (load.context.value < 0)
        return negative("workload.context", load.context.value);
    if (load.context.value == 0 && scenario.engine.id != "textbook") // the formula is 0 then
        return errorNote("bad-value", "workload.context", "workload.context: expected 1 token or more, found 0: no engine serves a request of none");
    if (load.sequences.value < 0)
        return negative("workload.sequences", load.sequences.value);
    if (load.sharedPrefix.value < 0)
        return negative("workload.shared_prefix", load.sharedPrefix.value);
    if (load.sharedPrefix > load.context)
        return errorNote("prefix-beyond-context", "workload.shared_prefix",
                         "workload.shared_prefix: " + writeNumber(load.sharedPrefix.value) + " tokens are more than the context of " +
                             writeNumber(load.context.value) + ", which the prefix is a part of");
    return std::nullopt;
}

/// The model that drafts, where the engine's options name one.
std::optional<Note> resolveDraft(const Scenario &scenario, Deployed &out) {
    const std::optional<std::string_view> name = OptionReader(scenario.engine.options).word("draft_model");
    if (!name || name->empty() || *name == "none")
        return std::nullopt;
    Parsed<std::shared_ptr<const ModelSpec>> draft = draftModel(std::string(*name));
    if (!draft)
        return *firstError(draft.notes);
    const ModelSpec &model = **draft;
    Deployment &d = out.deployment;
    d.draft = *draft.value;
    d.draftWeights = model.weights.stored;
    if (model.weights.source == WeightSource::Unknown) {
        d.draftWeights = Bytes(0);
        out.warnings.push_back(warningNote("weights-unknown", "engine.options.draft_model", "The size of the draft model's weights is not known and counted as 0."));
    }
    if (model.vocabulary > 0 && d.model->vocabulary > 0 && model.vocabulary != d.model->vocabulary)
        out.warnings.push_back(warningNote("draft-vocabulary", "engine.options.draft_model",
                                           "The draft model's vocabulary of " + writeNumber(model.vocabulary) + " is not the model's " + writeNumber(d.model->vocabulary) +
                                               ": engines start only where the two agree."));
    return std::nullopt;
}

void warnOfLimits(const Scenario &scenario, Notes &warnings) {
    const ModelSpec &model = *scenario.model.spec;
    if (scenario.workload.context == Tokens(0)) // the textbook alone takes it
        warnings.push_back(warningNote("no-tokens", "workload.context", "Sequences of 0 tokens cache nothing: how many of them fit says nothing about users."));
    if (std::optional<Note> beyond = beyondModelLimit(scenario))
        warnings.push_back(std::move(*beyond));
    if (const std::int64_t stages = scenario.parallel.pp.value_or(Count(1)).value; stages > model.layerCount())
        warnings.push_back(warningNote("more-stages-than-layers", "parallel.pp",
                                       "parallel.pp: " + writeNumber(stages) + " pipeline stages for " + writeNumber(model.layerCount()) +
                                           " layers leave GPUs without a layer; no engine starts so."));
}

/// The knob that an engine has in the place of the textbook's reserve.
std::string_view knobOf(std::string_view engine) {
    static constexpr std::pair<std::string_view, std::string_view> knobs[]{{"vllm", "gpu_memory_utilization"}, {"sglang", "mem_fraction_static"},
                                                                           {"tensorrt-llm", "free_gpu_memory_fraction"}, {"llama-cpp", "fit_margin_bytes"}};
    for (const auto &[id, knob] : knobs)
        if (id == engine)
            return knob;
    return {};
}

void warnOfHardware(const Scenario &scenario, const Engine &engine, const Deployment &d, Notes &warnings) {
    if (scenario.hardware.reserve != Hardware{}.reserve && engine.id() != "textbook") {
        const std::string_view knob = knobOf(engine.id());
        warnings.push_back(warningNote("no-effect", "hardware.reserve",
                                       "The reserve is the textbook's alone and has no effect here; " + std::string(engine.name()) +
                                           (knob.empty() ? " has nothing in its place." : " has " + std::string(knob) + " in its place.")));
    }
    if (d.availableKv && *d.availableKv > d.memory)
        warnings.push_back(warningNote("kv-beyond-card", "engine.options.available_kv_bytes",
                                       "available_kv_bytes, " + writeBytes(*d.availableKv, SizeUnit::Decimal) + ", is more than the GPU's " +
                                           writeBytes(d.memory, SizeUnit::Decimal) + "; it is counted with all the same."));
    if (isBeyondCard(engine, d.gpu, d.types.key)) {
        const Generation generation = generationOf(*d.gpu);
        const std::string type(info(d.types.key).label);
        std::string text = std::string(engine.name()) + " would not start: its kernels for a cache in " + type + " need Blackwell, and " + d.gpu->name + " is " +
                           std::string(generationName(generation)) + ". It is planned all the same.";
        if (generation == Generation::Unknown || generation == Generation::Blackwell)
            text = std::string(engine.name()) + " would not start: its kernels for a cache in " + type + " need server Blackwell, B200 and its kin, which " + d.gpu->name +
                   " is not. It is planned all the same.";
        warnings.push_back(warningNote("type-beyond-card", "kv.dtype", std::move(text)));
    }
}

} // namespace

std::string cardsInWords(const Hardware &hardware, std::int64_t gpus) {
    const auto some = [](std::int64_t count, const std::string &id) {
        const Gpu *gpu = findGpu(id);
        return writeNumber(count) + " × " + (gpu ? gpu->name : oneLine(id, 80));
    };
    if (hardware.devices.empty() && hardware.memory) { // the memory in a card's name is not what is planned with then
        std::string name = some(gpus, hardware.gpu);
        if (const std::size_t unit = name.ends_with(" GB") ? name.find_last_of(' ', name.size() - 4) : std::string::npos; unit != std::string::npos)
            name.resize(unit);
        return name + " (" + writeBytes(*hardware.memory, SizeUnit::Decimal) + ")";
    }
    if (hardware.devices.empty())
        return some(gpus, hardware.gpu);
    std::string text;
    for (const Device &device : hardware.devices)
        text += (text.empty() ? "" : " + ") + some(device.count.value, device.gpu);
    return text;
}

const Note *wouldNotStart(const Plan &plan) {
    static constexpr std::array<std::string_view, 5> codes{"type-beyond-card", "no-engine-splits-so", "more-stages-than-layers", "engine-not-on-card", "expert-slices-cut-blocks"};
    const auto found = std::ranges::find_if(plan.warnings, [](const Note &note) { return std::ranges::find(codes, note.code) != codes.end(); });
    return found == plan.warnings.end() ? nullptr : &*found;
}

std::optional<Note> beyondModelLimit(const Scenario &scenario) {
    const std::optional<Tokens> limit = scenario.model.spec ? contextLimit(scenario.engine.id, *scenario.model.spec) : std::nullopt;
    if (!limit || scenario.workload.context <= *limit)
        return std::nullopt;
    return warningNote("beyond-model-limit", "workload.context",
                       "The context of " + writeNumber(scenario.workload.context.value) + " tokens is beyond the model's own limit of " + writeNumber(limit->value) +
                           "; it is planned all the same.");
}

Deployed deploy(const Scenario &scenario) {
    Deployed out;
    Deployment &d = out.deployment;
    d.scenario = &scenario;
    if (!scenario.model.spec) {
        out.refusal = errorNote("no-model", "model", "model: none is given; name a preset (kvplanner models lists them) or a config.json");
        return out;
    }
    d.model = scenario.model.spec.get();
    out.engine = findEngine(scenario.engine.id);
    if (!out.engine) {
        out.refusal = refuseEngine(scenario);
        return out;
    }
    d.context = scenario.workload.context;
    d.prefix = scenario.workload.sharedPrefix;
    d.sequences = scenario.workload.sequences;
    out.refusal = checkOptions(*out.engine, scenario.engine.options);
    if (!out.refusal)
        out.refusal = resolveTypes(scenario, *out.engine, d);
    if (!out.refusal)
        out.refusal = checkWorkload(scenario);
    if (!out.refusal)
        out.refusal = splitGpus(scenario, *out.engine, d);
    if (!out.refusal)
        out.refusal = resolveMemory(scenario, *out.engine, out);
    if (!out.refusal)
        out.refusal = resolveWeights(scenario, out);
    if (!out.refusal)
        out.refusal = resolveDraft(scenario, out);
    if (!out.refusal) {
        d.availableKv = OptionReader(scenario.engine.options).size("available_kv_bytes");
        warnOfLimits(scenario, out.warnings);
        warnOfHardware(scenario, *out.engine, d, out.warnings);
        warnOfSupport(*out.engine, d, out.warnings);
        warnOfSmallSizes(scenario, *out.engine, out.warnings);
    }
    return out;
}

} // namespace kv
