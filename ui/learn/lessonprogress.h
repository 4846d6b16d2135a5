// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which lessons a person has finished, and with which guess: kept in the settings by the lesson's id, read tolerantly.

#include <QString>

#include <cstdint>
#include <optional>

namespace kv {

class LessonProgress {
public:
    std::optional<std::int64_t> guess(const QString &lesson) const; ///< nothing: not finished
    void setGuess(const QString &lesson, std::int64_t guess);
    void forgetAll();
};

} // namespace kv
