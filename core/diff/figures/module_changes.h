// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

namespace cutaway::diff {

/// Counts the differences in each module, those in its submodules included. A node that only B has counts for B's
/// module of the same path.
std::vector<ModuleChanges> moduleChanges(const Side &a, const Side &b, const Difference &difference);

} // namespace cutaway::diff
