// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exporter.h"

#include "ui/dialogs.h"
#include "ui/printing.h"
#include "ui/settings.h"
#include "ui/words.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QPrinter>
#include <QProgressDialog>

namespace kv {

namespace {

constexpr int patience = 500;  // ms until a window says what is going on
constexpr int lookEvery = 15;  // ms between two looks whether the page is counted

} // namespace

Exporter::Exporter(QWidget *window, Settings *settings) : QObject(window), m_window(window), m_settings(settings), m_latest(this) {
    m_patience.setSingleShot(true);
    m_patience.setInterval(patience);
    m_wait.setInterval(lookEvery);
    connect(&m_wait, &QTimer::timeout, this, &Exporter::waitForPaper);
    connect(&m_patience, &QTimer::timeout, this, &Exporter::showProgress);
}

void Exporter::showProgress() {
    m_progress = new QProgressDialog(m_what, tr("Cancel"), 0, 0, m_window);
    m_progress->setObjectName(QStringLiteral("exportProgress"));
    m_progress->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_progress, &QProgressDialog::canceled, this, &Exporter::cancel);
    m_progress->show();
}

Exporter::~Exporter() = default;

QString Exporter::askName(const QString &title, const QString &stem, const QString &filter, const QString &suffix) {
    const QString folder = m_settings->folder();
    const QString start = (folder.isEmpty() ? QString() : folder + QLatin1Char('/')) + stem + QLatin1Char('.') + suffix;
    return askSaveName(m_window, title, start, filter, suffix);
}

void Exporter::begin(const QString &what) {
    cancel();
    m_busy = true;
    m_what = what;
    m_patience.start();
}

void Exporter::end() {
    m_busy = false;
    m_patience.stop();
    m_wait.stop();
    m_paper.reset();
    m_then = {};
    if (m_progress) {
        m_progress->disconnect(this);
        m_progress->close();
    }
}

void Exporter::cancel() {
    m_latest.forget();
    end();
}

bool Exporter::finish() {
    bool good = true;
    const QMetaObject::Connection told = connect(this, &Exporter::failed, this, [&good] { good = false; });
    while (m_busy) {
        if (m_paper)
            takePaper();
        else if (m_latest.isBusy())
            m_latest.finish();
        else
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    disconnect(told);
    return good;
}

/// The sheet is made at once, so that it is of the moment that was asked for; it is laid out when the event loop comes round.
void Exporter::record(const ScenarioDocument &document, const PaperOrder &order, Taken then) {
    m_then = std::move(then);
    m_paper = std::make_unique<Paper>(document, order);
    if (!m_paper->isWorthShowing()) {
        end();
        emit failed(tr("There is nothing to show of this until the settings agree."));
        return;
    }
    m_wait.start();
}

void Exporter::waitForPaper() {
    if (m_paper && !m_paper->advance() && m_paper->isSettled())
        takePaper();
}

void Exporter::takePaper() {
    m_wait.stop();
    const Taken then = std::exchange(m_then, {});
    Recording recording = m_paper->record();
    // A window of its own is taken down, in a turn of the event loop of its own.
    QMetaObject::invokeMethod(this, [paper = std::shared_ptr<Paper>(std::move(m_paper))] {}, Qt::QueuedConnection);
    then(std::move(recording));
}

void Exporter::run(std::function<QByteArray()> make, std::function<void(QByteArray)> then) {
    m_latest.ask([this, make = std::move(make), then = std::move(then)](const Latest::GoOn &goOn) -> Latest::Answer {
        QByteArray bytes = make();
        if (!goOn())
            return {};
        return [this, bytes = std::move(bytes), then] {
            end();
            then(bytes);
        };
    });
}

void Exporter::savePicture(const ScenarioDocument &document, const PaperOrder &order, const QString &stem) {
    const QString path = askName(tr("Save Image"), stem, tr("Images (*.png *.svg *.pdf)"), QStringLiteral("png"));
    if (path.isEmpty())
        return;
    if (!pictureForm(path)) {
        emit failed(unknownForm(path));
        return;
    }
    begin(tr("Writing the picture…"));
    record(document, order, [this, path](const Recording &recording) { write(recording, path); });
}

void Exporter::write(const Recording &recording, const QString &path) {
    m_latest.ask([this, recording, path, form = *pictureForm(path), scale = m_settings->pictureScale()](const Latest::GoOn &goOn) -> Latest::Answer {
        const QString fault = writePicture(path, recording, form, scale, goOn);
        return [this, path, fault] {
            end();
            if (fault.isEmpty())
                emit done(tr("The picture is in %1.").arg(path));
            else
                emit failed(fault);
        };
    });
}

void Exporter::copyPicture(const ScenarioDocument &document, const PaperOrder &order) {
    begin(tr("Painting the picture…"));
    record(document, order, [this](const Recording &recording) {
        m_latest.ask([this, recording, scale = std::max<double>(m_settings->pictureScale(), m_window->devicePixelRatioF())](const Latest::GoOn &goOn) -> Latest::Answer {
            const QImage image = imageOf(recording, scale, goOn);
            if (!goOn())
                return {};
            const QByteArray png = image.isNull() ? QByteArray() : pngOf(recording, image, scale);
            return [this, image, png] {
                end();
                if (png.isEmpty())
                    return void(emit failed(noRoomForPicture()));
                auto *mime = new QMimeData;
                mime->setImageData(image);
                mime->setData(QStringLiteral("image/png"), png); // with the scenario inside
                QGuiApplication::clipboard()->setMimeData(mime);
                emit done(tr("The picture is on the clipboard."));
            };
        });
    });
}

void Exporter::print(const ScenarioDocument &document, const PaperOrder &order) {
    const std::shared_ptr<QPrinter> printer = askForPrinter(m_window);
    if (!printer)
        return;
    begin(tr("Printing…"));
    record(document, order, [this, printer](const Recording &recording) {
        run([printer, recording] { return printOn(*printer, recording) ? QByteArray("printed") : QByteArray(); },
            [this, printer](const QByteArray &printed) {
                if (printed.isEmpty())
                    emit failed(tr("The printer does not take the page."));
                else if (!printer->outputFileName().isEmpty()) // "print to file", as the dialog calls it
                    emit done(tr("The page is in %1.").arg(printer->outputFileName()));
                else
                    emit done(tr("The page is with the printer."));
            });
    });
}

void Exporter::saveFile(const MakeFile &make, const QString &title, const QString &stem, const QString &filter, const QString &suffix, const PrepareFile &before) {
    const QString path = askName(title, stem, filter, suffix);
    if (path.isEmpty())
        return;
    const QString form = QFileInfo(path).suffix().toLower();
    if (!filter.contains(QStringLiteral("*.") + form)) {
        emit failed(tr("%1: found “.%2”, expected one of %3.").arg(path, form, filter));
        return;
    }
    begin(tr("Writing the file…"));
    if (before)
        before(form);
    m_latest.ask([this, make, form, path](const Latest::GoOn &goOn) -> Latest::Answer {
        const QByteArray bytes = make(form);
        if (!goOn())
            return {};
        const QString fault = bytes.isEmpty() ? tr("There is nothing to show of this until the settings agree.") : writeFile(path, bytes);
        return [this, path, fault] {
            end();
            if (fault.isEmpty())
                emit done(tr("The numbers are in %1.").arg(path));
            else
                emit failed(fault);
        };
    });
}

void Exporter::saveText(const PageText &text, const QString &title, const QString &stem, const QString &filter, const QString &suffix) {
    std::string now = text.anyThread ? std::string() : text.make();
    saveFile([text, now = std::move(now)](const QString &) { return QByteArray::fromStdString(text.anyThread ? text.make() : now); }, title, stem, filter, suffix);
}

void Exporter::copyText(const PageText &text) {
    const auto put = [this](const QByteArray &bytes) {
        if (bytes.isEmpty()) {
            emit failed(tr("There is nothing to copy until the settings agree."));
            return;
        }
        QGuiApplication::clipboard()->setText(QString::fromUtf8(bytes));
        emit done(tr("Copied."));
    };
    if (!text.anyThread)
        return put(QByteArray::fromStdString(text.make()));
    begin(tr("Counting…"));
    run([make = text.make] { return QByteArray::fromStdString(make()); }, put);
}

} // namespace kv
