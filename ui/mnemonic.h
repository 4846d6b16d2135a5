// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A text with its access key marked, as it is read: "&Model" and "模型(&M)" are "Model" and "模型", "R&&D" is "R&D".

#include <QRegularExpression>
#include <QString>

namespace kv {

inline QString withoutMnemonic(QString text) {
    static const QRegularExpression ofItsOwn(QStringLiteral("\\s*\\(&[^&)]\\)")), mark(QStringLiteral("&(.)"));
    return text.remove(ofItsOwn).replace(mark, QStringLiteral("\\1"));
}

} // namespace kv
