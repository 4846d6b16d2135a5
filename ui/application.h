#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The running program as the desktop sees it: its name, version and application id, from which settings, data
// folders and window icons are found.

#include <QApplication>

namespace kv {

class Application : public QApplication {
    Q_OBJECT

public:
    Application(int &argc, char **argv);
};

} // namespace kv
