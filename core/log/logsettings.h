// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lists of settings as engines print them, taken apart: key=value lists ("model='m', dtype=torch.bfloat16", Namespace(…),
// ServerArgs(…)), Python dictionaries ("{'model': 'm', 'port': 8000}"), and the logfmt lines of Ollama (parallel=4 size="1.0 GiB").
//
// Only the outermost level is told: what stands inside brackets belongs to its value. Text that is neither key nor value is passed over.

#include <functional>
#include <string_view>

namespace kv {

struct LogSetting {
    std::string_view key;
    std::string_view value; ///< without its quotes
};

void forEachSetting(std::string_view list, const std::function<void(const LogSetting &)> &take);
/// The value of one key, empty when it is not there.
std::string_view settingOf(std::string_view list, std::string_view key);

/// None, null and nothing.
bool saysNothing(std::string_view value);

} // namespace kv
