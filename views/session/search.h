// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/selection.h"

#include <QString>
#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::views {

inline constexpr std::size_t mostHits = 10000;

/// The things in a function whose operator, name or module path contains every word of `text`, ignoring case; in order
/// of execution, at most `limit`. A module of one node is found as that. Nothing for an empty text. O(nodes).
std::vector<Selection> search(const ir::Function &function, const QString &text, std::size_t limit = mostHits);

/// The node, value or module path of exactly this name.
std::optional<Selection> named(const ir::Function &function, std::string_view name);

} // namespace cutaway::views
