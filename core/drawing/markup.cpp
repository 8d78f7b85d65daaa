// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/markup.h"

#include "core/base/text.h"

#include <cmath>

namespace cutaway::drawing {

std::string markup(std::string_view text)
{
    std::string out;
    for (const char c : sanitized(text, true))
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            out += c;
        }
    return out;
}

std::string coordinate(double x)
{
    const double tenths = std::round(x * 10);
    const auto whole = static_cast<long long>(tenths);
    const std::string text = std::to_string(std::abs(whole) / 10);
    const std::string fraction = whole % 10 == 0 ? "" : "." + std::to_string(std::abs(whole) % 10);
    return (whole < 0 ? "-" : "") + text + fraction;
}

} // namespace cutaway::drawing
