// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A number for each run of edits that one undo should take back: one press of a slider until its release, the keys typed while a
// field keeps the focus. 0 is no gesture: such an edit is a step of its own.

namespace kv {

inline int nextGesture() {
    static int last = 0; // on the GUI thread alone
    return ++last;
}

} // namespace kv
