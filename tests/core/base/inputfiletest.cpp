// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is opened and what is not, and the reader that walks forward through a header.
#include "core/base/inputfile.h"
#include "tests/core/files/ggufbuilder.h"
#include "tests/core/files/tempfolder.h"
#include "tests/testmain.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace kv;
using kv::test::GgufBuilder;
using kv::test::TempFolder;

class InputFileTest : public QObject {
    Q_OBJECT

private slots:
    void refused_data();
    void refused();
    void whatMayNotBeRead();
    void readsNumbersAndTexts();
    void stepsOverTexts_data();
    void stepsOverTexts();
    void failsForGood();
};

namespace {

QByteArray codeOf(const std::string &path) {
    const Parsed<InputFile> file = InputFile::open(path);
    return file ? QByteArray() : QByteArray::fromStdString(file.notes.front().code + ": " + file.notes.front().text);
}

/// root may read everything; so it becomes nobody for as long as this lives.
class Unprivileged {
public:
    Unprivileged() : m_was(::geteuid()) {
        constexpr uid_t nobody = 65534;
        m_fine = m_was != 0 || ::seteuid(nobody) == 0;
    }
    ~Unprivileged() {
        if (m_was == 0 && ::seteuid(0) != 0)
            std::abort();
    }
    Unprivileged(const Unprivileged &) = delete;
    Unprivileged &operator=(const Unprivileged &) = delete;
    bool fine() const { return m_fine; }

private:
    uid_t m_was;
    bool m_fine = false;
};

} // namespace

void InputFileTest::refused_data() {
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("missing") << QByteArray("missing") << QByteArray("no-such-file: ");
    QTest::newRow("folder") << QByteArray("folder") << QByteArray("is a folder");
    QTest::newRow("pipe") << QByteArray("pipe") << QByteArray("is a pipe");
    QTest::newRow("socket") << QByteArray("socket") << QByteArray("is a socket");
    QTest::newRow("device") << QByteArray("device") << QByteArray("is a device");
    QTest::newRow("circle of links") << QByteArray("loop") << QByteArray("link-loop: ");
    QTest::newRow("link to nothing") << QByteArray("dangling") << QByteArray("no-such-file: ");
    QTest::newRow("a file as a folder") << QByteArray("below") << QByteArray("no-such-file: ");
    QTest::newRow("long name") << QByteArray("long") << QByteArray("the name is too long");
    QTest::newRow("NUL") << QByteArray("nul") << QByteArray("cannot hold a NUL byte");
}

void InputFileTest::refused() {
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, reason);
    const TempFolder folder;
    std::string path = folder.path(kind.toStdString());
    if (kind == "folder")
        std::filesystem::create_directories(path);
    else if (kind == "pipe")
        QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
    else if (kind == "device")
        path = "/dev/zero";
    else if (kind == "loop")
        folder.link("loop", path);
    else if (kind == "dangling")
        folder.link("dangling", folder.path("nothing"));
    else if (kind == "below")
        path = folder.write("file", "x") + "/below";
    else if (kind == "long")
        path = folder.path(std::string(5000, 'n'));
    else if (kind == "nul")
        path = folder.write("file", "x") + std::string("\0x", 2);
    sockaddr_un address{};
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (kind == "socket") {
        address.sun_family = AF_UNIX;
        QVERIFY(path.copy(address.sun_path, sizeof address.sun_path - 1) == path.size());
        QCOMPARE(::bind(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
    }
    const QByteArray said = codeOf(path);
    ::close(socket);
    QVERIFY2(said.contains(reason), said);
}

void InputFileTest::whatMayNotBeRead() {
    const TempFolder folder;
    const std::string secret = folder.write("secret", "x"), closed = folder.write("closed/file", "x"), open = folder.write("open", "x");
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    QCOMPARE(::chmod(secret.c_str(), 0), 0);
    QCOMPARE(::chmod(folder.path("closed").c_str(), 0), 0);
    QByteArray file, inside, readable;
    {
        const Unprivileged nobody;
        QVERIFY(nobody.fine());
        file = codeOf(secret);
        inside = codeOf(closed);
        readable = codeOf(open);
    }
    QCOMPARE(::chmod(folder.path("closed").c_str(), 0700), 0);
    QVERIFY2(file.startsWith("no-permission: ") && file.contains("secret: no permission to read it"), file);
    QVERIFY2(inside.startsWith("no-permission: "), inside);
    QCOMPARE(readable, QByteArray());
}

void InputFileTest::readsNumbersAndTexts() {
    const TempFolder folder;
    std::string bytes = GgufBuilder::number(0xFE, 1) + GgufBuilder::number(0xFEDC, 2) + GgufBuilder::number(0xFEDCBA98, 4) + GgufBuilder::number(0xFEDCBA9876543210, 8) + "text";
    const std::string path = folder.write("f", bytes + std::string(100, '.') + "end");
    const Parsed<InputFile> file = InputFile::open(path);
    QVERIFY(file);
    for (const std::size_t buffer : {std::size_t{1}, std::size_t{3}, std::size_t{16}, std::size_t{4096}}) { // values across every edge
        ForwardReader in(*file, buffer);
        QCOMPARE(in.u8(), std::uint8_t{0xFE});
        QCOMPARE(in.u16(), std::uint16_t{0xFEDC});
        QCOMPARE(in.u32(), std::uint32_t{0xFEDCBA98});
        QCOMPARE(quint64(in.u64()), quint64{0xFEDCBA9876543210});
        QVERIFY(in.text(4) == "text");
        in.skip(100);
        QCOMPARE(in.position(), std::int64_t(bytes.size() + 100));
        QVERIFY(in.text(3) == "end");
        QVERIFY(!in.failed() && in.remaining() == 0);
    }
}

void InputFileTest::stepsOverTexts_data() {
    QTest::addColumn<int>("buffer");
    for (const int buffer : {1, 7, 8, 9, 13, 64, 1000, 1 << 18})
        QTest::addRow("%d bytes", buffer) << buffer;
}

// Whole texts of a buffer at once, the one across its edge by itself: the place afterwards is the same, whatever the buffer.
void InputFileTest::stepsOverTexts() {
    QFETCH(int, buffer);
    const TempFolder folder;
    std::string bytes;
    constexpr int texts = 300;
    for (int i = 0; i < texts; ++i)
        bytes += GgufBuilder::string(std::string(std::size_t(i * 7 % 40), 'x'));
    const Parsed<InputFile> file = InputFile::open(folder.write("f", bytes + "end" + GgufBuilder::number(UINT64_MAX, 8)));
    QVERIFY(file);
    ForwardReader in(*file, std::size_t(buffer));
    for (std::uint64_t left = texts; left > 0;) {
        left -= in.skipTexts(left);
        if (left == 0)
            break;
        in.skip(in.u64());
        --left;
    }
    QCOMPARE(in.position(), std::int64_t(bytes.size()));
    QVERIFY(in.text(3) == "end");
    QCOMPARE(in.skipTexts(1), std::uint64_t{0}); // a length beyond everything
    QCOMPARE(in.position(), std::int64_t(bytes.size() + 3));
}

void InputFileTest::failsForGood() {
    const TempFolder folder;
    const Parsed<InputFile> file = InputFile::open(folder.write("f", "1234567"));
    QVERIFY(file);
    for (const int way : {0, 1, 2}) {
        ForwardReader in(*file);
        if (way == 0)
            QCOMPARE(quint64(in.u64()), quint64{0});
        else if (way == 1)
            QVERIFY(in.text(8).empty());
        else
            in.skip(UINT64_MAX);
        QVERIFY(in.failed());
        QCOMPARE(int(in.u8()), 0); // though there would be one
    }
}

KV_TEST(InputFileTest)
#include "inputfiletest.moc"
