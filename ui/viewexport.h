// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How a view leaves the window: a button in its corner, and the same menu under the right mouse button, to copy or save what it shows as
// CSV, as Markdown or as an image. Images are on light ground whatever the window is, with the caption that every picture carries.

#include "ui/charts/chartstyle.h"
#include "ui/picture.h"
#include "ui/view.h"

#include <QToolButton>
#include <QWidget>

#include <string>

class QMenu;

namespace kv {

/// A sheet that holds such a picture, to be rendered and never shown.
class PicturePage : public QWidget {
    Q_OBJECT

public:
    explicit PicturePage(PaintPicture paint, QWidget *parent = nullptr) : QWidget(parent), m_paint(std::move(paint)) {}

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    PaintPicture m_paint;
};

struct ViewExports {
    QString name;                          ///< of object names: "fitMap" makes fitMapCopyCsv
    std::function<QString()> fileStem;     ///< what a file is called at first, without its suffix
    std::function<std::string()> csv;
    std::function<std::string()> markdown; ///< empty: none offered
    std::function<PictureNotes()> notes;
};

/// The caption and the scenario that ride with a picture.
PictureNotes notesOf(const Scenario &scenario, const Plan &plan);

class ExportButton : public QToolButton {
    Q_OBJECT

public:
    ExportButton(View *view, ViewExports exports);

private:
    void addEntry(const char *suffix, const QString &text, const QString &tip, std::function<void()> run);
    void saveText(const QString &title, const QString &filter, const char *suffix, const std::string &text);
    void saveImage();

    View *m_view;
    ViewExports m_exports;
    QMenu *m_menu;
};

} // namespace kv
