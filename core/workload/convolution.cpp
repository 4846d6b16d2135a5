// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/convolution.h"

#include "core/base/units.h"
#include "core/workload/mix.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace kv {

namespace {

using Complex = std::complex<double>;

/// In place, the size a power of two; radix 2, the roots from a table so that their error does not add up.
void transform(std::vector<Complex> &values, bool inverse) {
    const std::size_t n = values.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(values[i], values[j]);
    }
    std::vector<Complex> roots(n / 2);
    for (std::size_t i = 0; i < n / 2; ++i) {
        const double angle = (inverse ? 2 : -2) * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
        roots[i] = {std::cos(angle), std::sin(angle)};
    }
    for (std::size_t half = 1; half < n; half *= 2) {
        const std::size_t stride = n / (2 * half);
        for (std::size_t block = 0; block < n; block += 2 * half)
            for (std::size_t i = 0; i < half; ++i) {
                Complex &low = values[block + i], &high = values[block + i + half];
                const Complex &root = roots[i * stride];
                // Written out: a product of std::complex asks about infinities each time.
                const Complex turned{high.real() * root.real() - high.imag() * root.imag(), high.real() * root.imag() + high.imag() * root.real()};
                high = {low.real() - turned.real(), low.imag() - turned.imag()};
                low = {low.real() + turned.real(), low.imag() + turned.imag()};
            }
    }
}

Complex power(Complex base, std::int64_t exponent) {
    Complex result{1, 0};
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            result *= base;
        base *= base;
    }
    return result;
}

} // namespace

std::optional<SizeGrid> gridOf(std::span<const SizeBin> bins) {
    SizeGrid grid;
    double all = 0;
    for (const SizeBin &bin : bins) {
        all += bin.weight;
        grid.base = &bin == bins.data() ? bin.bytes : std::min(grid.base, bin.bytes);
    }
    if (!(all > 0))
        return std::nullopt;
    grid.unit = 0;
    for (const SizeBin &bin : bins)
        grid.unit = std::gcd(grid.unit, bin.bytes - grid.base);
    grid.unit = std::max<std::int64_t>(grid.unit, 1);
    for (const SizeBin &bin : bins) {
        grid.steps.push_back((bin.bytes - grid.base) / grid.unit);
        grid.shares.push_back(bin.weight / all);
        grid.most = std::max(grid.most, grid.steps.back());
    }
    return grid;
}

std::optional<std::int64_t> cellsOf(const SizeGrid &grid, std::int64_t sequences) {
    const std::int64_t cells = checked::add(checked::mul(grid.most, sequences), 1);
    return cells == outOfRangeValue ? std::nullopt : std::optional(cells);
}

std::vector<double> sumOfDraws(const SizeGrid &grid, std::int64_t sequences) {
    if (sequences == 0)
        return {1.0}; // one cell for the empty sum: no size has a place in it
    const std::size_t cells = static_cast<std::size_t>(cellsOf(grid, sequences).value_or(1));
    std::size_t size = 1;
    while (size < cells)
        size *= 2;
    std::vector<Complex> values(size);
    for (std::size_t i = 0; i < grid.steps.size(); ++i)
        values[static_cast<std::size_t>(grid.steps[i])] += grid.shares[i];
    if (size > 1) {
        transform(values, false);
        for (Complex &value : values)
            value = power(value, sequences);
        transform(values, true);
    }
    std::vector<double> chances(cells);
    for (std::size_t i = 0; i < cells; ++i)
        chances[i] = std::max(0.0, values[i].real() / static_cast<double>(size)); // below 0 by rounding alone
    return chances;
}

} // namespace kv
