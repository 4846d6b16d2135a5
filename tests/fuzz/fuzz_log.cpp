// SPDX-License-Identifier: GPL-3.0-or-later
//
// A server's start-up log: however it is cut into pieces it reads the same; its figures are sizes and counts; laid beside a plan it has an
// answer in JSON and as text, also once the plan was calibrated with it.
#include "core/log/logreader.h"
#include "core/log/reconcile.h"
#include "core/model/catalogue.h"
#include "core/report/logjson.h"
#include "tests/fuzz/fuzzing.h"

using namespace kv;

namespace {

constexpr const char *source = "a log";

/// Models of the machine that this runs on are not looked for.
const Scenario &base() {
    static const Scenario scenario = [] {
        Scenario made = logScenarioBase();
        made.model = {"llama-3.1-8b", {}, {}, *presetModel("llama-3.1-8b")};
        return made;
    }();
    return scenario;
}

void checkFigures(const ServerLog &log) {
    const auto atLeast = [](const auto &figure, std::int64_t least) {
        if constexpr (requires { figure->value; })
            fuzz::require(!figure || figure->value >= least, "a figure is in its range");
        else
            fuzz::require(!figure || *figure >= least, "a figure is in its range");
    };
    for (const auto *count : {&log.tp, &log.pp, &log.dp, &log.dcp, &log.blockSize, &log.pageSize, &log.slotCount})
        atLeast(*count, 1);
    for (const auto *count : {&log.numGpuBlocks, &log.blocks, &log.maxRunningRequests, &log.gpuMemoryUtilization, &log.memFractionStatic})
        atLeast(*count, 0);
    for (const auto *size : {&log.weights, &log.neededKv, &log.activation, &log.gpuMemory, &log.recurrentState, &log.compute, &log.bytesPerToken})
        atLeast(*size, 0);
    for (const auto *length : {&log.maxModelLen, &log.maxBatchedTokens, &log.tokens, &log.nCtx, &log.nCtxSeq, &log.estimatedMaxModelLen})
        atLeast(*length, 0);
    for (const auto *difference : {&log.availableKv, &log.kvCache, &log.nonTorch, &log.cudaGraph, &log.cudaGraphEstimate})
        fuzz::require(!*difference || (*difference)->inRange(), "also what may be negative");
    fuzz::require(!log.maxConcurrency || (*log.maxConcurrency >= 0 && *log.maxConcurrency < 1e300), "a concurrency is a number");
    fuzz::require(findEngine(log.engine) != nullptr, "the engine is one of those known");
    fuzz::checkNotes(log.notes);
}

void checkBeside(const ServerLog &log) {
    const Reconciliation beside = reconcile(log, base());
    fuzz::require(beside.plan.has_value() != beside.noPlan.has_value(), "a plan, or why there is none");
    for (const LogDifference &difference : beside.differences) {
        fuzz::require(!difference.name.empty() && !difference.quantity.empty(), "a difference says what it is of");
        fuzz::require(!difference.agrees || (difference.logged && difference.planned), "nothing agrees with silence");
    }
    std::string json;
    appendLogJson(json, log, beside, false);
    fuzz::require(parseJson(json, "json").value.has_value(), "the answer is JSON");
    fuzz::require(!logText(log, beside, SizeUnit::Binary).empty(), "and text");
    const Scenario calibrated = calibrate(beside.scenario, log);
    const Plan plan = evaluateHere(calibrated);
    if (plan.ok() && log.gpuMemory && *log.gpuMemory > Bytes(0))
        fuzz::require(std::ranges::all_of(plan.gpus, [&](const GpuPlan &gpu) { return gpu.memory == *log.gpuMemory; }), "a calibrated plan has the memory of the log");
}

void checkPieces(std::string_view bytes, const Parsed<ServerLog> &whole) {
    ServerLogReader pieces;
    const std::size_t step = 1 + bytes.size() % 23;
    for (std::size_t at = 0; at < bytes.size(); at += step)
        pieces.feed(bytes.substr(at, step));
    const Parsed<ServerLog> again = pieces.finish(source);
    fuzz::require(again.value == whole.value && again.notes == whole.notes, "in pieces it reads the same");
}

} // namespace

KV_FUZZ(bytes) {
    const Parsed<ServerLog> log = readServerLogText(bytes, source);
    fuzz::checkParsed(log);
    if (log)
        checkFigures(*log);
    if (fuzz::inOneOf(bytes, 4))
        checkPieces(bytes, log);
    if (log && fuzz::inOneOf(bytes, 32))
        checkBeside(*log);
}
