// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/quantity.h"

#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::views {

/// A figure of nodes and modules that colours and columns can show.
enum class Measure : std::uint8_t { Flops, Bytes, Memory, Time, Measured };
inline constexpr std::array allMeasures{Measure::Flops, Measure::Bytes, Measure::Memory, Measure::Time,
                                        Measure::Measured};

/// Returns the name for sessions and the command line: "flops", "bytes", …
std::string_view name(Measure measure);
std::optional<Measure> measureNamed(std::string_view name);
/// Returns the name for the user: "FLOPs".
QString title(Measure measure);
/// Returns a sentence for tool tips that explains what is counted.
QString explanation(Measure measure);
Quantity::Unit unitOf(Measure measure);

} // namespace cutaway::views
