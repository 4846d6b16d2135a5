// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/timesoff.h"

#include "core/base/quantity.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"

#include <QCoreApplication>

namespace kv {

namespace {

struct Off {
    Q_DECLARE_TR_FUNCTIONS(kv::TimesOff)
};

/// "8", "2.6", "53": two digits below ten, whole above.
QString times(double factor) {
    const double rounded = factor < 9.95 ? std::round(factor * 10) / 10 : std::round(factor);
    if (rounded < 10 && rounded != std::floor(rounded))
        return localNumbers(QString::number(rounded, 'f', 1));
    return translated(writeNumber(static_cast<std::int64_t>(rounded)));
}

} // namespace

QString timesOff(std::int64_t answer, std::int64_t right) {
    if (answer <= 0 || right <= 0)
        return {};
    const double ratio = static_cast<double>(answer) / static_cast<double>(right);
    if (std::abs(ratio - 1) < 0.005)
        return Off::tr("right");
    if (ratio >= 1.95)
        return Off::tr("%1 times the right value").arg(times(ratio));
    if (ratio > 1)
        return Off::tr("%1 % too much").arg(times(100 * (ratio - 1)));
    if (ratio > 0.55)
        return Off::tr("%1 % too little").arg(times(100 * (1 - ratio)));
    return ratio > 0.495 ? Off::tr("half of the right value") : Off::tr("the right value is %1 times this").arg(times(1 / ratio));
}

} // namespace kv
