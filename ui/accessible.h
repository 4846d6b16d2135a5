// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the painted controls tell a screen reader: a slider its value in words, a chooser what is chosen, a figure and the verdict
// themselves, the message strip that it is an alert. Everything else is Qt's.

namespace kv {

/// Once for the program; more is harmless.
void installAccessibility();

} // namespace kv
