// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway {

/// `n` with three significant digits and an SI prefix: "8.18 GFLOP", "3.35 TB/s", "512 FLOP".
std::string withUnit(double n, std::string_view unit);
/// "1.23 ms", "-40 µs"
std::string secondsText(double seconds);

} // namespace cutaway
