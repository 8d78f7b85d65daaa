// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/amount.h"

#include "core/base/text.h"

#include <utility>

namespace cutaway {

std::string withUnit(double n, std::string_view unit)
{
    const std::string text = siCount(n); // "8.18 G" or "512"
    return text + (text.contains(' ') ? "" : " ") + std::string(unit);
}

std::string secondsText(double seconds)
{
    if (seconds < 0)
        return '-' + secondsText(-seconds);
    if (seconds >= 1 || seconds == 0)
        return withUnit(seconds, "s");
    for (const auto &[unit, size] : {std::pair{"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}})
        if (seconds >= size * 0.9995)
            return withUnit(seconds / size, unit);
    return "< 1 ns";
}

} // namespace cutaway
