// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace cutaway::views {

struct RulerTick {
    double second;
    QString text; ///< "12.35 ms", all of a range in one unit, with as many digits as tell them apart
};

/// At round seconds within a range, `most` at the most.
std::vector<RulerTick> rulerTicks(double from, double to, double most);

} // namespace cutaway::views
