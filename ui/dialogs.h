// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The questions that the program asks in a dialog of its own. Each is a function that can be replaced, so that a test answers in a
// person's place.

#include <QString>

#include <functional>
#include <optional>

class QPrinter;
class QWidget;

namespace kv {

enum class Keep { Save, Discard, Cancel };

struct Dialogs {
    /// Path of the file to open, empty when cancelled.
    std::function<QString(QWidget *parent, const QString &title, const QString &folder, const QString &filters)> openFile;
    /// Path to save to, empty when cancelled; the dialog has asked before it names a file that exists.
    std::function<QString(QWidget *parent, const QString &title, const QString &path, const QString &filters)> saveFile;
    /// A line of text, starting from `text`; nothing when cancelled.
    std::function<std::optional<QString>(QWidget *parent, const QString &title, const QString &label, const QString &text)> askText;
    /// Which printer, and how; false when cancelled.
    std::function<bool(QWidget *parent, QPrinter &printer)> print;
    /// What becomes of changes when a window closes.
    std::function<Keep(QWidget *parent, const QString &name)> keepChanges;
    /// Whether a file that exists may be replaced.
    std::function<bool(QWidget *parent, const QString &path)> overwrite;
};

Dialogs &dialogs();
/// Where to save, with `suffix` (without its dot) where none was typed; empty when cancelled. A file that exists is named only after the
/// person was asked about it: the dialog asks about the name as typed, so where that grew an ending, this does. Never waits for a disk.
QString askSaveName(QWidget *parent, const QString &title, const QString &start, const QString &filters, const QString &suffix);

} // namespace kv
