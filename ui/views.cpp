// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views.h"

#include "ui/compare/compareview.h"
#include "ui/learn/lessonview.h"
#include "ui/learn/mistakesview.h"
#include "ui/language/language.h"
#include "ui/lengthsview.h"
#include "ui/maps/fitmapview.h"
#include "ui/panels/capacityview.h"
#include "ui/panels/leversview.h"
#include "ui/view.h"

#include <QCoreApplication>

namespace kv {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(kv::Views)
};

std::vector<ViewEntry> inWords() {
    return {
        {"fitMap", Words::tr("Fit map"), Words::tr("Map"), Words::tr("&Fit Map"), Words::tr("What fits, over context and sequences, and over GPUs and types"), "Ctrl+M", ViewPlace::Charts, 20,
         [] { return static_cast<View *>(new FitMapView); }},
        {"lengths", Words::tr("Lengths"), Words::tr("Lengths"), Words::tr("&Lengths of Requests"), Words::tr("How unlike lengths add up, against the room there is"), "Ctrl+Shift+R", ViewPlace::Charts, 40,
         [] { return static_cast<View *>(new LengthsView); }},
        {"mistakes", Words::tr("Mistakes"), Words::tr("Mistakes"), Words::tr("Common &Mistakes"), Words::tr("What common mistakes would have answered in the place of the right value"),
         "Ctrl+Shift+E", ViewPlace::Charts, 46, [] { return static_cast<View *>(new MistakesView); }},
        {"capacity", Words::tr("Capacity"), Words::tr("Capacity"), Words::tr("Capacit&y"), Words::tr("The most users, the longest context, the fewest GPUs; a fleet; what bounds decoding"), "Ctrl+Shift+Y", ViewPlace::Charts, 50,
         [] { return static_cast<View *>(new CapacityView); }},
        {"levers", Words::tr("Levers"), Words::tr("Levers"), Words::tr("Le&vers"), Words::tr("The ways to make it fit, or fit more, each evaluated"), "Ctrl+Shift+V", ViewPlace::Side, 70,
         [] { return static_cast<View *>(new LeversView); }},
        {"compare", Words::tr("Compare"), Words::tr("Compare"), Words::tr("&Compare"), Words::tr("The scenarios of this plan side by side, with what differs"), "Ctrl+B", ViewPlace::Side, 80,
         [] { return static_cast<View *>(new CompareView); }},
        {"lesson", Words::tr("Lesson"), Words::tr("Lesson"), Words::tr("&Lessons"), Words::tr("Short exercises over the live window: a question, a guess, the answer on the charts"),
         "Ctrl+Shift+N", ViewPlace::Side, 90, [] { return static_cast<View *>(new LessonView); }},
    };
}

} // namespace

const std::vector<ViewEntry> &viewEntries() {
    static std::vector<ViewEntry> entries;
    static int turn = -1;
    if (turn != languageTurn())
        entries = inWords();
    turn = languageTurn();
    return entries;
}

} // namespace kv
