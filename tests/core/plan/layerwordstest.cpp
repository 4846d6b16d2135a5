// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the strip of layers says of one: its kind, its sizes, and its bytes by the textbook.
#include "core/plan/layerwords.h"
#include "tests/core/plan/models.h"
#include "tests/testmain.h"

using namespace kv;

Q_DECLARE_METATYPE(LayerShape)

class LayerWordsTest : public QObject {
    Q_OBJECT

private slots:
    void said_data();
    void said();
    void sentences();
};

void LayerWordsTest::said_data() {
    QTest::addColumn<LayerShape>("shape");
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("sizes");
    QTest::addColumn<qint64>("bytes"); // of 1,000 tokens in 16 bit
    const auto row = [](const char *name, std::vector<CachePart> parts, const char *kind, const char *sizes, qint64 bytes, Idle idle = Idle::None) {
        QTest::newRow(name) << LayerShape{std::move(parts), idle, 1} << QByteArray(kind) << QByteArray(sizes) << bytes;
    };
    row("full", {FullAttention{{8, 128, 128}}}, "full attention", "8 KV heads × 128", 2 * 8 * 256 * 1000);
    row("one head, unlike sizes", {FullAttention{{1, 192, 128}}}, "full attention", "1 KV head × 192 and 128", 2 * 320 * 1000);
    row("a window", {SlidingWindow{{4, 64, 64}, Tokens(128)}}, "sliding window", "4 KV heads × 64 · window 128", 2 * 4 * 128 * 128);
    row("chunks", {ChunkedAttention{{4, 64, 64}, Tokens(8192)}}, "chunked attention", "4 KV heads × 64 · chunk 8,192", 2 * 4 * 128 * 1000);
    row("latents with index keys", {LatentAttention{.rank = 512, .ropeSize = 64, .expanded = {}}, IndexKeys{128}}, "latent attention (MLA) + index keys", "latent 512 + 64 + index key 128",
        2 * (576 + 128) * 1000);
    row("cross-attention", {CrossAttention{{20, 64, 64}, Tokens(1500)}}, "cross-attention", "20 KV heads × 64 · 1,500 encoder tokens", 2 * 20 * 128 * 1500);
    row("run twice", {FullAttention{{8, 128, 128}}, FullAttention{{8, 128, 128}}}, "full attention, 2 runs", "8 KV heads × 128", 2 * 2 * 8 * 256 * 1000);
    row("a feed-forward", {}, "feed-forward, keeps nothing", "", 0, Idle::FeedForward);
    row("experts", {}, "experts, keeps nothing", "", 0, Idle::Experts);
    row("another's cache", {}, "reads another layer's cache", "", 0, Idle::SharedCache);
    row("nothing at all", {}, "no attention, keeps nothing", "", 0, Idle::NoAttention);
}

void LayerWordsTest::said() {
    QFETCH(LayerShape, shape);
    const CacheTypes types{.key = ElementType::Bf16, .value = ElementType::Bf16, .model = ElementType::Bf16};
    QTEST(QByteArray::fromStdString(layerKindWords(shape)), "kind");
    QTEST(QByteArray::fromStdString(layerSizeWords(shape)), "sizes");
    QTEST(static_cast<qint64>(layerBytes(shape, types, Tokens(1000)).value), "bytes");
}

void LayerWordsTest::sentences() {
    auto model = test::model(3, {FullAttention{{8, 128, 128}}}, 131072);
    model->shapes.push_back({{}, Idle::SharedCache, 1});
    model->layers.push_back(1);
    model->sharedFrom = {-1, -1, -1, 2};
    const CacheTypes types{.key = ElementType::Fp8, .value = ElementType::Fp8, .model = ElementType::Bf16};
    QCOMPARE(QByteArray::fromStdString(layerSentence(*model, 2, types, Tokens(1000), SizeUnit::Decimal)), QByteArray("layer 3 of 4 · full attention · 8 KV heads × 128 · 2.0 MB a sequence here"));
    QCOMPARE(QByteArray::fromStdString(layerSentence(*model, 3, types, Tokens(1000), SizeUnit::Decimal)), QByteArray("layer 4 of 4 · reads another layer's cache · that of layer 3"));
}

KV_TEST(LayerWordsTest)
#include "layerwordstest.moc"
