// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/syntax.h"

#include <string>

namespace cutaway::formats::python {

/// Source that parses to an equal tree, in torch's layout, without redundant brackets and commas.
std::string print(const Tree &tree, ExpressionId id);
std::string print(const Tree &tree, StatementId id);
/// `level`: how deep it stands in other blocks.
std::string print(const Tree &tree, FunctionId id, std::size_t level = 0);

} // namespace cutaway::formats::python
