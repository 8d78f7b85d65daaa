// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/float_values.h"

#include "core/ops/facts/dim_arithmetic.h"

#include <cmath>

namespace cutaway::ops {

std::optional<std::vector<std::optional<double>>> floatValues(const Fact &fact)
{
    std::vector<std::optional<double>> made;
    if (const TensorFact *tensor = asTensor(fact)) {
        if (!tensor->elements)
            return std::nullopt;
        for (const ir::Dim &element : *tensor->elements)
            made.push_back(floating(element));
        return made;
    }
    if (const auto single = asFloat(fact))
        return std::vector{single};
    const Fact *inside = &fact;
    if (const auto *maybe = fact.as<MaybeFact>())
        inside = &maybe->value.front();
    const auto *list = inside->as<SequenceFact>();
    if (!list || !list->items())
        return std::nullopt;
    for (const Fact &item : list->each())
        made.push_back(asFloat(item));
    return made;
}

std::optional<std::vector<double>> orderedFloatValues(const Fact &fact)
{
    const auto values = floatValues(fact);
    if (!values)
        return std::nullopt;
    std::vector<double> made;
    for (const auto &value : *values) {
        if (!value || std::isnan(*value))
            return std::nullopt;
        made.push_back(*value);
    }
    return made;
}

} // namespace cutaway::ops
