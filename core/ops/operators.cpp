// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/families.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace cutaway::ops {

namespace {

/// Texts of rows are literals, so that views of them last.
using Table = std::unordered_map<std::string_view, const Operator *>;

Table makeTable()
{
    Table table;
    for (const std::span<const Operator> family : operatorFamilies())
        for (const Operator &row : family)
            for (std::string_view rest = row.names; !rest.empty();) {
                const std::size_t blank = std::min(rest.find(' '), rest.size());
                if (blank > 0)
                    table.emplace(rest.substr(0, blank), &row);
                rest.remove_prefix(std::min(blank + 1, rest.size()));
            }
    return table;
}

const Operator *find(std::string_view dialect, std::string_view name)
{
    static const Table table = makeTable();
    const auto found = table.find(std::string(dialect).append("::").append(name));
    return found == table.end() ? nullptr : found->second;
}

} // namespace

std::span<const std::span<const Operator>> operatorFamilies()
{
    static const std::array families{
        activationOperators(),    arithmeticOperators(),    attentionOperators(),   castOperators(),
        comparisonOperators(),    containerOperators(),     controlFlowOperators(), convolutionOperators(),
        creationOperators(),      expandingOperators(),     distanceOperators(),    indexingOperators(),
        joiningOperators(),       linearAlgebraOperators(), lossOperators(),        machineLearningOperators(),
        matrixProductOperators(), normalizationOperators(), poolingOperators(),     quantizationOperators(),
        randomOperators(),        rearrangingOperators(),   recurrentOperators(),   reductionOperators(),
        resamplingOperators(),    signalOperators(),        sizeOperators(),        slicingOperators(),
        sortingOperators(),       textOperators(),          viewOperators(),        visionOperators(),
    };
    return families;
}

const Operator *findOperator(std::string_view dialect, std::string_view name)
{
    if (const Operator *exact = find(dialect, name))
        return exact;
    if (name.ends_with("_copy"))
        return find(dialect, name.substr(0, name.size() - 5));
    return name.ends_with('_') && !name.ends_with("__") ? find(dialect, name.substr(0, name.size() - 1)) : nullptr;
}

namespace {

ir::Dim elements(const Fact &fact)
{
    const TensorFact *tensor = asTensor(fact);
    return tensor && tensor->shape ? elementsOf(*tensor->shape) : ir::Dim(ir::UnknownDim{});
}

} // namespace

Cost plus(const Cost &a, const Cost &b)
{
    return {plus(a.flops, b.flops), plus(a.otherFlops, b.otherFlops), plus(a.bytesRead, b.bytesRead),
            plus(a.bytesWritten, b.bytesWritten)};
}

Cost times(const Cost &cost, const ir::Dim &count)
{
    return {times(cost.flops, count), times(cost.otherFlops, count), times(cost.bytesRead, count),
            times(cost.bytesWritten, count)};
}

Cost onePerResult(const Call &, std::span<const Fact> results)
{
    Cost cost;
    for (const Fact &result : results)
        if (asTensor(result))
            cost.otherFlops = plus(cost.otherFlops, elements(result));
    return cost;
}

Cost onePerArgument(const Call &call, std::span<const Fact>)
{
    return {std::int64_t{0}, call.tensor(0u) ? elements(call[0u]) : ir::Dim(std::int64_t{0})};
}

} // namespace cutaway::ops
