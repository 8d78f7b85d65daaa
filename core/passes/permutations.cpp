// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/permutations.h"

#include "core/ops/tensor/view.h"

#include <algorithm>
#include <numeric>

namespace cutaway::passes {

namespace {

using PermutedAxes = std::vector<std::size_t>;

std::optional<std::size_t> rankOf(analysis::Reading &reading, const ir::Operand &operand)
{
    const ops::Fact fact = reading.proven(operand);
    const ops::TensorFact *tensor = ops::asTensor(fact);
    return tensor && tensor->shape ? std::optional(tensor->shape->size()) : std::nullopt;
}

std::optional<std::size_t> axisAt(const ir::Operand *operand, std::size_t rank)
{
    const auto *number = operand ? operand->as<std::int64_t>() : nullptr;
    return number ? ops::dimension(*number, rank) : std::nullopt;
}

/// Returns the axes that aten::permute or onnx::Transpose lists; without a list, Transpose reverses all axes.
std::optional<PermutedAxes> listedAxes(analysis::Reading &reading, const ir::NodeRef &node, std::size_t rank)
{
    PermutedAxes axes(rank);
    std::iota(axes.rbegin(), axes.rend(), 0);
    const ir::Operand *operand = node.isOnnx() ? node.argument("perm") : reading.argument(node, "dims");
    if (!operand)
        return node.isOnnx() ? std::optional(axes) : std::nullopt;
    const auto *list = operand->as<ir::List>();
    if (!list || list->items.size() != rank)
        return std::nullopt;
    for (std::size_t i = 0; i < rank; ++i) {
        const auto axis = axisAt(&list->items[i], rank);
        if (!axis)
            return std::nullopt;
        axes[i] = *axis;
    }
    return axes;
}

PermutedAxes exchanged(std::size_t rank, std::size_t a, std::size_t b)
{
    PermutedAxes axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    std::swap(axes[a], axes[b]);
    return axes;
}

} // namespace

std::optional<PermutedAxes> permutationOf(analysis::Reading &reading, const ir::NodeRef &node)
{
    const ops::OperatorKind kind = reading.kind(node);
    const auto &arguments = node->arguments;
    const bool hasValue = !arguments.empty() && arguments.front().value.as<ir::ValueId>();
    const auto rank = hasValue ? rankOf(reading, arguments.front().value) : std::nullopt;
    if (!rank)
        return std::nullopt;
    if (kind == ops::kind::permute)
        return listedAxes(reading, node, *rank);
    if (kind == ops::kind::t && *rank == 2)
        return PermutedAxes{1, 0};
    if (kind == ops::kind::matrixTranspose && *rank >= 2)
        return exchanged(*rank, *rank - 2, *rank - 1);
    if (kind != ops::kind::transpose || node.isOnnx())
        return std::nullopt;
    const auto a = axisAt(reading.argument(node, "dim0"), *rank), b = axisAt(reading.argument(node, "dim1"), *rank);
    return a && b ? std::optional(exchanged(*rank, *a, *b)) : std::nullopt;
}

} // namespace cutaway::passes
