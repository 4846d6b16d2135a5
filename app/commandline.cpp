// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"

#include "app/help.h"
#include "app/languageoption.h"
#include "app/optionlist.h"
#include "app/windowwords.h"
#include "core/base/plaintext.h"
#ifdef KV_HAS_UI
#include "ui/render.h"
#endif

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <span>

namespace kv {

namespace {

void addJson(CLI::App &app, CommandLine &line) {
    app.add_flag_callback("--json", [&line] { line.form = Form::Json; }, "print one JSON object")->group("Output");
}

void addUnits(CLI::App &app, CommandLine &line, const char *help) {
    const std::map<std::string, SizeUnit> units{{"gb", SizeUnit::Decimal}, {"gib", SizeUnit::Binary}};
    app.add_option("--units", line.unit, help)
        ->type_name("UNIT")->group("Output")->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->transform(CLI::CheckedTransformer(units, CLI::ignore_case).description(""));
}

void addPlan(CLI::App &root, CommandLine &line) {
    CLI::App &app = *root.add_subcommand("plan", "what a scenario takes, and whether it fits");
    addScenarioOptions(app, line.scenario);
    const char *group = "Output";
    const auto addForm = [&](const char *name, Form form, const char *help) { return app.add_flag_callback(name, [&line, form] { line.form = form; }, help)->group(group); };
    const std::vector<CLI::Option *> forms{addForm("--json", Form::Json, "print one JSON object; sizes in bytes"), addForm("--markdown", Form::Markdown, "print a report in Markdown"),
                                           addForm("--html", Form::Html, "print a report as one HTML file (kvplanner render -o FILE.html: with its charts)"),
                                           addForm("--csv", Form::Csv, "print a header and one line of numbers"), addForm("--latex", Form::Latex, "print the derivation as LaTeX; it needs amsmath and array")};
    CLI::Option *launch = app.add_flag("--launch", line.launch, "print the command that starts the engine with these settings; --json holds it as launch")->group(group);
    for (std::size_t i = 0; i < forms.size(); ++i)
        for (std::size_t j = i + 1; j < forms.size(); ++j)
            forms[i]->excludes(forms[j]);
    addUnits(app, line, "gb (10^9, the default) or gib (2^30), in text and reports");
    CLI::Option *batch = app.add_option("--batch", line.batch, "one scenario (JSON) a line in, one plan (JSON) a line out; - is standard input")
        ->type_name("FILE")->group(group)->excludes(launch)->excludes(app.get_option("--from-launch"));
    for (std::size_t i = 1; i < forms.size(); ++i) { // all but JSON, which it prints anyway
        launch->excludes(forms[i]);
        batch->excludes(forms[i]);
    }
    app.add_flag("--levers", line.levers, "also every change that makes it fit, or fit more, each evaluated (not in CSV)")->group(group);
    app.add_flag("--require-fit", line.requireFit, "exit status 1 when it does not fit, an engine would not start so, or the weights are not known")->group(group);
}

void addSolve(CLI::App &root, CommandLine &line) {
    CLI::App &app = *root.add_subcommand("solve", "which settings fit: most users, longest context, fewest GPUs, least share of the memory");
    app.add_option("question", line.question, "users: most sequences at this context; context: longest for these sequences; gpus: fewest of this kind; utilization: least share of the memory")
        ->type_name("")->group("Question")->required()->check(CLI::IsMember(solveQuestions()).description(""));
    addScenarioOptions(app, line.scenario);
    addJson(app, line);
}

void addMap(CLI::App &root, CommandLine &line) {
    CLI::App &app = *root.add_subcommand("map", "what fits: over context and sequences, or over GPUs, cache types and weights");
    addScenarioOptions(app, line.scenario);
    const char *group = "Map";
    addText(app, "--contexts", line.contexts, "FROM-TO", "the contexts, on a logarithmic axis: 1k-1M", group);
    addText(app, "--counts", line.sequences, "FROM-TO", "the sequences, on a logarithmic axis: 1-1024", group);
    addText(app, "--grid", line.grid, "COLUMNSxROWS", "how many of each: 11x11; the boundary of a column is exact however many", group);
    addText(app, "--settings", line.settingsUpTo, "GPUS", "instead: which GPU counts up to this, cache types and weights hold the load", group);
    addJson(app, line);
    app.add_flag_callback("--csv", [&line] { line.form = Form::Csv; }, "print a line a cell")->group("Output");
    addUnits(app, line, "gb (10^9, the default) or gib (2^30), in text");
}

void addFleet(CLI::App &root, CommandLine &line) {
    CLI::App &app = *root.add_subcommand("fleet", "how many of this deployment a load needs");
    addScenarioOptions(app, line.scenario);
    const char *group = "Load";
    addText(app, "--users", line.users, "N", "sequences at the same time; or the next two", group);
    addText(app, "--rate", line.rate, "NUMBER", "requests a second", group);
    addText(app, "--seconds", line.seconds, "NUMBER", "seconds that a request takes", group);
    addText(app, "--lost", line.lost, "N", "deployments that may be down with the load still served", group);
    addText(app, "--price", line.price, "NUMBER", "price of one GPU for an hour", group);
    addJson(app, line);
}

void addCompare(CLI::App &root, CommandLine &line) {
    CLI::App &app = *root.add_subcommand("compare", "the scenarios of a .kvplan file side by side");
    app.add_option("file", line.file, "the .kvplan file")->type_name("FILE")->group("Scenario")->required();
    app.add_option("--baseline", line.baseline, "the scenario that the others are measured against; without it the first")->type_name("NAME")->group("Scenario");
    app.add_flag("--all", line.allRows, "also the rows that do not differ")->group("Output");
    addJson(app, line);
    app.add_flag_callback("--markdown", [&line] { line.form = Form::Markdown; }, "print the table in Markdown")->group("Output");
    app.add_flag_callback("--csv", [&line] { line.form = Form::Csv; }, "print exact numbers, sizes in bytes")->group("Output");
    addUnits(app, line, "gb (10^9, the default) or gib (2^30), in text and Markdown");
}

#ifdef KV_HAS_UI
void addRender(CLI::App &root, CommandLine &line) {
    CLI::App &app = *root.add_subcommand("render", "the dashboard, or one of its views, as a picture; needs no display");
    addScenarioOptions(app, line.scenario);
    const auto add = [&](const char *name, std::string &field, const char *type, const char *help) {
        return app.add_option(name, field, help)->type_name(type)->group("Output")->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    };
    add("-o,--output", line.output, "FILE", "where to write: a picture as .png, .svg or .pdf; the numbers of a view as .csv or .md; the whole plan's report as .html, .md, .csv, .json or .tex")->required();
    add("--size", line.size, "WxH", "size in points; one that would cut the picture is refused with the least that it takes; without it 1440x900 (a single view: its own size), and higher where it would be cut");
    add("--theme", line.theme, "THEME", "light or dark")->check(CLI::IsMember({"light", "dark"}).description(""));
    add("--lang", line.language, "CODE", "the language of the picture: en (the default), zh_CN, or another that is built in")->default_str("");
    std::string views;
    for (const std::string &view : renderViews())
        views += (views.empty() ? "" : ", ") + view;
    const CLI::IsMember::filter_fn_t sameName = [](std::string name) {
        std::erase_if(name, [](char c) { return c == '-' || c == '_'; });
        return CLI::detail::to_lower(name);
    };
    add("--view", line.view, "VIEW", views.c_str())->transform(CLI::IsMember(renderViews(), sameName).description(""));
    addText(app, "--lesson", line.lesson, "ID", "with --view lesson: which one, over its own scenario; kvplanner lessons lists them", "Output");
    addText(app, "--guess", line.guess, "N", "with --lesson: a guess, which reveals the answer", "Output")->needs(app.get_option("--lesson"));
    app.add_option("--scale", line.scale, "pixels a point in a PNG: 0.25 to 8")
        ->type_name("N")->group("Output")->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)->check(CLI::Range(0.25, 8.0).description(""));
    addUnits(app, line, "gb (10^9, the default) or gib (2^30)");
    addJson(app, line);
}
#endif

#ifdef KV_HAS_UI
void addHub(CLI::App &root, CommandLine &line) {
    CLI::App &app = *root.add_subcommand("hub", "fetches a model's config and the headers of its weights from the Hub, and prints where they are");
    app.add_option("name", line.file, "org/name, org/name@revision, org/name/file.gguf or an address; what it prints is a path for --model")->type_name("NAME")->required()->group("Output");
    addJson(app, line);
}
#endif

void addLog(CLI::App &root, CommandLine &line) {
    CLI::App &app = *root.add_subcommand("log", "what a server's start-up log says, beside the plan for the same settings");
    app.add_option("file", line.file, "a log of vLLM, SGLang, TensorRT-LLM, llama.cpp or Ollama; - is standard input")->type_name("FILE")->required()->group("Output");
    addScenarioOptions(app, line.scenario);
    addUnits(app, line, "gb (10^9, the default) or gib (2^30), in text");
    addJson(app, line);
}

void addGpus(CLI::App &root, CommandLine &line) {
    CLI::App &app = *root.add_subcommand("gpus", "the GPUs that are known, with their memory; adds one of your own");
    const char *group = "Your own";
    const auto add = [&](const char *name, std::string &field, const char *type, const char *help) {
        return app.add_option(name, field, help)->type_name(type)->group(group)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    };
    CLI::Option *added = addText(app, "--add", line.addGpu, "NAME", "add a GPU of your own, kept in gpus.json of the data folder; its id is made from its name", group);
    add("--memory", line.gpu.memory, "SIZE", "its memory: 24GB is the label of the box, 24GiB or 24564MiB what a program gets")->needs(added);
    add("--usable", line.gpu.usable, "SIZE", "what a program gets, where --memory is the label: 24095MiB")->needs(added);
    add("--bandwidth", line.gpu.bandwidth, "RATE", "its memory's bandwidth: 1.01TB/s")->needs(added);
    add("--kind", line.gpu.kind, "KIND", "discrete (memory of its own) or unified (the computer's)")->needs(added);
    add("--per-node", line.gpu.perNode, "N", "cards in one node")->needs(added);
    add("--maker", line.gpu.maker, "NAME", "who makes it: NVIDIA, AMD, Apple")->needs(added);
    CLI::Option *removed = addText(app, "--remove", line.removeGpu, "ID", "remove a GPU of your own", group)->excludes(added);
    app.add_flag("--this-machine", line.thisMachine, "the GPUs of this machine instead, as its drivers' tools tell them")->group("Output")->excludes(added)->excludes(removed);
    addJson(app, line);
}

void addModels(CLI::App &root, CommandLine &line) { addJson(*root.add_subcommand("models", "the presets that are known"), line); }

void addEngines(CLI::App &root, CommandLine &line) { addJson(*root.add_subcommand("engines", "the engines, their versions and options"), line); }

void addDtypes(CLI::App &root, CommandLine &line) { addJson(*root.add_subcommand("dtypes", "the KV types, and which engine takes which"), line); }

void addLessons(CLI::App &root, CommandLine &line) {
    CLI::App &app = *root.add_subcommand("lessons", "the lessons for workshops; checks one of your own");
    app.add_option("--check", line.lessonFile, "a lesson of your own: what is wrong with it, or what its bars come to")->type_name("FILE")->group("Output");
    addJson(app, line);
}

/// The commands, in the order in which they are listed.
constexpr std::pair<std::string_view, void (*)(CLI::App &, CommandLine &)> commandList[]{
    {"plan", addPlan},
    {"log", addLog},
    {"solve", addSolve},
    {"map", addMap},
    {"fleet", addFleet},
    {"compare", addCompare},
#ifdef KV_HAS_UI
    {"render", addRender},
    {"hub", addHub},
#endif
    {"models", addModels},
    {"gpus", addGpus},
    {"engines", addEngines},
    {"dtypes", addDtypes},
    {"lessons", addLessons},
};

/// Options with their values alone: what excludes what is said when it is tried.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option *option) const override {
        return option->get_type_size() == 0 || option->get_type_name().empty() ? std::string() : " " + option->get_type_name();
    }
};

struct Parser {
    CLI::App root{"", "kvplanner"};
    CommandLine line;

    Parser() {
        for (const auto &[name, add] : commandList)
            add(root, line);
        finish();
    }
    /// Only the command that is meant, or where the first word names none all that the words name: to describe all of them takes longer than to read a line.
    explicit Parser(std::span<char *const> words) {
        const auto isFirst = [&](const auto &command) { return !words.empty() && words[0] == command.first; };
        const bool first = std::ranges::any_of(commandList, isFirst);
        for (const auto &command : commandList)
            if (first ? isFirst(command) : std::ranges::find(words, command.first, [](const char *word) { return std::string_view(word); }) != words.end())
                command.second(root, line);
        finish();
    }

    CLI::App *find(std::string_view name) {
        for (CLI::App *command : root.get_subcommands({}))
            if (command->get_name() == name)
                return command;
        return nullptr;
    }

private:
    void finish() {
        root.set_help_flag();
        root.require_subcommand(0, 1);
        for (CLI::App *command : root.get_subcommands({})) {
            command->set_help_flag("--help", "print this help")->group("Output");
            command->formatter(std::make_shared<HelpFormatter>());
        }
    }
};

std::string inQuotes(std::string_view text) { return "\"" + oneLine(text, 80) + "\""; }

Note usageNote(std::string where, std::string text) { return errorNote("usage", std::move(where), std::move(text)); }

Note unknownOption(const CLI::App &command, const std::string &given) {
    const std::string name = given.substr(0, given.find('='));
    std::vector<std::string> known;
    for (const CLI::Option *option : command.get_options({}))
        known.push_back(option->get_name());
    const std::vector<std::string_view> views(known.begin(), known.end());
    std::string text = "kvplanner " + command.get_name() + " has no option " + inQuotes(name);
    if (const std::string_view near = nearestName(name, views); !near.empty())
        text += "; did you mean " + std::string(near) + "?";
    else
        text += "; kvplanner " + command.get_name() + " --help lists them";
    return usageNote(oneLine(name, 80), std::move(text));
}

Note faultOf(const CLI::App &command, const CLI::ParseError &fault) {
    if (dynamic_cast<const CLI::ExtrasError *>(&fault)) {
        const std::vector<std::string> extras = command.remaining(true);
        const auto option = std::ranges::find_if(extras, [](const std::string &text) { return text.size() > 1 && text.front() == '-'; });
        if (option != extras.end())
            return unknownOption(command, *option);
        const std::string first = extras.empty() ? std::string() : extras.front();
        return usageNote(first.empty() ? "command line" : oneLine(first, 80), "kvplanner " + command.get_name() + " takes options only, found " + inQuotes(first));
    }
    return usageNote("command line", oneLine(fault.what()));
}

std::vector<std::string_view> commandNames() {
    std::vector<std::string_view> names;
    for (const auto &[name, add] : commandList)
        names.push_back(name);
    return names;
}

bool isHelp(std::string_view word) { return word == "--help" || word == "-h"; }

/// What help is asked for on: the command before --help, else the word behind it, or behind help.
std::string_view helpTopic(std::span<char *> words, Parser &parser) {
    const auto behind = std::ranges::find_if(words, [](const char *word) { return isHelp(word) || std::string_view(word) == "help"; });
    const auto isTopic = [](const char *word) { return word[0] != '-'; };
    for (auto word = words.begin(); word != behind; ++word)
        if (parser.find(*word))
            return *word;
    const auto topic = std::find_if(behind + 1, words.end(), isTopic);
    return topic == words.end() ? std::string_view() : *topic;
}

/// Whether help was asked for, and then it, or why there is none of that name.
bool takeHelp(std::span<char *> words, Parser &parser, CommandLineResult &result) {
    const bool first = !words.empty() && std::string_view(words[0]) == "help";
    if (!first && std::ranges::none_of(words, [](const char *word) { return isHelp(word); }))
        return false;
    const std::string_view topic = helpTopic(words, parser);
    if (CLI::App *command = parser.find(topic)) {
        result.line.help = helpOnCommand(topic, command->help("kvplanner"));
    } else if (topic.empty() || topic == "help") {
        result.line.help = helpOnAll();
    } else if (topic == "errors") {
        result.line.help = helpOnErrors();
    } else {
        std::vector<std::string_view> known = commandNames();
        known.insert(known.end(), {"errors", "man"});
        const std::string_view near = nearestName(topic, known);
        result.error = usageNote(oneLine(topic, 80), "there is no help on " + inQuotes(topic) + (near.empty() ? "; kvplanner --help lists the commands" : "; did you mean kvplanner help " + std::string(near) + "?"));
    }
    return true;
}

} // namespace

CommandLineResult readCommandLine(int argc, char **argv) {
    const std::span<char *> words(argv + 1, static_cast<std::size_t>(std::max(argc - 1, 0)));
    Parser parser(words);
    CommandLineResult result;
    const bool json = std::ranges::any_of(words, [](const char *word) { return std::string_view(word) == "--json"; });
    result.line.form = json ? Form::Json : Form::Text;
    if (takeHelp(words, parser, result))
        return result;
    CLI::App *command = words.empty() ? nullptr : parser.find(words[0]);
    if (!command) {
        LanguageOption language = takeLanguage(words);
        // "--lang zh_CN render …": the option is the command's.
        if (language.code && !language.rest.empty() && parser.find(language.rest.front())) {
            const std::string code = "--lang=" + *language.code;
            language.rest.insert(language.rest.begin(), argv[0]);
            language.rest.push_back(const_cast<char *>(code.c_str()));
            return readCommandLine(static_cast<int>(language.rest.size()), language.rest.data());
        }
        if (language.code && language.code->empty())
            result.error = usageNote("--lang", "--lang: expected a code such as en or zh_CN");
        else
            result.error = windowWordsFault(language.rest, commandNames());
        result.line.language = language.code.value_or("");
        return result;
    }
    try {
        parser.root.parse(argc, argv);
    } catch (const CLI::ParseError &fault) {
        result.error = faultOf(*command, fault);
    }
    result.line = std::move(parser.line);
    result.line.command = command->get_name();
    if (json)
        result.line.form = Form::Json;
    return result;
}

const std::vector<std::string> &solveQuestions() {
    static const std::vector<std::string> all{"users", "context", "gpus", "utilization"};
    return all;
}

std::vector<CommandHelp> commandHelps() {
    Parser parser;
    std::vector<CommandHelp> all;
    for (const CLI::App *command : parser.root.get_subcommands({})) {
        CommandHelp help{command->get_name(), command->get_description(), helpOnCommand(command->get_name(), command->help("kvplanner")), false, {}};
        for (const CLI::Option *option : command->get_options({})) {
            help.takesFile = help.takesFile || (option->get_positional() && option->get_type_name() == "FILE");
            for (const std::string &name : option->get_snames())
                help.options.push_back("-" + name);
            for (const std::string &name : option->get_lnames())
                help.options.push_back("--" + name);
        }
        all.push_back(std::move(help));
    }
    return all;
}

} // namespace kv
