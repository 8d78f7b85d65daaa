// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/quantity.h"

#include <QString>
#include <array>

namespace cutaway::views {

/// A figure of nodes and modules that colours and columns can show.
enum class Measure : std::uint8_t { Flops, Bytes, Memory, Time, Measured };
inline constexpr std::array allMeasures{Measure::Flops, Measure::Bytes, Measure::Memory, Measure::Time,
                                        Measure::Measured};

/// "FLOPs"
QString title(Measure measure);
/// A sentence for tool tips: what is counted.
QString explanation(Measure measure);
Quantity::Unit unitOf(Measure measure);

} // namespace cutaway::views
