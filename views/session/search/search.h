// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/query/pattern.h"
#include "views/session/selection.h"

#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::views {

/// Returns the modules, the inputs and weights, and the nodes in order of execution whose operator, class, name or
/// module path contains each of the words, which are in lower case. A module with a single node is left out if that
/// node is found. No words find nothing. O(nodes).
std::vector<Selection> search(const ir::Function &function, const std::vector<query::Pattern> &words);

/// Returns the node, value or module with exactly this name or path; nothing if there is none.
std::optional<Selection> named(const ir::Function &function, std::string_view name);

} // namespace cutaway::views
