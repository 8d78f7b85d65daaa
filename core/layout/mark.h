// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace cutaway::layout {

/// What became of a thing between two states of a function, or between two models.
enum class Mark : std::uint8_t {
    None,
    Added,
    Removed,
    Changed,
    Absent ///< in neither of the two: a picture of more states keeps its place
};

} // namespace cutaway::layout
