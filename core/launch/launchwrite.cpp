// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/jsonwriter.h"
#include "core/base/quantity.h"
#include "core/engine/engines.h"
#include "core/engine/options.h"
#include "core/launch/flags.h"
#include "core/launch/launch.h"
#include "core/launch/launchdefaults.h"
#include "core/launch/launchvalues.h"
#include "core/launch/modelword.h"
#include "core/launch/settingsfile.h"
#include "core/launch/shellwords.h"
#include "core/model/catalogue.h"
#include "core/model/contextlimit.h"
#include "core/plan/deploy.h"
#include "core/plan/evaluate.h"
#include "core/weights/weighttypes.h"

#include <algorithm>
#include <charconv>

namespace kv {

namespace {

/// A flag's value; empty text: a switch.
using Value = std::optional<std::string>;

/// Options that are measured by hand or that only choose the rules: no server takes them.
bool isOfThePlanner(std::string_view option) {
    constexpr std::string_view own[]{"version", "activation_bytes", "cuda_graph_bytes", "non_torch_bytes", "encoder_tokens",
                                     "compute_bytes", "overhead_bytes"};
    return std::ranges::find(own, option) != std::end(own);
}

class Writer {
public:
    Writer(const Scenario &scenario, const Plan &plan)
        : m_s(scenario), m_plan(plan), m_ready(deploy(scenario)), m_d(m_ready.deployment), m_id(scenario.engine.id),
          m_options(scenario.engine.options) {
        const std::string &written = plan.engine.version;
        if (const std::size_t point = written.find('.'); m_id == "vllm" && point != std::string::npos)
            std::from_chars(written.data() + point + 1, written.data() + written.size(), m_minor);
    }

    LaunchCommand write() {
        program();
        for (const Flag &flag : launchFlags(m_id))
            if (const Value value = valueOf(flag))
                add(flag, *value);
        environment();
        settingsFile();
        for (const EngineOption &option : m_ready.engine->options())
            if (!isOfThePlanner(option.name))
                noteUnsaid(option);
        return std::move(m_out);
    }

private:
    void program() {
        if (m_id == "vllm")
            m_out.words = {"vllm", "serve", modelWord(m_s, false, m_out.notes)};
        else if (m_id == "sglang")
            m_out.words = {"python", "-m", "sglang.launch_server"};
        else if (m_id == "tensorrt-llm")
            m_out.words = {"trtllm-serve", modelWord(m_s, false, m_out.notes)};
        else
            m_out.words = {"llama-server"};
    }

    void note(const char *code, std::string text) { m_out.notes.push_back(infoNote(code, "engine.options", std::move(text))); }

    void add(const Flag &flag, const std::string &value) {
        if (m_id == "vllm" && flag.since > m_minor) {
            note("no-flag", "vLLM " + m_plan.engine.version + " has no " + std::string(flag.name) + " yet: the command leaves it out.");
            return;
        }
        m_out.words.emplace_back(flag.name);
        if (!value.empty())
            m_out.words.push_back(value);
    }

    void said(std::string_view option) { m_said.emplace_back(option); }

    Value more(std::int64_t count) const { return count > 1 ? Value(std::to_string(count)) : std::nullopt; }

    Value valueOf(const Flag &flag) {
        switch (flag.use) {
        case FlagUse::Option:
            return option(flag);
        case FlagUse::SwitchOn:
        case FlagUse::SwitchOff:
            return toggle(flag);
        case FlagUse::Model: // elsewhere it stands right behind the program
            if (flag.name == "--model-path" || flag.name == "-m")
                return modelWord(m_s, m_id == "llama-cpp", m_out.notes);
            return std::nullopt;
        case FlagUse::Type:
        case FlagUse::Quantization:
            return weights(flag.use);
        case FlagUse::Kv:
            return cacheType();
        case FlagUse::KvKey:
            return ggmlName(m_d.types.key);
        case FlagUse::KvValue:
            return ggmlName(m_d.types.value);
        case FlagUse::Tp:
            return more(m_d.tp);
        case FlagUse::Pp:
            return more(m_d.pp);
        case FlagUse::Dp:
            return more(m_d.dp);
        case FlagUse::ExpertSwitch:
            return m_s.parallel.expertParallel ? Value("") : std::nullopt;
        case FlagUse::ExpertSize:
            return m_s.parallel.expertParallel ? more(m_d.tp) : std::nullopt;
        case FlagUse::Longest:
            return longest(flag);
        case FlagUse::Speculative:
            return drafting();
        case FlagUse::DraftModel:
            said("draft_model");
            return m_d.draft ? Value(draftWord()) : std::nullopt;
        default:
            return std::nullopt;
        }
    }

    const EngineOption &optionNamed(std::string_view name) const {
        return *std::ranges::find(m_ready.engine->options(), name, &EngineOption::name);
    }

    /// The option's text unless it is the engine's default.
    Value option(const Flag &flag) {
        if (flag.option == "n_parallel") { // always: without it the server takes four slots over one pool
            said(flag.option);
            return std::to_string(slots());
        }
        Value text = optionText(m_s, optionNamed(flag.option));
        said(flag.option);
        if (!text || *text == flag.standard || text == engineDefault(m_s, flag.option))
            return std::nullopt;
        if (flag.option == "fit_margin_bytes") // in MiB; a part of one counts whole
            return std::to_string(checked::ceilDiv(m_options.size(flag.option)->value, 1 << 20));
        return text;
    }

    Value toggle(const Flag &flag) {
        const Value text = optionText(m_s, optionNamed(flag.option));
        said(flag.option);
        const std::string wanted = flag.use == FlagUse::SwitchOn ? "true" : "false";
        if (text != wanted || *text == flag.standard || text == engineDefault(m_s, flag.option))
            return std::nullopt;
        return "";
    }

    std::int64_t slots() const { return std::max<std::int64_t>(1, m_options.whole("n_parallel").value_or(m_s.workload.sequences.value)); }

    Value longest(const Flag &flag) {
        const std::int64_t context = std::max<std::int64_t>(1, m_s.workload.context.value);
        if (!flag.option.empty())
            said(flag.option);
        const std::int64_t limit = contextLimit(m_id, *m_d.model).value_or(Tokens(0)).value;
        if (m_id == "llama-cpp") {
            const std::int64_t cells = m_options.whole("n_ctx").value_or(checked::mul(context, slots()));
            return cells == 0 ? std::nullopt : Value(std::to_string(cells));
        }
        const std::int64_t length = m_id == "vllm" ? m_options.whole("max_model_len").value_or(context) : context;
        if (length == limit)
            return std::nullopt;
        if (limit > 0 && length > limit && m_id == "vllm")
            m_out.environment.emplace_back("VLLM_ALLOW_LONG_MAX_MODEL_LEN=1");
        if (limit > 0 && length > limit && m_id == "sglang")
            m_out.environment.emplace_back("SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1");
        return std::to_string(length);
    }

    /// What `auto` becomes beside the --dtype that the command has.
    ElementType automaticCache() const {
        const ElementType own = m_ready.engine->automaticTypes(*m_d.model, m_s).key;
        const WeightType *type = m_s.weights.bytes ? nullptr : findWeightType(m_s.weights.dtype);
        const bool written = type && type->group == WeightTypeGroup::Plain && m_d.model->quantMethod.empty() && !m_d.model->weights.scheme.starts_with(type->scheme);
        return written && isPlain(own) && (m_id == "vllm" || m_id == "sglang") ? elementTypeFromName(type->name).value_or(own) : own;
    }

    Value cacheType() {
        if (m_d.types.key == automaticCache())
            return std::nullopt;
        const ElementType type = m_d.types.key;
        const bool sixteen = type == ElementType::Bf16 || type == ElementType::Fp16;
        constexpr int named16 = 11; // vllm/config/cache.py CacheDType
        if (type == ElementType::Fp32 || (sixteen && m_id == "vllm" && m_minor < named16)) {
            note("no-flag", std::string(m_ready.engine->name()) + " has no flag for a cache in " + std::string(info(type).name) + ".");
            return std::nullopt;
        }
        if (m_id == "sglang")
            return sixteen ? "bf16" : type == ElementType::Fp8 ? "fp8_e4m3" : std::string(info(type).name);
        return torchName(type);
    }

    Value ggmlName(ElementType type) const {
        if (type == ElementType::Fp16)
            return std::nullopt;
        return type == ElementType::Fp32 ? "f32" : std::string(info(type).name);
    }

    Value weights(FlagUse use) {
        const WeightType *type = m_s.weights.bytes ? nullptr : findWeightType(m_s.weights.dtype);
        const ModelSpec &model = *m_d.model;
        if (!type || (!type->scheme.empty() && model.weights.scheme.starts_with(type->scheme)))
            return std::nullopt;
        const bool plain = type->group == WeightTypeGroup::Plain, quantised = !model.quantMethod.empty();
        if (use == FlagUse::Type && plain && !quantised)
            return type->name == "fp32" ? "float32" : type->name == "fp16" ? "float16" : "bfloat16";
        if (use == FlagUse::Quantization && type->name == "fp8" && !quantised)
            return "fp8";
        if (use == FlagUse::Quantization && type->name == "nf4" && m_id == "vllm" && !quantised)
            return "bitsandbytes";
        if (use == FlagUse::Quantization && (quantised || !plain))
            note("weights-need-checkpoint", "Weights in " + std::string(type->label) +
                                                " need a checkpoint that is stored so: put its name in the place of the model's.");
        return std::nullopt;
    }

    /// Layers of the model's own draft, one where it has none: what an engine registers.
    std::int64_t ownDrafts() const { return std::max<std::int64_t>(1, m_d.model->draftLayers); }

    std::string draftWord() {
        const std::string name(m_options.word("draft_model").value_or(""));
        Scenario draft = m_s;
        draft.model = {findPreset(name) ? name : std::string(), findPreset(name) ? std::string() : name, {}, m_d.draft};
        draft.weights = {};
        return modelWord(draft, m_id == "llama-cpp", m_out.notes);
    }

    Value drafting() {
        const std::int64_t layers = m_options.whole("draft_layers").value_or(0), tokens = m_options.whole("speculative_tokens").value_or(0);
        said("draft_layers");
        if (m_id == "vllm")
            said("speculative_tokens");
        if (m_d.draft && m_id == "sglang")
            return Value("STANDALONE");
        if (m_d.draft && m_id == "vllm") {
            said("draft_model");
            std::string word;
            appendJsonString(word, draftWord());
            constexpr std::int64_t usual = 5;
            return "{\"method\": \"draft_model\", \"model\": " + word + ", \"num_speculative_tokens\": " + std::to_string(tokens > 0 ? tokens : usual) + "}";
        }
        if (layers == 0 && tokens == 0)
            return std::nullopt;
        if (layers > 0 && layers != ownDrafts())
            note("draft-of-its-own", writeNumber(layers) + " draft layers are those of a draft model, which the command does not name.");
        if (m_id == "sglang")
            return layers > 0 ? Value(m_d.model->draftLayers > 0 ? "NEXTN" : "EAGLE") : std::nullopt;
        if (tokens == 0)
            note("draft-of-its-own", "speculative_tokens is 0: vLLM drafts with one token at least, which the command asks for.");
        const char *method = layers == 0 ? "ngram" : m_d.model->draftLayers > 0 ? "mtp" : "eagle";
        return std::string("{\"method\": \"") + method + "\", \"num_speculative_tokens\": " + std::to_string(std::max<std::int64_t>(1, tokens)) + "}";
    }

    void environment() {
        const auto set = [&](const char *option, const char *variable, const char *standard) {
            if (const Value text = optionText(m_s, optionNamed(option)); text && *text != standard)
                m_out.environment.push_back(variable + ("=" + *text));
            said(option);
        };
        if (m_id == "vllm" && m_d.pp > 1)
            set("layer_partition", "VLLM_PP_LAYER_PARTITION", "");
        if (m_id == "sglang")
            set("conv_dtype", "SGLANG_MAMBA_CONV_DTYPE", "bfloat16");
    }

    void settingsFile() {
        if (m_id != "tensorrt-llm")
            return;
        m_out.fileText = tensorRtLlmSettings(m_s, m_d, m_said, m_out.notes);
        if (!m_out.fileText.empty()) {
            m_out.fileName = "kv-planner.yaml";
            m_out.words.insert(m_out.words.end(), {"--config", m_out.fileName});
        }
        if (m_d.dp > 1)
            note("replicas-apart", "trtllm-serve starts one replica: run the command " + writeNumber(m_d.dp) + " times, each on its own GPUs.");
    }

    void noteUnsaid(const EngineOption &option) {
        const Value text = optionText(m_s, option);
        if (!text || std::ranges::find(m_said, option.name) != m_said.end() || *text == option.standard)
            return;
        note("no-flag", std::string(m_ready.engine->name()) + " has no flag for " + std::string(option.name) + ": the command leaves it out.");
    }

    const Scenario &m_s;
    const Plan &m_plan;
    const Deployed m_ready;
    const Deployment &m_d;
    const std::string &m_id;
    const OptionReader m_options;
    int m_minor = 0;
    std::vector<std::string> m_said; ///< options that the command has or need not have
    LaunchCommand m_out;
};

} // namespace

std::string LaunchCommand::text(bool lines) const {
    std::string out;
    for (const std::string &variable : environment) {
        const std::size_t end = variable.find('=') + 1;
        out += variable.substr(0, end) + quoteShellWord(std::string_view(variable).substr(end)) + " ";
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool flag = i > 1 && words[i].starts_with('-');
        out += i == 0 ? "" : lines && flag ? " \\\n    " : " ";
        out += quoteShellWord(words[i]);
    }
    return out;
}

std::string LaunchCommand::script(bool lines) const {
    return (fileName.empty() ? std::string() : "cat > " + fileName + " <<'EOF'\n" + fileText + (fileText.ends_with('\n') ? "" : "\n") + "EOF\n") + text(lines);
}

LaunchCommand launchCommand(const Scenario &scenario) {
    LaunchCommand none;
    const Plan plan = evaluate(scenario);
    if (plan.refusal) {
        none.notes.push_back(*plan.refusal);
        return none;
    }
    if (launchFlags(scenario.engine.id).empty()) {
        const Engine *engine = findEngine(scenario.engine.id);
        none.notes.push_back(infoNote("no-launch-command", "engine.id",
                                      engine->id() == "textbook"
                                          ? "The textbook formula is no server: choose an engine to see the command that starts it."
                                          : std::string(engine->name()) + " is a library: it is called from a program, no command starts it."));
        return none;
    }
    return Writer(scenario, plan).write();
}

} // namespace kv
