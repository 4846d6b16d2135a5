// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/launch/launch.h"
#include "core/plan/solve.h"

namespace kv {

// vLLM looks for the length of which one request fits (v1/core/kv_cache_utils.py, auto_fit_max_model_len, 0.24).
Note planLongestThatFits(Scenario &scenario, LaunchLoad load) {
    constexpr const char *code = "length-that-fits", *flag = "--max-model-len";
    scenario.engine.options.erase("max_model_len");
    Scenario alone = scenario;
    alone.workload.sequences = Count(1);
    alone.workload.sharedPrefix = Tokens(0);
    alone.workload.context = Tokens(1);
    const Solution longest = solve(alone, Question::Context);
    if (longest.refusal || !longest.answer || *longest.answer < 1)
        return warningNote(code, flag, "--max-model-len auto takes the longest that fits, and no length is known to fit here: a context of " + writeNumber(scenario.workload.context.value) +
                                           " tokens is planned.");
    if (load == LaunchLoad::Line)
        scenario.workload.context = Tokens(*longest.answer);
    else if (Tokens(*longest.answer) != scenario.workload.context)
        scenario.engine.options.set("max_model_len", *longest.answer);
    return infoNote(code, flag, "--max-model-len auto: the longest of which one sequence fits is planned, " + writeNumber(*longest.answer) + " tokens.");
}

} // namespace kv
