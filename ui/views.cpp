// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views.h"

#include "ui/maps/fitmapview.h"

#include <QCoreApplication>

namespace kv {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(kv::Views)
};

} // namespace

const std::vector<ViewEntry> &viewEntries() {
    static const std::vector<ViewEntry> entries{
        {"fitMap", Words::tr("Fit map"), Words::tr("Map"), Words::tr("&Fit Map"), Words::tr("What fits, over context and sequences, and over GPUs and types"), "Ctrl+M", ViewPlace::Charts, 20,
         [] { return static_cast<View *>(new FitMapView); }},
    };
    return entries;
}

} // namespace kv
