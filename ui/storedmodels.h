// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The models that are on this machine, as choices beside the presets: what was fetched from a Hub here before (ui/hub/hubkeep.h), and what
// other programs have put there (core/files/stores.h). Listed on another thread: a slow disk must not hold the window.

#include "ui/controls/choicemodel.h"

#include <functional>

class QObject;

namespace kv {

/// The id of a choice that stands for a file or folder begins with this; the path follows.
inline constexpr QLatin1String storedIdBegin("path:");

/// Calls `ready` on the thread of `receiver` with what was found, unless the receiver is gone by then.
void findStoredModels(QObject *receiver, const std::function<void(const QList<Choice> &)> &ready);

} // namespace kv
