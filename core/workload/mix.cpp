// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/mix.h"

#include "core/base/rounding.h"
#include "core/base/units.h"
#include "core/workload/convolution.h"
#include "core/workload/draws.h"
#include "core/workload/percentiles.h"

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr std::size_t curvePoints = 200;
constexpr std::int64_t drawsBetweenAsking = 2000;

double meanOf(std::span<const SizeBin> bins) {
    double all = 0, sum = 0;
    for (const SizeBin &bin : bins) {
        all += bin.weight;
        sum += bin.weight * static_cast<double>(bin.bytes);
    }
    return all > 0 ? sum / all : 0;
}

bool convolves(const SizeGrid &grid, std::int64_t sequences) {
    const std::optional<std::int64_t> cells = cellsOf(grid, sequences);
    return cells && *cells <= mostCells;
}

/// Share of the sums up to `budget`.
double shareWithin(const SizeGrid &grid, std::int64_t sequences, std::int64_t budget) {
    const std::int64_t least = checked::mul(grid.base, sequences);
    if (least == outOfRangeValue || least > budget)
        return 0;
    const std::vector<double> chances = sumOfDraws(grid, sequences);
    const std::int64_t steps = (budget - least) / grid.unit;
    if (steps + 1 >= std::ssize(chances))
        return 1;
    double above = 0; // the smaller side is summed: what is rare keeps its digits
    for (std::size_t i = static_cast<std::size_t>(steps) + 1; i < chances.size(); ++i)
        above += chances[i];
    return 1 - above;
}

void fillExact(const SizeGrid &grid, std::optional<std::int64_t> budget, MixTotal &total) {
    const std::vector<double> chances = sumOfDraws(grid, total.sequences);
    const std::int64_t least = grid.base * total.sequences;
    const auto bytes = [&](std::size_t step) { return least + static_cast<std::int64_t>(step) * grid.unit; };
    double below = 0, above = 0, noted = -1;
    const auto mark = [&](double share, std::int64_t &place, std::size_t step, double before) {
        if (before < share && below >= share)
            place = bytes(step);
    };
    for (std::size_t step = 0; step < chances.size(); ++step) {
        const double before = below;
        below += chances[step];
        mark(0.50, total.p50, step, before);
        mark(0.95, total.p95, step, before);
        mark(0.99, total.p99, step, before);
        if (budget && bytes(step) > *budget)
            above += chances[step];
        if (chances[step] > 0 && (below - noted) * curvePoints >= 1) {
            total.curve.push_back({bytes(step), std::min(below, 1.0)});
            noted = below;
        }
    }
    total.p99Low = total.p99High = total.p99;
    if (budget)
        total.above = std::min(above, 1.0);
}

/// Mean, standard deviation and skewness of one draw.
struct Moments {
    double mean = 0, deviation = 0, skew = 0;
};

Moments momentsOf(std::span<const SizeBin> bins) {
    Moments m;
    m.mean = meanOf(bins);
    double all = 0, square = 0, cube = 0;
    for (const SizeBin &bin : bins) {
        const double off = static_cast<double>(bin.bytes) - m.mean;
        all += bin.weight;
        square += bin.weight * off * off;
        cube += bin.weight * off * off * off;
    }
    m.deviation = std::sqrt(square / all);
    m.skew = m.deviation > 0 ? cube / all / std::pow(m.deviation, 3) : 0;
    return m;
}

/// The sum of N draws at a normal score.
double sumAtScore(const Moments &m, double sequences, double score) {
    const double bent = score + (score * score - 1) * m.skew / (6 * std::sqrt(std::max(sequences, 1.0)));
    return sequences * m.mean + std::sqrt(sequences) * m.deviation * bent;
}

/// How many runs are drawn for sums of about so many sequences; 0: the sum is as good as normal, or too long to draw at all.
std::int64_t runsFor(const Moments &m, double sequences, const MixOptions &options) {
    constexpr double bent = 0.3; // of the sum's skewness, up to which one term of it is enough
    constexpr std::int64_t fewest = 1000;
    const std::int64_t asked = std::max<std::int64_t>(options.draws, 100);
    const double affordable = static_cast<double>(mostDrawn) / std::max(sequences, 1.0);
    if (affordable >= static_cast<double>(asked))
        return asked;
    if (std::abs(m.skew) / std::sqrt(sequences) < bent || affordable * 5 < fewest)
        return 0;
    return std::max(fewest, static_cast<std::int64_t>(affordable));
}

void fillNormal(std::span<const SizeBin> bins, std::optional<std::int64_t> budget, MixTotal &total) {
    const Moments m = momentsOf(bins);
    const auto at = [&](double share) { return checked::nearest(sumAtScore(m, static_cast<double>(total.sequences), normalScore(share))); };
    total.normal = true;
    total.p50 = at(0.50);
    total.p95 = at(0.95);
    total.p99 = total.p99Low = total.p99High = at(0.99);
    for (std::size_t i = 1; i < curvePoints; ++i) {
        const double share = static_cast<double>(i) / curvePoints;
        total.curve.push_back({at(share), share});
    }
    if (!budget)
        return;
    double low = -9, high = 9; // the score at which the sum meets the budget
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (sumAtScore(m, static_cast<double>(total.sequences), middle) <= static_cast<double>(*budget) ? low : high) = middle;
    }
    total.above = 0.5 * std::erfc(low / std::sqrt(2.0));
}

bool fillDrawn(std::span<const SizeBin> bins, std::optional<std::int64_t> budget, const MixOptions &options, MixTotal &total) {
    const SizeDraws draws(bins);
    Xoshiro random(options.seed);
    std::vector<std::int64_t> sums(static_cast<std::size_t>(total.draws));
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (i % drawsBetweenAsking == 0 && options.goOn && !options.goOn())
            return false;
        sums[i] = draws.sum(random, total.sequences);
    }
    std::ranges::sort(sums);
    const double n = static_cast<double>(sums.size());
    const auto at = [&](double rank) { return sums[static_cast<std::size_t>(std::clamp(std::ceil(rank) - 1, 0.0, n - 1))]; };
    total.p50 = at(0.50 * n);
    total.p95 = at(0.95 * n);
    total.p99 = at(0.99 * n);
    // Of order statistics the ranks are binomial: 1.96 standard deviations to either side.
    const double band = 1.96 * std::sqrt(n * 0.99 * 0.01);
    total.p99Low = at(0.99 * n - band);
    total.p99High = at(0.99 * n + band);
    for (std::size_t i = 1; i <= curvePoints; ++i) {
        const double share = static_cast<double>(i) / curvePoints;
        total.curve.push_back({at(share * n), share});
    }
    if (budget) {
        const double above = static_cast<double>(sums.end() - std::ranges::upper_bound(sums, *budget)) / n;
        total.above = above;
        total.aboveError = std::sqrt(above * (1 - above) / n);
    }
    return true;
}

} // namespace

std::optional<MixTotal> totalOf(std::span<const SizeBin> bins, std::int64_t sequences, std::optional<std::int64_t> budget, const MixOptions &options) {
    const std::optional<SizeGrid> grid = gridOf(bins);
    if (!grid || sequences < 0)
        return std::nullopt;
    // A sum that leaves 64 bits has no percentiles to show.
    if (checked::mul(std::ranges::max(bins, {}, &SizeBin::bytes).bytes, std::max<std::int64_t>(sequences, 1)) == outOfRangeValue)
        return std::nullopt;
    MixTotal total;
    total.sequences = sequences;
    total.mean = meanOf(bins) * static_cast<double>(sequences);
    total.exact = !options.simulate && convolves(*grid, sequences);
    if (total.exact)
        fillExact(*grid, budget, total);
    else if (total.draws = runsFor(momentsOf(bins), static_cast<double>(sequences), options); total.draws == 0)
        fillNormal(bins, budget, total);
    else if (!fillDrawn(bins, budget, options, total))
        return std::nullopt;
    return total;
}

std::optional<std::int64_t> mostWithin(std::span<const SizeBin> bins, std::int64_t budget, double share, std::int64_t limit, const MixOptions &options) {
    const std::optional<SizeGrid> grid = gridOf(bins);
    if (!grid || budget < 0)
        return 0;
    const auto within = [&](std::int64_t sequences) { return shareWithin(*grid, sequences, budget) >= share - 1e-9; };
    // Exactly, by doubling and halving, as long as the sums can be convolved.
    std::int64_t low = 0, high = 1;
    while (!options.simulate && high <= limit && convolves(*grid, high) && within(high)) {
        low = high;
        high *= 2;
    }
    high = std::min(high, limit + 1);
    if (low == limit)
        return limit;
    if (!options.simulate && (high == limit + 1 || convolves(*grid, high))) {
        while (high - low > 1) {
            const std::int64_t middle = low + (high - low) / 2;
            if (!convolves(*grid, middle))
                break;
            (within(middle) ? low : high) = middle;
        }
        if (high - low <= 1)
            return low;
    }
    const Moments m = momentsOf(bins);
    if (!(m.mean > 0))
        return limit;
    const double about = std::min(static_cast<double>(budget) / m.mean, static_cast<double>(limit));
    const std::int64_t runs = runsFor(m, about, options);
    if (runs == 0) {
        const double score = normalScore(share);
        for (low = 0, high = limit + 1; high - low > 1;) {
            const std::int64_t middle = low + (high - low) / 2;
            (sumAtScore(m, static_cast<double>(middle), score) <= static_cast<double>(budget) ? low : high) = middle;
        }
        return low;
    }
    const SizeDraws draws(bins);
    Xoshiro random(options.seed);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(runs));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (i % drawsBetweenAsking == 0 && options.goOn && !options.goOn())
            return std::nullopt;
        counts[i] = draws.countWithin(random, budget, limit);
    }
    // At least this share of the runs holds so many: the count that only the rest falls short of.
    const auto rank = static_cast<std::ptrdiff_t>(std::floor((1 - share) * static_cast<double>(counts.size())));
    std::ranges::nth_element(counts, counts.begin() + rank);
    return counts[static_cast<std::size_t>(rank)];
}

} // namespace kv
