// SPDX-License-Identifier: GPL-3.0-or-later
//
// A .kvplan: what was read is written and read again as the same, and has a plan or a refusal.
#include "core/scenario/scenariofile.h"
#include "tests/fuzz/fuzzing.h"

using namespace kv;

namespace {

const std::string nowhere = "/nonexistent"; // paths in a scenario lead nowhere: the readers of files have fuzzers of their own

} // namespace

KV_FUZZ(bytes) {
    const Parsed<ScenarioDocument> document = readDocument(bytes, "a.kvplan", nowhere);
    fuzz::checkParsed(document);
    if (!document)
        return;
    fuzz::require(document->current < document->scenarios.size(), "the current scenario is one of them");
    if (!fuzz::inOneOf(bytes, 4))
        return;
    for (const Scenario &scenario : document->scenarios) {
        const Plan plan = evaluate(scenario);
        fuzz::require(!plan.ok() || plan.kv.total.value >= 0, "sizes are not negative");
    }
    const std::string written = writeDocument(*document, nowhere);
    const Parsed<ScenarioDocument> again = readDocument(written, "a.kvplan", nowhere);
    fuzz::require(again.value.has_value(), "what was written can be read");
    fuzz::require(writeDocument(*again, nowhere) == written, "and is written the same again");
}
