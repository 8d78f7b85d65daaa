// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/statistics.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/run/elements.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::run {

namespace {

std::string numberText(const protocol::Tensor &tensor, double x)
{
    if (tensor.dtype == ir::DType::Bool)
        return x != 0 ? "true" : "false";
    return formatted("{:.6g}", x);
}

} // namespace

std::optional<Statistics> statistics(const protocol::Tensor &tensor)
{
    const auto numbers = numbersOf(tensor);
    Statistics found{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), 0, 0};
    double count = 0;
    for (const double x : numbers.value_or(std::vector<double>())) {
        if (!std::isfinite(x)) {
            ++found.notNumbers;
            continue;
        }
        found.min = std::min(found.min, x);
        found.max = std::max(found.max, x);
        found.mean += (x - found.mean) / ++count; // a sum may be too large for a double
    }
    return count > 0 ? std::optional(found) : std::nullopt;
}

std::vector<std::string> firstElements(const protocol::Tensor &tensor, std::size_t limit)
{
    std::vector<std::string> texts;
    if (tensor.dtype == ir::DType::String) {
        for (const std::string &text : protocol::textsOf(tensor).value_or(std::vector<std::string>()))
            if (texts.size() < limit)
                texts.push_back(quote(text));
        return texts;
    }
    const auto numbers = numbersOf(tensor).value_or(std::vector<double>());
    for (std::size_t i = 0; i < std::min(limit, numbers.size()); ++i)
        texts.push_back(numberText(tensor, numbers[i]));
    return texts;
}

} // namespace cutaway::run
