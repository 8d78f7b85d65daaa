// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"

#include <concepts>
#include <utility>

namespace cutaway {

/// Returns a number with a noun: "1 node", "1,234 nodes". `plural` is the noun's plural if that is not the noun with an
/// s: "2 entries".
std::string quantity(std::integral auto n, std::string_view noun, std::string_view plural = {})
{
    std::string text = grouped(static_cast<long long>(n)) + ' ';
    if (n != 1 && !plural.empty())
        return text.append(plural);
    return text.append(noun).append(n == 1 ? "" : "s");
}

/// Returns `n` with three significant digits and an SI prefix: "8.18 GFLOP", "3.35 TB/s", "512 FLOP".
inline std::string withUnit(double n, std::string_view unit)
{
    const std::string text = siCount(n); // "8.18 G" or "512"
    return text + (text.contains(' ') ? "" : " ") + std::string(unit);
}

/// Returns a duration with its unit: "1.23 ms", "-40 µs", "< 1 ns", "> -1 ns".
inline std::string secondsText(double seconds)
{
    if (seconds < 0) {
        const std::string text = secondsText(-seconds);
        return text.starts_with('<') ? "> -1 ns" : '-' + text;
    }
    if (seconds >= 1 || seconds == 0)
        return withUnit(seconds, "s");
    for (const auto &[unit, size] : {std::pair{"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}})
        if (seconds >= size * 0.9995)
            return withUnit(seconds / size, unit);
    return "< 1 ns";
}

} // namespace cutaway
