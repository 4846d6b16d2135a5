// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A picture on a sheet of paper: as large as the printable area lets it be, no larger than it is on the screen where paper is larger, in
// vectors, upright or across as the picture is. Which printer is asked for in Dialogs::print, which a test answers with a PDF file.

#include "ui/picture.h"

#include <memory>

class QPrinter;

namespace kv {

/// Null: nobody wants to print. The page lies across at first, as dashboards do.
std::shared_ptr<QPrinter> askForPrinter(QWidget *parent);

/// On any thread. False where the printer does not take it.
bool printOn(QPrinter &printer, const Recording &recording);

} // namespace kv
