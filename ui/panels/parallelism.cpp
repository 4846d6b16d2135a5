// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/hardwarepanel.h"

namespace kv {

Degrees degreesOf(const Scenario &scenario) {
    const Parallel &p = scenario.parallel;
    Degrees d;
    d.pp = p.pp.value_or(Count(1)).value;
    d.dp = p.dp.value_or(Count(1)).value;
    const std::int64_t others = checked::mul(d.pp, d.dp), count = scenario.hardware.count.value;
    d.tp = p.tp ? p.tp->value : others > 0 && count % others == 0 ? count / others : 1;
    return d;
}

void setGpuCount(Scenario &scenario, std::int64_t count) {
    Degrees d = degreesOf(scenario);
    scenario.hardware.count = Count(count);
    if (!scenario.parallel.tp)
        return; // tp is what the others leave over
    const std::int64_t stage = checked::mul(d.tp, d.pp);
    if (d.pp == 1 && d.dp == 1)
        d.tp = count;
    else if (stage > 0 && count % stage == 0)
        d.dp = count / stage;
    else
        return; // evaluate() names both numbers
    scenario.parallel.tp = Count(d.tp);
    scenario.parallel.dp = Count(d.dp);
}

void setDegrees(Scenario &scenario, const Degrees &degrees) {
    scenario.parallel.tp = Count(degrees.tp);
    scenario.parallel.pp = Count(degrees.pp);
    scenario.parallel.dp = Count(degrees.dp);
    const std::int64_t gpus = checked::mul(checked::mul(degrees.tp, degrees.pp), degrees.dp);
    if (gpus != outOfRangeValue)
        scenario.hardware.count = Count(gpus);
}

} // namespace kv
