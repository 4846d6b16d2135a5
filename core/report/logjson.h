// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A log beside its plan as JSON, {"ok": true, "log": {…}, "plan": …, "differences": […]}, and as text for a terminal. Keys of the log
// that it says nothing about are null; sizes are bytes.

#include "core/base/quantity.h"
#include "core/log/reconcile.h"

#include <string>

namespace kv {

void appendLogJson(std::string &out, const ServerLog &log, const Reconciliation &beside, bool pretty);
std::string logText(const ServerLog &log, const Reconciliation &beside, SizeUnit unit);

} // namespace kv
