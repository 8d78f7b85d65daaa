// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/picture.h"

namespace cutaway::views {

// Where the arrow keys lead in a picture, from box to box; nothing: nowhere.

/// Where they begin: the first box in sight.
std::optional<std::uint32_t> firstBoxIn(const Picture &picture, const QRectF &sight);
/// The next box to the right (+1) or left (-1) in the same surroundings, the nearest row first.
std::optional<std::uint32_t> siblingOf(const Picture &picture, std::uint32_t box, int direction);
/// Along an edge: to a box that it reads (-1), or that reads it (+1).
std::optional<std::uint32_t> neighbourOf(const Picture &picture, std::uint32_t box, int direction);
/// To the first box inside, if it is open (+1), or to the box around it (-1).
std::optional<std::uint32_t> nextLevelOf(const Picture &picture, std::uint32_t box, int direction);

} // namespace cutaway::views
