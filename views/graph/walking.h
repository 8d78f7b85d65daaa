// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/picture.h"

namespace cutaway::views {

// siblingOf(), neighbourOf() and nextLevelOf() return the box that an arrow key leads to; nothing if it leads nowhere.

/// Returns the first box whose centre is visible, at which keyboard navigation begins; nothing if there is none.
std::optional<std::uint32_t> firstBoxIn(const Picture &picture, const QRectF &sight);
/// Returns the next box to the right (+1) or left (-1) within the same box around it, the nearest row first.
std::optional<std::uint32_t> siblingOf(const Picture &picture, std::uint32_t box, int direction);
/// Returns a box that an edge leads to: one that this box reads (-1), or that reads this box (+1).
std::optional<std::uint32_t> neighbourOf(const Picture &picture, std::uint32_t box, int direction);
/// Returns the first box inside, if this one is open (+1), or the box around it (-1).
std::optional<std::uint32_t> nextLevelOf(const Picture &picture, std::uint32_t box, int direction);

} // namespace cutaway::views
