// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/row_names.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cutaway::print {

/// How torch calls an operator: by a function or method with the schema's parameter names, or as a registered operator.
enum class CallKind : std::uint8_t {
    Registered, ///< torch.ops.aten.cummax.default(x, 0)
    Method,     ///< x.view(2, 3)
    Function,   ///< torch.cat([x, y])
    Functional, ///< F.relu(x)
};
CallKind callKind(std::string_view dialect, std::string_view name);

/// An expression for an operator, which is used if all given arguments are in the pattern.
struct CallRow {
    ops::RowNames names;
    std::string_view overload; ///< the overload; "" for any
    /// The pattern of the expression, "$self @ $other": $ and a name or index stand for an argument, "$dim*" for the
    /// items of a list, "$*" for all other arguments; "$-" leaves the other arguments out.
    std::string_view pattern;
    /// Whether the first argument has to be a tensor, since with a number the expression means something else.
    bool needsTensor = false;
};
/// The pattern of operators that read one size of a tensor.
inline constexpr std::string_view oneSize = "$0.shape[$1]";
/// The patterns of operators that make a tensor of a number, and a number of a tensor.
inline constexpr std::string_view tensorOfNumber = "torch.tensor($0)";
inline constexpr std::string_view numberOfTensor = "int($0)";
/// The patterns with the same meaning for numbers and for int64 tensors without dimensions.
inline constexpr std::array<std::string_view, 6> integerPatterns{"$0 + $1", "$0 - $1", "$1 - $0",
                                                                 "$0 * $1", "$0 % $1", "$0 // $1"};
/// The pattern of operators that read a tensor's dtype.
inline constexpr std::string_view oneDType = "$0.dtype";
/// Returns the rows of an operator, in the order in which they are tried. They are preferred to patternOf(), which has
/// the pattern for other listings.
std::span<const CallRow *const> callRows(std::string_view dialect, std::string_view name);

/// Returns "+=" for aten::add_, since aten::add is an infix operator; "" for operators without such a statement.
std::string augmentedOperator(std::string_view dialect, std::string_view name);

/// Whether a parameter changes no result, as it is only a hint for kernels.
bool isWithoutEffect(std::string_view parameter);

} // namespace cutaway::print
