// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/readahead.h"

#include "core/hardware/gpu.h"
#include "core/model/catalogue.h"
#include "core/scenario/scenario.h"

namespace kv {

ReadAhead::ReadAhead()
    : m_thread([] {
          (void)presets(); // the longest first
          (void)firstScenario();
          (void)gpus();
      }) {}

} // namespace kv
