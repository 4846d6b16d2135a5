// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A dashboard as a picture: PNG at any number of pixels a point, SVG, PDF. The vectors are the widgets' own painting, so that a picture
// shows what the window shows.

#include <QImage>
#include <QString>

class QWidget;

namespace kv {

QImage pictureOf(QWidget &view, double scale);
/// By the suffix of the path; returns a sentence where it could not be written. `scale` is for PNG.
QString writePicture(QWidget &view, const QString &path, double scale = 2);

} // namespace kv
