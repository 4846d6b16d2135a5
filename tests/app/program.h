// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The built program as a user runs it: its arguments in, its exit status and both streams out.

#include <QByteArray>
#include <QStringList>

#include <string>

namespace kv::test {

struct Answer {
    int status = -1; ///< −1: it crashed, or did not end in time
    QByteArray out;
    QByteArray err;

    /// Lines of standard error that say something.
    qsizetype errorLines() const;
};

/// `environment`: variables ("NAME=value") besides those that this test has.
Answer runProgram(const QStringList &arguments, const QByteArray &input = {}, const QStringList &environment = {});

/// The same for someone who may not read everything: run by root, the program does without root's right to read what nobody may.
Answer runUnprivileged(const QStringList &arguments);

} // namespace kv::test
