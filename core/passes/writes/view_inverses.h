// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"
#include "core/ops/row_names.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::passes {

/// The operators that make a view, and the operator that puts the view's elements back into the base.
struct ViewInverse {
    enum class Arguments : std::uint8_t {
        BaseAndPart,  ///< inverse(base, part, …)
        Part,         ///< inverse(part, …)
        PartLikeBase, ///< inverse(part, base), which makes a tensor like the base
        Reordered     ///< inverse(part, the order of dimensions that undoes that of the view)
    };
    ops::RowNames names; ///< the operators that make such views
    std::string_view overload, name, inverseOverload;
    Arguments arguments;
    /// Whether the viewed tensor must be all of its memory, since the view picks elements from the memory.
    bool needsWholeMemory = false;
};
/// Finds the inverse of the view that a node makes; nullptr if the node makes no view, or none that is understood.
const ViewInverse *findInverse(analysis::Reading &reading, const ir::NodeRef &node);

/// Returns the order of dimensions that undoes `order`, the argument of a permute; nothing if that is not written as
/// numbers.
std::optional<ir::List> undoneOrder(const ir::Operand *order);

} // namespace cutaway::passes
