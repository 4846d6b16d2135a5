// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Short words for models and accelerators: the line under the chooser, the entries of the lists. Words only: every number is core's.

#include "core/hardware/gpu.h"
#include "core/model/catalogue.h"
#include "core/model/modelspec.h"
#include "ui/controls/choicemodel.h"

namespace kv {

/// "80 layers", "64 query / 8 KV heads", "head dim 128", "GQA 8:1", "up to 131,072 tokens"
QStringList modelFacts(const ModelSpec &model);
/// "70.6B", "671B", "500M"; empty for 0.
QString parametersShort(std::int64_t parameters);

QList<Choice> modelChoices();
/// Accelerators to choose from: the user's own first, and with them the ways to more.
QList<Choice> gpuChoices();
inline constexpr QLatin1String thisMachineId("//this-machine"), ownGpuId("//own-gpu"); ///< no card's
/// "80 GB · HBM3 · 3.35 TB/s"
QString gpuFacts(const Gpu &gpu);

} // namespace kv
