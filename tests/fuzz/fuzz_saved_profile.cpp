// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/profile_comparison.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace run = cutaway::run;

/// A profile that can be read equals itself, and each of its rows is in the comparison once.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto saved = run::parseProfile({reinterpret_cast<const char *>(data), size});
    if (!saved)
        return 0;
    const auto same = run::sameIds(*saved, *saved);
    if (!same)
        std::abort();
    const run::ProfileComparison comparison = run::compareProfiles(*saved, *saved, *same);
    std::size_t rows = 0;
    for (const run::NodesChange &change : comparison.nodes)
        rows += change.a.size() + change.b.size();
    if (rows != 2 * saved->nodes.size())
        std::abort();
    return 0;
}
