// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A disk that fails, or is slow, as told. Linked into a test it stands before the C library's own calls for files, for everything in the
// process: the program, Qt, the standard library. Only what lies in one folder is touched.
//
// Every call that may fail counts as one operation: open, read, write, sync, rename, link, truncate. To try a fault at every place,
// a test arms the first, the second … until an attempt ends with fewer operations than that. Looks at names (stat, access, a folder's list,
// links, watching, removing) never fail here, but are as slow as the rest: they count among what a thread did itself.

#ifdef __cplusplus
extern "C" {
#endif

/// From now on the operation number `at` in `folder` (1 is the next; 0: none) fails with `error`, an errno, and each takes `slow` milliseconds.
void kvArmFaults(const char *folder, long at, int error, int slow);
void kvDisarmFaults(void);
/// Operations since armed; and those and the looks that the thread which armed did itself.
long kvOperations(void);
long kvOwnOperations(void);
/// What the last of the latter was, for the message of a test: "open /tmp/…".
const char *kvLastOwnOperation(void);

#ifdef __cplusplus
}
#endif
