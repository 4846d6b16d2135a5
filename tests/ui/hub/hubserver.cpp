// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/hub/hubserver.h"

#include <QHostAddress>
#include <QTcpSocket>
#include <QTimer>
#include <QUrl>

namespace kv::test {

namespace {

struct Part {
    qint64 begin = -1, end = -1; ///< the end is included
};

Part partOf(const QByteArray &range, qint64 length) {
    if (!range.startsWith("bytes="))
        return {};
    const QList<QByteArray> ends = range.mid(6).split('-');
    return {ends.value(0).toLongLong(), std::min(ends.value(1).isEmpty() ? length - 1 : ends.value(1).toLongLong(), length - 1)};
}

} // namespace

HubServer::HubServer() {
    if (!listen(QHostAddress::LocalHost))
        qFatal("no port to listen on");
    connect(this, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket *socket = nextPendingConnection()) {
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { take(socket); });
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        }
    });
}

QString HubServer::address() const { return QStringLiteral("http://127.0.0.1:%1").arg(serverPort()); }

int HubServer::askedFor(const QByteArray &path) const {
    return static_cast<int>(std::count_if(requests.begin(), requests.end(), [&path](const WebRequest &request) { return request.path == path; }));
}

void HubServer::serveRepository(const QByteArray &name, const QByteArray &commit, const QHash<QByteArray, QByteArray> &files, const QByteArray &revision) {
    QByteArray siblings;
    for (auto file = files.begin(); file != files.end(); ++file) {
        siblings += (siblings.isEmpty() ? "" : ",") + QByteArray("{\"rfilename\": \"") + file.key() + "\"}";
        serve("/" + name + "/resolve/" + commit + "/" + file.key(), file.value());
    }
    serve("/api/models/" + name + "/revision/" + revision, "{\"id\": \"" + name + "\", \"sha\": \"" + commit + "\", \"siblings\": [" + siblings + "]}");
}

void HubServer::take(QTcpSocket *socket) {
    QByteArray text = socket->property("text").toByteArray() + socket->readAll();
    const qsizetype end = text.indexOf("\r\n\r\n");
    socket->setProperty("text", end < 0 ? text : text.mid(end + 4));
    if (end < 0)
        return;
    const QList<QByteArray> lines = text.left(end).split('\n');
    WebRequest request;
    request.path = lines.first().split(' ').value(1);
    for (const QByteArray &line : lines.mid(1))
        if (const qsizetype colon = line.indexOf(':'); colon > 0)
            request.headers[line.left(colon).trimmed().toLower()] = line.mid(colon + 1).trimmed();
    requests += request;
    answer(socket, request);
}

void HubServer::answer(QTcpSocket *socket, const WebRequest &request) {
    if (!letsIn.isEmpty() && request.headers.value("proxy-authorization") != letsIn) {
        socket->write("HTTP/1.1 407 Said\r\nProxy-Authenticate: Basic realm=\"here\"\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    const QByteArray path = letsIn.isEmpty() ? request.path : QUrl::fromEncoded(request.path).path(QUrl::FullyEncoded).toLatin1();
    const WebAnswer given = m_answers.value(path, WebAnswer{404, {{"X-Error-Code", "EntryNotFound"}}, "<html>Entry not found</html>"});
    if (given.silent)
        return;
    QByteArray body = given.body;
    QByteArray head;
    int status = given.status;
    const Part part = partOf(request.headers.value("range"), body.size());
    if (given.ranges && status == 200 && part.begin >= 0) {
        status = 206;
        head += "Content-Range: bytes " + QByteArray::number(part.begin) + '-' + QByteArray::number(part.end) + '/' + QByteArray::number(given.body.size()) + "\r\n";
        body = body.mid(part.begin, part.end - part.begin + 1);
    }
    for (const auto &[name, value] : given.headers)
        head += name.isEmpty() ? QByteArray() : name + ": " + value + "\r\n";
    if (!given.endless && given.announce != -2)
        head += "Content-Length: " + QByteArray::number(given.announce >= 0 ? given.announce : body.size()) + "\r\n";
    const bool closes = given.endless || given.announce != -1 || given.cutAfter >= 0;
    head += closes ? "Connection: close\r\n" : "";
    socket->write("HTTP/1.1 " + QByteArray::number(status) + " Said\r\n" + head + "\r\n");
    if (given.cutAfter >= 0)
        body = body.left(given.cutAfter);
    socket->write(body);
    sent += body.size();
    if (given.endless) {
        auto *more = new QTimer(socket);
        connect(more, &QTimer::timeout, socket, [this, socket, body] {
            if (socket->bytesToWrite() < 1024 * 1024) {
                socket->write(body);
                sent += body.size();
            }
        });
        more->start(given.pause);
    } else if (closes) {
        socket->disconnectFromHost();
    }
}

} // namespace kv::test
