// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/pieces.h"

#include <algorithm>

namespace cutaway::tensor {

Result<void> forEachPiece(const Values &values, const Walk &walk, const Task &task,
                          const std::function<void(std::uint64_t first, std::span<const double> numbers)> &visit)
{
    const std::uint64_t all = values.elements().count();
    std::vector<double> numbers;
    for (std::uint64_t first = 0; first < all; first += numbers.size()) {
        if (task.stopRequested())
            return cancelled();
        task.report(walk.what, walk.index * all + first, walk.of * all);
        numbers.resize(static_cast<std::size_t>(std::min<std::uint64_t>(all - first, elementsAtOnce)));
        values.read(first, numbers);
        visit(first, numbers);
    }
    return values.checkUnchanged();
}

} // namespace cutaway::tensor
