#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a bench found, for people on standard output and for tests/bench/table as a line of JSON appended to the file that KV_BENCH names.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace kv::bench {

struct Measured {
    std::string what; ///< "evaluate, Llama 3.1 70B, textbook"
    const char *unit; ///< "ms", "µs", "MB"
    double median = NAN, p99 = NAN, worst = NAN;
    double aim = NAN;          ///< of the median, or of p99 where `aimsAtP99`
    bool aimsAtP99 = false;
    double yardstick = NAN;    ///< what bounds it, measured in the same run: the same painted by hand, the bytes passed once
    std::string limit = {};    ///< what that is, in words
};

/// Median, p99 and worst of times.
inline Measured summary(std::string what, const char *unit, std::vector<double> times, double aim = NAN) {
    std::sort(times.begin(), times.end());
    return {std::move(what), unit, times[times.size() / 2], times[times.size() * 99 / 100], times.back(), aim};
}

inline void say(const Measured &m) {
    std::printf("%-76s %10.3f %10.3f %10.3f %s\n", m.what.c_str(), m.median, m.p99, m.worst, m.unit);
    std::fflush(stdout);
    const char *path = std::getenv("KV_BENCH");
    std::FILE *file = path ? std::fopen(path, "a") : nullptr;
    if (!file)
        return;
    const auto number = [file](const char *key, double value) {
        if (!std::isnan(value))
            std::fprintf(file, ", \"%s\": %.6g", key, value);
    };
    std::fprintf(file, "{\"what\": \"%s\", \"unit\": \"%s\"", m.what.c_str(), m.unit);
    number("median", m.median);
    number("p99", m.p99);
    number("worst", m.worst);
    number(m.aimsAtP99 ? "aim_p99" : "aim", m.aim);
    number("yardstick", m.yardstick);
    if (!m.limit.empty())
        std::fprintf(file, ", \"limit\": \"%s\"", m.limit.c_str());
    std::fprintf(file, "}\n");
    std::fclose(file);
}

} // namespace kv::bench
