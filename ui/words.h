// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Between core's UTF-8 and Qt's text. Tool tips that hold words of a file are escaped here, so that no name is ever taken for markup.

#include <QString>

#include <string>
#include <string_view>

namespace kv {

inline QString words(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

inline std::string utf8(const QString &text) { return text.toStdString(); }

/// A tool tip that shows `text` as it stands, wrapped.
inline QString plainTip(const QString &text) {
    return text.isEmpty() ? QString()
                          : QStringLiteral("<p style=\"white-space:pre-wrap\">%1</p>").arg(text.toHtmlEscaped());
}

} // namespace kv
