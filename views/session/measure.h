// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/quantity.h"

#include <QString>
#include <array>

namespace cutaway::views {

/// What of nodes and modules can be compared: by colour, in columns.
enum class Measure : std::uint8_t { Flops, Bytes, Memory, Time, Measured };
inline constexpr std::array allMeasures{Measure::Flops, Measure::Bytes, Measure::Memory, Measure::Time,
                                        Measure::Measured};

/// "FLOPs"
QString title(Measure measure);
/// "What matrix products, convolutions and attention compute …"
QString explanation(Measure measure);
Quantity::Unit unitOf(Measure measure);

} // namespace cutaway::views
