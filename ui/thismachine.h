// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The GPUs of this computer for the window: its drivers' tools are asked off the GUI thread, and only when somebody asks.

#include "core/hardware/machine.h"

#include <QPointer>

#include <functional>

namespace kv {

/// `beside` is called on the thread that read it, `done` on the GUI thread, unless `context` is gone by then.
void readThisMachine(QObject *context, std::function<void(const Machine &)> beside, std::function<void(const Machine &)> done);

/// What others took of the GPU with the display when the machine was last asked; nothing while it was not.
std::optional<Bytes> measuredDisplay();

} // namespace kv
