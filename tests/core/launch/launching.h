// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the tests of launch commands compare: the figures that a scenario comes to, and the codes of what was remarked on the way.

#include "core/base/note.h"
#include "core/plan/evaluate.h"
#include "core/report/planjson.h"

#include <QByteArray>

#include <string>

namespace kv::test {

/// The plan's figures without what it remarks, and without where each comes from: a flag left out is the engine's own default then.
inline std::string figures(const Scenario &scenario) {
    Json plan = planToJson(scenario, evaluate(scenario));
    plan.erase("warnings");
    for (Json &row : plan.find("budget")->find("rows")->items())
        row.erase("certainty");
    return writeJson(plan);
}

inline QByteArray codesOf(const Notes &notes) {
    QByteArray codes;
    for (const Note &note : notes)
        codes += QByteArray::fromStdString(note.code) + " ";
    return codes.trimmed();
}

} // namespace kv::test
