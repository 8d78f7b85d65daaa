// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/text/text.h"

#include <vector>

namespace cutaway::ir {

/// Where a node's statement starts in a text.
struct NodePlace {
    std::size_t at = 0; ///< in bytes from the start of the text
    NodeId node;
    bool operator==(const NodePlace &) const = default;
};

/// A text with the positions of its nodes, in the text's order.
struct PlacedText {
    std::string text;
    std::vector<NodePlace> places;
};

/// Prints a function as printText() does.
PlacedText placedText(const Model &model, FunctionId function, TextForm form);

} // namespace cutaway::ir
