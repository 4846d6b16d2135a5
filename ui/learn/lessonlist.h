// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lessons to choose from: number, tick where done, title. Numbers stand in columns of their own, digit under digit in any type face, and
// titles break into lines rather than being cut. Below them, what was found among a person's own lessons and is none.

#include <QListWidget>

namespace kv {

class LessonList : public QListWidget {
    Q_OBJECT

public:
    enum Role { NumberRole = Qt::UserRole, DoneRole }; ///< a lesson's number, from 1; none: a fault

    explicit LessonList(QWidget *parent = nullptr);
    void addLesson(int number, bool done, const QString &title, const QString &tip);
    void addFault(const QString &sentence);
    /// Whether the row is a lesson.
    bool isLesson(int row) const;
};

} // namespace kv
