// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/structure/structure.h"

namespace cutaway::structure {

/// Puts sections into regions that have too many regions and steps side by side. `regions` has each region before
/// those in it, as the result has.
std::vector<Region> withSections(const ir::Context &context, const Flow &flow, std::vector<Region> regions);

} // namespace cutaway::structure
