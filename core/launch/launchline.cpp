// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/launchline.h"

#include "core/base/json.h"
#include "core/base/plaintext.h"
#include "core/launch/heredoc.h"
#include "core/launch/settingsfile.h"
#include "core/launch/shellwords.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

/// A program's own name: without its folder and ".exe".
std::string_view baseName(std::string_view word) {
    if (const std::size_t slash = word.find_last_of("/\\"); slash != std::string_view::npos)
        word.remove_prefix(slash + 1);
    if (word.ends_with(".exe"))
        word.remove_suffix(4);
    return word;
}

bool isAssignment(std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos || (word[0] >= '0' && word[0] <= '9'))
        return false;
    return std::ranges::all_of(word.substr(0, equals), [](char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
}

/// The variables of llama-server that stand for flags (common/arg.cpp set_env).
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> llamaVariables{{
    {"LLAMA_ARG_MODEL", "-m"},          {"LLAMA_ARG_HF_REPO", "-hf"},       {"LLAMA_ARG_CTX_SIZE", "-c"},
    {"LLAMA_ARG_HF_FILE", "-hff"},
    {"LLAMA_ARG_N_PARALLEL", "-np"},    {"LLAMA_ARG_N_GPU_LAYERS", "-ngl"}, {"LLAMA_ARG_CACHE_TYPE_K", "-ctk"},
    {"LLAMA_ARG_CACHE_TYPE_V", "-ctv"}, {"LLAMA_ARG_FLASH_ATTN", "-fa"},    {"LLAMA_ARG_BATCH", "-b"},
    {"LLAMA_ARG_UBATCH", "-ub"},        {"LLAMA_ARG_TENSOR_SPLIT", "-ts"},  {"LLAMA_ARG_N_CPU_MOE", "-ncmoe"},
    {"LLAMA_ARG_DEVICE", "-dev"},       {"LLAMA_ARG_SPLIT_MODE", "-sm"},    {"LLAMA_ARG_MAIN_GPU", "-mg"},
}};

class LineParser {
public:
    Parsed<LaunchLine> parse(std::string_view text) {
        Parsed<PastedText> pasted = takeHeredocs(text);
        if (!pasted)
            return {std::nullopt, std::move(pasted.notes)};
        m_pasted = std::move(*pasted.value);
        Parsed<ShellWords> split = splitShellWords(m_pasted.rest);
        if (!findCommand(split)) {
            if (!split)
                return {std::nullopt, std::move(split.notes)};
            m_notes.push_back(errorNote("not-a-launch-line", "line",
                                        "this line starts no server that is known; expected vllm serve …, python -m sglang.launch_server …, "
                                        "trtllm-serve … or llama-server …"));
            return {std::nullopt, std::move(m_notes)};
        }
        m_flags = launchFlags(m_line.engine);
        readVariables();
        while (m_at < m_words.size() && !hasError(m_notes))
            readWord();
        if (const std::string *file = m_line.find(FlagUse::Settings); file && !hasError(m_notes))
            readSettings(*file);
        if (hasError(m_notes))
            return {std::nullopt, std::move(m_notes)};
        if (split->variables)
            m_notes.push_back(warningNote("not-expanded", "line", "Variables ($NAME) in the line are not expanded: they count as they are written."));
        if (!split->rest.empty() && split->rest.find_first_not_of(" \t\r\n&;") != std::string::npos)
            m_notes.push_back(infoNote("line-goes-on", "line", "The line goes on behind the command with \"" + oneLine(split->rest, 60) + "\": that is not read."));
        return {std::move(m_line), std::move(m_notes)};
    }

private:
    std::string_view wordAt(std::size_t i) const { return i < m_words.size() ? std::string_view(m_words[i]) : std::string_view(); }

    bool found(const char *engine, std::size_t next) {
        m_line.engine = engine;
        m_line.program = m_words[next - 1];
        m_at = next;
        return true;
    }

    /// The first command that starts a server; what prepares it, such as "export …" and "cd …", leaves its variables. `split` is the rest of
    /// the text as it was read last.
    bool findCommand(Parsed<ShellWords> &split) {
        constexpr int mostCommands = 64; // of a script; a text of thousands of lines is none
        for (int tried = 0; split && tried < mostCommands; ++tried) {
            m_words = std::move(split.value->words);
            if (findProgram())
                return true;
            if (!prepares())
                return false;
            std::string_view rest = split->rest;
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n&;|<>"), rest.size()));
            Parsed<ShellWords> next = splitShellWords(rest);
            if (rest.empty() || !next || next->rest.size() >= rest.size()) // nothing more, a quote that nobody closes, or no command
                return false;
            split = std::move(next);
        }
        return false;
    }

    /// What stands before a server in a script. Behind anything else no server is looked for: the lines of a log name its files.
    bool prepares() const {
        constexpr std::array<std::string_view, 8> plain{"export", "set", "source", ".", "conda", "pip", "uv", "ulimit"};
        return startsNothing() || std::ranges::find(plain, baseName(wordAt(0))) != plain.end() || std::ranges::all_of(m_words, isAssignment);
    }

    /// A command that starts nothing, whatever its arguments are called: "cd /srv/llama-server", "docker pull vllm/vllm-openai".
    bool startsNothing() const {
        constexpr std::array<std::string_view, 5> plain{"cd", "pushd", "echo", "mkdir", "git"}, docker{"pull", "rm", "stop", "kill", "logs"};
        const std::string_view first = baseName(wordAt(0));
        return std::ranges::find(plain, first) != plain.end() || ((first == "docker" || first == "podman") && std::ranges::find(docker, wordAt(1)) != docker.end());
    }

    /// Behind "docker run --name" stands no image.
    bool isName(std::size_t i) const {
        constexpr std::array<std::string_view, 5> flags{"--name", "--hostname", "-h", "--network", "--net"};
        return i > 0 && std::ranges::find(flags, wordAt(i - 1)) != flags.end();
    }

    bool findProgram() {
        if (startsNothing())
            return false;
        for (std::size_t i = 0; i < m_words.size(); ++i) {
            const std::string_view word = m_words[i], base = baseName(word);
            if (base == "vllm" && wordAt(i + 1) == "serve")
                return found("vllm", i + 2);
            if (word.starts_with("vllm.entrypoints.") || word.find("vllm/entrypoints/") != std::string_view::npos)
                return found("vllm", i + (wordAt(i + 1) == "serve" ? 2 : 1));
            if (base.starts_with("vllm-openai") && !isName(i)) { // an image whose entry is vllm serve
                m_line.version = releaseOfTag(base);
                return found("vllm", i + (wordAt(i + 1) == "serve" ? 2 : 1));
            }
            if (word == "sglang.launch_server")
                return found("sglang", i + 1);
            if (base == "sglang" && wordAt(i + 1) == "serve")
                return found("sglang", i + 2);
            if (base == "trtllm-serve")
                return found("tensorrt-llm", i + (wordAt(i + 1) == "serve" ? 2 : 1));
            if (base == "llama-server" || base == "llama-cli" || base.starts_with("llama.cpp:server"))
                return found("llama-cpp", i + 1);
            if (isAssignment(word))
                m_variables.push_back(m_words[i]);
        }
        return false;
    }

    /// "0.18.0" of "vllm-openai:v0.18.0-cu129", "0.8.5" of "…:v0.8.5.post1"; empty where the tag names no release.
    static std::string releaseOfTag(std::string_view image) {
        const std::size_t colon = image.find(':');
        std::string_view tag = colon == std::string_view::npos ? std::string_view() : image.substr(colon + 1);
        if (tag.starts_with('v'))
            tag.remove_prefix(1);
        tag = tag.substr(0, tag.find_first_not_of("0123456789."));
        if (tag.ends_with('.')) // of "0.8.5.post1"
            tag.remove_suffix(1);
        const auto dots = std::ranges::count(tag, '.');
        return (dots == 2 || dots == 3) && tag.back() != '.' ? std::string(tag) : std::string();
    }

    /// The settings of the file come after the flags: what both say counts as the file says it (tensorrt_llm/commands/serve.py).
    void readSettings(const std::string &name) {
        const std::string *text = m_pasted.find(name);
        if (!text) {
            m_notes.push_back(warningNote("flag-not-planned", "--config",
                                          "--config: the file " + oneLine(name, 80) + " is not opened, and what it sets is left out; put it in front of the command, as cat > " +
                                              oneLine(name, 80) + " <<EOF."));
            return;
        }
        auto read = readTensorRtLlmSettings(*text, oneLine(name, 80));
        m_notes.insert(m_notes.end(), read.notes.begin(), read.notes.end());
        if (read)
            m_line.flags.insert(m_line.flags.end(), read->begin(), read->end());
    }

    void readVariables() {
        for (const std::string &variable : m_variables) {
            const std::size_t equals = variable.find('=');
            const std::string_view name = std::string_view(variable).substr(0, equals);
            std::string value = variable.substr(equals + 1);
            if (name == "CUDA_VISIBLE_DEVICES" || name == "HIP_VISIBLE_DEVICES" || name == "ROCR_VISIBLE_DEVICES")
                m_line.visibleGpus = value.empty() ? 0 : static_cast<std::size_t>(std::ranges::count(value, ',')) + 1;
            else if (m_line.engine == "vllm" && name == "VLLM_PP_LAYER_PARTITION")
                m_line.partition = std::move(value);
            else if (m_line.engine == "sglang" && name == "SGLANG_MAMBA_CONV_DTYPE")
                m_line.conv = std::move(value);
            else if (m_line.engine == "sglang" && name == "SGLANG_MAMBA_SSM_DTYPE")
                m_line.flags.emplace_back(findFlag(m_flags, "--mamba-ssm-dtype", false), std::move(value));
            else if (m_line.engine == "vllm" && (name == "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS" || name == "VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE"))
                m_notes.push_back(warningNote("flag-not-planned", std::string(name), std::string(name) + ": what this changes in memory is not planned; it is left out."));
            else if (m_line.engine == "llama-cpp" && !takeSwitch(name, value))
                if (const auto known = std::ranges::find(llamaVariables, name, &decltype(llamaVariables)::value_type::first); known != llamaVariables.end())
                    take(*findFlag(m_flags, known->second, false), std::move(value));
        }
    }

    /// Variables of llama-server for its switches (common/arg.cpp get_value_from_env): LLAMA_ARG_NO_… says no by being there.
    bool takeSwitch(std::string_view name, std::string_view value) {
        struct Switch {
            std::string_view name, on, off; ///< the flags, empty where that is the default
        };
        static constexpr std::array<Switch, 4> switches{{{"KV_UNIFIED", "-kvu", "-no-kvu"}, {"KV_OFFLOAD", "", "-nkvo"}, {"SWA_FULL", "--swa-full", ""}, {"CPU_MOE", "-cmoe", ""}}};
        for (const Switch &one : switches) {
            const bool no = name == "LLAMA_ARG_NO_" + std::string(one.name);
            if (!no && name != "LLAMA_ARG_" + std::string(one.name))
                continue;
            const bool on = !no && (value == "1" || value == "on" || value == "true" || value == "enabled");
            if (const std::string_view flag = on ? one.on : one.off; !flag.empty())
                take(*findFlag(m_flags, flag, false), {});
            return true;
        }
        return false;
    }

    void take(const Flag &flag, std::string value) {
        if (flag.use == FlagUse::Model) {
            m_line.model = value;
            m_line.fromHub = flag.name == "-hf";
        }
        if (flag.name == "-hff")
            m_line.hubFile = value;
        m_line.flags.emplace_back(&flag, std::move(value));
    }

    bool takesPositional() const { return (m_line.engine == "vllm" || m_line.engine == "tensorrt-llm") && m_line.model.empty(); }

    static bool isSwitch(const Flag &flag) {
        return flag.use == FlagUse::SwitchOn || flag.use == FlagUse::SwitchOff || flag.use == FlagUse::ExpertSwitch || flag.use == FlagUse::Switch;
    }

    /// A negative number is a value, everything else with a dash a flag.
    static bool looksLikeFlag(std::string_view word) {
        return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.';
    }

    void readWord() {
        const std::string word = m_words[m_at++];
        if (!looksLikeFlag(word)) {
            if (takesPositional())
                m_line.model = word;
            else
                m_notes.push_back(warningNote("unknown-flag", oneLine(word, 60), "\"" + oneLine(word, 60) + "\" stands where a flag is expected; it is left out."));
            return;
        }
        const std::size_t equals = word.find('=');
        std::string name = word.substr(0, equals);
        if (m_line.engine == "vllm" && name.size() == 3 && name.starts_with("-O") && name[2] >= '0' && name[2] <= '9')
            return take(*findFlag(m_flags, "-O", false), name.substr(2)); // "-O0": the level without a space
        // "--speculative-config.method mtp": vLLM takes a member of a JSON value by its own flag.
        const std::size_t dot = m_line.engine == "vllm" ? name.find('.') : std::string::npos;
        const std::string member = dot == std::string::npos ? std::string() : name.substr(dot + 1);
        const Flag *flag = findFlag(m_flags, name.substr(0, dot), m_line.engine != "llama-cpp");
        if (!flag) {
            unknown(name, equals != std::string::npos);
            return;
        }
        std::string value = equals == std::string::npos ? std::string() : word.substr(equals + 1);
        if (!isSwitch(*flag) && equals == std::string::npos && !takeNext(*flag, value))
            return;
        if (flag->use == FlagUse::Unread)
            m_notes.push_back(warningNote("flag-not-planned", name, name + ": what this changes in memory is not planned; it is left out."));
        if (!member.empty())
            value = "{\"" + member + "\": " + writeJson(Json(value)) + "}";
        take(*flag, std::move(value));
    }

    /// The flag's value is the next word; of a few it may be missing.
    bool takeNext(const Flag &flag, std::string &value) {
        const std::string_view next = wordAt(m_at);
        if (flag.option == "flash_attn" && next != "on" && next != "off" && next != "auto" && next != "0" && next != "1") {
            value = "on"; // builds before 2025-08 had a switch here
            return true;
        }
        const bool missing = m_at >= m_words.size() || looksLikeFlag(next);
        if (missing && flag.use == FlagUse::Unread) // some are switches
            return true;
        if (missing) {
            m_notes.push_back(errorNote("bad-launch-line", std::string(flag.name), std::string(flag.name) + ": its value is missing"));
            return false;
        }
        value = m_words[m_at++];
        return true;
    }

    void unknown(const std::string &name, bool hasValue) {
        if (!hasValue && m_at < m_words.size() && !looksLikeFlag(wordAt(m_at)) && !takesPositional())
            ++m_at; // most flags take one
        m_notes.push_back(warningNote("unknown-flag", oneLine(name, 60), oneLine(name, 60) + " is not known here; it is left out."));
    }

    PastedText m_pasted;
    std::vector<std::string> m_words, m_variables;
    std::span<const Flag> m_flags;
    std::size_t m_at = 0;
    LaunchLine m_line;
    Notes m_notes;
};

} // namespace

const std::string *LaunchLine::find(FlagUse use, std::string_view option) const {
    const std::string *found = nullptr;
    for (const auto &[flag, value] : flags)
        if (flag->use == use && flag->option == option)
            found = &value;
    return found;
}

Parsed<LaunchLine> parseLaunchLine(std::string_view line) { return LineParser().parse(line); }

} // namespace kv
