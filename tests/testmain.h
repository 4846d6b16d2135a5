#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One executable with several Qt Test classes. A test file ends with
//
//     KV_TEST(UnitsTest)
//     #include "unitstest.moc"
//
//     test_core                      runs every class
//     test_core unitstest [ARGS]     runs one, with Qt Test's own arguments (a function, -v2, ...)
//     test_core --classes a b c      fails unless these are exactly the classes it holds
//
// main() gives each run an empty home, C.UTF-8 and the offscreen platform, unless QT_QPA_PLATFORM is set.

#include <QObject>

#include <memory>

namespace kv::test {

using MakeTest = std::unique_ptr<QObject> (*)();

bool registerTest(const char *className, MakeTest make);

} // namespace kv::test

#define KV_TEST(Class)                                                                                                 \
    [[maybe_unused]] static const bool registered##Class =                                                             \
        kv::test::registerTest(#Class, []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); });
