// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/matching.h"

namespace cutaway::diff {

/// Matches remaining items at the same placement: all their producers and consumers are partners. This finds an
/// operator that was replaced by another; several in a row are found if both sides have as many. O(items).
void matchPlaces(Matching &matching);

} // namespace cutaway::diff
