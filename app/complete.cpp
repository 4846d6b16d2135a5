// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/complete.h"

#include "app/commandline.h"
#include "core/engine/engines.h"
#include "core/hardware/gpu.h"
#include "core/lesson/lesson.h"
#include "core/model/catalogue.h"
#include "core/weights/weighttypes.h"
#ifdef KV_HAS_UI
#include "ui/app.h"
#include "ui/render.h"
#endif

#include <algorithm>

namespace kv {

namespace {

using Words = std::vector<std::string>;

Words modelIds() {
    Words all;
    for (const Preset &preset : presets())
        all.push_back(preset.id);
    return all;
}

Words gpuIds() {
    Words all;
    for (const Gpu &gpu : gpus())
        all.push_back(gpu.id);
    all.emplace_back("this-machine");
    return all;
}

Words engineIds() {
    Words all;
    for (const Engine *engine : engines())
        all.emplace_back(engine->id());
    return all;
}

Words kvTypes() {
    Words all{"auto"};
    for (const ElementTypeInfo &type : elementTypes())
        if (std::ranges::any_of(engines(), [&](const Engine *engine) { return std::ranges::find(engine->kvTypes(), type.type) != engine->kvTypes().end(); }))
            all.emplace_back(type.name);
    return all;
}

Words lessonIds() {
    Words all;
    for (const Lesson &lesson : lessons())
        all.push_back(lesson.id);
    return all;
}

Words weightTypeNames() {
    Words all;
    for (const WeightType &type : weightTypes())
        all.emplace_back(type.name);
    return all;
}

/// "max_num_seqs=" of the engine that the line names, or of all of them.
Words optionNames(std::span<char *const> words) {
    const auto named = std::ranges::find(words, std::string_view("--engine"), [](const char *word) { return std::string_view(word); });
    const Engine *only = named != words.end() && named + 1 != words.end() ? findEngine(*(named + 1)) : nullptr;
    Words all;
    for (const Engine *engine : engines())
        if (!only || engine == only)
            for (const EngineOption &option : engine->options())
                all.push_back(std::string(option.name) + "=");
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// The values of an option; nothing where any text (a number, a file) is one.
Words valuesOf(std::string_view option, std::span<char *const> words) {
    if (option == "--model")
        return modelIds();
    if (option == "--gpu")
        return gpuIds();
    if (option == "--engine")
        return engineIds();
    if (option == "--engine-option")
        return optionNames(words);
    if (option == "--kv-dtype" || option == "--k-dtype" || option == "--v-dtype")
        return kvTypes();
    if (option == "--weights-dtype")
        return weightTypeNames();
    if (option == "--units")
        return {"gb", "gib"};
    if (option == "--lesson")
        return lessonIds();
#ifdef KV_HAS_UI
    if (option == "--view")
        return renderViews();
    if (option == "--lang")
        return languageCodeList();
#endif
    if (option == "--theme")
        return {"light", "dark"};
    return {};
}

/// Options that are followed by a value end the list of what may come next.
bool takesValue(const CommandHelp &command, std::string_view option) {
    // In the help a value's name follows in capitals: "--model ID|PATH".
    const std::size_t at = command.text.find(std::string(option) + " ");
    if (at == std::string::npos)
        return false;
    const std::size_t next = at + option.size() + 1;
    return next < command.text.size() && command.text[next] != ' ';
}

/// Whether a file that must follow is not there yet. A lone dash is standard input, or an option that is begun.
bool lacksFile(const CommandHelp &command, std::span<char *const> behind) {
    if (!command.takesFile)
        return false;
    bool isValue = false;
    for (const std::string_view word : behind) {
        if (!isValue && (word == "-" || !word.starts_with('-')))
            return false;
        isValue = !isValue && takesValue(command, word);
    }
    return true;
}

} // namespace

Words completions(std::span<char *const> words) {
    const std::vector<CommandHelp> commands = commandHelps();
    if (words.empty() || (words.size() == 1 && std::string_view(words[0]) == "-")) {
        Words all;
        for (const CommandHelp &command : commands)
            all.push_back(command.name);
        all.insert(all.end(), {"help", "--help", "--version"});
#ifdef KV_HAS_UI
        all.emplace_back("--lang");
#endif
        return all;
    }
#ifdef KV_HAS_UI
    if (std::string_view(words[0]) == "--lang") // before a command as well as behind it
        return words.size() == 1 ? languageCodeList() : completions(words.subspan(2));
#endif
    if (std::string_view(words[0]) == "help") {
        Words all{"errors"};
        for (const CommandHelp &command : commands)
            all.push_back(command.name);
        return words.size() == 1 ? all : Words{};
    }
    const auto command = std::ranges::find(commands, std::string_view(words[0]), &CommandHelp::name);
    if (command == commands.end())
        return {};
    const std::string_view last = words.back();
    if (words.size() > 1 && last.starts_with('-') && last != "-" && takesValue(*command, last))
        return valuesOf(last, words);
    if (lacksFile(*command, words.subspan(1)))
        return {}; // files follow
    Words all;
    if (command->name == "solve" && words.size() == 1)
        all = solveQuestions();
    all.insert(all.end(), command->options.begin(), command->options.end());
    return all;
}

} // namespace kv
