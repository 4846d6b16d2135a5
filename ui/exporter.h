// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What leaves a window: pictures of it and of its pages, numbers, reports; to a file, the clipboard or a printer. One at a time; a new one
// takes the place of one that still runs.
//
// A picture is made in steps, so that the sliders go on meanwhile: the sheet is laid out in one turn of the event loop, waited for while
// its page is counted elsewhere, grown to what it holds, recorded and taken down in others, and painted, packed and written off the GUI
// thread. What takes longer than half a
// second shows a small window with "Cancel", after which nothing is left behind.

#include "ui/latest.h"
#include "ui/paper.h"

#include <QPointer>
#include <QTimer>

class QMimeData;
class QPrinter;
class QProgressDialog;

namespace kv {

class Settings;

class Exporter : public QObject {
    Q_OBJECT

public:
    Exporter(QWidget *window, Settings *settings);
    ~Exporter() override;

    /// `document` and `order` as of now. Save: asks for a name first, beginning with `stem`.
    void savePicture(const ScenarioDocument &document, const PaperOrder &order, const QString &stem);
    void copyPicture(const ScenarioDocument &document, const PaperOrder &order);
    void print(const ScenarioDocument &document, const PaperOrder &order);
    void saveText(const PageText &text, const QString &title, const QString &stem, const QString &filter, const QString &suffix);
    /// Texts whose form goes by the name that was chosen: of it `make` makes the bytes, on any thread.
    /// `before` is called first, on this thread: for what the form needs of widgets.
    using MakeFile = std::function<QByteArray(const QString &suffix)>;
    using PrepareFile = std::function<void(const QString &suffix)>;
    void saveFile(const MakeFile &make, const QString &title, const QString &stem, const QString &filter, const QString &suffix, const PrepareFile &before = {});
    void copyText(const PageText &text);

    bool isBusy() const { return m_busy; }
    /// Waits for what is running, for tests and for a window that closes; false: it came to nothing, and failed() said so.
    bool finish();

public slots:
    void cancel();
    void showProgress();

signals:
    void done(const QString &sentence);
    void failed(const QString &sentence);

private:
    using Taken = std::function<void(Recording)>;

    QString askName(const QString &title, const QString &stem, const QString &filter, const QString &suffix);
    void begin(const QString &what);
    void end();
    void record(const ScenarioDocument &document, const PaperOrder &order, Taken then);
    void waitForPaper();
    void takePaper();
    void write(const Recording &recording, const QString &path);
    void run(std::function<QByteArray()> make, std::function<void(QByteArray)> then);

    QWidget *m_window;
    Settings *m_settings;
    Latest m_latest;
    std::unique_ptr<Paper> m_paper;
    Taken m_then;
    QTimer m_wait, m_patience;
    QPointer<QProgressDialog> m_progress;
    QString m_what;
    bool m_busy = false;
};

} // namespace kv
