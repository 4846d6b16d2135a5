// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/planjson.h"

#include "core/base/jsonwriter.h"
#include "core/plan/budget.h"
#include "core/plan/formula.h"
#include "core/report/extras.h"
#include "core/report/refusal.h"
#include "core/scenario/scenariofile.h"
#include "core/workload/percentiles.h"

namespace kv {

namespace {

void writeId(JsonWriter &out, const Json *id) {
    if (!id)
        return;
    out.key("id");
    if (id->isString())
        out.value(id->text());
    else
        out.tree(*id);
}

std::optional<std::int64_t> unlessZero(std::int64_t number) { return number > 0 ? std::optional(number) : std::nullopt; }

void writeModel(JsonWriter &out, const Plan &plan) {
    const ModelSpec &model = *plan.model;
    out.key("model").beginObject();
    out.member("name", plan.modelName);
    if (!model.presetId.empty())
        out.member("preset", model.presetId);
    out.member("architecture", model.architecture);
    out.member("model_type", model.modelType);
    out.member("attention", model.attentionName());
    out.member("layers", model.layerCount());
    out.member("parameters", unlessZero(model.weights.parameters));
    if (model.weights.activeParameters > 0 && model.weights.activeParameters != model.weights.parameters)
        out.member("active_parameters", model.weights.activeParameters);
    out.member("max_context", model.maxContext ? std::optional(model.maxContext->value) : std::nullopt);
    out.endObject();
}

void writeKv(JsonWriter &out, const KvFigures &kv) {
    out.key("kv").beginObject();
    out.member("bytes_per_token", kv.perToken.value);
    out.member("bytes_per_token_marginal", kv.perTokenMarginal.value);
    out.member("fixed_bytes_per_sequence", kv.fixedPerSequence.value);
    out.member("bytes_per_sequence", kv.perSequence.value);
    out.member("bytes_per_token_per_gpu", kv.perTokenPerGpu.value);
    out.member("bytes_per_sequence_per_gpu", kv.perSequencePerGpu.value);
    out.member("total_bytes", kv.total.value);
    out.member("k", info(kv.types.key).name);
    out.member("v", info(kv.types.value).name);
    out.endObject();
}

void writeWeights(JsonWriter &out, const WeightFigures &weights) {
    out.key("weights").beginObject();
    out.member("total_bytes", weights.total.value);
    out.member("per_gpu_bytes", weights.perGpu.value);
    out.member("source", weightSourceName(weights.source));
    out.member("scheme", weights.scheme);
    if (weights.estimate)
        out.member("estimate", true);
    out.endObject();
}

void writeGpu(JsonWriter &out, const GpuPlan &gpu) {
    out.beginObject();
    out.member("index", gpu.index);
    out.key("rank").beginObject();
    out.member("tp", gpu.tp);
    out.member("pp", gpu.pp);
    out.member("dp", gpu.dp);
    out.endObject();
    out.member("gpu", gpu.gpu);
    out.member("memory_bytes", gpu.memory.value);
    out.member("reserve_bytes", gpu.reserve.value);
    out.member("weights_bytes", gpu.weights.value);
    out.member("overhead_bytes", gpu.overhead.value);
    out.member("kv_bytes", gpu.kv.value);
    out.member("kv_reserved_bytes", gpu.kvReserved.value);
    out.member("free_bytes", gpu.free.value);
    // Parts of overhead_bytes and, the last, of kv_bytes.
    const std::pair<const char *, Bytes> parts[]{{"display_bytes", gpu.display}, {"adapter_bytes", gpu.adapters}, {"draft_weights_bytes", gpu.draftWeights}, {"draft_kv_bytes", gpu.draftKv}};
    for (const auto &[name, bytes] : parts)
        if (bytes > Bytes(0))
            out.member(name, bytes.value);
    if (gpu.band > Bytes(0))
        out.member("estimate_band_bytes", gpu.band.value);
    if (gpu.kvReplicated)
        out.member("kv_replicated", true);
    out.endObject();
}

void writeFit(JsonWriter &out, const Fit &fit) {
    out.key("fit").beginObject();
    out.member("fits", fit.fits);
    out.member("kv_budget_bytes", fit.kvBudget.value);
    out.member("max_sequences", fit.maxSequences);
    out.member("max_context", fit.maxContext);
    out.member("kv_capacity_tokens", fit.kvCapacityTokens);
    out.member("min_gpus", fit.minGpus);
    if (fit.estimate)
        out.member("estimate", true);
    if (fit.uncertain)
        out.member("uncertain", true);
    if (!fit.limit.empty())
        out.member("limit", fit.limit);
    out.endObject();
}

/// Of the fullest GPU: what is exact, what an estimate, and what sets it by hand.
void writeBudget(JsonWriter &out, const Budget &budget) {
    out.key("budget").beginObject();
    out.member("gpu", budget.gpu);
    out.key("rows").beginArray();
    for (const BudgetRow &row : budget.rows) {
        out.beginObject();
        out.member("key", row.key);
        out.member("name", row.name);
        out.member("bytes", row.bytes.value);
        out.member("certainty", certaintyName(row.certainty));
        if (row.band > Bytes(0))
            out.member("band_bytes", row.band.value);
        if (!row.setBy.empty())
            out.member("set_by", row.setBy);
        out.endObject();
    }
    out.endArray();
    out.endObject();
}

/// The facts that the figures rest on, each with the place it came from.
void writeExplain(JsonWriter &out, const ModelSpec &model) {
    out.key("explain").beginArray();
    for (const Fact &fact : model.facts) {
        out.beginObject();
        out.member("name", roleName(fact.role));
        if (fact.role == Role::Dtype) // kept as the type itself
            out.member("value", info(static_cast<ElementType>(fact.value)).name);
        else
            out.member("value", fact.value);
        out.member("from", fact.from);
        out.member("note", fact.trap);
        out.endObject();
    }
    out.endArray();
}

/// What the requests' lengths are; in flight they are added up by plan/inflight.h.
void writeLengths(JsonWriter &out, const Lengths &lengths, const PlanExtras *extras) {
    constexpr std::string_view kinds[]{"trace", "percentiles", "classes"};
    out.key("lengths").beginObject();
    out.member("kind", kinds[static_cast<std::size_t>(lengths.kind)]);
    out.member("count", lengths.kind == Lengths::Kind::Trace ? std::optional(lengths.count) : std::nullopt);
    out.member("p50", lengths.p50);
    out.member("p90", lengths.p90);
    out.member("p99", lengths.p99);
    out.member("max", lengths.most);
    out.member("mean", lengths.mean);
    if (lengths.columns.given()) {
        out.key("columns").tree(columnsJson(lengths.columns));
        out.key("columns_found").beginArray();
        for (const std::string &name : lengths.found)
            out.value(name);
        out.endArray();
    }
    if (extras && extras->inFlight)
        writeInFlight(out, *extras->inFlight);
    out.endObject();
}

/// One line for each kind of layer: hybrids are understood by their parts.
void writeParts(JsonWriter &out, const std::vector<PartTerms> &derivation) {
    out.key("parts").beginArray();
    for (const PartTerms &part : derivation) {
        out.beginObject();
        out.member("kind", kindName(part.kind));
        out.member("layers", part.layers);
        out.member("bytes_per_token", part.perToken.value);
        out.member("bytes_at_context", part.atContext.value);
        out.member("fixed_bytes", part.fixed.value);
        if (part.terms.limit > Tokens(0))
            out.member("limit_tokens", part.terms.limit.value);
        out.endObject();
    }
    out.endArray();
}

void writeEngine(JsonWriter &out, const EngineReport &engine) {
    out.key("engine").beginObject();
    out.member("id", engine.id);
    out.key("version");
    engine.version.empty() ? out.null() : out.value(engine.version);
    for (const auto &[name, value] : engine.values) {
        out.key(name);
        if (const auto *list = std::get_if<std::vector<std::int64_t>>(&value)) {
            out.beginArray();
            for (const std::int64_t item : *list)
                out.value(item);
            out.endArray();
        } else if (const auto *text = std::get_if<std::string>(&value)) {
            out.value(*text);
        } else if (const auto *real = std::get_if<double>(&value)) {
            out.value(*real);
        } else {
            out.value(std::get<std::int64_t>(value));
        }
    }
    out.endObject();
}

void writeLaunch(JsonWriter &out, const LaunchCommand &launch) {
    const auto list = [&](const char *name, const std::vector<std::string> &words) {
        out.key(name).beginArray();
        for (const std::string &word : words)
            out.value(word);
        out.endArray();
    };
    out.key("launch").beginObject();
    out.member("command", launch.text());
    list("environment", launch.environment);
    list("words", launch.words);
    if (!launch.fileName.empty()) {
        out.key("file").beginObject();
        out.member("name", launch.fileName);
        out.member("text", launch.fileText);
        out.endObject();
    }
    out.key("notes").beginArray();
    for (const Note &note : launch.notes)
        out.value(note.text);
    out.endArray();
    out.endObject();
}

} // namespace

void appendPlanJson(std::string &out, const Scenario &scenario, const Plan &plan, const Json *id, bool pretty, const LaunchCommand *launch,
                    const PlanExtras *extras) {
    if (plan.refusal) {
        appendRefusalJson(out, *plan.refusal, id, pretty);
        return;
    }
    JsonWriter json(out, pretty);
    json.beginObject();
    json.member("kvplan", scenarioVersion);
    json.member("ok", true);
    writeId(json, id);
    if (!scenario.name.empty())
        json.member("name", scenario.name);
    writeModel(json, plan);
    writeKv(json, plan.kv);
    writeWeights(json, plan.weights);
    json.key("gpus").beginArray();
    for (const GpuPlan &gpu : plan.gpus)
        writeGpu(json, gpu);
    json.endArray();
    if (plan.host) {
        json.key("host").beginObject();
        json.member("weights_bytes", plan.host->weights.value);
        json.member("kv_bytes", plan.host->kv.value);
        if (plan.host->memory)
            json.member("memory_bytes", plan.host->memory->value);
        json.endObject();
    }
    writeFit(json, plan.fit);
    writeBudget(json, budgetOf(scenario, plan));
    if (scenario.workload.distribution)
        writeLengths(json, *scenario.workload.distribution, extras);
    if (extras)
        writeExtras(json, scenario, *extras);
    writeExplain(json, *plan.model);
    writeParts(json, plan.derivation);
    writeEngine(json, plan.engine);
    if (launch)
        writeLaunch(json, *launch);
    writeWarnings(json, plan.warnings);
    json.endObject();
}

void writeWarnings(JsonWriter &out, const Notes &warnings) {
    out.key("warnings").beginArray();
    for (const Note &note : warnings) {
        out.beginObject();
        out.member("code", note.code);
        out.member("text", note.text);
        if (!note.where.empty())
            out.member("where", note.where);
        if (note.severity == Severity::Info)
            out.member("severity", "info");
        out.endObject();
    }
    out.endArray();
}

void appendRefusalJson(std::string &out, const Note &error, const Json *id, bool pretty, std::span<const Alternative> instead) {
    JsonWriter json(out, pretty);
    json.beginObject();
    json.member("ok", false);
    writeId(json, id);
    json.key("error").beginObject();
    json.member("code", error.code);
    json.member("message", refusalSentence(error));
    json.member("where", error.where);
    if (!instead.empty()) {
        json.key("try").beginArray();
        for (const Alternative &other : instead) {
            json.beginObject();
            json.member("change", other.change);
            json.key("set");
            json.tree(other.patch);
            json.member("fits", other.fits);
            json.endObject();
        }
        json.endArray();
    }
    json.endObject();
    json.endObject();
}

Json planToJson(const Scenario &scenario, const Plan &plan) {
    std::string text;
    appendPlanJson(text, scenario, plan);
    return parseJson(text, "plan").value.value_or(Json());
}

Json refusalToJson(const Note &error) {
    std::string text;
    appendRefusalJson(text, error);
    return parseJson(text, "refusal").value.value_or(Json());
}

} // namespace kv
