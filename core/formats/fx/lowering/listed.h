// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/fx/lowering/evaluator.h"

namespace cutaway::formats::fx {

/// Returns the node of the fx graph for an expression in its code, without its name; nothing if the expression is no
/// node, such as another name of a value.
std::optional<ListedNode> listedNode(const Evaluator &code, ExpressionId id);

/// Returns the path "layer1.0.conv1" for `getattr(self.layer1, "0").conv1`; nothing if it is no path from `self`.
std::optional<std::string> pathFromSelf(const Evaluator &code, ExpressionId id);

/// Returns the node of the fx graph for `a += b`.
ListedNode listedInPlace(const Evaluator &code, const Augment &statement);

} // namespace cutaway::formats::fx
