// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/operator.h"
#include "core/ops/schemas/meanings.h"

#include "core/ops/network/activation.h"
#include "core/ops/network/attention.h"
#include "core/ops/network/convolution.h"
#include "core/ops/network/generation.h"
#include "core/ops/network/loss.h"
#include "core/ops/network/machine_learning.h"
#include "core/ops/network/matrix_product.h"
#include "core/ops/network/normalization.h"
#include "core/ops/network/pooling.h"
#include "core/ops/network/quantization.h"
#include "core/ops/network/recurrent.h"
#include "core/ops/network/resampling.h"
#include "core/ops/network/vision.h"
#include "core/ops/program/container.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/program/text.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/cast.h"
#include "core/ops/tensor/comparison.h"
#include "core/ops/tensor/creation.h"
#include "core/ops/tensor/distance.h"
#include "core/ops/tensor/expanding.h"
#include "core/ops/tensor/indexing.h"
#include "core/ops/tensor/joining.h"
#include "core/ops/tensor/linear_algebra.h"
#include "core/ops/tensor/random.h"
#include "core/ops/tensor/rearranging.h"
#include "core/ops/tensor/reduction.h"
#include "core/ops/tensor/signal.h"
#include "core/ops/tensor/size.h"
#include "core/ops/tensor/slicing.h"
#include "core/ops/tensor/sorting.h"
#include "core/ops/tensor/view.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace cutaway::ops {

namespace {

/// The rows by dialect and name, which are views of the rows' literals.
using Table = std::unordered_map<std::string_view, std::unordered_map<std::string_view, NamedRow>>;

Table makeTable()
{
    Table table;
    for (const OperatorFamily &family : operatorFamilies())
        for (const Operator &row : family.rows)
            for (const auto &[dialect, name, plain] : namesOf(row))
                table[dialect].emplace(name, NamedRow{plain, &row});
    return table;
}

const Table &table()
{
    static const Table made = makeTable();
    return made;
}

std::optional<NamedRow> exactRow(std::string_view dialect, std::string_view name)
{
    const auto rows = table().find(dialect);
    if (rows == table().end())
        return std::nullopt;
    const auto found = rows->second.find(name);
    return found == rows->second.end() ? std::nullopt : std::optional(found->second);
}

/// Removes the part before the separator, and the separator, from `rest` and returns the part.
std::string_view cut(std::string_view &rest, char separator)
{
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

} // namespace

std::vector<OperatorName> namesOf(const Operator &row)
{
    std::vector<OperatorName> names;
    for (std::string_view words = row.names; !words.empty();) {
        std::string_view rest = cut(words, ' ');
        const std::string_view dialect = cut(rest, ':');
        rest.remove_prefix(1);
        for (std::string_view plain; !rest.empty();) {
            const std::string_view name = cut(rest, '=');
            plain = plain.empty() ? name : plain;
            names.push_back({dialect, name, plain});
        }
    }
    return names;
}

std::span<const OperatorFamily> operatorFamilies()
{
    static const std::array families{
        OperatorFamily{"activation", activationOperators()},
        OperatorFamily{"arithmetic", arithmeticOperators()},
        OperatorFamily{"attention", attentionOperators()},
        OperatorFamily{"cast", castOperators()},
        OperatorFamily{"comparison", comparisonOperators()},
        OperatorFamily{"container", containerOperators()},
        OperatorFamily{"control flow", controlFlowOperators()},
        OperatorFamily{"convolution", convolutionOperators()},
        OperatorFamily{"creation", creationOperators()},
        OperatorFamily{"expanding", expandingOperators()},
        OperatorFamily{"distance", distanceOperators()},
        OperatorFamily{"generation", generationOperators()},
        OperatorFamily{"indexing", indexingOperators()},
        OperatorFamily{"joining", joiningOperators()},
        OperatorFamily{"linear algebra", linearAlgebraOperators()},
        OperatorFamily{"loss", lossOperators()},
        OperatorFamily{"machine learning", machineLearningOperators()},
        OperatorFamily{"matrix product", matrixProductOperators()},
        OperatorFamily{"normalization", normalizationOperators()},
        OperatorFamily{"pooling", poolingOperators()},
        OperatorFamily{"quantization", quantizationOperators()},
        OperatorFamily{"random", randomOperators()},
        OperatorFamily{"rearranging", rearrangingOperators()},
        OperatorFamily{"recurrent", recurrentOperators()},
        OperatorFamily{"reduction", reductionOperators()},
        OperatorFamily{"resampling", resamplingOperators()},
        OperatorFamily{"signal", signalOperators()},
        OperatorFamily{"size", sizeOperators()},
        OperatorFamily{"slicing", slicingOperators()},
        OperatorFamily{"sorting", sortingOperators()},
        OperatorFamily{"text", textOperators()},
        OperatorFamily{"view", viewOperators()},
        OperatorFamily{"vision", visionOperators()},
    };
    return families;
}

std::optional<NamedRow> findRow(std::string_view dialect, std::string_view name)
{
    if (const auto exact = exactRow(dialect, name))
        return exact;
    if (name.ends_with("_copy"))
        return exactRow(dialect, name.substr(0, name.size() - 5));
    return name.ends_with('_') && !name.ends_with("__") ? exactRow(dialect, name.substr(0, name.size() - 1))
                                                        : std::nullopt;
}

const Operator *findOperator(std::string_view dialect, std::string_view name)
{
    const auto found = findRow(dialect, name);
    return found ? found->row : nullptr;
}

std::string_view plainNameOf(std::string_view dialect, std::string_view name)
{
    const auto found = exactRow(dialect, name);
    return found ? found->plain : name;
}

std::string_view meaningOf(std::string_view dialect, std::string_view name)
{
    const auto found = findRow(dialect, name);
    if (!found)
        return {};
    const std::string_view ofKind = meaningOfName(kindOf(dialect, name).name());
    return ofKind.empty() ? meaningOfName(found->plain) : ofKind;
}

bool isKnownDialect(std::string_view dialect) { return table().contains(dialect); }

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

Answer someInt(const Call &) { return {intFact()}; }

Answer someBool(const Call &) { return {boolFact()}; }

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

Cost unknownFlops(const Call &, std::span<const Fact>) { return {.flops = ir::UnknownDim{}}; }

Cost unknownOther(const Call &, std::span<const Fact>) { return {.otherFlops = ir::UnknownDim{}}; }

} // namespace cutaway::ops
