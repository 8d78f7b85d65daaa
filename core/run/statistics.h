// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::run {

/// Statistics of a tensor's finite numbers.
struct Statistics {
    double min = 0, max = 0, mean = 0;
    std::int64_t notNumbers = 0; ///< NaN and infinities
};

/// Nullopt for a tensor without numbers.
std::optional<Statistics> statistics(const protocol::Tensor &tensor);

/// The first elements as text for display.
std::vector<std::string> firstElements(const protocol::Tensor &tensor, std::size_t limit);

} // namespace cutaway::run
