// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/engine/engines.h"
#include "core/engine/options.h"
#include "core/launch/compilation.h"
#include "core/launch/devices.h"
#include "core/launch/launch.h"
#include "core/launch/launchline.h"
#include "core/launch/launchvalues.h"
#include "core/launch/modelword.h"
#include "core/model/contextlimit.h"
#include "core/weights/weighttypes.h"

#include <algorithm>

namespace kv {

namespace {

class LaunchReader {
public:
    LaunchReader(const LaunchLine &line, const Scenario &base, LaunchLoad load)
        : m_line(line), m_base(base), m_load(load), m_engine(*findEngine(line.engine)) {}

    Parsed<Scenario> read() {
        m_s.workload = m_base.workload;
        m_s.hardware = m_base.hardware;
        m_s.name = m_base.name;
        m_s.unknown = m_base.unknown;
        m_s.engine.id = m_line.engine;
        // Which release runs does not stand in the line, but for an image's tag.
        if (!m_line.version.empty())
            m_s.engine.options.set("version", m_line.version);
        else if (const Json *version = m_base.engine.options.find("version"); version && m_base.engine.id == m_line.engine)
            m_s.engine.options.set("version", *version);
        readModel();
        for (const auto &[flag, value] : m_line.flags)
            readFlag(*flag, value);
        readVariables();
        readParallel();
        readWeights();
        if (m_line.engine == "llama-cpp")
            readSlots();
        else
            readLongest();
        if (m_automaticLength && m_s.model.spec)
            m_notes.push_back(planLongestThatFits(m_s, m_load));
        m_s.workload.sharedPrefix = std::min(m_s.workload.sharedPrefix, m_s.workload.context);
        if (hasError(m_notes))
            return {std::nullopt, std::move(m_notes)};
        return {std::move(m_s), std::move(m_notes)};
    }

private:
    void bad(std::string_view flag, const std::string &value, const std::string &expected) {
        m_notes.push_back(errorNote("bad-launch-line", std::string(flag), std::string(flag) + ": expected " + expected + ", found \"" + oneLine(value, 60) + "\""));
    }

    void readModel() {
        if (!m_line.model.empty()) {
            FoundModel found = m_line.fromHub ? findHubModel(m_line.model, m_line.hubFile) : findModel(m_line.model);
            m_notes.insert(m_notes.end(), found.notes.begin(), found.notes.end());
            if (found.model.spec) {
                m_s.model = std::move(found.model);
                m_s.weights.dtype = std::move(found.weightsType);
                m_notes.erase(std::remove_if(m_notes.begin(), m_notes.end(), [](const Note &note) { return note.severity == Severity::Error; }), m_notes.end());
                return;
            }
        }
        m_s.model = m_base.model;
        m_s.weights = m_base.weights;
        const std::string what = m_line.model.empty() ? "the line names no model" : "\"" + oneLine(m_line.model, 200) + "\" is no preset, and no file or stored model here";
        if (!m_base.model.spec)
            m_notes.push_back(errorNote("no-model", "model", "model: " + what + "; choose the model (kvplanner models lists those known)"));
        else
            m_notes.push_back(warningNote("model-not-found", "model", "The model stays " +
                                              (m_base.model.name.empty() ? m_base.model.spec->name : m_base.model.name) + ": " + what + "."));
    }

    /// An option's value, made what the planner takes; refused where it is of another kind.
    void setOption(const Flag &flag, const std::string &value) {
        const EngineOption &option = *std::ranges::find(m_engine.options(), flag.option, &EngineOption::name);
        const std::optional<Json> read = launchValue(m_line.engine, flag, option, value);
        if (read && read->isNull()) // "auto" and its like: the engine's own choice
            return;
        Json alone = Json::object();
        if (read)
            alone.set(std::string(option.name), *read);
        if (!read || checkOptions(m_engine, alone))
            bad(flag.name, value, expectedValue(option));
        else
            m_s.engine.options.set(std::string(option.name), *read);
    }

    void readFlag(const Flag &flag, const std::string &value) {
        switch (flag.use) {
        case FlagUse::Option:
            if (flag.option != "n_parallel")
                setOption(flag, value);
            break;
        case FlagUse::SwitchOn:
        case FlagUse::SwitchOff:
            m_s.engine.options.set(std::string(flag.option), flag.use == FlagUse::SwitchOn);
            break;
        case FlagUse::Kv:
        case FlagUse::KvKey:
        case FlagUse::KvValue:
            readType(flag, value);
            break;
        case FlagUse::Speculative:
            readDrafting(flag, value);
            break;
        case FlagUse::DraftModel:
            // Heads of EAGLE and its like are no models of their own: their layers are those of draft_layers.
            if (const std::string *method = m_line.find(FlagUse::Speculative); m_line.engine != "sglang" || (method && *method == "STANDALONE"))
                readDraftModel(flag, value);
            break;
        case FlagUse::Adapters: // sglang/srt/server_args.py check_lora_server_args
            m_s.engine.options.set("enable_lora", true);
            break;
        case FlagUse::DraftTokens:
            if (const auto tokens = launchNumber(m_line.engine, value))
                m_s.engine.options.set("speculative_tokens", *tokens);
            else
                bad(flag.name, value, "a whole number");
            break;
        case FlagUse::Graphs:
            readGraphs(flag, value);
            break;
        case FlagUse::ExpertSwitch:
            m_s.parallel.expertParallel = true;
            break;
        case FlagUse::ExpertSize:
            m_s.parallel.expertParallel = launchNumber(m_line.engine, value).value_or(1) > 1;
            break;
        default:
            break;
        }
    }

    void readGraphs(const Flag &flag, const std::string &value) {
        const GraphsSaid said = graphsSaid(value);
        if (said.bad)
            bad(flag.name, value, "a JSON object or a level");
        if (said.none)
            m_s.engine.options.set("enforce_eager", true);
        else if (said.sizes)
            m_notes.push_back(warningNote("flag-not-planned", std::string(flag.name),
                                          std::string(flag.name) + ": which batches have CUDA graphs is not planned; give what they take as cuda_graph_bytes."));
    }

    void readType(const Flag &flag, const std::string &value) {
        const std::optional<ElementType> type = elementTypeFromName(value);
        if (!type) {
            bad(flag.name, value, "a KV type (kvplanner dtypes lists them)");
            return;
        }
        if (flag.use != FlagUse::KvValue)
            m_s.kv.key = *type;
        if (flag.use != FlagUse::KvKey)
            m_s.kv.value = *type;
    }

    std::int64_t ownDrafts() const { return m_s.model.spec ? std::max<std::int64_t>(1, m_s.model.spec->draftLayers) : 1; }

    bool readDraftModel(const Flag &flag, const std::string &value) {
        const FoundModel found = findModel(value);
        if (!found.model.spec) {
            m_notes.push_back(warningNote("flag-not-planned", std::string(flag.name),
                                          std::string(flag.name) + ": the draft model \"" + oneLine(value, 120) +
                                              "\" is no preset, and no file or stored model here; it is left out of the plan. Give it as draft_model, or its layers as draft_layers."));
            return false;
        }
        m_s.engine.options.set("draft_model", found.model.preset.empty() ? found.model.path : found.model.preset);
        return true;
    }

    /// Heads that the model has not got itself: their cache is planned as one layer like the model's, their weights are nobody's here.
    void noteHeads(const Flag &flag, const std::string &method) {
        m_notes.push_back(warningNote("draft-weights-unknown", std::string(flag.name),
                                      std::string(flag.name) + " " + oneLine(method, 40) + ": the model has no heads of its own that draft. One layer of cache is planned for them, and none of their weights."));
    }

    void readDrafting(const Flag &flag, const std::string &value) {
        Json &options = m_s.engine.options;
        if (m_line.engine == "sglang" && (value == "STANDALONE" || value == "NGRAM")) // n-grams draft without any layers (spec_info.py is_ngram)
            return;
        if (m_line.engine == "sglang") {
            options.set("draft_layers", ownDrafts());
            if (m_s.model.spec && m_s.model.spec->draftLayers == 0)
                noteHeads(flag, value);
            return;
        }
        if (m_line.engine == "tensorrt-llm") { // the layers are a key of their own
            if (value != "MTP")
                m_notes.push_back(warningNote("flag-not-planned", std::string(flag.name), std::string(flag.name) + ": what drafting as " + oneLine(value, 40) +
                                                                                             " takes is not planned; give its layers as draft_layers."));
            return;
        }
        const Parsed<Json> config = parseJson(value, flag.name);
        if (!config || !config->isObject()) {
            bad(flag.name, value, "a JSON object");
            return;
        }
        if (const Json *tokens = config->find("num_speculative_tokens"))
            if (const auto number = tokens->isString() ? launchNumber(m_line.engine, tokens->text()) : std::optional(tokens->integer()); number && *number > 0)
                options.set("speculative_tokens", *number);
        const Json *method = config->find("method");
        std::string name = method && method->isString() ? method->text() : std::string();
        const Json *ownModel = config->find("model");
        if (name.empty() && ownModel && ownModel->isString() && ownModel->text() == m_line.model && m_s.model.spec && m_s.model.spec->draftLayers > 0)
            name = "mtp"; // the target itself: its own draft layers (vllm/config/speculative.py)
        if (name.ends_with("mtp") || name.starts_with("eagle")) {
            options.set("draft_layers", ownDrafts());
            if (m_s.model.spec && m_s.model.spec->draftLayers == 0)
                noteHeads(flag, name);
        } else if (const Json *draft = config->find("model"); draft && draft->isString() && name != "ngram")
            readDraftModel(flag, draft->text());
    }

    void readVariables() {
        if (!m_line.conv.empty() && elementTypeFromName(m_line.conv))
            m_s.engine.options.set("conv_dtype", m_line.conv);
        if (!m_line.partition.empty())
            m_s.engine.options.set("layer_partition", m_line.partition);
    }

    std::int64_t degree(FlagUse use) {
        const std::string *text = m_line.find(use);
        const std::optional<std::int64_t> number = text ? launchNumber(m_line.engine, *text) : std::optional<std::int64_t>(1);
        if (number && *number >= 1)
            return *number;
        bad(use == FlagUse::Tp ? "tensor parallel size" : use == FlagUse::Pp ? "pipeline parallel size" : "data parallel size", *text, "a whole number of 1 or more");
        return 1;
    }

    void readParallel() {
        if (m_line.engine == "llama-cpp") { // the cards that it sees
            m_s.parallel = {};
            takeLlamaDevices(m_line, m_s, m_notes);
            return;
        }
        const std::int64_t tp = degree(FlagUse::Tp), pp = degree(FlagUse::Pp), dp = degree(FlagUse::Dp);
        m_s.parallel.tp = Count(tp);
        m_s.parallel.pp = Count(pp);
        m_s.parallel.dp = Count(dp);
        m_s.hardware.devices.clear();
        const std::int64_t replica = checked::mul(tp, pp);
        m_s.hardware.count = Count(m_engine.dpInsideTp(m_s) ? replica : checked::mul(replica, dp));
    }

    void readWeights() {
        const ModelSpec *model = m_s.model.spec.get();
        const std::string *quantization = m_line.find(FlagUse::Quantization), *type = m_line.find(FlagUse::Type);
        const bool stored = model && !model->quantMethod.empty();
        if (quantization && !stored) {
            const std::string &name = *quantization;
            if (name == "fp8")
                m_s.weights.dtype = "fp8";
            else if (name.starts_with("awq") || name.starts_with("gptq"))
                m_s.weights.dtype = "int4";
            else if (name == "bitsandbytes")
                m_s.weights.dtype = "nf4";
            else if (name != "None" && name != "none" && name != "auto")
                m_notes.push_back(warningNote("flag-not-planned", "--quantization", "--quantization: how " + oneLine(name, 40) +
                                                                                         " stores weights is not known; they count as the model's files hold them."));
        }
        const WeightType *plain = type && *type != "auto" && !stored ? findWeightType(*type) : nullptr;
        if (type && *type != "auto" && !findWeightType(*type))
            bad("--dtype", *type, "auto, float16, bfloat16 or float32");
        readCacheLikeModel(type ? *type : std::string());
        if (plain && m_s.weights.dtype.empty() && !(model && model->weights.scheme.starts_with(plain->scheme)))
            m_s.weights.dtype = plain->name;
    }

    /// A cache of 16 or 32 bit is kept in the type that the model runs in.
    void readCacheLikeModel(const std::string &dtype) {
        const WeightType *type = findWeightType(dtype);
        const std::optional<ElementType> element = type && type->group == WeightTypeGroup::Plain ? elementTypeFromName(type->name) : std::nullopt;
        if (!element || !m_s.model.spec || m_s.kv != KvChoice{})
            return;
        const CacheTypes own = m_engine.automaticTypes(*m_s.model.spec, m_s);
        const std::span<const ElementType> taken = m_engine.kvTypes();
        const bool named = *element == ElementType::Fp32 || std::ranges::find(taken, *element) != taken.end(); // else 16 bit like the engine's own
        if (isPlain(own.key) && own.key != *element && named)
            m_s.kv = {*element, *element};
    }

    std::optional<std::int64_t> longestGiven() {
        const std::string *text = m_line.find(FlagUse::Longest, m_line.engine == "vllm" ? "max_model_len" : m_line.engine == "llama-cpp" ? "n_ctx" : "");
        m_automaticLength = m_line.engine == "vllm" && text && (*text == "auto" || *text == "-1");
        if (!text || *text == "auto" || *text == "-1")
            return std::nullopt;
        const auto number = launchNumber(m_line.engine, *text);
        if (!number || *number < 0) {
            bad("the longest request", *text, "a whole number of tokens");
            return std::nullopt;
        }
        return number;
    }

    void readLongest() {
        const std::optional<std::int64_t> given = longestGiven();
        const bool said = given && *given > 0;
        Workload &load = m_s.workload;
        if (said && m_load == LaunchLoad::Line) {
            load.context = Tokens(*given);
            return;
        }
        if (m_automaticLength) // when all else is read
            return;
        // Without the flag it is the model's own limit.
        const std::int64_t longest = said ? *given : ownLimit();
        if (m_load == LaunchLoad::Line)
            takeLimit(longest, std::string(m_engine.name()) + " takes the model's own limit of " + writeNumber(longest) + " tokens");
        else if (m_line.engine == "vllm" && longest > 0 && longest != load.context.value)
            m_s.engine.options.set("max_model_len", longest);
    }

    std::int64_t ownLimit() const {
        const std::optional<Tokens> limit = m_s.model.spec ? contextLimit(m_line.engine, *m_s.model.spec) : std::nullopt;
        return limit ? limit->value : 0;
    }

    void takeLimit(std::int64_t longest, const std::string &does) {
        if (longest > 0) {
            m_s.workload.context = Tokens(longest);
            m_notes.push_back(infoNote("length-of-model", "workload.context", "The line says no length: " + does + ", and that is planned."));
        } else {
            m_notes.push_back(warningNote("length-of-model", "workload.context", "The line says no length, and the model's own limit is not known: a context of " +
                                                                                     writeNumber(m_s.workload.context.value) + " tokens is planned; give the length."));
        }
    }

    /// llama-server: without -np four slots over one pool; a number of slots alone divides the cells among them.
    void readSlots() {
        const std::string *text = m_line.find(FlagUse::Option, "n_parallel");
        constexpr std::int64_t automatic = 4, notSaid = -1;
        std::int64_t slots = notSaid;
        if (const auto number = text ? launchNumber(m_line.engine, *text) : std::optional<std::int64_t>(notSaid))
            slots = *number;
        else
            bad("--parallel", *text, "a whole number of slots");
        Json &options = m_s.engine.options;
        const bool alone = m_line.program.find("llama-cli") != std::string::npos;
        if (slots < 1) {
            slots = alone ? 1 : automatic;
            if (!alone)
                options.set("kv_unified", true);
        }
        const std::int64_t given = longestGiven().value_or(0); // 0: the trained length
        if (m_load == LaunchLoad::Line) {
            m_s.workload.sequences = Count(slots);
            if (given > 0)
                m_s.workload.context = Tokens(std::max<std::int64_t>(1, given / slots));
            else
                takeLimit(ownLimit() > 0 ? std::max<std::int64_t>(1, ownLimit() / slots) : 0,
                          "llama.cpp takes the model's own limit of " + writeNumber(ownLimit()) + " tokens for all slots together, or what fits of it");
        }
        const std::int64_t wanted = m_s.workload.sequences.value;
        if (wanted != slots)
            options.set("n_parallel", slots);
        if (given == 0 || checked::mul(m_s.workload.context.value, slots) != given)
            options.set("n_ctx", given);
    }

    const LaunchLine &m_line;
    const Scenario &m_base;
    const LaunchLoad m_load;
    const Engine &m_engine;
    Scenario m_s;
    Notes m_notes;
    bool m_automaticLength = false; ///< the longest that fits is asked for
};

} // namespace

Parsed<Scenario> readLaunch(std::string_view line, const Scenario &base, LaunchLoad load) {
    Parsed<LaunchLine> parts = parseLaunchLine(line);
    if (!parts)
        return {std::nullopt, std::move(parts.notes)};
    Parsed<Scenario> scenario = LaunchReader(*parts, base, load).read();
    scenario.notes.insert(scenario.notes.begin(), parts.notes.begin(), parts.notes.end());
    return scenario;
}

} // namespace kv
