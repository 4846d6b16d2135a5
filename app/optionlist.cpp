// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optionlist.h"

#include <CLI/App.hpp>

namespace kv {

CLI::Option *addText(CLI::App &app, const char *name, ScenarioOptions::Text &field, const char *type, const char *help, const char *group) {
    return app.add_option(name, field, help)->type_name(type)->group(group)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void addScenarioOptions(CLI::App &app, ScenarioOptions &o) {
    const char *group = "Scenario";
    addText(app, "--scenario", o.scenarioFile, "FILE", "start from a .kvplan file; every option below overrides it", group);
    addText(app, "--scenario-name", o.scenarioName, "NAME", "which of the file's scenarios; without it the current one", group);
    addText(app, "--from-launch", o.launchLine, "LINE", "start from a launch command (vllm serve, sglang, trtllm-serve, llama-server), read, never run; - is standard input", group);
    group = "Model and precision";
    addText(app, "--model", o.model, "ID|PATH", "a preset's id, a config.json, a model folder, a .gguf, a .safetensors or its index", group);
    addText(app, "--weights-dtype", o.weightsDtype, "TYPE", "type of the weights; without it as the checkpoint stores them", group);
    addText(app, "--weights-bytes", o.weightsBytes, "SIZE", "bytes of one copy of the weights, by hand", group);
    addText(app, "--kv-dtype", o.kvDtype, "TYPE", "type of the KV cache; without it the engine's own choice", group);
    addText(app, "--k-dtype", o.keyDtype, "TYPE", "type of the keys alone (llama-cpp)", group);
    addText(app, "--v-dtype", o.valueDtype, "TYPE", "type of the values alone (llama-cpp)", group);
    group = "Workload";
    addText(app, "--context", o.context, "TOKENS", "tokens of a sequence at its end, prompt and output: 131072, 128k", group);
    addText(app, "--sequences", o.sequences, "N", "sequences at the same time", group);
    addText(app, "--shared-prefix", o.sharedPrefix, "TOKENS", "tokens at the start that all sequences share, part of the context", group);
    addText(app, "--lengths", o.lengths, "FILE", "a trace of real request lengths: CSV, JSON lines, a benchmark's result", group);
    addText(app, "--lengths-columns", o.lengthsColumns, "COLUMNS", "its columns by name, or by place from 1 without a header: input=NAME,output=NAME or total=NAME; without it they are guessed", group);
    addText(app, "--p50", o.p50, "TOKENS", "unlike lengths, input and output together: half of the requests have up to this many; with --p90 and --p99", group);
    addText(app, "--p90", o.p90, "TOKENS", "90 of 100 requests have up to this many", group);
    addText(app, "--p99", o.p99, "TOKENS", "99 of 100 requests have up to this many", group);
    app.add_option("--class", o.classes, "a kind of requests: name=chat,share=70,input=1500,output=300 (its share of those in flight, where long answers stay longer), with media=N for the tokens of its input that are images or sound; may be repeated")
        ->type_name("CLASS")->group(group)->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    group = "Hardware";
    addText(app, "--gpu", o.gpu, "ID", "the GPU: h100-sxm-80gb; kvplanner gpus lists all; this-machine: what is built in here", group);
    addText(app, "--gpus", o.gpus, "N", "number of GPUs in all", group);
    addText(app, "--gpu-memory", o.gpuMemory, "SIZE", "memory of one GPU by hand: 80GB, 80GiB, 81559MiB", group);
    addText(app, "--display", o.display, "SIZE", "what the desktop and other programs take of a GPU: 1GiB", group);
    addText(app, "--reserve", o.reserve, "FRACTION", "share of the memory that is not planned with: 0.1 (textbook)", group);
    addText(app, "--tp", o.tp, "N", "tensor-parallel degree", group);
    addText(app, "--pp", o.pp, "N", "pipeline-parallel degree", group);
    addText(app, "--dp", o.dp, "N", "data-parallel degree", group);
    group = "Engine";
    addText(app, "--engine", o.engine, "ID", "count like this engine; kvplanner engines lists all", group);
    app.add_option("--engine-option", o.engineOptions, "an option of the engine; may be repeated")->type_name("KEY=VALUE")->group(group)->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

} // namespace kv
