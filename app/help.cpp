// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/help.h"

#include "core/base/note.h"

namespace kv {

namespace {

constexpr std::string_view first = "KV Planner: what a KV cache costs, whether it fits, and how many users it serves.\n\n";

// What only a build with the window has.
#ifdef KV_HAS_UI
constexpr std::string_view window = R"(  kvplanner [FILE]               the window, on a .kvplan, config.json, model folder or .gguf
  kvplanner --lang CODE [FILE]   the window in en, zh_CN, …; without it in the desktop's language
  kvplanner render -o FILE       the dashboard or a page as .png, .svg, .pdf; reports and numbers too
  kvplanner hub NAME             fetches a model's config and headers from the Hub; prints their path
)";
#else
constexpr std::string_view window;
#endif

constexpr std::string_view rest = R"(  kvplanner plan [OPTIONS]       the plan as text; --json, --markdown, --html, --csv, --latex
  kvplanner plan --batch FILE    one scenario (JSON) a line in, one plan (JSON) a line out
  kvplanner log FILE             what a server's start-up log says, beside the plan; - is standard input
  kvplanner solve QUESTION       most users, longest context, fewest gpus, least utilization
  kvplanner map [OPTIONS]        what fits over context and sequences, or over settings
  kvplanner fleet [OPTIONS]      how many of this deployment a load needs
  kvplanner compare FILE         the scenarios of a .kvplan file side by side
  kvplanner models               the presets that are known
  kvplanner gpus                 the GPUs that are known; --add NAME one of your own, --this-machine
  kvplanner engines              the engines, their versions and options
  kvplanner dtypes               the KV types, and which engine takes which
  kvplanner lessons              the lessons for workshops; --check FILE reads one of your own
  kvplanner help [COMMAND]       this text, or a command's options
  kvplanner --help errors        the codes of errors and warnings
  kvplanner --version

Without options, plan answers for Llama 3.1 70B with 10 sequences of 131,072 tokens on 8 x H100
SXM 80 GB by the textbook formula; each option replaces its part of that.

Token counts take 128k and 0.5M, where k is 1024 and M is 1024 x 1024, as people mean it for
contexts; counts of sequences take k as 1000. Sizes take 80GB (10^9), 80GiB (2^30), 81559MiB.

Examples
  kvplanner plan --model llama-3.1-8b --context 32k --sequences 64 --gpu l40s-48gb --gpus 1
  kvplanner plan --model ./config.json --kv-dtype fp8 --gpu h200-sxm-141gb --gpus 8 --json
  kvplanner plan --engine vllm --engine-option gpu_memory_utilization=0.92 --markdown
  kvplanner plan --scenario plans.kvplan --scenario-name "as today" --require-fit
  kvplanner plan --engine vllm --tp 8 --launch
  kvplanner plan --from-launch "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768"
  kvplanner plan --batch scenarios.jsonl > plans.jsonl
  kvplanner log server.log --gpu h100-sxm-80gb
  kvplanner plan --lengths trace.csv --levers
  kvplanner plan --p50 2k --p90 8k --p99 32k --sequences 40
  kvplanner solve context --sequences 20 --engine vllm
  kvplanner fleet --rate 12 --seconds 20 --lost 1

The window and render --lang speak other languages too; what the commands print, and every file,
is English with plain numbers, so that scripts can rely on it.

Exit status: 0 the plan was made, whether or not it fits; 1 --require-fit was given and it does
not fit; 2 the input was refused (one line on standard error says what, where and why; with
--json also {"ok": false, "error": {"code", "message", "where"}} on standard output); 3 a fault
of the program itself. A batch goes on after a refused scenario and ends with 2.
)";

constexpr std::string_view afterPlan = R"(Token counts read k as 1024 (128k is 131072), counts of sequences read it as 1000; sizes take
80GB (10^9), 80GiB (2^30), 81559MiB, or bytes. An option given twice counts as given last.
What an option replaces takes along what belonged to it: another model the weights' bytes of
the old one, another GPU the memory set by hand, another engine the old one's options.

Unlike lengths (--lengths, or --p50 --p90 --p99, or --class as often as there are kinds) say how
often these sequences do not fit, and how many do in 99 of 100 cases; the plan itself counts each
at the whole context.

--from-launch takes a command apart and runs nothing: its longest request becomes the context,
llama-server's slots the sequences; flags that are not known are warned about by name. What the
line does not say (--gpu, --sequences) is as without options. --launch writes the way back.

Examples
  kvplanner plan --model llama-3.1-8b --context 32k --sequences 64 --gpu l40s-48gb --gpus 1
  kvplanner plan --engine vllm --engine-option max_num_seqs=256 --tp 4 --dp 2
  kvplanner plan --class share=70,input=1500,output=300 --class share=30,input=30k,output=1k
  kvplanner plan --engine vllm --tp 8 --launch
  kvplanner plan --from-launch "vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768" --json
  kvplanner plan --engine llama-cpp --k-dtype q8_0 --v-dtype q4_0 --gpu rtx-4090-24gb --gpus 1
  printf '%s\n' '{"id": 1, "model": {"preset": "llama-3.1-70b"}}' | kvplanner plan --batch -
)";

constexpr std::string_view afterLog = R"(The log's engine, release, model, split, lengths and memory are planned; each option above replaces
its part. Of several starts in one file the last counts. Without a plan (the model is not known
here) the log is still read; --model names one.

Examples
  kvplanner log server.log
  docker logs vllm 2>&1 | kvplanner log - --json
  kvplanner log server.log --model ./config.json --gpu l40s-48gb
)";

constexpr std::string_view afterRender = R"(What is written goes by the suffix: a picture (.png, .svg, .pdf) with a caption and, in PNG and PDF,
with the plan inside, which the window opens again; a view's numbers (.csv, .md); of the whole plan
(no --view) also its report (.html with the charts inside, .md, .tex) and data (.csv, .json). The
same PNG and SVG are the same bytes twice: the date is that of SOURCE_DATE_EPOCH, where it is set.

Examples
  kvplanner render -o plan.png --scale 2
  kvplanner render --scenario plans.kvplan --view compare --theme dark -o compare.svg
  kvplanner render --view fit-map --size 1920x1080 -o map.pdf
  kvplanner render --view lesson --lesson 02-factor-two --guess 160kB -o lesson.png
  kvplanner render --engine vllm -o report.html
)";

constexpr std::string_view afterHub = R"(What is fetched, some kB to a few MB and never the weights themselves, is kept below the cache folder
and fetched once. The environment is read by the names that the Hub's own tools read:

  HF_TOKEN         access token, for models that are gated or private; without it HUGGING_FACE_HUB_TOKEN,
                   the file HF_TOKEN_PATH, or the file token in HF_HOME. It goes to the Hub alone, encrypted
  HF_ENDPOINT      address of another Hub, such as a mirror; without it https://huggingface.co
  HF_HOME          folder of the Hub's tools, ~/.cache/huggingface without it; HF_HUB_CACHE: their cache,
                   in which models that are on this machine are found
  HF_HUB_OFFLINE   1: nothing is fetched; what is on this machine is still found
  https_proxy, http_proxy, all_proxy, no_proxy

Examples
  kvplanner hub Qwen/Qwen3-32B
  kvplanner plan --model $(kvplanner hub meta-llama/Llama-3.1-8B@main)
)";

constexpr std::string_view afterGpus = R"(A GPU of your own is kept in gpus.json of the data folder, under an id made from its name, and no id
is ever taken twice. Of its memory GB is the label of the box, from which the textbook counts; GiB
and MiB are what a program gets, from which the engines count. A plan carries such a card along.

--this-machine asks nvidia-smi, amd-smi, rocm-smi or sysctl. plan --gpu this-machine plans with what
they tell: alike cards as a number of GPUs, unlike ones together where the engine takes them
(llama-cpp), else the kind of which there is most memory.

Examples
  kvplanner gpus --add "Bench card" --memory 96GB --usable 95830MiB --bandwidth 3.9TB/s
  kvplanner gpus --remove bench-card
  kvplanner gpus --this-machine
  kvplanner plan --gpu this-machine --engine llama-cpp --display 1GiB --model qwen3-8b
)";

} // namespace

std::string helpOnAll() { return std::string(first).append(window).append(rest); }

std::string helpOnErrors() {
    std::string text = "Codes of errors and warnings. A code keeps its meaning; the sentence beside it may be reworded.\n\n";
    std::size_t widest = 0;
    for (const NoteCode &code : noteCodes())
        widest = std::max(widest, code.code.size());
    for (const NoteCode &code : noteCodes()) {
        text += "  " + std::string(code.code) + std::string(widest + 2 - code.code.size(), ' ');
        text += std::string(code.meaning) + "\n";
    }
    return text;
}

std::string helpOnCommand(std::string_view command, std::string options) {
    for (std::size_t at = 0; (at = options.find("\n\n\n", at)) != std::string::npos;)
        options.erase(at, 1);
    if (command == "plan")
        options += afterPlan;
    else if (command == "log")
        options += afterLog;
    else if (command == "gpus")
        options += afterGpus;
    else if (command == "hub")
        options += afterHub;
    else if (command == "render")
        options += afterRender;
    return options;
}

} // namespace kv
