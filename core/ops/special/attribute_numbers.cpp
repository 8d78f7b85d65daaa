// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/attribute_numbers.h"

#include "core/ops/facts/float_values.h"

#include <cmath>

namespace cutaway::compute {

std::optional<std::vector<double>> numbersAt(const Call &call, std::string_view name)
{
    if (!call.facts().has(name))
        return std::vector<double>();
    if (const Array *array = call.array(name))
        return floatsOf(*array);
    const auto values = ops::floatValues(call.facts()[name]);
    std::vector<double> numbers;
    for (const auto &value : values.value_or(std::vector<std::optional<double>>{std::nullopt})) {
        if (!value)
            return std::nullopt;
        numbers.push_back(*value);
    }
    return numbers;
}

std::optional<std::vector<std::int64_t>> wholesAt(const Call &call, std::string_view name)
{
    const auto numbers = numbersAt(call, name);
    std::vector<std::int64_t> wholes;
    for (const double number : numbers.value_or(std::vector<double>{std::nan("")})) {
        if (!(std::abs(number) < 0x1p53) || number != std::floor(number))
            return std::nullopt;
        wholes.push_back(static_cast<std::int64_t>(number));
    }
    return wholes;
}

std::optional<Rows> rowsOf(const Array *x)
{
    if (!x || x->shape.empty() || x->shape.size() > 2 || x->shape.back() < 1)
        return std::nullopt;
    const auto width = static_cast<std::size_t>(x->shape.back());
    return Rows{x->count() / width, width, floatsOf(*x)};
}

} // namespace cutaway::compute
