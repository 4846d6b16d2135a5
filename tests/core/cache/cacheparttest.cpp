// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/cachepart.h"
#include "tests/testmain.h"

#include <QTest>

#include <limits>

using namespace kv;

namespace {

CacheTypes types(ElementType key, ElementType value, ElementType model = ElementType::Bf16) { return {key, value, model}; }
CacheTypes both(ElementType type) { return types(type, type); }

} // namespace

Q_DECLARE_METATYPE(kv::CachePart)
Q_DECLARE_METATYPE(kv::CacheTypes)

class CachePartTest : public QObject {
    Q_OBJECT

private slots:
    void sizes_data();
    void sizes();
    void factorsMultiply_data();
    void factorsMultiply();
    void edges_data();
    void edges();
    void names();
    void outOfRangeStays();
    void factorsOfUnlikeHalves();
};

// Each kind under one type or two: what a token costs at first, what 1,000 tokens cost, what a sequence costs whatever its length.
void CachePartTest::sizes_data() {
    QTest::addColumn<CachePart>("part");
    QTest::addColumn<CacheTypes>("cacheTypes");
    QTest::addColumn<qint64>("token");
    QTest::addColumn<qint64>("thousand");
    QTest::addColumn<qint64>("fixed");
    using enum ElementType;
    const HeadShape heads{8, 128, 128};
    const auto row = [](const char *name, const CachePart &part, const CacheTypes &cacheTypes, qint64 token, qint64 thousand, qint64 fixed) {
        QTest::newRow(name) << part << cacheTypes << token << thousand << fixed;
    };
    row("full, 16 bit", FullAttention{heads}, both(Bf16), 4096, 4'096'000, 0);
    row("full, FP8", FullAttention{heads}, both(Fp8), 2048, 2'048'000, 0);
    row("full, 4 bit", FullAttention{heads}, both(Int4), 1024, 1'024'000, 0);
    row("full, Q8_0 keys and Q4_0 values", FullAttention{heads}, types(Q8_0, Q4_0), 8 * (136 + 72), 8'000 * (136 + 72), 0);
    row("full, a scale for each head", FullAttention{heads}, both(Int8PerTokenHead), 8 * 2 * 132, 8'000 * 2 * 132, 0);
    row("full, a cut block", FullAttention{{2, 80, 80}}, both(Q8_0), 2 * 2 * 85, 4'000 * 85, 0); // 80 × 34 ÷ 32
    row("full, keys wider than values", FullAttention{{4, 192, 128}}, both(Bf16), 4 * 320 * 2, 4'000 * 320 * 2, 0);
    row("window of 256", SlidingWindow{heads, Tokens(256)}, both(Bf16), 4096, 4096 * 256, 0);
    row("window longer than the text", SlidingWindow{heads, Tokens(2000)}, both(Bf16), 4096, 4'096'000, 0);
    row("chunk of 512", ChunkedAttention{heads, Tokens(512)}, both(Bf16), 4096, 4096 * 512, 0);
    row("latent", LatentAttention{512, 64, {}}, both(Bf16), 1152, 1'152'000, 0);
    row("latent, FP8", LatentAttention{512, 64, {}}, both(Fp8), 576, 576'000, 0);
    row("latent, sparse entries", LatentAttention{512, 64, {}}, both(Fp8DsMla), 656, 656'000, 0);
    row("index keys", IndexKeys{128}, both(Bf16), 256, 256'000, 0);
    row("compressed by 4, with index", CompressedAttention{4, 512, 64, Tokens(128), 128}, both(Bf16), 1024 + 320, 1024 * 128 + 250 * 1280,
        4 * (2 * 2 * 512 * 8 + 2 * 2 * 128 * 8));
    row("compressed by 128", CompressedAttention{128, 512, 64, Tokens(128), 0}, both(Bf16), 1024 + 8, 1024 * 128 + 7 * 1024, 4 * 2 * 512 * 128);
    row("compressed, window alone", CompressedAttention{0, 512, 64, Tokens(128), 0}, both(Bf16), 1024, 1024 * 128, 0);
    row("cross-attention", CrossAttention{{6, 64, 64}, Tokens(1500)}, both(Bf16), 0, 0, 6 * 128 * 2 * 1500);
    const RecurrentState mamba{StateFamily::Mamba2, 4, 10240, 128, 64, 128, 8, 128, 0, Fp32};
    row("state with a hint", mamba, both(Fp8), 0, 0, 10240 * 3 * 2 + 128 * 64 * 128 * 4);
    RecurrentState plain = mamba;
    plain.stateType = Auto;
    row("state without a hint", plain, both(Fp8), 0, 0, 10240 * 3 * 2 + 128 * 64 * 128 * 2);
    row("state of a 32-bit model", plain, types(Fp8, Fp8, Fp32), 0, 0, 10240 * 3 * 4 + 128 * 64 * 128 * 4);
    row("convolution alone", RecurrentState{StateFamily::ShortConvolution, 3, 2048, 0, 0, 0, 0, 0, 0, Auto}, both(Bf16), 0, 0, 2048 * 2 * 2);
}

void CachePartTest::sizes() {
    QFETCH(CachePart, part);
    QFETCH(CacheTypes, cacheTypes);
    QTEST(qint64(bytesPerToken(part, cacheTypes).value), "token");
    QTEST(qint64(bytesAt(part, Tokens(1000), cacheTypes).value), "thousand");
    QTEST(qint64(fixedBytes(part, cacheTypes).value), "fixed");
    QCOMPARE(bytesAt(part, Tokens(0), cacheTypes), Bytes(0));
    QCOMPARE(terms(part, cacheTypes).perToken, bytesPerToken(part, cacheTypes));
    QCOMPARE(terms(part, cacheTypes).fixed, fixedBytes(part, cacheTypes));
}

// The explanation's factors are the number's own: multiplied again they give it.
void CachePartTest::factorsMultiply_data() {
    QTest::addColumn<CachePart>("part");
    QTest::addColumn<qint64>("product");
    QTest::newRow("full") << CachePart(FullAttention{{8, 128, 128}}) << qint64(4096);
    QTest::newRow("window") << CachePart(SlidingWindow{{4, 256, 256}, Tokens(512)}) << qint64(4096 * 512);
    QTest::newRow("chunk") << CachePart(ChunkedAttention{{8, 128, 128}, Tokens(8192)}) << qint64(4096 * 8192);
    QTest::newRow("index") << CachePart(IndexKeys{128}) << qint64(256);
    QTest::newRow("cross") << CachePart(CrossAttention{{6, 64, 64}, Tokens(1500)}) << qint64(6 * 128 * 2 * 1500);
}

void CachePartTest::factorsMultiply() {
    QFETCH(CachePart, part);
    const CacheTerms result = terms(part, both(ElementType::Bf16));
    qint64 product = 1;
    for (std::uint8_t i = 0; i < result.count; ++i)
        product = product * result.factors[i].value / result.factors[i].divisor;
    QTEST(product, "product");
}

// A window still takes the token that fills it, and gives nothing for the next.
void CachePartTest::edges_data() {
    QTest::addColumn<CachePart>("part");
    QTest::addColumn<qint64>("tokens");
    QTest::addColumn<qint64>("next");
    const HeadShape heads{1, 8, 8};
    QTest::newRow("window, one short") << CachePart(SlidingWindow{heads, Tokens(64)}) << qint64(63) << qint64(32);
    QTest::newRow("window, full") << CachePart(SlidingWindow{heads, Tokens(64)}) << qint64(64) << qint64(0);
    QTest::newRow("chunk, one short") << CachePart(ChunkedAttention{heads, Tokens(64)}) << qint64(63) << qint64(32);
    QTest::newRow("chunk, full") << CachePart(ChunkedAttention{heads, Tokens(64)}) << qint64(64) << qint64(0);
    QTest::newRow("full") << CachePart(FullAttention{heads}) << qint64(1'000'000) << qint64(32);
    QTest::newRow("compressed, entry not whole") << CachePart(CompressedAttention{4, 8, 0, Tokens(2), 0}) << qint64(6) << qint64(0);
    QTest::newRow("compressed, entry whole") << CachePart(CompressedAttention{4, 8, 0, Tokens(2), 0}) << qint64(7) << qint64(16);
}

void CachePartTest::edges() {
    QFETCH(CachePart, part);
    QFETCH(qint64, tokens);
    const CacheTypes cacheTypes = both(ElementType::Bf16);
    const Bytes difference = bytesAt(part, Tokens(tokens + 1), cacheTypes) - bytesAt(part, Tokens(tokens), cacheTypes);
    QTEST(qint64(difference.value), "next");
}

void CachePartTest::names() {
    for (int i = 0; i <= int(CacheKind::Cross); ++i)
        QVERIFY(!kindName(CacheKind(i)).empty());
    for (int i = 0; i <= int(StateFamily::RgLru); ++i)
        QVERIFY(!stateFamilyName(StateFamily(i)).empty());
    QVERIFY(sharesPrefix(FullAttention{}));
    QVERIFY(sharesPrefix(LatentAttention{}));
    QVERIFY(sharesPrefix(IndexKeys{}));
    QVERIFY(!sharesPrefix(SlidingWindow{}));
    QVERIFY(!sharesPrefix(RecurrentState{}));
}

void CachePartTest::outOfRangeStays() {
    constexpr std::int64_t large = std::numeric_limits<std::int64_t>::max() / 8;
    const CacheTypes cacheTypes = both(ElementType::Bf16);
    QVERIFY(!bytesPerToken(FullAttention{{large, 128, 128}}, cacheTypes).inRange());
    QVERIFY(!bytesAt(FullAttention{{8, 128, 128}}, Tokens(large), cacheTypes).inRange());
    QVERIFY(!fixedBytes(RecurrentState{StateFamily::Mamba1, 4, large, 1, large, 16, 0, 0, 0, ElementType::Auto}, cacheTypes).inRange());
}

void CachePartTest::factorsOfUnlikeHalves() {
    using enum ElementType;
    // 4 KV heads × (192 × 2 + 128 × 2): heads, and a size and a type of each half. One size under two types, and two under one.
    QCOMPARE(int(terms(CachePart(FullAttention{{4, 192, 128}}), both(Bf16)).count), 5);
    QCOMPARE(int(terms(CachePart(FullAttention{{4, 128, 128}}), types(Q8_0, Q4_0)).count), 5);
    QCOMPARE(int(terms(CachePart(FullAttention{{4, 128, 128}}), both(Bf16)).count), 4); // 2 × heads × size × type
    // A window alone: size, type and window; no ratio, and so no state.
    QCOMPARE(int(terms(CachePart(CompressedAttention{0, 512, 64, Tokens(128), 0}), both(Bf16)).count), 3);
}

KV_TEST(CachePartTest)
#include "cacheparttest.moc"
