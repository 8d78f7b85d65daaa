// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/data_sizes.h"

#include "core/ops/facts/number_arithmetic.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace cutaway::analysis {

namespace {

void collectNames(const ir::Dim &dim, std::unordered_set<std::string> &names)
{
    if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
        for (const std::string &name : symbolic::symbolsOf(*expr))
            names.insert(name);
}

} // namespace

std::vector<DataSize> dataSizesIn(const Shapes &shapes)
{
    if (shapes.dataSizes.empty())
        return {};
    std::unordered_set<std::string> names;
    for (const ops::Fact &fact : shapes.facts) {
        ops::forEachTensor(fact, [&](const ops::TensorFact &tensor) {
            for (const ir::Dim &dim : tensor.shape ? *tensor.shape : ir::Shape())
                collectNames(dim, names);
        });
        const auto *number = fact.as<ops::NumberFact>();
        // The value of a Boolean may be the choice of a branch, which is no size.
        const bool isSize = number && number->kind == ops::NumberFact::Kind::Int;
        if (const auto *value = isSize ? std::get_if<ir::Dim>(&number->value) : nullptr)
            collectNames(*value, names);
    }
    std::vector<DataSize> found;
    std::ranges::copy_if(shapes.dataSizes, std::back_inserter(found),
                         [&](const DataSize &size) { return names.contains(size.name); });
    return found;
}

std::vector<std::pair<std::string, std::string>> formulaRanges(const ir::Model &model)
{
    constexpr std::string_view start = "range of ";
    std::vector<std::pair<std::string, std::string>> ranges;
    for (const auto &[key, value] : model.metadata)
        if (key.starts_with(start))
            ranges.emplace_back(key.substr(start.size()), value);
    return ranges;
}

bool mayBeNegative(const DataSize &size) { return size.name.starts_with(ops::itemHint); }

} // namespace cutaway::analysis
