// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"

#include <concepts>

namespace cutaway {

/// "1 node", "1,234 nodes"; `plural` where it is not the noun with an s: "2 entries".
std::string quantity(std::integral auto n, std::string_view noun, std::string_view plural = {})
{
    std::string text = grouped(static_cast<long long>(n)) + ' ';
    if (n != 1 && !plural.empty())
        return text.append(plural);
    return text.append(noun).append(n == 1 ? "" : "s");
}

} // namespace cutaway
