// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/syntax.h"

#include <string>

namespace cutaway::formats::python {

/// Returns source that parses to an equal tree, in torch's layout, without redundant brackets and commas.
std::string print(const Tree &tree, ExpressionId id);
std::string print(const Tree &tree, StatementId id);
/// Returns the source of a function. `level` is the number of blocks around it.
std::string print(const Tree &tree, FunctionId id, std::size_t level = 0);

} // namespace cutaway::formats::python
