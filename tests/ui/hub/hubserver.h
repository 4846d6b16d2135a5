// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A small web server on 127.0.0.1 for tests: answers GET with what it was given for a path, with parts of files, and misbehaves on request.
// It remembers what it was asked.

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>
#include <QTcpServer>

#include <functional>

class QTcpSocket;

namespace kv::test {

struct WebAnswer {
    int status = 200;
    QList<QPair<QByteArray, QByteArray>> headers; ///< besides Content-Length and Content-Range
    QByteArray body;
    bool ranges = true;          ///< false: the whole, whatever part is asked for
    qint64 announce = -1;        ///< Content-Length instead of the body's; −2: none at all
    qint64 cutAfter = -1;        ///< closes behind so many bytes of the body
    bool endless = false;        ///< repeats the body for ever
    int pause = 0;               ///< milliseconds between two times of it
    bool silent = false;         ///< takes the request and says nothing
};

struct WebRequest {
    QByteArray path; ///< as it came, encoded
    QHash<QByteArray, QByteArray> headers; ///< by name in small letters
};

class HubServer : public QTcpServer {
    Q_OBJECT

public:
    HubServer();

    QString address() const;
    /// The path is compared as it comes.
    void serve(const QByteArray &path, WebAnswer answer) { m_answers[path] = std::move(answer); }
    void serve(const QByteArray &path, const QByteArray &body) { serve(path, WebAnswer{200, {}, body}); }
    void redirect(const QByteArray &path, const QByteArray &to, int status = 302) { serve(path, WebAnswer{status, {{"Location", to}}, {}}); }
    /// A repository: the list of its files with their commit, and each file.
    void serveRepository(const QByteArray &name, const QByteArray &commit, const QHash<QByteArray, QByteArray> &files, const QByteArray &revision = "main");

    /// It is a proxy that lets in whoever says this in Proxy-Authorization.
    QByteArray letsIn;

    QList<WebRequest> requests;
    int askedFor(const QByteArray &path) const;
    qint64 sent = 0; ///< bytes of bodies

private:
    void take(QTcpSocket *socket);
    void answer(QTcpSocket *socket, const WebRequest &request);

    QHash<QByteArray, WebAnswer> m_answers;
};

} // namespace kv::test
