// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bigpages.h"
#include "tests/testmain.h"

#include <QTest>

#include <cstdlib>
#include <unistd.h>

using namespace kv;

class BigPagesTest : public QObject {
    Q_OBJECT

private slots:
    void takesALotAtOnce();
};

// A picture of a window, 5 MB at 1x, lies in the heap that was asked for in one piece; else the program would start as before and nobody see it.
void BigPagesTest::takesALotAtOnce() {
    [[maybe_unused]] const auto before = reinterpret_cast<std::uintptr_t>(sbrk(0));
    takeMemoryInBigPages();
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const auto after = reinterpret_cast<std::uintptr_t>(sbrk(0));
    QVERIFY2(after - before >= std::uintptr_t{16} << 20, QByteArray::number(qulonglong(after - before)).constData());
    void *picture = std::malloc(std::size_t{5} << 20);
    QVERIFY(reinterpret_cast<std::uintptr_t>(picture) < after);
    QCOMPARE(reinterpret_cast<std::uintptr_t>(sbrk(0)), after); // nothing more was asked for
    std::free(picture);
#endif
}

KV_TEST(BigPagesTest)
#include "bigpagestest.moc"
