// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace cutaway::layout {

/// How a thing differs between two states of a function, or two models.
enum class Mark : std::uint8_t {
    None,
    Added,
    Removed,
    Changed,
    Absent ///< for nodes that neither state has, which keep their position in a picture of several states
};

} // namespace cutaway::layout
