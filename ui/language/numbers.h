// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Numbers as the locale of the window writes them (QLocale's default, see language.h), and back. Core writes and reads them plainly,
// "1,327,186" and "42.9 GB", which is what files, the command line and copied tables have; here the two marks are exchanged.

#include <QString>

namespace kv {

/// Every number in a text of core's in the locale's marks, once: what it gives is not for it again. Versions, and names with a point inside ("Llama 3.1"), stay.
QString localNumbers(const QString &plain);

/// A typed number in core's marks. Where the comma is the decimal mark, "1,5" and "1.5" are both one and a half, and "1.500" is what the
/// program itself shows for 1500: a point before exactly three digits, with no nought before it, separates thousands.
QString plainNumber(const QString &typed);

} // namespace kv
