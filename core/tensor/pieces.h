// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/tensor/values.h"

#include <functional>
#include <string_view>

namespace cutaway::tensor {

/// One of several passes over a tensor, as reports of progress name it.
struct Walk {
    std::string_view what; ///< "histogram"
    std::uint64_t index = 0, of = 1;
};

/// How many numbers are read between two checks of the stop token.
inline constexpr std::size_t elementsAtOnce = 1 << 16;

/// Calls visit(position of the first element, numbers) for all elements in row-major order. Errors: cancelled; the
/// file changed meanwhile.
Result<void> forEachPiece(const Values &values, const Walk &walk, const Task &task,
                          const std::function<void(std::uint64_t first, std::span<const double> numbers)> &visit);

} // namespace cutaway::tensor
