// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace cutaway::layout {

/// How a thing differs between two states of a function, or between two models.
enum class Mark : std::uint8_t {
    None,
    Added,
    Removed,
    Changed,
    Absent ///< in neither of the two: keeps its position in a picture of several states
};

} // namespace cutaway::layout
