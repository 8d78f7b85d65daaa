// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/outline.h"
#include "core/query/pattern.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::layout {

/// The nodes in those parts found in a function whose names or paths (FoundName) match, ignoring case, each once. The
/// pattern may leave out all spaces of a name, and write x for ×: "stage3", "12xattention".
std::vector<ir::NodeId> nodesInParts(const Outline &outline, const query::Pattern &name);
/// The nodes in one part; none if the outline lacks it.
std::vector<ir::NodeId> nodesInPart(const Outline &outline, const FoundSubject &part);
/// The first of these parts; nothing if none is called so.
std::optional<FoundSubject> partCalled(const Outline &outline, const query::Pattern &name);
/// How a part is called; "" if the outline lacks it.
std::string nameOf(const Outline &outline, const FoundSubject &part);

} // namespace cutaway::layout
