// SPDX-License-Identifier: GPL-3.0-or-later
//
// A trace of request lengths, CSV or JSON. What was counted is in order and complete; read again by the columns that were taken, or written
// as the bare lengths and read again, it is the same.
#include "core/workload/trace.h"
#include "tests/fuzz/fuzzing.h"

using namespace kv;

namespace {

constexpr const char *source = "a trace";

void checkOrder(const Lengths &lengths) {
    double weight = 0;
    std::int64_t before = -1;
    for (const LengthBin &bin : lengths.bins) {
        fuzz::require(bin.tokens > before && bin.weight > 0, "bins rise, and each has requests");
        before = bin.tokens;
        weight += bin.weight;
    }
    fuzz::require(weight == static_cast<double>(lengths.count) && lengths.count > 0, "every request is in a bin");
    fuzz::require(before == lengths.most && lengths.most > 0, "the last bin is the longest request");
    fuzz::require(lengths.p50 <= lengths.p90 && lengths.p90 <= lengths.p99 && lengths.p99 <= lengths.most && lengths.p50 >= lengths.bins.front().tokens, "percentiles rise");
    fuzz::require(lengths.mean >= static_cast<double>(lengths.bins.front().tokens) * (1 - 1e-12) && lengths.mean <= static_cast<double>(lengths.most) * (1 + 1e-12), "the mean lies among them");
}

bool alike(const Lengths &a, const Lengths &b) { return a.bins == b.bins && a.count == b.count && a.p50 == b.p50 && a.p90 == b.p90 && a.p99 == b.p99 && a.most == b.most; }

/// The lengths alone, one a line or as a list in JSON.
std::string written(const Lengths &lengths, bool json) {
    std::string text = json ? "[" : "";
    for (const LengthBin &bin : lengths.bins)
        for (double i = 0; i < bin.weight; ++i)
            text += std::to_string(bin.tokens) + (json ? "," : "\n");
    if (json)
        text.back() = ']';
    return text;
}

} // namespace

KV_FUZZ(bytes) {
    const Parsed<Lengths> lengths = readTraceText(bytes, source);
    fuzz::checkParsed(lengths);
    for (const Note &note : lengths.notes)
        fuzz::require(note.text.starts_with(source), "a message begins with the trace's name");
    if (!lengths)
        return;
    checkOrder(*lengths);
    if (!fuzz::inOneOf(bytes, 4))
        return;
    TraceOptions named;
    named.columns = lengths->columns;
    const Parsed<Lengths> again = readTraceText(bytes, source, named);
    fuzz::require(again && *again == *lengths, "the columns that were taken name what was read");
    const Parsed<Lengths> bare = readTraceText(written(*lengths, bytes.size() % 2 == 0), source);
    fuzz::require(bare && alike(*bare, *lengths), "the lengths alone read the same");
}
