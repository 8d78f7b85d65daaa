// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/fx/lowering/evaluator.h"

namespace cutaway::formats::fx {

/// The node of the fx graph that an expression of its code stands for, without its name; nothing for an expression that
/// is no node, such as another name of a value.
std::optional<ListedNode> listedNode(const Evaluator &code, ExpressionId id);

/// The path "layer1.0.conv1" of `getattr(self.layer1, "0").conv1`; nothing for an expression that is no path from
/// `self`.
std::optional<std::string> pathFromSelf(const Evaluator &code, ExpressionId id);

/// The node of the fx graph for `a += b`.
ListedNode listedInPlace(const Evaluator &code, const Augment &statement);

} // namespace cutaway::formats::fx
