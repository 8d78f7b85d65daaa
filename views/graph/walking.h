// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/picture.h"

namespace cutaway::views {

// These functions return the box to which the arrow keys lead in a picture; nothing if they lead nowhere.

/// Returns the box at which the keys begin: the first one in sight.
std::optional<std::uint32_t> firstBoxIn(const Picture &picture, const QRectF &sight);
/// Returns the next box to the right (+1) or left (-1) in the same surroundings, the nearest row first.
std::optional<std::uint32_t> siblingOf(const Picture &picture, std::uint32_t box, int direction);
/// Follows an edge: to a box that this one reads (-1), or that reads this one (+1).
std::optional<std::uint32_t> neighbourOf(const Picture &picture, std::uint32_t box, int direction);
/// Returns the first box inside, if this one is open (+1), or the box around it (-1).
std::optional<std::uint32_t> nextLevelOf(const Picture &picture, std::uint32_t box, int direction);

} // namespace cutaway::views
