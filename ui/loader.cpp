// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/loader.h"

#include "core/base/units.h"
#include "core/files/hubrecord.h"
#include "core/files/modelsource.h"
#include "core/launch/launch.h"
#include "core/log/logreader.h"
#include "core/model/configreader.h"
#include "ui/beside.h"
#include "ui/document.h"
#include "ui/picture.h"
#include "ui/words.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QPointer>

namespace kv {

namespace {

constexpr std::int64_t maxDocumentBytes = 64 * mebibyte; // scenarios may embed the metadata of a GGUF file

bool isDocument(const Json &json) { return json.isObject() && json.find("kvplan"); }

void takeDocument(Loaded &out, std::string_view text, const QString &source, const QString &folder) {
    auto read = readDocument(text, utf8(source), utf8(folder));
    out.notes = std::move(read.notes);
    out.document = std::move(read.value);
}

bool isLesson(const Json &json) { return json.isObject() && json.find("lesson"); }

void takeLesson(Loaded &out, std::string_view text, const QString &source, const QString &folder) {
    auto read = readLesson(text, utf8(source), utf8(folder));
    out.notes = std::move(read.notes);
    for (Note &note : out.notes) // a teacher looks for the key
        if (note.code == "bad-lesson")
            note.text = note.where + ": " + note.text;
    out.lesson = std::move(read.value);
}

void takeLog(Loaded &out, Parsed<ServerLog> read) {
    out.notes = std::move(read.notes);
    out.log = std::move(read.value);
    if (out.log)
        out.loggedModel = findLoggedModel(*out.log);
}

template <std::size_t n>
bool isOneOf(const QFileInfo &file, const QLatin1String (&suffixes)[n]) {
    return std::any_of(std::begin(suffixes), std::end(suffixes), [&file](QLatin1String suffix) { return file.suffix().compare(suffix, Qt::CaseInsensitive) == 0; });
}

bool isLog(const QFileInfo &file) {
    constexpr QLatin1String suffixes[]{QLatin1String("log"), QLatin1String("txt"), QLatin1String("out"), QLatin1String("err")};
    return isOneOf(file, suffixes);
}

/// A .json that holds the lengths of requests and no model: its columns tell them, as a benchmark's result has them in lists.
bool isBenchmark(const QString &path) {
    const Parsed<TracePreview> preview = previewTrace(utf8(path), 2);
    return preview && preview->guess.given() && !preview->guess.input.empty() && !preview->guess.output.empty();
}

/// Whether a pasted text is rows of requests: a table or JSON lines whose columns tell an input and an output, or a length.
bool areRequests(const std::string &text) {
    const auto begin = text.find_first_not_of(" \t\r\n");
    const bool json = begin != std::string::npos && (text[begin] == '{' || text[begin] == '[');
    const Parsed<Lengths> read = readTraceText(text, "", {});
    return read && (json ? !read->columns.input.empty() && !read->columns.output.empty() : read->columns.given() && (read->count > 1 || !read->found.empty()));
}

void takeTrace(Loaded &out, Parsed<Lengths> read) {
    out.trace = true;
    out.notes = std::move(read.notes);
    out.lengths = std::move(read.value);
}

void takeLaunch(Loaded &out, const std::string &line, const Scenario &present) {
    auto read = readLaunch(line, present);
    out.notes = std::move(read.notes);
    out.launch = std::move(read.value);
}

void takeModel(Loaded &out, Parsed<std::shared_ptr<const ModelSpec>> read) {
    out.notes = std::move(read.notes);
    if (read.value)
        out.model = *read.value;
}

bool isPicture(const QFileInfo &file) {
    constexpr QLatin1String suffixes[]{QLatin1String("png"), QLatin1String("pdf")};
    return isOneOf(file, suffixes);
}

/// The plan inside a picture. It has no file of its own: saving must not write over the picture.
Loaded loadPicture(const QFileInfo &file) {
    Loaded out;
    const auto bytes = readSmallFile(utf8(file.absoluteFilePath()), maxDocumentBytes);
    if (!bytes) {
        out.notes = bytes.notes;
        return out;
    }
    const QByteArray text = pictureDocument(QByteArray::fromStdString(*bytes));
    if (text.isEmpty())
        out.notes.push_back(errorNote("no-plan-inside", utf8(file.fileName()),
                                      utf8(QCoreApplication::translate("kv::Loader", "%1 holds no plan: pictures made by KV Planner carry theirs, as long as no other program "
                                                                                     "has written them anew.").arg(file.fileName()))));
    else
        takeDocument(out, text.toStdString(), file.fileName(), file.absolutePath());
    return out;
}

} // namespace

bool isTraceName(const QString &path) {
    constexpr QLatin1String suffixes[]{QLatin1String("csv"), QLatin1String("tsv"), QLatin1String("jsonl"), QLatin1String("ndjson")};
    return isOneOf(QFileInfo(path), suffixes);
}

bool mayBeLoaded(const QString &path) {
    const QFileInfo file(path);
    constexpr QLatin1String suffixes[]{QLatin1String("kvplan"), QLatin1String("json"), QLatin1String("gguf"), QLatin1String("safetensors")};
    const QString suffix = file.suffix();
    const bool ofAnotherKind = !file.completeBaseName().isEmpty() && suffix.size() <= 5 && std::all_of(suffix.begin(), suffix.end(), [](QChar c) { return c.isLetter(); });
    return suffix.isEmpty() || !ofAnotherKind || isLog(file) || isPicture(file) || isTraceName(path) || isOneOf(file, suffixes);
}

Loaded loadFile(const QString &path, const TraceOptions &trace) {
    Loaded out;
    const QFileInfo file(path);
    if (!file.isDir() && isTraceName(path))
        return loadTraceFile(path, trace);
    out.path = file.absoluteFilePath();
    if (!file.isDir() && isPicture(file))
        return loadPicture(file);
    if (!file.isDir() && isLog(file))
        return loadLogFile(path);
    const bool plan = file.suffix().compare(QLatin1String("kvplan"), Qt::CaseInsensitive) == 0;
    const bool json = file.suffix().compare(QLatin1String("json"), Qt::CaseInsensitive) == 0;
    if (!file.isDir() && (plan || json)) {
        if (json && isBenchmark(path))
            return loadTraceFile(path, trace);
        const auto text = readSmallFile(utf8(out.path), plan ? maxDocumentBytes : maxConfigBytes);
        if (!text) {
            out.notes = text.notes;
            return out;
        }
        const auto parsed = parseJson(*text, utf8(file.fileName()));
        if (plan || (parsed && isDocument(*parsed))) {
            out.hash = Document::hashOf(QByteArray::fromStdString(*text));
            takeDocument(out, *text, file.fileName(), file.absolutePath());
            return out;
        }
        if (parsed && isLesson(*parsed)) {
            takeLesson(out, *text, file.fileName(), file.absolutePath());
            return out;
        }
    }
    takeModel(out, loadModel(utf8(out.path)));
    out.kept = readHubRecord(utf8(out.path)).has_value();
    return out;
}

Loaded loadLogFile(const QString &path) {
    Loaded out;
    out.path = QFileInfo(path).absoluteFilePath();
    takeLog(out, readServerLog(utf8(out.path)));
    return out;
}

Loaded loadTraceFile(const QString &path, const TraceOptions &trace) {
    Loaded out;
    out.path = QFileInfo(path).absoluteFilePath();
    out.columnsGiven = trace.columns.given();
    takeTrace(out, readTrace(utf8(out.path), trace));
    return out;
}

Loaded loadText(const QString &text, const Scenario &present) {
    Loaded out;
    const std::string bytes = utf8(text);
    const QString source = QCoreApplication::translate("kv::Loader", "the clipboard");
    if (areRequests(bytes)) {
        takeTrace(out, readTraceText(bytes, utf8(source)));
        return out;
    }
    if (!text.startsWith(QLatin1Char('{')) && !text.startsWith(QLatin1Char('['))) {
        takeLaunch(out, bytes, present);
        if (const Note *error = firstError(out.notes); error && error->code == "not-a-launch-line")
            takeLog(out, readServerLogText(bytes, utf8(source)));
        return out;
    }
    const auto parsed = parseJson(bytes, utf8(source));
    if (!parsed && text.startsWith(QLatin1Char('['))) // a log whose lines begin with a time or a rank in brackets
        takeLog(out, readServerLogText(bytes, utf8(source)));
    else if (!parsed)
        out.notes = parsed.notes;
    else if (isDocument(*parsed))
        takeDocument(out, bytes, source, {});
    else if (isLesson(*parsed))
        takeLesson(out, bytes, source, {});
    else
        takeModel(out, readConfig(*parsed, {}, utf8(source)));
    return out;
}

void Loader::load(const QString &path, const Notes &before) {
    read([path, before](const Progress &progress) {
        Loaded out = loadFile(path, {{}, progress});
        out.notes.insert(out.notes.begin(), before.begin(), before.end());
        return out;
    });
}

void Loader::loadAgain(const QString &path) {
    read([path](const Progress &progress) {
        Loaded out = loadFile(path, {{}, progress});
        out.again = true;
        return out;
    });
}

void Loader::loadLog(const QString &path) {
    read([path](const Progress &) { return loadLogFile(path); });
}

void Loader::loadTrace(const QString &path, const LengthColumns &columns) {
    read([path, columns](const Progress &progress) { return loadTraceFile(path, {columns, progress}); });
}

void Loader::preview(const QString &path, const QString &gone) {
    read([path, gone](const Progress &) {
        Loaded out;
        out.path = QFileInfo(path).absoluteFilePath();
        if (!gone.isEmpty() && !QFileInfo::exists(path)) {
            out.notes.push_back(errorNote("no-such-file", utf8(out.path), utf8(gone)));
            return out;
        }
        Parsed<TracePreview> read = previewTrace(utf8(out.path));
        out.notes = std::move(read.notes);
        out.preview = std::move(read.value);
        return out;
    });
}

void Loader::loadPasted(const QString &text, const Scenario &present) {
    read([text, present](const Progress &progress) {
        return QFileInfo(text).isAbsolute() && QFileInfo::exists(text) ? loadFile(text, {{}, progress}) : loadText(text, present);
    });
}

void Loader::cancel() {
    ++m_asked;
    m_busy = false;
    if (m_wanted)
        *m_wanted = false;
}

/// Tells of it ten times a second at most, and whether anybody still waits.
Loader::Progress Loader::progressOf(int asked) {
    constexpr qint64 pause = 100; // milliseconds
    auto since = std::make_shared<QElapsedTimer>();
    since->start();
    return [self = QPointer<Loader>(this), asked, since, wanted = m_wanted](std::int64_t read, std::int64_t all) {
        if (since->elapsed() >= pause && *wanted) {
            since->restart();
            QMetaObject::invokeMethod(qApp, [self, asked, read, all] {
                    if (self && self->m_asked == asked)
                        emit self->progressed(read, all);
                }, Qt::QueuedConnection);
        }
        return wanted->load();
    };
}

void Loader::read(std::function<Loaded(const Progress &)> read) {
    cancel();
    emit begun();
    const int asked = m_asked;
    m_busy = true;
    m_wanted = std::make_shared<std::atomic<bool>>(true);
    // The worker knows this object by name only; whether it still lives is asked on its own thread.
    QThreadPool::globalInstance()->start([self = QPointer<Loader>(this), asked, progress = progressOf(asked), read = std::move(read)] {
        const Beside others;
        auto result = std::make_shared<Loaded>(read(progress));
        QMetaObject::invokeMethod(qApp, [self, asked, result] {
                if (!self || self->m_asked != asked)
                    return;
                self->m_busy = false;
                emit self->loaded(*result);
            }, Qt::QueuedConnection);
    });
}

} // namespace kv
