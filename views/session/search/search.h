// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/query/pattern.h"
#include "views/session/selection.h"

#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::views {

/// The things in a function whose operator, name or module path contains every one of the words, which are in small
/// letters; in order of execution. A module of one node is found as that. Nothing for no words. O(nodes).
std::vector<Selection> search(const ir::Function &function, const std::vector<query::Pattern> &words);

/// The node, value or module path of exactly this name.
std::optional<Selection> named(const ir::Function &function, std::string_view name);

} // namespace cutaway::views
