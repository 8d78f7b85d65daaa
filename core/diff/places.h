// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/matching.h"

namespace cutaway::diff {

/// Pairs what is left and stands in the same place: its producers and consumers are partners, all of them. So an
/// operator that was replaced by another is found; several in a row are if their number is the same. O(items).
void matchPlaces(Matching &matching);

} // namespace cutaway::diff
