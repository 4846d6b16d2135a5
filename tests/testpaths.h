#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a test finds what it reads and runs: tests/data, resources, and the program built beside it, as absolute paths.

namespace kv::test {

const char *dataFolder();
const char *programPath();
const char *resourcesFolder();

} // namespace kv::test
