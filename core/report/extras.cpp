// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/extras.h"

#include "core/base/rounding.h"
#include "core/plan/nearest.h"

#include <cmath>
#include <cstdio>

namespace kv {

namespace {

using enum TextTable::Align;

std::string decimals(double number, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, number);
    return text;
}

std::string percent(double share) { return decimals(100 * share, share > 0 && share < 0.001 ? 4 : 1) + " %"; }

DigestSection pairs(std::string title) {
    DigestSection section{std::move(title), {}, false};
    section.table.column("What").column("Value");
    return section;
}

DigestSection inFlightSection(const InFlight &flight, SizeUnit unit) {
    DigestSection section = pairs("Requests of unlike lengths, " + writeNumber(flight.sequences) + " in flight" + (flight.replicas > 1 ? " on the fullest replica" : "") + ", on its fullest GPU");
    const auto size = [&](const char *name, std::int64_t bytes) { section.table.row({name, writeBytes(Bytes(bytes), unit)}); };
    if (flight.reserved)
        section.table.row({"Lengths", "change nothing here: each slot is set aside for the whole context"});
    section.table.row({"How it was added up", flight.total.exact ? std::string("exactly, by convolution") : flight.total.normal ? std::string("as a normal sum with its skewness") : "by " + writeNumber(flight.total.draws) + " draws with the seed " + writeNumber(static_cast<std::int64_t>(MixOptions{}.seed))});
    if (flight.cut)
        section.table.row({"Longer than the context", "some are, and count as the context: the server would refuse or cut them"});
    size("On average", checked::nearest(flight.total.mean));
    size("At p50", flight.total.p50);
    size("At p95", flight.total.p95);
    section.table.row({"At p99", writeBytes(Bytes(flight.total.p99), unit) + (flight.total.exact || flight.total.normal ? "" : ", within " + writeBytes(Bytes(flight.total.p99Low), unit) + " to " +
                                                                                                            writeBytes(Bytes(flight.total.p99High), unit))});
    section.table.row({"Room there is", writeBytes(flight.room - flight.prefix, unit) + (flight.prefix > Bytes(0) ? " beside the shared prefix" : "")});
    if (flight.total.above)
        section.table.row({"Chance that it does not fit", percent(*flight.total.above) + (flight.total.exact || flight.total.normal ? "" : " ± " + percent(1.96 * flight.total.aboveError))});
    section.table.row({"Most sequences at p99", writeNumber(flight.mostAtP99)});
    section.table.row({"Planned with the mean length", writeNumber(flight.mostWithMean) + " sequences, " + writeBytes(flight.withMean, unit) + " for these"});
    if (flight.meanFails)
        section.table.row({"That plan is wrong", *flight.meanFails > 0 ? "in " + casesOf(*flight.meanFails) + " cases" : std::string("in no case")});
    if (flight.engineLimit)
        section.table.row({"Most that the engine runs", writeNumber(*flight.engineLimit)});
    return section;
}

DigestSection leverSection(const Levers &levers) {
    DigestSection section{levers.fits ? "Levers" : "Levers: what makes it fit", {}, true};
    section.table.column("").column("Change").column("Cost").column("GPUs", Right);
    for (const Lever &lever : levers.list)
        section.table.row({lever.nearest ? "nearest" : lever.fits && !levers.fits ? "fits" : "", lever.sentence, std::string(leverCostName(lever.idea.cost)), writeNumber(lever.gpus)});
    if (levers.list.empty())
        section.table.row({"", "none of the changes tried gains anything"});
    return section;
}

DigestSection floorSection(const DecodeFloor &floor, SizeUnit unit) {
    DigestSection section = pairs("Decoding, a bound by memory bandwidth alone, one step after the other and without drafting");
    section.table.row({"Read for each token, weights", writeBytes(floor.weightsRead, unit) + (floor.expertsTouched < 1 ? ", " + percent(floor.expertsTouched) + " of the experts" : "")});
    section.table.row({"Read for each token, KV", writeBytes(floor.cacheRead, unit) + " for " + writeNumber(floor.batch) + (floor.batch == 1 ? " sequence" : " sequences")});
    section.table.row({"At least", decimals(floor.secondsPerToken * 1e3, 2) + " ms a token"});
    section.table.row({"At most, a replica", decimals(floor.tokensPerSecond, 0) + " tokens a second"});
    section.table.row({"KV takes longer than weights", floor.cacheOvertakes ? "from " + writeNumber(*floor.cacheOvertakes) + " sequences on" : std::string("at no batch")});
    return section;
}

void writeLevers(JsonWriter &out, const Scenario &scenario, const Levers &levers) {
    out.key("levers").beginArray();
    for (const Lever &lever : levers.list) {
        out.beginObject();
        out.member("id", lever.idea.id);
        out.member("name", lever.idea.name);
        out.member("sentence", lever.sentence);
        out.member("cost", leverCostName(lever.idea.cost));
        out.member("caveat", lever.idea.caveat);
        out.member("fits", lever.fits);
        out.member("nearest", lever.nearest);
        out.member("max_sequences", lever.users);
        out.member("max_sequences_before", levers.users);
        out.member("gpus", lever.gpus);
        out.key("set").tree(scenarioPatch(scenario, lever.idea.scenario));
        out.endObject();
    }
    out.endArray();
}

void writeFloor(JsonWriter &out, const DecodeFloor &floor) {
    out.key("decode_floor").beginObject();
    out.member("bound", true);
    out.member("batch", floor.batch);
    out.member("weights_read_bytes", floor.weightsRead.value);
    out.member("kv_read_bytes", floor.cacheRead.value);
    out.member("experts_touched", floor.expertsTouched);
    out.member("seconds_per_token", floor.secondsPerToken);
    out.member("tokens_per_second", floor.tokensPerSecond);
    out.member("kv_overtakes_weights_at", floor.cacheOvertakes);
    out.endObject();
}

} // namespace

void addExtras(Digest &digest, const PlanExtras *extras, SizeUnit unit) {
    if (!extras)
        return;
    if (extras->inFlight)
        digest.sections.push_back(inFlightSection(*extras->inFlight, unit));
    if (extras->levers)
        digest.sections.push_back(leverSection(*extras->levers));
    if (extras->floor)
        digest.sections.push_back(floorSection(*extras->floor, unit));
}

void writeInFlight(JsonWriter &out, const InFlight &flight) {
    out.key("in_flight").beginObject();
    out.member("sequences", flight.sequences);
    out.member("replicas", flight.replicas);
    out.member("reserved", flight.reserved);
    out.member("cut_at_context", flight.cut);
    out.member("exact", flight.total.exact);
    out.member("draws", flight.total.draws);
    out.member("room_bytes_per_gpu", flight.room.value);
    out.member("prefix_bytes_per_gpu", flight.prefix.value);
    out.member("mean_bytes_per_gpu", checked::nearest(flight.total.mean));
    out.member("p50_bytes_per_gpu", flight.total.p50);
    out.member("p95_bytes_per_gpu", flight.total.p95);
    out.member("p99_bytes_per_gpu", flight.total.p99);
    out.key("p99_band_bytes_per_gpu").beginArray();
    out.value(flight.total.p99Low);
    out.value(flight.total.p99High);
    out.endArray();
    out.key("chance_of_not_fitting");
    flight.total.above ? out.value(*flight.total.above) : out.null();
    out.member("chance_error", flight.total.aboveError);
    out.member("max_sequences_p99", flight.mostAtP99);
    out.member("max_sequences_mean", flight.mostWithMean);
    out.member("mean_plan_bytes_per_gpu", flight.withMean.value);
    out.key("mean_plan_chance_of_not_fitting");
    flight.meanFails ? out.value(*flight.meanFails) : out.null();
    out.member("engine_limit", flight.engineLimit);
    out.endObject();
}

void writeExtras(JsonWriter &out, const Scenario &scenario, const PlanExtras &extras) {
    if (extras.levers)
        writeLevers(out, scenario, *extras.levers);
    if (extras.floor)
        writeFloor(out, *extras.floor);
}

} // namespace kv
