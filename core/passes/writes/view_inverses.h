// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"
#include "core/ops/row_names.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::passes {

/// A view's operator and the one that puts its elements back.
struct ViewInverse {
    enum class Arguments : std::uint8_t {
        BaseAndPart,  ///< inverse(base, part, …)
        Part,         ///< inverse(part, …)
        PartLikeBase, ///< inverse(part, base)
        Reordered     ///< inverse(part, the order that undoes that of the view)
    };
    ops::RowNames names; ///< the operators that make such a view
    std::string_view overload, name, inverseOverload;
    Arguments arguments;
    bool needsWholeMemory = false; ///< it views the memory that a tensor lies in, which has to be the tensor
};
/// Finds the inverse of the view that a node makes; nullptr if it makes none, or none that is understood.
const ViewInverse *findInverse(analysis::Reading &reading, const ir::NodeRef &node);

/// Gives the order of dimensions that undoes `order`, the argument of a permute; nothing if that is not written as
/// numbers.
std::optional<ir::List> undoneOrder(const ir::Operand *order);

} // namespace cutaway::passes
