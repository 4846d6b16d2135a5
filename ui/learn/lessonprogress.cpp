// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lessonprogress.h"

#include <QSettings>
#include <QUrl>

namespace kv {

namespace {

constexpr QLatin1String group("lessons");

/// A file's name may hold what is special in a key.
QString keyOf(const QString &lesson) { return group + QLatin1Char('/') + QString::fromLatin1(QUrl::toPercentEncoding(lesson)); }

} // namespace

std::optional<std::int64_t> LessonProgress::guess(const QString &lesson) const {
    bool read = false;
    const qint64 kept = QSettings().value(keyOf(lesson)).toLongLong(&read);
    return read && kept > 0 ? std::optional<std::int64_t>(kept) : std::nullopt;
}

void LessonProgress::setGuess(const QString &lesson, std::int64_t guess) { QSettings().setValue(keyOf(lesson), QString::number(guess)); }

void LessonProgress::forgetAll() { QSettings().remove(group); }

} // namespace kv
