// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The windows of the Help menu. None stops the work: they stand beside it until closed.

#include <QList>
#include <QString>

#include <utility>

class QWidget;

namespace kv {

void showKeys(QWidget *parent, const QList<std::pair<QString, QString>> &menuKeys);
/// The page "Accuracy and limits" in Markdown: resources/help/accuracy.CODE.md of the language that is spoken, else the English one.
QString accuracyPage();
void showAccuracy(QWidget *parent);
void showAbout(QWidget *parent);

} // namespace kv
