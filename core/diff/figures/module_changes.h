// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

namespace cutaway::diff {

/// Counts the differences per module, those inside it included. Nodes that only B has count for B's module of that
/// path.
std::vector<ModuleChanges> moduleChanges(const Side &a, const Side &b, const Difference &difference);

} // namespace cutaway::diff
