// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/source/syntax.h"

#include <string>

namespace cutaway::formats::torchscript {

/// Source that parses to an equal tree, in torch's layout, without its redundant brackets and commas.
std::string print(const Tree &tree);
std::string print(const Tree &tree, ClassId id);
std::string print(const Tree &tree, FunctionId id);
std::string print(const Tree &tree, StatementId id);
std::string print(const Tree &tree, ExpressionId id);
std::string print(const Tree &tree, TypeId id);

} // namespace cutaway::formats::torchscript
