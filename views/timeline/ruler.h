// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace cutaway::views {

struct RulerTick {
    double second;
    QString text; ///< "12.35 ms"; all ticks have the same unit, and as many digits as distinguish them
};

/// Returns at most `most` ticks at round times within a range.
std::vector<RulerTick> rulerTicks(double from, double to, double most);

} // namespace cutaway::views
