// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/application.h"

#include "core/base/version.h"

#include <QIcon>

namespace kv {

Application::Application(int &argc, char **argv) : QApplication(argc, argv) {
    const std::string_view number = version();
    setApplicationName(QStringLiteral("KVPlanner"));
    setApplicationDisplayName(QStringLiteral("KV Planner"));
    setApplicationVersion(QString::fromUtf8(number.data(), static_cast<qsizetype>(number.size())));
    setOrganizationName(QStringLiteral("KVPlanner"));
    setDesktopFileName(QStringLiteral("io.github.kvplanner.KVPlanner"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/io.github.kvplanner.KVPlanner.svg")));
}

} // namespace kv
