// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The two small windows of the Help menu. Neither stops the work: they stand beside it until closed.

#include <QList>
#include <QString>

#include <utility>

class QWidget;

namespace kv {

void showKeys(QWidget *parent, const QList<std::pair<QString, QString>> &menuKeys);
void showAbout(QWidget *parent);

} // namespace kv
