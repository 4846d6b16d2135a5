// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/inflight.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kv {

namespace {

/// Two digits where it has them: "12", "3.2", "0.05".
std::string twoDigits(double number) {
    if (number >= 9.95)
        return writeNumber(std::llround(number));
    char text[32];
    std::snprintf(text, sizeof text, number < 0.095 ? "%.3f" : "%.1f", number);
    std::string out = text;
    return out.ends_with(".0") ? out.substr(0, out.size() - 2) : out;
}

/// Of the smallest round number of cases in which it happens at least once.
std::string smallShare(double share) {
    for (const std::int64_t cases : {100, 1'000, 10'000, 100'000, 1'000'000})
        if (const double happens = share * static_cast<double>(cases); happens >= 0.95)
            return twoDigits(happens) + " of " + writeNumber(cases);
    return "fewer than 1 of 1,000,000";
}

/// Of the smallest round number of cases in which it fails to happen at least once: "998 of 1,000".
std::string largeShare(double share) {
    constexpr std::int64_t most = 1'000'000;
    std::int64_t cases = 1'000;
    while (cases < most && (1 - share) * static_cast<double>(cases) < 0.95)
        cases *= 10;
    return writeNumber(std::min<std::int64_t>(cases - 1, std::llround(share * static_cast<double>(cases)))) + " of " + writeNumber(cases);
}

std::string counted(std::int64_t n, std::string_view what) { return writeNumber(n) + " " + std::string(what) + (n == 1 ? "" : "s"); }

/// "in 3 of 100 cases", "in no case", "always"
std::string inCases(double share) {
    if (!(share > 0))
        return "in no case";
    return share >= 1 ? "always" : "in " + casesOf(share) + " cases";
}

} // namespace

std::string casesOf(double share) {
    if (!(share > 0))
        return "none";
    if (share >= 1)
        return "all";
    return share > 0.995 ? largeShare(share) : smallShare(share);
}

InFlightWords inFlightWords(const InFlight &flight) {
    InFlightWords words;
    const std::int64_t n = flight.sequences;
    const std::string sequences = counted(n, "sequence") + (flight.replicas > 1 ? " on the fullest replica" : "");
    const bool one = n == 1;
    const double misses = flight.total.above.value_or(0);
    words.most = flight.mostAtP99 == 0 ? "Not one sequence fits in 99 of 100 cases." : counted(flight.mostAtP99, "sequence") + (flight.mostAtP99 == 1 ? " fits" : " fit") + " in 99 of 100 cases.";
    if (flight.reserved) {
        words.fit = "The lengths change nothing here: memory is set aside for the whole context of each slot.";
        words.most = flight.mostAtP99 == 0 ? "Not one slot fits." : counted(flight.mostAtP99, "slot") + (flight.mostAtP99 == 1 ? " fits." : " fit.");
        return words;
    }
    if (!(misses > 0))
        words.fit = "With these lengths " + sequences + (one ? " fits" : " fit") + " in every case" + (flight.total.exact || flight.total.normal ? "." : " that was drawn.");
    else if (misses >= 1)
        words.fit = "With these lengths " + sequences + (one ? " never fits." : " never fit.");
    else
        words.fit = "With these lengths " + sequences + (one ? " does" : " do") + " not fit in " + casesOf(misses) + " cases.";
    const std::string mean = counted(std::llround(flight.meanTokens), "token") + (flight.cut ? ", lengths cut at the context," : "");
    if (flight.mostWithMean == 0)
        words.mean = "Planning with the mean of " + mean + " says that not one fits.";
    else
        words.mean = "Planning with the mean of " + mean + " says " + writeNumber(flight.mostWithMean) +
                     (flight.meanFails ? " and is wrong " + inCases(*flight.meanFails) + "." : ".");
    if (flight.total.exact)
        words.method = "Added up exactly, by convolution.";
    else if (flight.total.normal)
        words.method = "So many sequences add up to a normal sum with its skewness.";
    else {
        // None in n draws bounds the chance at 3 ÷ n, as far as 95 of 100 such samples go.
        const bool some = misses > 0 && misses < 1;
        const double within = some ? 1.96 * flight.total.aboveError : 3 / static_cast<double>(std::max<std::int64_t>(flight.total.draws, 1));
        words.method = "By " + writeNumber(flight.total.draws) + " draws with the seed " + writeNumber(static_cast<std::int64_t>(MixOptions{}.seed)) + "; the chance is right within ± " +
                       twoDigits(100 * within) + " of 100.";
    }
    if (flight.cut)
        words.method += " Lengths beyond the context are cut at it.";
    return words;
}

} // namespace kv
