// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/distributionpicture.h"

#include "ui/charts/niceaxis.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/words.h"

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr int barCount = 48;
constexpr double rare = 0.0005; // of each end, which the axis need not hold
constexpr std::size_t fewSteps = 40; // a sum of so few sizes is shown as the steps that it has


QString number(std::int64_t n) { return translated(writeNumber(n)); }

double logOf(double tokens) { return std::log2(std::max(tokens, 1.0)); }

/// The shares of a distribution that is given as atoms, by cell of an axis; what lies outside goes into the outermost.
class Cells {
public:
    Cells(double low, double high) : m_low(low), m_width((high - low) / barCount), m_shares(barCount, 0.0) {}

    double from(int cell) const { return m_low + m_width * cell; }
    void add(double at, double share) { m_shares[static_cast<std::size_t>(cellOf(at))] += share; }
    /// The same share anywhere between two places.
    void spread(double a, double b, double share) {
        if (b - a <= m_width * 1e-9)
            return add(b, share);
        for (int cell = cellOf(a); cell <= cellOf(b); ++cell) {
            const double left = cell == 0 ? a : std::max(a, from(cell)), right = cell == barCount - 1 ? b : std::min(b, from(cell + 1));
            if (right > left)
                m_shares[static_cast<std::size_t>(cell)] += share * std::min(1.0, (right - left) / (b - a));
        }
    }
    const std::vector<double> &shares() const { return m_shares; }
    std::vector<QPointF> outline() const {
        std::vector<QPointF> points{{m_low, 0}};
        for (int cell = 0; cell < barCount; ++cell) {
            points.emplace_back(from(cell), m_shares[static_cast<std::size_t>(cell)]);
            points.emplace_back(from(cell + 1), m_shares[static_cast<std::size_t>(cell)]);
        }
        points.emplace_back(from(barCount), 0);
        return points;
    }

private:
    int cellOf(double at) const { return std::clamp(static_cast<int>(std::floor((at - m_low) / m_width)), 0, barCount - 1); }

    double m_low, m_width;
    std::vector<double> m_shares;
};

Cells cellsOf(const Lengths &lengths, double low, double high) {
    Cells cells(low, high);
    double all = 0;
    for (const LengthBin &bin : lengths.bins)
        all += bin.weight;
    for (const LengthBin &bin : lengths.bins)
        cells.add(logOf(static_cast<double>(bin.tokens)), bin.weight / all);
    return cells;
}

Cells cellsOf(const MixTotal &total, double low, double high) {
    Cells cells(low, high);
    const bool steps = total.exact && total.curve.size() < fewSteps;
    const auto at = [&total](std::size_t i) { return static_cast<double>(total.curve[i].bytes); };
    // A first point of next to no share is the least sum that there can be, far from all others: what lies below is spread as far as the
    // points are apart where they are many, and so above the last.
    std::size_t first = 0;
    while (!steps && first + 2 < total.curve.size() && total.curve[first].share < rare)
        ++first;
    double before = 0;
    for (std::size_t i = first; i < total.curve.size(); ++i) {
        const double share = total.curve[i].share - before;
        before = total.curve[i].share;
        if (steps || total.curve.size() < 2)
            cells.add(at(i), share);
        else
            cells.spread(i > first ? at(i - 1) : at(i) - std::max(0.0, at(i + 1) - at(i)), at(i), share);
    }
    const std::size_t last = total.curve.size() - 1;
    if (steps || last == 0)
        cells.add(at(last), std::max(0.0, 1 - before));
    else if (before < 1)
        cells.spread(at(last), 2 * at(last) - at(last - 1), 1 - before);
    return cells;
}

double niceStep(double raw) {
    const double power = std::pow(10.0, std::floor(std::log10(std::max(raw, 1e-300))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw * (1 - 1e-12))
            return factor * power;
    return 10 * power;
}

/// Round sizes on an axis of bytes, in one unit.
std::vector<DistributionTick> sizeTicks(double low, double high, SizeUnit unit) {
    constexpr int most = 6;
    const ScaledUnit scaled = unitFor(Bytes(std::llround(std::min(std::max(std::abs(low), std::abs(high)), 9e18))), unit);
    const double divisor = static_cast<double>(scaled.divisor), step = std::max(niceStep((high - low) / divisor / most), divisor == 1 ? 1.0 : 0.0);
    int decimals = 0;
    for (double s = step; decimals < 3 && std::abs(s - std::round(s)) > 1e-9 * s; s *= 10)
        ++decimals;
    std::vector<DistributionTick> ticks;
    for (double at = std::ceil(low / divisor / step) * step; at <= high / divisor * (1 + 1e-12) && ticks.size() < std::size_t{2} * most; at += step) {
        const QString text = decimals > 0 ? localNumbers(QString::number(at, 'f', decimals)) : number(std::llround(at));
        ticks.push_back({at * divisor, text + QLatin1Char(' ') + translated(scaled.name)});
    }
    return ticks;
}

QString sizeText(double bytes, SizeUnit unit) { return translated(writeBytes(Bytes(std::llround(bytes)), unit)); }

/// The stretch that holds all but the rarest sums.
std::pair<double, double> extentOf(const MixTotal &total) {
    double from = static_cast<double>(total.p50), to = static_cast<double>(total.p99);
    for (const SumPoint &point : total.curve) {
        if (point.share >= rare)
            from = std::min(from, static_cast<double>(point.bytes));
        to = std::max(to, static_cast<double>(point.bytes));
    }
    return {from, to};
}

} // namespace

double DistributionPicture::highest() const {
    double most = 0;
    for (const DistributionBar &bar : bars)
        most = std::max(most, bar.share);
    for (const QPointF &point : ghost)
        most = std::max(most, point.y());
    return most;
}

bool SteadyRange::hold(double from, double to) {
    if (high > low && from >= low && to <= high && to - from >= 0.4 * (high - low))
        return false;
    const double span = std::max(to - from, std::max(std::abs(to) * 0.05, 1.0));
    low = from - 0.12 * span;
    if (from >= 0)
        low = std::max(low, 0.0);
    high = to + 0.12 * span;
    return true;
}

DistributionPicture lengthsPicture(const Lengths &lengths, std::int64_t context, const Lengths *ghost) {
    DistributionPicture picture;
    picture.title = DistributionPicture::tr("Length of a request, tokens");
    picture.of = DistributionPicture::tr("requests");
    if (lengths.bins.empty()) {
        picture.message = DistributionPicture::tr("No lengths");
        return picture;
    }
    // Whole powers of two, so that the axis stays while the lengths move a little.
    picture.low = std::floor(logOf(static_cast<double>(lengthAt(lengths.bins, rare))));
    picture.high = std::max(picture.low + 2, std::ceil(logOf(static_cast<double>(std::max(lengthAt(lengths.bins, 1 - rare), lengths.p99))) + 1e-9));
    const Cells cells = cellsOf(lengths, picture.low, picture.high);
    const double limit = logOf(static_cast<double>(context));
    for (int i = 0; i < barCount; ++i) {
        DistributionBar bar{cells.from(i), cells.from(i + 1), cells.shares()[static_cast<std::size_t>(i)], {}, false};
        bar.beyond = bar.from >= limit - 1e-9;
        const auto low = static_cast<std::int64_t>(std::ceil(std::exp2(bar.from) - 1e-6)), high = std::max(low, static_cast<std::int64_t>(std::ceil(std::exp2(bar.to) - 1e-6)) - 1);
        bar.title = low == high ? DistributionPicture::tr("%1 tokens").arg(number(low)) : DistributionPicture::tr("%1 to %2 tokens").arg(number(low), number(high));
        picture.bars.push_back(bar);
    }
    for (const Tokens tick : tokenTicks(Tokens(static_cast<std::int64_t>(std::exp2(picture.low))), Tokens(static_cast<std::int64_t>(std::exp2(picture.high))), 8))
        picture.ticks.push_back({logOf(static_cast<double>(tick.value)), translated(writeTokensShort(tick))});
    for (const auto &[name, tokens] : {std::pair("p50", lengths.p50), {"p90", lengths.p90}, {"p99", lengths.p99}})
        picture.marks.push_back({logOf(static_cast<double>(tokens)), QLatin1String(name), number(tokens), DistributionMark::Kind::Percentile});
    picture.marks.push_back({logOf(lengths.mean), DistributionPicture::tr("mean"), number(std::llround(lengths.mean)), DistributionMark::Kind::Mean});
    if (limit >= picture.low && limit <= picture.high)
        picture.marks.push_back({limit, DistributionPicture::tr("context"), number(context), DistributionMark::Kind::Limit});
    if (ghost && !ghost->bins.empty() && !(*ghost == lengths))
        picture.ghost = cellsOf(*ghost, picture.low, picture.high).outline();
    picture.description = DistributionPicture::tr("Lengths of requests: half up to %1 tokens, 90 of 100 up to %2, 99 of 100 up to %3, mean %4")
                              .arg(number(lengths.p50), number(lengths.p90), number(lengths.p99), number(std::llround(lengths.mean)));
    return picture;
}

DistributionPicture totalPicture(const InFlight &flight, SizeUnit unit, const InFlight *ghost, SteadyRange &range) {
    const MixTotal &total = flight.total;
    DistributionPicture picture;
    const QString load = flight.sequences == 1 ? DistributionPicture::tr("KV of 1 sequence") : DistributionPicture::tr("KV of %1 sequences").arg(number(flight.sequences));
    picture.title = flight.replicas > 1 ? DistributionPicture::tr("%1, fullest GPU of the fullest replica").arg(load) : DistributionPicture::tr("%1, fullest GPU").arg(load);
    picture.of = DistributionPicture::tr("cases");
    if (flight.reserved || total.curve.empty() || !(total.mean > 0)) {
        picture.message = flight.reserved ? DistributionPicture::tr("Each slot is set aside for the whole context: the lengths change nothing.") : DistributionPicture::tr("Nothing is cached.");
        return picture;
    }
    const double room = static_cast<double>(std::max<std::int64_t>((flight.room - flight.prefix).value, 0));
    auto [from, to] = extentOf(total);
    const double span = std::max(to - from, to * 0.02);
    const bool near = room <= to + 3 * span && room >= from - 3 * span; // else the bars would be a needle
    if (near) {
        from = std::min(from, room);
        to = std::max(to, room);
    }
    range.hold(from, to);
    picture.low = range.low;
    picture.high = range.high;
    const Cells cells = cellsOf(total, picture.low, picture.high);
    for (int i = 0; i < barCount; ++i) {
        DistributionBar bar{cells.from(i), cells.from(i + 1), cells.shares()[static_cast<std::size_t>(i)], {}, false};
        bar.beyond = (bar.from + bar.to) / 2 > room;
        bar.title = DistributionPicture::tr("%1 to %2").arg(sizeText(bar.from, unit), sizeText(bar.to, unit));
        picture.bars.push_back(bar);
    }
    picture.ticks = sizeTicks(picture.low, picture.high, unit);
    for (const auto &[name, bytes] : {std::pair("p50", total.p50), {"p95", total.p95}, {"p99", total.p99}})
        picture.marks.push_back({static_cast<double>(bytes), QLatin1String(name), sizeText(static_cast<double>(bytes), unit), DistributionMark::Kind::Percentile});
    picture.marks.push_back({total.mean, DistributionPicture::tr("mean"), sizeText(total.mean, unit), DistributionMark::Kind::Mean});
    picture.marks.push_back({std::clamp(room, picture.low, picture.high), room > picture.high ? DistributionPicture::tr("room, farther right:") : room < picture.low ? DistributionPicture::tr("room, farther left:") : DistributionPicture::tr("room"),
                             sizeText(room, unit), DistributionMark::Kind::Limit});
    if (ghost && !ghost->reserved && !ghost->total.curve.empty())
        picture.ghost = cellsOf(ghost->total, picture.low, picture.high).outline();
    picture.description = DistributionPicture::tr("%1 together: %2 in half of the cases, up to %3 in 95 and %4 in 99 of 100, against a room of %5")
                              .arg(load, sizeText(static_cast<double>(total.p50), unit), sizeText(static_cast<double>(total.p95), unit),
                                   sizeText(static_cast<double>(total.p99), unit), sizeText(room, unit));
    return picture;
}

} // namespace kv
