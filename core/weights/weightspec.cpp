// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/weightspec.h"

namespace kv {

const char *weightSourceName(WeightSource source) {
    switch (source) {
    case WeightSource::Given: return "given";
    case WeightSource::SafetensorsHeaders: return "safetensors headers";
    case WeightSource::SafetensorsIndex: return "safetensors index";
    case WeightSource::GgufTable: return "gguf tensor table";
    case WeightSource::CountedFromConfig: return "counted from config";
    case WeightSource::Unknown: break;
    }
    return "unknown";
}

} // namespace kv
