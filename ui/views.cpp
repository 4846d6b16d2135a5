// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views.h"

#include "ui/view.h"

#include <QCoreApplication>

namespace kv {

const std::vector<ViewEntry> &viewEntries() {
    static const std::vector<ViewEntry> entries{
    };
    return entries;
}

} // namespace kv
