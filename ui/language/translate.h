// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What core says, in the language of the window. Core gives English sentences with their values in them; a language's file has their
// patterns, "%1 of %2 fit on %3", under the context "core" (listed in resources/translations/core.cpp). A sentence is matched against
// them, and what its places hold is translated in turn. What matches none is taken apart at its full stops, semicolons, colons and
// commas. Numbers take the locale's marks; names stay. In English nothing is looked up.
//
// Patterns are found by their rarest word, so that a sentence meets a handful of them; what was translated is remembered.

#include "core/base/note.h"

#include <QString>
#include <QStringList>

#include <string_view>

namespace kv {

struct Rendering {
    QString text;
    bool whole = true; ///< nothing English was left over
};

Rendering rendered(const QString &english);

/// For everything of core's that is shown. Ids, paths and names go through words() of ui/words.h.
QString translated(std::string_view english);
/// A note without a pattern: what its code means, then its English words as the detail.
QString translated(const Note &note);

/// What joins the parts of a sentence in the language: ". ", ": ", ", ", " (", …
QString joint(const char *english);
QString listed(const QStringList &parts); ///< "a, b, c"

} // namespace kv
