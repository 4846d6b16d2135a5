// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/ggufmix.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

/// A type of ggml, by the bits that 256 elements take.
struct Ggml {
    std::int64_t bits = 0;
    std::int64_t instead = 0; ///< the same of the type that takes its place in rows that are no whole blocks of 256; 0: its own blocks are smaller

    bool operator==(const Ggml &) const = default;
};

/// Of so many bits each, in blocks of 32 with so many bytes, or of 256.
constexpr Ggml each(std::int64_t bits) { return {bits * 256}; }
constexpr Ggml small(std::int64_t bytes) { return {bytes * 8 * 8}; }
constexpr Ggml whole(std::int64_t bytes, Ggml instead) { return {bytes * 8, instead.bits}; }

constexpr Ggml F32 = each(32), F16 = each(16);
constexpr Ggml Q8_0 = small(34), Q5_1 = small(24), Q5_0 = small(22), Q4_1 = small(20), Q4_0 = small(18), Iq4Nl = small(18);
constexpr Ggml Q6_K = whole(210, Q8_0), Q5_K = whole(176, Q5_1), Q4_K = whole(144, Q5_0), Q3_K = whole(110, Q4_0), Q2_K = whole(84, Q4_0);
constexpr Ggml Iq4Xs = whole(136, Iq4Nl), Iq3S = whole(110, Iq4Nl), Iq3Xxs = whole(98, Iq4Nl), Iq2S = whole(82, Iq4Nl);

/// Which of the layers get the better type.
enum class Where : std::uint8_t { None, All, First2, First4, FirstEighth, FirstSixteenth, MoreBits };

struct Better {
    Where where = Where::None;
    Ggml type = Q4_K;
};

constexpr std::int64_t unknownRows = 0;

struct Mix {
    std::string_view name;
    Ggml base;
    Ggml head = Q6_K;
    Ggml embedding; ///< where it is not tied
    Better value = {};
    Ggml valueElse; ///< in the other layers
    Ggml valueGrouped; ///< instead, where four query heads or more share a key
    Better down = {};
    Better downNext = {}; ///< in layers that the former leaves
    Ggml downElse;
    Ggml output; ///< of the attention
    Ggml key;
    Ggml query;
};

/// A mix whose every matrix has the base type.
constexpr Mix pure(std::string_view name, Ggml base) { return {name, base, base == Q8_0 ? Q8_0 : Q6_K, base, {}, base, base, {}, {}, base, base, base, base}; }

constexpr Mix mix(std::string_view name, Ggml base, Better value, Better down) {
    Mix m = pure(name, base);
    m.value = value;
    m.down = down;
    return m;
}

constexpr Mix q3(std::string_view name, Better value, Ggml valueElse, Better down, Ggml downElse, Ggml output) {
    Mix m = mix(name, Q3_K, value, down);
    m.valueElse = m.valueGrouped = valueElse;
    m.downElse = downElse;
    m.output = output;
    return m;
}

constexpr Mix iq4(std::string_view name, Ggml base) {
    Mix m = mix(name, base, {}, {Where::FirstEighth, Q5_K});
    m.valueGrouped = Q5_K;
    return m;
}

constexpr Mix q2() {
    Mix m = pure("q2_k", Q2_K);
    m.valueElse = Q3_K;
    m.valueGrouped = Q4_K;
    m.downElse = m.output = Q3_K;
    return m;
}

constexpr Mix iq3m() {
    Mix m = mix("iq3_m", Iq3S, {}, {Where::FirstEighth, Q4_K});
    m.valueElse = m.valueGrouped = m.output = Q4_K;
    return m;
}

constexpr Mix iq3xxs() {
    Mix m = mix("iq3_xxs", Iq3Xxs, {}, {Where::FirstEighth, Q4_K});
    m.downElse = Q3_K;
    m.head = Q5_K;
    m.embedding = m.output = m.valueElse = Iq3S;
    m.valueGrouped = Q4_K;
    m.key = m.query = Iq2S;
    return m;
}

constexpr std::array mixes{
    pure("q8_0", Q8_0),
    pure("q6_k", Q6_K),
    mix("q5_k_m", Q5_K, {Where::MoreBits, Q6_K}, {Where::MoreBits, Q6_K}),
    pure("q5_k_s", Q5_K),
    pure("q5_0", Q5_0),
    mix("q4_k_m", Q4_K, {Where::MoreBits, Q6_K}, {Where::MoreBits, Q6_K}),
    mix("q4_k_s", Q4_K, {Where::First4, Q5_K}, {Where::FirstEighth, Q5_K}),
    pure("q4_1", Q4_1),
    pure("q4_0", Q4_0),
    iq4("iq4_nl", Iq4Nl),
    iq4("iq4_xs", Iq4Xs),
    q3("q3_k_l", {}, Q5_K, {}, Q5_K, Q5_K),
    q3("q3_k_m", {Where::First2, Q5_K}, Q4_K, {Where::FirstSixteenth, Q5_K}, Q4_K, Q4_K),
    pure("q3_k_s", Q3_K),
    iq3m(),
    iq3xxs(),
    q2(),
};

/// Layer i of n, as the quantiser counts: with integer divisions.
bool applies(Where where, std::int64_t i, std::int64_t n) {
    switch (where) {
    case Where::None: return false;
    case Where::All: return true;
    case Where::First2: return i < 2;
    case Where::First4: return i < 4;
    case Where::FirstEighth: return i < n / 8;
    case Where::FirstSixteenth: return i < n / 16;
    case Where::MoreBits: return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2;
    }
    return false;
}

/// Families whose queries, keys and values are one matrix in the file.
bool isFused(std::string_view family) {
    constexpr std::array<std::string_view, 10> names{"bloom", "chatglm", "dbrx", "falcon", "gpt2", "gpt_bigcode", "gpt_neox", "mpt", "phi3", "qwen"};
    return std::ranges::find(names, family) != names.end();
}

/// Families whose converter leaves the layers of multi-token prediction out of the file (conversion/*.py).
bool dropsDrafts(std::string_view family) {
    constexpr std::array<std::string_view, 6> names{"deepseek_v3", "deepseek_v4", "ernie4_5_moe", "longcat_flash", "mimo", "minimax_m2"};
    return std::ranges::find(names, family) != names.end();
}

struct Counts {
    std::int64_t attentionLayers = 0;
    std::int64_t layers = 0; ///< without those that draft
    std::int64_t drafts = 0; ///< blocks behind them (nextn_predict_layers), which count wherever all blocks or all attentions do
    bool fused = false;     ///< queries, keys and values are one matrix, which is treated as values are
    bool eightExperts = false;
    bool seventyB = false;  ///< of Llama's or Qwen2's 80 layers
    bool grouped = false;   ///< four query heads or more to a KV head
    bool untiedHead = false;
    bool falcon = false;
    std::int64_t table = 0; ///< elements of the tokens' table
};

Counts countsOf(const WeightSpec &weights) {
    Counts c;
    c.fused = isFused(weights.family);
    for (const WeightPart &part : weights.parts) {
        if (part.kind == WeightPartKind::Draft)
            c.drafts = std::max<std::int64_t>(c.drafts, dropsDrafts(weights.family) ? 0 : part.layerCount);
        else
            c.layers = std::max(c.layers, checked::add(part.layer, part.layerCount));
        c.untiedHead = c.untiedHead || (part.kind == WeightPartKind::Head && part.elements > 0);
        if (part.kind == WeightPartKind::Embedding && part.layer < 0)
            c.table = checked::add(c.table, part.elements);
        // Where one matrix is the three, a file's headers have no keys and values of their own.
        if (part.kind == (c.fused ? WeightPartKind::AttentionQuery : WeightPartKind::AttentionKeyValue))
            c.attentionLayers += part.layerCount;
    }
    c.grouped = weights.queryGroup >= 4;
    c.falcon = weights.family == "falcon";
    c.eightExperts = weights.experts == 8;
    c.seventyB = c.layers == 80 && (weights.family == "qwen2" || (weights.family == "llama" && weights.queryGroup != 1));
    return c;
}

/// Of matrices with rows of that length.
Bytes bytesOf(std::int64_t elements, Ggml type, std::int64_t row) {
    const bool divides = row % 256 == 0 || type.instead == 0;
    const std::int64_t bits = divides ? type.bits : row % 32 == 0 ? type.instead : F16.bits;
    return Bytes(checked::ceilDiv(checked::mul(elements, bits / 8), 256));
}

/// Some elements of the part, of which those in certain layers have the better type.
Bytes layered(const WeightPart &part, std::int64_t elements, Better better, Ggml otherwise, std::int64_t row, std::int64_t from, std::int64_t of, Better next = {}) {
    std::int64_t in = 0, inNext = 0;
    for (std::int64_t i = 0; i < part.layerCount; ++i) {
        const bool is = applies(better.where, from + i, of);
        in += is ? 1 : 0;
        inNext += !is && applies(next.where, from + i, of) ? 1 : 0;
    }
    const std::int64_t large = checked::mulDiv(elements, in, part.layerCount), middle = checked::mulDiv(elements, inNext, part.layerCount);
    return bytesOf(large, better.type, row) + bytesOf(middle, next.type, row) + bytesOf(checked::sub(elements, large + middle), otherwise, row);
}

/// The head, and a table that serves as one: Q8_0 where the rows are no whole blocks, whatever the mix.
Bytes headBytes(std::int64_t elements, Ggml type, std::int64_t row) { return bytesOf(elements, {type.bits, Q8_0.bits}, row); }

/// With its bias, one more element for each token of the table, which stays F32 as all vectors do.
Bytes headBytes(const Counts &c, std::int64_t elements, Ggml type, std::int64_t row) {
    const bool biased = row > 0 && c.table > 0 && checked::sub(elements, c.table) == c.table / row;
    return biased ? headBytes(c.table, type, row) + bytesOf(c.table / row, F32, row) : headBytes(elements, type, row);
}

/// So many elements of each layer that the part has; a file may cut its parts otherwise than they are counted.
std::int64_t ofLayers(std::int64_t each, const WeightPart &part) { return std::min(checked::mul(each, part.layerCount), part.elements); }

/// Qwen3-Next's linear layers: queries, keys and values are one matrix, which is treated as values are; convolutions and vectors stay F32.
Bytes linearBytes(const WeightSpec &weights, const WeightPart &part, const Mix &m, Ggml values, std::int64_t blocks) {
    const std::int64_t row = weights.rows.hidden;
    if (part.sixteenBit) {
        const std::int64_t gates = ofLayers(weights.linear.gates, part);
        return bytesOf(gates, m.base, row) + bytesOf(checked::sub(part.elements, gates), F32, unknownRows);
    }
    const std::int64_t mixed = ofLayers(weights.linear.mixed, part);
    return layered(part, mixed, m.value, values, row, part.layer, blocks) + bytesOf(checked::sub(part.elements, mixed), m.base, unknownRows);
}

/// A layer of multi-token prediction is one more block behind the others.
Bytes draftBytes(const WeightSpec &weights, const WeightPart &part, const Mix &m, Ggml values, const Counts &c) {
    const DraftElements &draft = weights.draft;
    if (part.sixteenBit) {
        const std::int64_t fine = ofLayers(draft.fine, part);
        return bytesOf(fine, F32, unknownRows) + bytesOf(checked::sub(part.elements, fine), m.base, unknownRows);
    }
    std::int64_t left = part.elements;
    const auto take = [&](std::int64_t each) {
        const std::int64_t elements = std::min(ofLayers(each, part), left);
        left -= elements;
        return elements;
    };
    const std::int64_t row = weights.rows.hidden, ahead = weights.linear.mixed > 0 ? c.layers : c.attentionLayers;
    Bytes sum = layered(part, take(draft.values), m.value, values, row, ahead, ahead + c.drafts);
    sum += layered(part, take(draft.down), m.down, m.downElse, draft.downRow, c.layers, c.layers + c.drafts, m.downNext);
    sum += bytesOf(take(draft.output), m.output, weights.rows.attention);
    sum += bytesOf(take(draft.keys), m.key, row);
    sum += bytesOf(take(draft.queries), m.query, row);
    return sum + bytesOf(left, m.base, unknownRows);
}

/// Rows of the way down of a feed-forward.
std::int64_t downRow(const WeightSpec &weights, WeightPartKind kind) {
    return kind == WeightPartKind::Experts ? weights.expertWidth : kind == WeightPartKind::FeedForward ? weights.rows.feedForward : unknownRows;
}

} // namespace

bool isGgufMix(std::string_view name) { return std::ranges::count(mixes, name, &Mix::name) > 0; }

namespace {

/// Falcon (LLM_ARCH_FALCON): a head in Q8_0 whatever the mix, fewer bits on the way down and in the attention's output.
void asFalcon(Mix &m, std::string_view name) {
    m.head = Q8_0;
    m.output = m.base;
    if (name == "q4_k_m") {
        m.down = {Where::FirstSixteenth, Q6_K};
        m.downNext = {Where::MoreBits, Q5_K};
    } else if (name == "q4_k_s") {
        m.down = {};
    } else if (name == "q3_k_m") {
        m.downNext = {Where::MoreBits, Q4_K};
        m.downElse = Q3_K;
    } else if (name == "q3_k_l") {
        m.downElse = m.output = Q4_K;
    }
}

/// The types of a model's own shape, on top of those of the mix.
Mix mixFor(const Counts &c, std::string_view name) {
    Mix m = *std::ranges::find(mixes, name, &Mix::name);
    if (c.eightExperts) { // "for the 8-expert model, bumping this to Q8_0 trades just ~128MB"
        constexpr std::array<std::string_view, 9> raised{"q2_k", "iq3_xxs", "iq3_m", "q3_k_s", "q3_k_m", "iq4_nl", "iq4_xs", "q4_k_s", "q4_k_m"};
        m.key = m.valueElse = m.valueGrouped = m.value.type = Q8_0;
        m.output = std::ranges::find(raised, name) != raised.end() ? Q5_K : m.base;
        if (name == "iq3_m")
            m.down.where = Where::MoreBits; // the first eighth is among these
    }
    if (c.falcon)
        asFalcon(m, name);
    if (c.seventyB)
        for (Ggml *type : {&m.valueElse, &m.valueGrouped, &m.value.type})
            if (*type == Q3_K || *type == Q4_K)
                *type = Q5_K;
    return m;
}

} // namespace

std::vector<Bytes> ggufMixBytes(const WeightSpec &weights, std::string_view name) {
    const Counts c = countsOf(weights);
    const Mix m = mixFor(c, name);
    const Ggml values = c.grouped ? m.valueGrouped : m.valueElse;
    const std::int64_t row = weights.rows.hidden, blocks = c.layers + c.drafts, attentions = c.attentionLayers + c.drafts;
    std::vector<Bytes> result;
    result.reserve(weights.parts.size());
    std::int64_t attention = 0, queries = 0;
    for (const WeightPart &part : weights.parts) {
        using enum WeightPartKind;
        const std::int64_t n = part.elements;
        switch (part.kind) {
        case Embedding: {
            const std::int64_t own = part.layer < 0 ? row : unknownRows;
            result.push_back(c.untiedHead ? bytesOf(n, m.embedding, own) : headBytes(n, m.head, own)); // per_layer_token_embd as well
            break;
        }
        case Head: result.push_back(headBytes(c, n, m.head, row)); break;
        case AttentionQuery:
            result.push_back(c.fused ? layered(part, n, m.value, values, row, queries, attentions) : bytesOf(n, m.query, row));
            queries += part.layerCount;
            break;
        case AttentionKeyValue: {
            const std::int64_t like = c.fused ? n : n / 2;
            const bool every = weights.linear.mixed > 0; // the linear layers count as well: so each layer does
            result.push_back(bytesOf(n - like, m.key, row) + layered(part, like, m.value, values, row, every ? part.layer : attention, every ? blocks : attentions));
            attention += part.layerCount;
            break;
        }
        case AttentionOutput: result.push_back(bytesOf(n, m.output, weights.rows.attention)); break;
        case FeedForward:
        case SharedExpert:
        case Experts: {
            if (part.sixteenBit) {
                result.push_back(bytesOf(n, F32, row));
                break;
            }
            const std::int64_t down = n / (weights.gated ? 3 : 2);
            result.push_back(bytesOf(n - down, m.base, row) + layered(part, down, m.down, m.downElse, downRow(weights, part.kind), part.layer, blocks, m.downNext));
            break;
        }
        case Vision: result.push_back(bytesOf(n, F16, unknownRows)); break;
        case FinalNorm:
        case Norms:
        case Router: result.push_back(bytesOf(n, F32, unknownRows)); break;
        case LatentDown:
        case LatentUp:
        case Indexer: result.push_back(bytesOf(n, part.sixteenBit ? F32 : m.base, unknownRows)); break;
        case Recurrent: result.push_back(linearBytes(weights, part, m, values, blocks)); break;
        case Draft: result.push_back(draftBytes(weights, part, m, values, c)); break;
        }
    }
    return result;
}

} // namespace kv
