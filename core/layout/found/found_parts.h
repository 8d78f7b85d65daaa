// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/outline.h"
#include "core/query/pattern.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::layout {

/// Returns the nodes, each once, in those found parts of a function whose names or paths (FoundName) match, ignoring
/// case. The pattern may leave out all spaces of a name, and write x for ×: "stage3", "12xattention".
std::vector<ir::NodeId> nodesInParts(const Outline &outline, const query::Pattern &name);
/// Returns the nodes in one part; none if the outline lacks it.
std::vector<ir::NodeId> nodesInPart(const Outline &outline, const FoundSubject &part);
/// Returns the first part whose name or path matches; nothing if there is none.
std::optional<FoundSubject> partCalled(const Outline &outline, const query::Pattern &name);
/// Returns the name of a part; "" if the outline lacks it.
std::string nameOf(const Outline &outline, const FoundSubject &part);

} // namespace cutaway::layout
