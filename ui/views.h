// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The pages of the window, in the order of their tabs. A new one is a line here and a View.

#include <QString>

#include <vector>

namespace kv {

class View;

enum class ViewPlace : std::uint8_t {
    Charts, ///< below the GPUs' memory
    Side,   ///< at the right, among the reasons; a tab among the charts where the window is small
};

struct ViewEntry {
    const char *id;         ///< object name of the page; its action is called "<id>Action"
    QString title;
    QString shortTitle;     ///< of the tab in a small window
    QString menuText;       ///< with a mnemonic
    QString tip;
    const char *keys;
    ViewPlace place;
    int order;              ///< among all tabs: growth 10, table 30, explanation 60, log 100
    View *(*make)();
};

const std::vector<ViewEntry> &viewEntries();

} // namespace kv
