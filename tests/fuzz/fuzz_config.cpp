// SPDX-License-Identifier: GPL-3.0-or-later
//
// config.json (and params.json) -> ModelSpec, and what every engine plans with it.
#include "core/files/configfile.h"
#include "tests/fuzz/fuzzing.h"

using namespace kv;

KV_FUZZ(bytes) {
    Parsed<Json> root = parseJson(bytes, "config.json");
    fuzz::checkParsed(root);
    if (!root)
        return;
    const auto model = readConfigTree(std::move(*root.value), "config.json", {}, {});
    fuzz::checkParsed(model);
    if (model && fuzz::inOneOf(bytes, 16))
        fuzz::checkModel(*model);
}
